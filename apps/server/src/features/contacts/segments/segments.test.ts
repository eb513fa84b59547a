import type { Segment } from '@balcao/contract/contacts/segments/segments.ts'
import { eq, sql } from 'drizzle-orm'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const { as, ownerUrl, seedTenant, createUser, createContact, createTicket, schema, withTenant } = await startTestApp()

type Tenant = Awaited<ReturnType<typeof seedTenant>>
const all = (...rules: Segment['rules']): Segment => ({ match: 'all', rules })
const named = (text: string): Segment => all({ field: 'name', op: 'contains', value: text })
const tagged = async (tenant: Tenant, name: string, contactIds: string[]) => {
  const { id } = (await as(tenant.admin).post('/tags', { name, color: '#112233' })).body
  for (const contactId of contactIds) await as(tenant.admin).put(`/contact-tags/${contactId}`, { tags: [id] })
  return id as string
}
const namesOf = (reply: { body: { items: { name: string }[] } }) => reply.body.items.map(({ name }) => name)
const inAddress = (rules: Segment) => encodeURIComponent(JSON.stringify(rules))

test('a segment is one’s own until it is shared, and whoever may share looks after the company’s', async () => {
  const tenant = await seedTenant()
  const mine = await as(tenant.agent).post('/segments', { name: 'Anas', rules: named('ana') })
  expect(mine).toMatchObject({ status: 201, body: { isShared: false, userId: tenant.agent.id, rules: named('ana') } })
  expect((await as(tenant.admin).get(`/segments/${mine.body.id}`)).status).toBe(404)
  expect(await as(tenant.agent).put(`/segments/${mine.body.id}`, { isShared: true })).toMatchObject({
    status: 422,
    body: { details: [{ path: 'isShared' }] },
  })

  const shared = await as(tenant.supervisor).post('/segments', { name: 'Todas', isShared: true, rules: named('a') })
  expect((await as(tenant.agent).get('/segments')).body.items).toMatchObject([{ name: 'Anas' }, { name: 'Todas' }])
  expect((await as(tenant.agent).put(`/segments/${shared.body.id}`, { name: 'x' })).status).toBe(403)
  expect((await as(tenant.admin).put(`/segments/${shared.body.id}`, { name: 'Com A' })).body.name).toBe('Com A')
})

test('rules that say nothing are refused where they stand, in words', async () => {
  const tenant = await seedTenant()
  const refusal = async (rules: unknown) =>
    (await as(tenant.agent).post('/segments', { name: 'X', rules })).body.details
  expect(await refusal({ match: 'all', rules: [{ field: 'tags', op: 'any' }] })).toEqual([
    { path: 'rules.rules.0', message: 'Escolha pelo menos uma opção.' },
  ])
  expect(await refusal({ match: 'all', rules: [{ match: 'any', rules: [] }] })).toEqual([
    { path: 'rules', message: 'Adicione pelo menos uma condição a cada grupo.' },
  ])
  expect(await refusal(all({ field: 'name', op: 'olderThan', value: 3 }))).toMatchObject([
    { message: 'Escolha como comparar.' },
  ])
  const deep = [1, 2, 3, 4].reduce<Segment>((inner) => ({ match: 'all', rules: [inner] }), named('a'))
  const many = all(...Array.from({ length: 51 }, () => named('a').rules[0] ?? { field: 'name' as const, op: 'is' }))
  for (const wrong of [
    deep,
    many,
    { match: 'all' },
    'x',
    null,
    { match: 'all', rules: [{ field: 'senha', op: 'is' }] },
  ])
    expect(await as(tenant.agent).post('/segments/count', { rules: wrong }), JSON.stringify(wrong)).toMatchObject({
      status: 422,
    })
})

