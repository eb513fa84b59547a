import pg from 'pg'
import { expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { sortMessagesIn } from './sort-messages-in.loop.ts'

const kit = await startTestApp()
const { as, withTenant, schema } = kit

type Said = { body: string; at?: string; fromMe?: boolean; type?: 'text' | 'document'; isDeleted?: boolean }
const say = async (tenantId: number, ticketId: string, said: Said[]) => {
  const { contactId, connectionId } = await withTenant(tenantId, async (tx) => {
    const text =
      'select contact_id as "contactId", connection_id as "connectionId" from tickets where tenant_id = $1 and id = $2'
    const [row] = await tx.rows<{ contactId: string; connectionId: string }>({ name: '', text }, [tenantId, ticketId])
    if (!row) throw new Error('no ticket')
    return row
  })
  await withTenant(tenantId, (tx) =>
    tx.db.insert(schema.messages).values(
      said.map(({ body, at = '2026-11-18T12:00:00Z', fromMe = false, type = 'text', isDeleted = false }) => ({
        tenantId,
        ticketId,
        contactId,
        connectionId,
        fromMe,
        type,
        body,
        isDeleted,
        status: 'received' as const,
        timestamp: new Date(at),
        createdAt: new Date(at),
      })),
    ),
  )
  return { contactId }
}

/** What all pages hold together, each asked for where the one before ended: on a busy machine one may be short, or empty. */
const everyHit = async (user: { token: string }, query: string) => {
  const seen: string[] = []
  let cursor: string | null = ''
  for (let page = 0; cursor !== null && page < 60; page += 1) {
    const { body } = await as(user).get(`/searchMessage?${query}${cursor && `&cursor=${cursor}`}`)
    seen.push(...body.items.map((hit: { body: string }) => hit.body))
    cursor = body.nextCursor
  }
  return seen
}

test('finds words without accents in what one may see, newest first, with who, where and the words around', async () => {
  const tenant = await kit.seedTenant({ queues: ['Vendas', 'Suporte'], agentIn: ['Vendas'] })
  const seen = await kit.createTicket(tenant, { queue: 'Vendas' })
  const hidden = await kit.createTicket(tenant, { queue: 'Suporte' })
  await say(tenant.tenantId, seen, [
    { body: 'O ORÇAMENTO da geladeira', at: '2026-11-17T12:00:00Z' },
    { body: 'novo orcamento', at: '2026-11-18T12:00:00Z' },
    { body: 'orçamento apagado', isDeleted: true },
  ])
  await say(tenant.tenantId, hidden, [{ body: 'orçamento secreto' }])

  const { body } = await as(tenant.agent).get('/searchMessage?searchParam=orcamento')

  expect(body.items.map((one: { body: string }) => one.body)).toEqual(['novo orcamento', 'O ORÇAMENTO da geladeira'])
  expect(body.items[1]).toMatchObject({
    ticketId: seen,
    contactName: 'João da Silva',
    channel: 'webchat',
    snippet: { before: 'O ', hit: 'ORÇAMENTO', after: ' da geladeira' },
  })
  expect(body).toMatchObject({ hasMore: false, nextCursor: null })
  expect((await as(tenant.agent).get(`/searchMessage?searchParam=orcamento&ticketId=${hidden}`)).status).toBe(404)
  expect((await as(tenant.admin).get('/searchMessage?searchParam=orcamento')).body.items).toHaveLength(3)
})

test('narrows by days of the company, side, kind and contact', async () => {
  const tenant = await kit.seedTenant()
  const [one, other] = [await kit.createTicket(tenant), await kit.createTicket(tenant)]
  const { contactId } = await say(tenant.tenantId, one, [
    { body: 'boleto a', at: '2026-11-17T02:59:00Z' }, // still the 16th in São Paulo
    { body: 'boleto b', at: '2026-11-17T03:00:00Z', fromMe: true },
    { body: 'boleto c', at: '2026-11-18T03:00:00Z', type: 'document' },
  ])
  await say(tenant.tenantId, other, [{ body: 'boleto d', at: '2026-11-19T12:00:00Z' }])
  const find = async (query: string) =>
    (await as(tenant.admin).get(`/searchMessage?searchParam=boleto&${query}`)).body.items.map((hit: { body: string }) =>
      hit.body.at(-1),
    )

  expect(await find('dateFrom=2026-11-17&dateTo=2026-11-17')).toEqual(['b'])
  expect(await find('dateTo=2026-11-16')).toEqual(['a'])
  expect(await find('fromMe=true')).toEqual(['b'])
  expect(await find('fromMe=false&type=document')).toEqual(['c'])
  expect(await find(`contactId=${contactId}`)).toEqual(['c', 'b', 'a'])
})

test.each(['', 'ticket'])('pages by key to the last, whatever the way it was found %s', async (scope) => {
  const tenant = await kit.seedTenant()
  const ticketId = await kit.createTicket(tenant)
  // Far more than the newest that are looked at first, and more matches than are ever collected.
  const text = `insert into messages (tenant_id, id, ticket_id, contact_id, connection_id, from_me, type, body, status, timestamp, created_at)
    select $1, uuidv7(), t.id, t.contact_id, t.connection_id, false, 'text', case when n % 6 = 0 then 'bom dia ' || n when n = 1 then 'raro' else 'outra coisa' end, 'received', now(),
      now() - make_interval(secs => 20000 - n) from tickets t, generate_series(1, 15000) n where t.tenant_id = $1 and t.id = $2`
  await withTenant(tenant.tenantId, (tx) => tx.rows({ name: '', text }, [tenant.tenantId, ticketId]))
  const narrow = scope ? `&ticketId=${ticketId}` : ''

  const seen = await everyHit(tenant.admin, `searchParam=BOM%20DIA&limit=100${narrow}`)

  expect(seen).toHaveLength(2_500)
  expect(new Set(seen).size).toBe(2_500)
  expect(seen[0]).toBe('bom dia 15000')
  expect(await everyHit(tenant.admin, `searchParam=raro${narrow}`)).toEqual(['raro'])
})

test('who may see hardly any of many matches gets those, in their order, and none twice', async () => {
  const tenant = await kit.seedTenant({ queues: ['Vendas', 'Financeiro'], agentIn: ['Vendas'] })
  const ofOthers = await kit.createTicket(tenant, { queue: 'Financeiro' })
  const own = await kit.createTicket(tenant, { userId: tenant.agent.id })
  const at = (n: number) => new Date(Date.UTC(2026, 9, 1) + n * 60_000).toISOString()
  const matches = Array.from({ length: 900 }, (_, n) => ({ body: `murici ${n}`, at: at(n) }))
  await say(
    tenant.tenantId,
    ofOthers,
    matches.filter((_, n) => n % 100 !== 0),
  )
  await say(
    tenant.tenantId,
    own,
    matches.filter((_, n) => n % 100 === 0),
  )

  const expected = Array.from({ length: 9 }, (_, n) => `murici ${800 - n * 100}`)
  expect(await everyHit(tenant.agent, 'searchParam=murici')).toEqual(expected)
})

test('goes back through years of many and of few messages without losing or repeating one', async () => {
  const tenant = await kit.seedTenant()
  const ticketId = await kit.createTicket(tenant)
  // Three hundred a second today, one a day the year before, one a month of the years before that.
  const text = `insert into messages (tenant_id, id, ticket_id, contact_id, connection_id, from_me, type, body, status, timestamp, created_at)
    select $1, uuidv7(), t.id, t.contact_id, t.connection_id, false, 'text', case when n % 5 = 0 then 'jabuticaba madura ' || n else 'outra coisa' end, 'received', now(),
      case when n > 1000 then now() - make_interval(secs => (4000 - n) / 300.0)
        when n > 700 then now() - make_interval(days => 1001 - n) else now() - make_interval(days => 300 + (701 - n) * 30) end
      from tickets t, generate_series(600, 4000) n where t.tenant_id = $1 and t.id = $2`
  await withTenant(tenant.tenantId, (tx) => tx.rows({ name: '', text }, [tenant.tenantId, ticketId]))

  const found = (await as(tenant.admin).get(`/searchMessage?searchParam=jabuticaba&limit=100`)).body
  const seen = await everyHit(tenant.admin, 'searchParam=jabuticaba&limit=97')

  const expected = Array.from({ length: 681 }, (_, n) => `jabuticaba madura ${4000 - n * 5}`)
  expect(seen).toEqual(expected)
  expect(found.items.map((hit: { body: string }) => hit.body)).toEqual(expected.slice(0, 100))
})

test('an index search that runs out of time says how far it came, and goes on from there', async () => {
  const tenant = await kit.seedTenant()
  const ticketId = await kit.createTicket(tenant)
  await say(
    tenant.tenantId,
    ticketId,
    Array.from({ length: 40 }, (_, n) => ({ body: `pitanga ${n}`, at: new Date(Date.UTC(2020, n, 1)).toISOString() })),
  )
  const seen: string[] = []
  let before: Date | null = new Date('2030-01-01')
  let calls = 0
  for (; before && calls < 60; calls += 1) {
    const asked: Date = before
    const rows: { id: string | null; searchedTo: Date | null }[] = await withTenant(tenant.tenantId, (tx) =>
      tx.rows(
        {
          name: '',
          text: `select id, searched_to as "searchedTo" from find_messages('%pitanga%', 1000, 0, '-infinity', $1)`,
        },
        [asked],
      ),
    )
    seen.push(...rows.flatMap(({ id }) => id ?? []))
    before = rows.at(-1)?.searchedTo ?? null
  }

  expect(new Set(seen).size).toBe(40)
  expect(seen).toHaveLength(40)
  expect(calls).toBeGreaterThan(3)
})

test('what is written waits for the search index until the worker sorts it in; it is found before and after', async () => {
  const tenant = await kit.seedTenant()
  const ticketId = await kit.createTicket(tenant)
  await say(
    tenant.tenantId,
    ticketId,
    Array.from({ length: 30 }, (_, n) => ({ body: `jabuticaba madura número ${n}` })),
  )
  const find = () => as(tenant.admin).get('/searchMessage?searchParam=jabuticaba')
  const found = await find()

  expect(found.body.items).toHaveLength(30)
  expect(await sortMessagesIn()).toEqual({ did: expect.toSatisfy((pages) => pages > 0), againInMs: 200 })
  expect(await sortMessagesIn()).toEqual({ did: 0 })
  expect((await find()).body).toEqual(found.body)
})

test('the page around a message has it in its middle and tells whether there is more on either side', async () => {
  const tenant = await kit.seedTenant()
  const ticketId = await kit.createTicket(tenant)
  await say(
    tenant.tenantId,
    ticketId,
    Array.from({ length: 60 }, (_, n) => ({ body: `m${n}` })),
  )
  const whole = (await as(tenant.admin).get(`/messages/${ticketId}?limit=100`)).body.items
  const middle = whole.find((one: { body: string }) => one.body === 'm30')

  const { body } = await as(tenant.admin).get(`/messages/${ticketId}?around=${middle.seq}&limit=20`)

  expect(body.items.map((one: { body: string }) => one.body)).toEqual(
    Array.from({ length: 20 }, (_, n) => `m${20 + n}`),
  )
  expect(body).toMatchObject({ hasMore: true, hasNewer: true, nextCursor: String(body.items[0].seq) })
  const byId = await as(tenant.admin).get(`/messages/${ticketId}?around=${middle.id}&limit=20`)
  expect(byId.body.items).toHaveLength(20)
  expect((await as(tenant.admin).get(`/messages/${ticketId}?around=${ticketId}`)).status).toBe(404)
  const end = await as(tenant.admin).get(`/messages/${ticketId}?around=${whole.at(-1).seq}&limit=20`)
  expect(end.body).toMatchObject({ hasMore: true, hasNewer: false })
})

test('nonsense is refused or finds nothing, and wildcards mean themselves', async () => {
  const tenant = await kit.seedTenant()
  const ticketId = await kit.createTicket(tenant)
  await say(tenant.tenantId, ticketId, [{ body: 'desconto de 10%' }, { body: 'desconto de 10 reais' }])
  const find = (query: string) => as(tenant.admin).get(`/searchMessage?${query}`)

  expect((await find('searchParam=a')).status).toBe(422)
  const signs = await find(`searchParam=${encodeURIComponent('%%%')}`)
  expect(signs).toMatchObject({ status: 422, body: { details: [{ path: 'searchParam' }] } })
  expect((await find(`searchParam=${encodeURIComponent('10%')}&limit=1`)).status).toBe(200)
  expect((await find('searchParam=abc&cursor=zzz')).status).toBe(422)
  expect((await find('searchParam=abc&dateFrom=ontem')).status).toBe(422)
  expect((await find(`searchParam=${encodeURIComponent('10%')}`)).body.items).toHaveLength(1)
  expect((await find(`searchParam=${encodeURIComponent("' or 1=1 --")}`)).body.items).toEqual([])
})

test('a company whose messages nearly all of them are finds its own, and another its few, none of the other', async () => {
  const [large, small] = [await kit.seedTenant(), await kit.seedTenant()]
  const text = `insert into messages (tenant_id, id, ticket_id, contact_id, connection_id, from_me, type, body, status, timestamp, created_at)
    select $1, uuidv7(), t.id, t.contact_id, t.connection_id, false, 'text', case when n % 300 = 0 then 'seriguela ' || n else 'outra coisa' end,
      'received', now(), now() - make_interval(hours => n) from tickets t, generate_series(1, $3::int) n where t.tenant_id = $1 and t.id = $2`
  const write = async ({ tenantId }: { tenantId: number }, ticketId: string, count: number) =>
    withTenant(tenantId, (tx) => tx.rows({ name: '', text }, [tenantId, ticketId, count]))
  await write(large, await kit.createTicket(large), 18_000)
  await write(small, await kit.createTicket(small), 600)
  const owner = new pg.Client({ connectionString: kit.ownerUrl })
  await owner.connect()
  await owner.query('analyze messages')
  await owner.end()

  const all = Array.from({ length: 60 }, (_, n) => `seriguela ${(n + 1) * 300}`)
  expect(await everyHit(large.admin, 'searchParam=seriguela')).toEqual(all)
  expect(await everyHit(small.admin, 'searchParam=seriguela')).toEqual(all.slice(0, 2))
})
