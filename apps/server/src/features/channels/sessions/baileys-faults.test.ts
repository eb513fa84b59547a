import { eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const kit = await startTestApp()
const { as, seedTenant, createContact, createTicket, schema, withTenant, withPlatform } = kit
const { startBaileysSimulator } = await import('@balcao/simulators/baileys.ts')
const { startProxySimulator } = await import('@balcao/simulators/proxy.ts')
const { createSessions } = await import('./sessions.loop.ts')
const { forgetState, readState, recallPiece } = await import('./state.ts')
const { createMediaFetcher } = await import('../../conversations/messages/media-fetcher.ts')
const { sampleMedia } = await import('@balcao/simulators/samples.ts')
const { createSender } = await import('../../conversations/messages/sender.ts')
const { settleInbound } = await import('../../intake/inbound/inbound.service.ts')
const { processId } = await import('../../../kit/process-id.ts')
const { platformRows } = await import('../../../db/database.ts')
const sqlRows = <Row extends object>(text: string, values: unknown[]) => platformRows<Row>({ name: '', text }, values)
// The first session loads the library, which a busy machine takes seconds for.
beforeAll(async () => void (await import('@whiskeysockets/baileys')))

type Sessions = ReturnType<typeof createSessions>
const running = new Set<Sessions>()
const closing: (() => Promise<unknown>)[] = []
const begin = (owner = processId) => {
  const one = createSessions({ owner })
  running.add(one)
  return one
}
afterEach(async () => {
  for (const one of running) await one.finish()
  running.clear()
  for (const close of closing.splice(0)) await close()
  await withPlatform('test', (tx) => tx.db.update(schema.connections).set({ deletedAt: new Date() }))
})
const tick = async () => {
  for (const one of running) {
    await one.renew()
    await one.take()
  }
}

/** A company with one phone linked to it. */
const linked = async (more: Parameters<typeof startBaileysSimulator>[0] = {}) => {
  const simulator = await startBaileysSimulator(more)
  closing.push(() => simulator.close())
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const api = as(tenant.admin)
  const make = async (server: string) => {
    const made = await api.post('/whatsapp', { kind: 'baileys', name: 'Celular', config: { server } })
    expect(made.status).toBeLessThan(300)
    return made.body.id as string
  }
  const id = await make(simulator.address)
  const read = async () => (await api.get(`/whatsapp/${id}`)).body
  const stands = (standing: object, timeout = 15_000) =>
    vi.waitFor(
      async () => {
        await tick()
        expect(await read()).toMatchObject(standing)
      },
      { timeout, interval: 100 },
    )
  return { ...tenant, api, id, simulator, read, stands }
}
const scanned = async () => {
  const one = await linked()
  await one.stands({ qrcode: expect.stringContaining('2@') })
  one.simulator.scan('5511912345678', 'Loja Azul')
  await one.stands({ status: 'CONNECTED' })
  return one
}
type Company = Awaited<ReturnType<typeof linked>>
const bodies = async ({ tenantId }: Company) => {
  await settleInbound()
  return withTenant(tenantId, async (tx) => {
    const found = await tx.db.select({ body: schema.messages.body }).from(schema.messages).orderBy(schema.messages.seq)
    return found.map((one) => one.body)
  })
}
const conversation = async (company: Company) => {
  const contactId = await createContact(company)
  await withTenant(company.tenantId, (tx) =>
    tx.db
      .insert(schema.contactIdentities)
      .values({ tenantId: company.tenantId, kind: 'lid', value: '777111', contactId }),
  )
  const ticketId = await createTicket(company, { contactId, connectionId: company.id, userId: company.agent.id })
  const say = async (body: string) => {
    const id = v7()
    expect((await as(company.agent).post(`/messages/${ticketId}`, { id, type: 'text', body })).status).toBeLessThan(300)
    return id
  }
  const stateOf = (id: string) =>
    withTenant(company.tenantId, async (tx) => {
      const [row] = await tx.db.select().from(schema.messages).where(eq(schema.messages.id, id))
      return row
    })
  return { say, stateOf }
}

test('what a session keeps is read by name and by the start of its names, and ended by its owner alone', async () => {
  const company = await linked()
  const owner = begin('dona')
  await company.stands({ qrcode: expect.any(String) })
  const { tenantId, id } = company
  company.simulator.scan('5511912345678', 'Loja')
  await company.stands({ status: 'CONNECTED' })
  expect([...(await readState(tenantId, id, ['creds', 'nada'])).keys()]).toEqual(['creds'])
  expect([...(await readState(tenantId, id, 'cre')).keys()]).toEqual(['creds'])
  expect([...(await readState(tenantId, id, 'cr_')).keys()]).toEqual([])
  const other = await seedTenant({})
  expect([...(await readState(other.tenantId, id)).keys()]).toEqual([])

  const key = company.simulator.say({ lid: '777111', name: 'Ana' }, { conversation: 'lembra?' })
  await vi.waitFor(async () => expect(await bodies(company)).toContain('lembra?'))
  expect(await recallPiece(tenantId, id, `message:theirs:${key.id}`)).toMatchObject({
    message: { message: { conversation: 'lembra?' } },
  })
  expect(await recallPiece(other.tenantId, id, `message:theirs:${key.id}`)).toBeUndefined()

  await forgetState(tenantId, id, 'outra')
  expect((await readState(tenantId, id)).size).toBeGreaterThan(0)
  await forgetState(tenantId, id, 'dona')
  expect((await readState(tenantId, id)).size).toBe(0)
  expect(owner.held()).toEqual([id])
})

test('a login that was damaged says so; a new code is had and the conversations stay', async () => {
  begin()
  const company = await scanned()
  company.simulator.say({ lid: '777111', name: 'Ana' }, { conversation: 'antes' })
  await vi.waitFor(async () => expect(await bodies(company)).toEqual(['antes']))
  await sqlRows(
    `update session_state set value = 'v1.' || reverse(substr(value, 4)) where connection_id = $1 and name = 'creds'`,
    [company.id],
  )
  for (const one of running) await one.finish()
  running.clear()
  begin()
  await company.stands({ status: 'ERROR', statusText: expect.stringContaining('não pode mais ser lido') })
  const code = (await company.api.put(`/whatsappsession/${company.id}`, {})).body
  expect(code).toMatchObject({ status: 'OPENING', qrcode: expect.stringContaining('2@') })
  company.simulator.scan('5511912345678', 'Loja Azul')
  await company.stands({ status: 'CONNECTED' })
  company.simulator.say({ lid: '777111', name: 'Ana' }, { conversation: 'depois' })
  await vi.waitFor(async () => expect(await bodies(company)).toEqual(['antes', 'depois']))
})

test('logged out in the middle of a send: nobody knows of that message, the next one fails, and the card says why', async () => {
  begin()
  const company = await scanned()
  const { say, stateOf } = await conversation(company)
  const sender = createSender()
  closing.push(() => sender.finish())
  company.simulator.hold('sendMessage')
  const first = await say('no meio')
  await sender.claim(() => {})
  await vi.waitFor(() => expect(company.simulator.asked.at(-1)?.name).toBe('sendMessage'))
  company.simulator.end(401)
  await vi.waitFor(async () => expect(await stateOf(first)).toMatchObject({ status: 'uncertain' }), { timeout: 10_000 })
  await company.stands({ status: 'DISCONNECTED', statusText: expect.stringContaining('desconectou') })
  const second = await say('depois')
  await vi.waitFor(
    async () => {
      await sender.claim(() => {})
      expect(await stateOf(second)).toMatchObject({ status: 'failed' })
    },
    { timeout: 10_000 },
  )
  expect(company.simulator.asked.filter(({ name }) => name === 'sendMessage')).toHaveLength(1)
})

test('while the account may write to nobody new, a first message waits and says until when; an answer goes out', async () => {
  begin()
  const company = await scanned()
  const { say, stateOf } = await conversation(company)
  const until = new Date(Date.now() + 60 * 60_000)
  company.simulator.tell({ 'connection.update': { reachoutTimeLock: { isActive: true, timeEnforcementEnds: until } } })
  await company.stands({ status: 'CONNECTED', statusText: expect.stringContaining('Restrito') })
  const sender = createSender()
  closing.push(() => sender.finish())
  const first = await say('olá')
  await vi.waitFor(
    async () => {
      await sender.claim(() => {})
      expect(await stateOf(first)).toMatchObject({
        status: 'queued',
        error: expect.stringMatching(/até .+: a mensagem espera\.$/),
        nextAttemptAt: expect.any(Date),
      })
    },
    { timeout: 10_000 },
  )
  expect(company.simulator.sent).toEqual([])
  await sqlRows(`update messages set next_attempt_at = now() - interval '1 second' where id = $1`, [first])
  company.simulator.say({ lid: '777111', name: 'Ana' }, { conversation: 'oi' })
  await vi.waitFor(async () => expect(await bodies(company)).toContain('oi'))
  await vi.waitFor(
    async () => {
      await sender.claim(() => {})
      expect(company.simulator.sent).toHaveLength(1)
    },
    { timeout: 10_000 },
  )
})

test('a file WhatsApp has dropped is uploaded again by the phone; one the phone has no more is said, and asked for again', async () => {
  begin()
  const company = await scanned()
  const { simulator } = company
  const fetcher = createMediaFetcher()
  closing.push(() => fetcher.finish())
  const ana = simulator.customer({ name: 'Ana' })
  const receive = async () => {
    await ana.sendMedia('image', sampleMedia('image'))
    return vi.waitFor(async () => {
      await settleInbound()
      const [row] = await sqlRows<{ id: string; ticketId: string }>(
        `select id, ticket_id as "ticketId" from messages where tenant_id = $1 and media_state = 'fetching'`,
        [company.tenantId],
      )
      if (!row) throw new Error('No message yet')
      return row
    })
  }
  const stands = async ({ id, ticketId }: { id: string; ticketId: string }, standing: object) =>
    vi.waitFor(
      async () => {
        await fetcher.claim(() => {})
        const { items } = (await company.api.get(`/messages/${ticketId}`)).body
        expect(items.find((one: { id: string }) => one.id === id)).toMatchObject(standing)
      },
      { timeout: 10_000 },
    )
  const first = await receive()
  simulator.dropFiles()
  await stands(first, { mediaState: 'ready', error: null, media: { kind: 'image' } })

  const second = await receive()
  simulator.dropFilesOfPhone()
  const gone = 'O arquivo não está mais no celular. Peça que seja enviado de novo.'
  await stands(second, { mediaState: 'failed', error: gone, media: null })
  const other = await seedTenant({})
  expect((await as(other.admin).post(`/messages/${second.id}/file`)).status).toBe(404)
  const again = await company.api.post(`/messages/${second.id}/file`)
  expect(again.body).toMatchObject({ id: second.id, mediaState: 'fetching', error: null })
  await stands(second, { mediaState: 'failed', error: gone })
  expect(simulator.asked.filter(({ name }) => name === 'updateMediaMessage')).toHaveLength(3)
})

test('a code nobody scans runs out and says so; nobody connects until somebody asks for another', async () => {
  begin()
  const company = await linked({ codeMs: { first: 200, next: 50 }, codes: 2 })
  await company.stands({
    status: 'DISCONNECTED',
    statusText: expect.stringContaining('Ninguém leu o código'),
    qrcode: null,
  })
  await vi.waitFor(() => expect(company.simulator.devices()).toBe(0))
  await tick()
  await tick()
  expect(company.simulator.devices()).toBe(0)
  const code = (await company.api.put(`/whatsappsession/${company.id}`, {})).body
  expect(code).toMatchObject({ status: 'OPENING', qrcode: expect.stringContaining('2@') })
  company.simulator.scan('5511912345678', 'Loja')
  await company.stands({ status: 'CONNECTED' })
})

test.each([true, false])('what we send and are told back (before the answer: %s) is one message', async (isBefore) => {
  begin()
  const company = await scanned()
  company.simulator.delivery.statusBeforeAnswer = isBefore
  const { say, stateOf } = await conversation(company)
  const sender = createSender()
  closing.push(() => sender.finish())
  const id = await say('uma vez')
  await sender.claim(() => {})
  await vi.waitFor(async () => expect(await stateOf(id)).toMatchObject({ status: 'sent', fromMe: true }), {
    timeout: 10_000,
  })
  // What is said after the echo is stored after it.
  company.simulator.say({ lid: '777111', name: 'Ana' }, { conversation: 'recebi' })
  await vi.waitFor(async () => expect(await bodies(company)).toContain('recebi'))
  expect(await bodies(company)).toEqual(['uma vez', 'recebi'])
})

test('a proxy that dies in the middle of a send: uncertain, said, and nothing ever goes around it', async () => {
  const proxy = await startProxySimulator({ protocol: 'socks5' })
  begin()
  const company = await linked()
  const { id: proxyId } = (
    await company.api.post('/integrations', {
      kind: 'proxy',
      name: 'Saída',
      config: { protocol: 'socks5', host: '127.0.0.1', port: proxy.port },
    })
  ).body
  await company.api.put(`/whatsapp/${company.id}`, { proxyId })
  await vi.waitFor(
    async () => {
      await tick()
      expect(proxy.asked).toContain(company.simulator.address)
    },
    { timeout: 10_000 },
  )
  await company.stands({ qrcode: expect.any(String) })
  company.simulator.scan('5511912345678', 'Loja')
  await company.stands({ status: 'CONNECTED' })
  const { say, stateOf } = await conversation(company)
  const sender = createSender()
  closing.push(() => sender.finish())
  company.simulator.hold('sendMessage')
  const id = await say('pelo proxy')
  await sender.claim(() => {})
  await vi.waitFor(() => expect(company.simulator.asked.at(-1)?.name).toBe('sendMessage'))
  await proxy.close()
  await vi.waitFor(async () => expect(await stateOf(id)).toMatchObject({ status: 'uncertain' }), { timeout: 10_000 })
  await company.stands({ status: 'OPENING', statusText: expect.stringContaining('proxy') })
  await tick()
  expect(company.simulator.devices()).toBe(0)
})

test('of two processes that both believe they own a phone, the one without the lease ends and says nothing', async () => {
  const company = await linked()
  const stale = begin('parada')
  await company.stands({ qrcode: expect.any(String) })
  company.simulator.scan('5511912345678', 'Loja')
  await company.stands({ status: 'CONNECTED' })
  // It stands still: another process finds it silent and takes over, and the phone is told the same twice.
  running.delete(stale)
  closing.push(() => stale.finish())
  await sqlRows(`update connection_leases set renewed_at = now() - interval '16 seconds' where connection_id = $1`, [
    company.id,
  ])
  const next = begin('viva')
  const opens = () => company.simulator.asked.filter(({ name }) => name === 'profilePictureUrl').length
  await vi.waitFor(
    async () => {
      await tick()
      expect(next.held()).toEqual([company.id])
      expect(opens()).toBe(2)
      expect(company.simulator.devices()).toBe(1)
    },
    { timeout: 10_000 },
  )
  company.simulator.say({ lid: '777111', name: 'Ana' }, { conversation: 'uma vez' })
  await vi.waitFor(async () => expect(await bodies(company)).toEqual(['uma vez']))
  expect(await company.read()).toMatchObject({ status: 'CONNECTED' })
  // Awake again, it connects to nobody: it would throw out the one that has it now.
  company.simulator.end(428)
  await vi.waitFor(() => expect(opens()).toBe(3), { timeout: 10_000 })
  await company.stands({ status: 'CONNECTED' })
  expect(company.simulator.devices()).toBe(1)
})

test('five thousand messages told on reconnecting: each stored once and in order, while another phone goes on', async () => {
  begin()
  const company = await scanned()
  const other = await scanned()
  company.simulator.end(503)
  await vi.waitFor(() => expect(company.simulator.isOnline()).toBe(false))
  for (let n = 0; n < 5_000; n += 1)
    company.simulator.say(
      { lid: `10000000000${String(n % 50).padStart(2, '0')}`, name: 'Cliente' },
      { conversation: String(n) },
    )
  const stored = async () =>
    (
      await sqlRows<{ n: number }>('select count(*)::int as n from messages where tenant_id = $1', [company.tenantId])
    )[0]?.n
  await vi.waitFor(async () => expect(await stored()).toBeGreaterThan(100), { timeout: 20_000, interval: 20 })
  const waits: number[] = []
  for (let n = 0; n < 5; n += 1) {
    const at = Date.now()
    other.simulator.say({ lid: '777111', name: 'Ana' }, { conversation: `ao lado ${n}` })
    await vi.waitFor(
      async () =>
        expect(
          await sqlRows('select 1 from messages where tenant_id = $1 and body = $2', [other.tenantId, `ao lado ${n}`]),
        ).toHaveLength(1),
      { timeout: 10_000, interval: 10 },
    )
    waits.push(Date.now() - at)
  }
  expect(await stored()).toBeLessThan(5_000)
  expect(Math.max(...waits)).toBeLessThan(2_000)
  await vi.waitFor(async () => expect(await stored()).toBe(5_000), { timeout: 60_000, interval: 200 })
  const rows = await sqlRows<{ ticketId: string; body: string }>(
    'select ticket_id as "ticketId", body from messages where tenant_id = $1 order by seq',
    [company.tenantId],
  )
  for (const said of Map.groupBy(rows, ({ ticketId }) => ticketId).values()) {
    const numbers = said.map(({ body }) => Number(body))
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
    expect(new Set(numbers).size).toBe(100)
  }
}, 120_000)