test('a segment narrows list, count, board and export alike, with filters, search and pages beside it', async () => {
  const tenant = await seedTenant()
  const ana = await createContact(tenant, { name: 'Ana Lima' })
  await createContact(tenant, { name: 'Bia Lima' })
  const caio = await createContact(tenant, { name: 'Caio Lima' })
  const vip = await tagged(tenant, 'VIP', [ana, caio])
  await createTicket(tenant, { contactId: caio, userId: tenant.agent.id })
  const rules = all({ field: 'tags', op: 'any', value: [vip] }, { field: 'hasOpenTicket', op: 'no' })
  const { id } = (await as(tenant.supervisor).post('/segments', { name: 'VIP parados', isShared: true, rules })).body

  expect((await as(tenant.agent).post('/segments/count', { rules })).body).toEqual({ count: 1, isMore: false })
  const list = await as(tenant.agent).get(`/contacts?segmentId=${id}&count=true`)
  expect([namesOf(list), list.body.count]).toEqual([['Ana Lima'], 1])
  expect(
    namesOf(
      await as(tenant.agent).get(
        `/contacts?segment=${inAddress(named('lima'))}&tagIds=${vip}&sort=createdAt&direction=desc`,
      ),
    ),
  ).toEqual(['Caio Lima', 'Ana Lima'])
  expect(
    namesOf(
      await as(tenant.agent).get(
        `/contacts?segment=${inAddress(all({ field: 'tags', op: 'empty' }))}&searchParam=lima`,
      ),
    ),
  ).toEqual(['Bia Lima'])
  const board = (await as(tenant.agent).get(`/contactsKanban?segmentId=${id}`)).body.columns
  expect(board).toMatchObject([{ id: 'none', total: 1, cards: [{ name: 'Ana Lima' }] }])
  const csv = await as(tenant.supervisor).get(`/contacts/export.csv?segmentId=${id}`)
  expect(String(csv.body)).toContain('Ana Lima')
  expect(String(csv.body)).not.toContain('Bia Lima')

  const first = await as(tenant.agent).get(`/contacts?segment=${inAddress(named('lima'))}&limit=2`)
  const rest = await as(tenant.agent).get(
    `/contacts?segment=${inAddress(named('lima'))}&limit=2&cursor=${first.body.nextCursor}`,
  )
  expect([...namesOf(first), ...namesOf(rest)]).toEqual(['Ana Lima', 'Bia Lima', 'Caio Lima'])
})

test('what a segment names may go: it then finds nobody by it, and a segment that went is said to be gone', async () => {
  const tenant = await seedTenant()
  const contactId = await createContact(tenant, { name: 'Ana' })
  const gone = await tagged(tenant, 'Antiga', [])
  await as(tenant.admin).delete(`/tags/${gone}`)
  const count = async (op: string) =>
    (await as(tenant.agent).post('/segments/count', { rules: all({ field: 'tags', op, value: [gone] }) })).body.count
  expect([await count('any'), await count('none')]).toEqual([0, 1])

  const { id } = (await as(tenant.agent).post('/segments', { name: 'Anas', rules: named('ana') })).body
  await withTenant(tenant.tenantId, ({ db }) =>
    db.update(schema.segments).set({ rules: { match: 'all', rules: [{ field: 'lua', op: 'x' }] } as never }),
  )
  expect((await as(tenant.agent).get(`/segments/${id}`)).body.rules).toEqual({ match: 'any', rules: [] })
  expect(namesOf(await as(tenant.agent).get(`/contacts?segmentId=${id}`))).toEqual([])
  await as(tenant.agent).delete(`/segments/${id}`)
  expect(await as(tenant.agent).get(`/contacts?segmentId=${id}`)).toMatchObject({
    status: 422,
    body: {
      details: [{ path: 'segmentId', message: 'Este segmento não existe mais. Escolha outro ou tire o filtro.' }],
    },
  })
  expect(contactId).toBeDefined()
})

test('where wallets close contacts, a segment counts what one sees; “eu” is whoever asks', async () => {
  const tenant = await seedTenant({ settings: { DirectTicketsToWallets: true } })
  const rival = await createUser(tenant.tenantId)
  await createContact(tenant, { name: 'Ana', walletIds: [tenant.agent.id] })
  await createContact(tenant, { name: 'Bia' })
  const count = async (user: Tenant['admin'], rules: Segment) =>
    (await as(user).post('/segments/count', { rules })).body.count
  const mine = all({ field: 'wallet', op: 'any', value: ['me'] })
  const everybody = all({ field: 'isGroup', op: 'no' })
  expect(await Promise.all([tenant.agent, rival, tenant.admin].map((user) => count(user, mine)))).toEqual([1, 0, 0])
  expect(await Promise.all([tenant.agent, rival, tenant.admin].map((user) => count(user, everybody)))).toEqual([
    2, 1, 2,
  ])
})

test('the contact we last wrote to is known by its message, and a note is none', async () => {
  const tenant = await seedTenant()
  const contactId = await createContact(tenant, { name: 'Ana', number: '5511987654321' })
  const ticketId = await createTicket(tenant, { contactId, userId: tenant.agent.id })
  const written = all({ field: 'lastOut', op: 'within', value: 1 })
  const count = async () => (await as(tenant.agent).post('/segments/count', { rules: written })).body.count
  await as(tenant.agent).post(`/notes/${ticketId}`, { body: 'Ligar amanhã' })
  expect(await count()).toBe(0)
  expect((await as(tenant.agent).post(`/messages/${ticketId}`, { body: 'Oi' })).status).toBeLessThan(300)
  expect(await count()).toBe(1)
})

test('before a segment goes one reads which flows ask for it, by their draft or by what runs', async () => {
  const tenant = await seedTenant()
  const me = as(tenant.admin)
  const segment = async (isShared: boolean): Promise<string> =>
    (await me.post('/segments', { name: `VIP ${isShared}`, isShared, rules: named('a') })).body.id
  const [vip, own] = [await segment(true), await segment(false)]
  const uses = (who: { token: string }, id: string) => as(who).get(`/segments/${id}/uses`)
  expect((await uses(tenant.admin, vip)).body).toEqual({ flows: [], campaigns: [] })
  const flow = (await me.post('/chat-flow', { name: 'Boas-vindas' })).body
  const node = JSON.stringify({ id: 'a', data: { tests: [{ on: 'segment', segmentId: vip }] } })
  await withTenant(tenant.tenantId, ({ db, tenantId }) =>
    db.execute(sql`insert into chat_flow_nodes (tenant_id, flow_id, node_id, node, revision)
      values (${tenantId}, ${flow.id}, 'a', ${node}::jsonb, 2)`),
  )
  expect((await uses(tenant.agent, vip)).body).toEqual({
    flows: [{ id: flow.id, name: 'Boas-vindas' }],
    campaigns: [],
  })
  const audience = { include: [{ kind: 'segment', segmentId: vip }] }
  const campaign = (await me.post('/campaigns', { name: 'Natal', audience })).body
  expect((await uses(tenant.admin, vip)).body.campaigns).toEqual([{ id: campaign.id, name: 'Natal' }])
  expect((await uses(tenant.agent, vip)).body.campaigns).toEqual([])
  expect((await uses(tenant.admin, own)).body).toEqual({ flows: [], campaigns: [] })
  expect((await uses(tenant.agent, own)).status).toBe(404)
})

test('two who take or give the last tag at once leave it known whether one is left', async () => {
  const tenant = await seedTenant()
  const [a, b] = [await tagged(tenant, 'A', []), await tagged(tenant, 'B', [])]
  const contactId = await createContact(tenant)
  const watcher = new pg.Client({ connectionString: ownerUrl })
  await watcher.connect()
  onTestFinished(() => watcher.end())
  const isOneWaiting = async () => {
    const { rows } = await watcher.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows.length > 0
  }
  const change = (tagIds: { gives?: string; takes?: string }, beforeCommit = async () => {}) =>
    withTenant(tenant.tenantId, async (tx) => {
      const { gives, takes } = tagIds
      if (gives) await tx.db.insert(schema.contactTags).values({ tenantId: tenant.tenantId, contactId, tagId: gives })
      if (takes) await tx.db.delete(schema.contactTags).where(eq(schema.contactTags.tagId, takes))
      await beforeCommit()
    })
  /** The second begins while the first has written and not committed. */
  const atOnce = async (first: Parameters<typeof change>[0], second: Parameters<typeof change>[0]) => {
    let other: Promise<unknown> | undefined
    await change(first, async () => {
      other = change(second)
      await expect.poll(isOneWaiting, { timeout: 5_000 }).toBe(true)
    })
    await other
  }
  const isKnownTagged = async () => {
    const [row] = await withTenant(tenant.tenantId, (tx) =>
      tx.db.select().from(schema.contactSummary).where(eq(schema.contactSummary.contactId, contactId)),
    )
    return row?.isTagged
  }
  await change({ gives: a })
  await change({ gives: b })
  expect(await isKnownTagged()).toBe(true)
  await atOnce({ takes: a }, { takes: b })
  expect(await isKnownTagged()).toBe(false)
  await change({ gives: a })
  await atOnce({ takes: a }, { gives: b })
  expect(await isKnownTagged()).toBe(true)
})
