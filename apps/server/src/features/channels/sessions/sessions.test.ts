import { setTimeout as sleep } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { afterEach, expect, test, vi } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { restoreAfter } from '../../../../test/restore.ts'
import type { JournalPiece, SessionHost } from '../../../channels/adapter.ts'

const kit = await startTestApp()
const { as, seedTenant, createConnection, createTicket, schema, withTenant, withPlatform } = kit
const { loadAdapter } = await import('../../../channels/index.ts')
const { createSessions } = await import('./sessions.loop.ts')
const { answerCalls } = await import('../connections/owner-calls.ts')
const { findConnection, forgetConnections } = await import('../connections/context.ts')
const { settleInbound } = await import('../../intake/inbound/inbound.service.ts')
const { processId } = await import('../../../kit/process-id.ts')
const { createSender } = await import('../../conversations/messages/sender.ts')

/** A provider that one stays connected to: what it has not been told was seen, it brings again. */
const provider = {
  open: [] as { host: SessionHost; end: (error?: Error) => void; isClosed: boolean }[],
  sent: [] as string[],
  reacted: [] as string[],
  unlinked: 0,
  state: undefined as string | undefined,
}
const telegram = await loadAdapter('telegram')
restoreAfter(telegram)
Object.assign(telegram, {
  receivesBy: () => 'session',
  check: undefined,
  session: {
    remote: ['send', 'react', 'link', 'unlink', 'numbers'],
    open: async (_context: unknown, host: SessionHost) => {
      const { promise: ended, resolve, reject } = Promise.withResolvers<void>()
      ended.catch(() => {})
      provider.state = (await host.state('offset')).get('offset')
      const one = { host, isClosed: false, end: (error?: Error) => (error ? reject(error) : resolve()) }
      provider.open.push(one)
      await host.tell({ status: 'CONNECTED', text: 'Conectado.' })
      return {
        ended,
        close: async () => {
          one.isClosed = true
        },
        calls: {
          send: async ({ body }: { body: string }) => {
            provider.sent.push(body)
            return { providerId: `s-${provider.sent.length}` }
          },
          link: async ({ phone }: { phone?: string }) => ({
            status: 'OPENING',
            text: 'Digite o código no telefone.',
            login: phone ? { pairingCode: `AB${phone.slice(-6)}`, lastsSeconds: 30 } : { qr: '2@outro' },
            account: { number: '551140001000', name: 'Loja' },
          }),
          numbers: async ({ numbers }: { numbers: string[] }) =>
            numbers.map((number) => ({
              number,
              exists: number.startsWith('55'),
              identities: [{ kind: 'lid', value: `9${number}` }],
            })),
          unlink: async () => void provider.unlinked++,
          react: async ({ emoji }: { emoji: string }) => {
            provider.reacted.push(emoji)
          },
        },
      }
    },
  },
})
type Sessions = ReturnType<typeof createSessions>
const running = new Set<Sessions>()
const begin = (owner: string) => {
  const one = createSessions({ owner })
  running.add(one)
  return one
}
const end = async (one: Sessions) => {
  running.delete(one)
  await one.finish()
}
/** What the ticker does every few seconds. */
const tick = async () => {
  for (const one of running) {
    await one.renew()
    await one.take()
  }
}
afterEach(async () => {
  for (const one of running) await end(one)
  provider.open.length = 0
  provider.sent.length = 0
  provider.reacted.length = 0
  await withPlatform('test', (tx) => tx.db.update(schema.connections).set({ deletedAt: new Date() }))
  forgetConnections()
})

const makeSession = async () => {
  const tenant = await seedTenant({ queues: ['Vendas'] })
  const config = { botToken: '7000000001:AAtoken-de-teste-0123456789', baseUrl: 'http://127.0.0.1:9' }
  const id = await createConnection(tenant, { kind: 'telegram', config })
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.update(schema.connections).set({ usesSession: true }).where(eq(schema.connections.id, id)),
  )
  return { ...tenant, id }
}
const living = () => provider.open.filter((one) => !one.isClosed)
/** Resolves with the one open session. */
const opened = () =>
  vi.waitFor(async () => {
    await tick()
    const [one, ...others] = living()
    if (!one || others.length) throw new Error(`${living().length} open`)
    return one
  }, 15_000)
const closed = () =>
  vi.waitFor(async () => {
    await tick()
    expect(living()).toEqual([])
  }, 10_000)
const written = (update: number, text: string): JournalPiece => {
  const chat = { id: 77, type: 'private', first_name: 'Ana' }
  const payload = {
    update_id: update,
    message: {
      message_id: update,
      date: 1_790_000_000,
      chat,
      from: { id: 77, is_bot: false, first_name: 'Ana' },
      text,
    },
  }
  return { key: `update:${update}`, payload, conversation: '77' }
}
const bodies = async (tenantId: number) => {
  await sleep(20)
  await settleInbound()
  return withTenant(tenantId, async (tx) => {
    const found = await tx.db.select({ body: schema.messages.body }).from(schema.messages).orderBy(schema.messages.seq)
    return found.map((one) => one.body)
  })
}

test('what a session brings is journalled with where it stands, handled once, and found again after a restart', async () => {
  const { tenantId } = await makeSession()
  const first = begin('um')
  const { host } = await opened()
  await host.receive([written(1, 'oi'), written(2, 'tudo bem?')], { offset: '3', chave: 'segredo' })
  expect(await bodies(tenantId)).toEqual(['oi', 'tudo bem?'])
  await host.receive([written(2, 'tudo bem?')], { chave: null })
  expect(await bodies(tenantId)).toHaveLength(2)
  const stored = await withTenant(tenantId, (tx) => tx.db.select().from(schema.sessionState))
  expect(stored).toMatchObject([{ name: 'offset', value: expect.stringMatching(/^v1\./) }])

  await end(first)
  expect(living()).toEqual([])
  begin('dois')
  await opened()
  expect(provider.state).toBe('3')
})

test('a replay long after its keys were forgotten changes nothing', async () => {
  const { tenantId } = await makeSession()
  begin('um')
  const { host } = await opened()
  await host.receive([written(1, 'só uma vez')])
  expect(await bodies(tenantId)).toEqual(['só uma vez'])
  await withTenant(tenantId, (tx) => tx.db.delete(schema.journal))
  await host.receive([written(1, 'só uma vez')])
  expect(await bodies(tenantId)).toEqual(['só uma vez'])
})

test('of two processes one has it; when it lets go the other takes it at once', async () => {
  await makeSession()
  const [one, two] = [begin('um'), begin('dois')]
  await opened()
  for (let round = 0; round < 3; round += 1) await Promise.all([tick(), tick()])
  expect(provider.open).toHaveLength(1)
  const [owner, other] = one.held().length ? [one, two] : [two, one]
  await end(owner)
  await opened()
  expect(other.held()).toHaveLength(1)
})

test('an owner that was killed is followed after its silence; whoever lost the lease can write nothing any more', async () => {
  const { tenantId, id } = await makeSession()
  const lease = (renewedAt: Date) =>
    withTenant(tenantId, (tx) =>
      tx.db
        .insert(schema.connectionLeases)
        .values({ tenantId, connectionId: id, owner: 'morto', renewedAt })
        .onConflictDoUpdate({
          target: [schema.connectionLeases.tenantId, schema.connectionLeases.connectionId],
          set: { owner: 'morto', renewedAt },
        }),
    )
  await lease(new Date(Date.now() - 12_000))
  begin('vivo')
  await tick()
  expect(provider.open).toHaveLength(0)
  await lease(new Date(Date.now() - 16_000))
  const { host } = await opened()

  await lease(new Date())
  await expect(host.receive([written(9, 'tarde demais')], { offset: '99' })).rejects.toThrow('Outro processo')
  expect(await bodies(tenantId)).toEqual([])
  expect(await withTenant(tenantId, (tx) => tx.db.select().from(schema.sessionState))).toEqual([])
  await closed()
})

test('a process that cannot prove its leases closes its sessions by itself', async () => {
  await makeSession()
  const leases = await import('./leases.ts')
  begin('um')
  await opened()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 11_000 })
  await vi.waitFor(() => expect(living()).toEqual([]), 5_000)
  vi.useRealTimers()
  expect(leases.leaseSeconds.ownerStops).toBeLessThan(leases.leaseSeconds.takerWaits)
})

test('a session that breaks is opened again; new settings open it anew; a deleted connection ends it', async () => {
  const { admin, id } = await makeSession()
  begin('um')
  const first = await opened()
  first.end(new Error('caiu'))
  await vi.waitFor(() => expect(provider.open.length).toBeGreaterThan(1), 10_000)
  await opened()
  const before = provider.open.length
  await as(admin).put(`/whatsapp/${id}`, { name: 'Outro nome' })
  await tick()
  await vi.waitFor(() => expect(provider.open.length).toBeGreaterThan(before), 10_000)
  await opened()
  await as(admin).delete(`/whatsapp/${id}`)
  await closed()
})

test('messages of a session leave only where it lives, in their order', async () => {
  const tenant = await makeSession()
  const contactId = await kit.createContact(tenant)
  await withTenant(tenant.tenantId, (tx) =>
    tx.db
      .insert(schema.contactIdentities)
      .values({ tenantId: tenant.tenantId, kind: 'telegram', value: '77', contactId }),
  )
  const ticketId = await createTicket(tenant, { contactId, connectionId: tenant.id, userId: tenant.agent.id })
  const say = (body: string) => as(tenant.agent).post(`/messages/${ticketId}`, { id: v7(), type: 'text', body })
  const sender = createSender()
  const elsewhere = begin('outra máquina')
  await opened()
  expect((await say('um')).status).toBeLessThan(300)
  await say('dois')
  await sender.claim(() => {})
  expect(provider.sent).toEqual([])
  await end(elsewhere)
  begin(processId)
  await opened()
  await vi.waitFor(async () => {
    await sender.claim(() => {})
    expect(provider.sent).toEqual(['um', 'dois'])
  }, 15_000)
  await sender.finish()
})

test('what only the owner can do reaches it as a row, and its answer or refusal comes back; nobody there is said in time', async () => {
  const { tenantId, id } = await makeSession()
  const target = { providerId: '77:1', to: [], emoji: '👍', fromMe: false }
  const insert = async (deadlineAt: Date) => {
    const call = { tenantId, id: v7(), connectionId: id, name: 'react', target, deadlineAt }
    await withTenant(tenantId, (tx) => tx.db.insert(schema.sessionCalls).values(call))
    return call.id
  }
  const late = await insert(new Date(Date.now() - 1_000))
  begin('dono')
  await opened()
  const asked = await insert(new Date(Date.now() + 5_000))
  const stateOf = async (callId: string) => {
    const [row] = await withTenant(tenantId, (tx) =>
      tx.db.select().from(schema.sessionCalls).where(eq(schema.sessionCalls.id, callId)),
    )
    return row?.state
  }
  await answerCalls()
  expect(await stateOf(asked)).toBe('done')
  expect(provider.reacted).toEqual(['👍'])
  expect(await stateOf(late)).toBe('waiting')
  const connection = await findConnection(id)
  await connection?.adapter.react?.(target, connection.context)
  expect(provider.reacted).toHaveLength(2)
})

test('a QR code is told to those who may write connections, sealed at rest, and gone once it was used', async () => {
  const { admin, agent, tenantId, id } = await makeSession()
  begin('um')
  const { host } = await opened()
  await host.tell({ status: 'OPENING', text: 'Leia o código com o telefone.', login: { qr: '2@segredo-do-login' } })
  expect((await as(admin).get(`/whatsapp/${id}`)).body).toMatchObject({
    qrcode: '2@segredo-do-login',
    status: 'OPENING',
  })
  expect(JSON.stringify((await as(agent).get('/whatsapp')).body)).not.toContain('segredo-do-login')
  const [row] = await withTenant(tenantId, (tx) => tx.db.select().from(schema.connections))
  expect(JSON.stringify(row)).not.toContain('segredo-do-login')
  const told = await withTenant(tenantId, (tx) =>
    tx.db.select().from(schema.outbox).where(eq(schema.outbox.name, 'connection.login')),
  )
  expect(told.at(-1)?.audience).toEqual({ kind: 'permission', can: 'connections.write' })
  await host.tell({ status: 'CONNECTED', text: 'Conectado.' })
  expect((await as(admin).get(`/whatsapp/${id}`)).body.qrcode).toBeNull()
})

test('a stopped channel lets go of its session and stays stopped, until somebody starts it', async () => {
  const { admin, id } = await makeSession()
  begin('um')
  await opened()
  const before = provider.open.length
  expect((await as(admin).post(`/whatsappsession/${id}/stop`)).body).toMatchObject({
    status: 'DISCONNECTED',
    statusText: 'Parado: nada é enviado até que alguém o inicie.',
    stoppedAt: expect.any(String),
  })
  await tick()
  await tick()
  expect(provider.open).toHaveLength(before)
  expect(provider.open.at(-1)?.isClosed).toBe(true)
  expect((await as(admin).post(`/whatsappsession/${id}`)).body.stoppedAt).toBeNull()
  await tick()
  await vi.waitFor(() => expect(provider.open).toHaveLength(before + 1))
})

test('the owner of a session gives the code that links a phone, and takes the phone away', async () => {
  const { admin, agent, id } = await makeSession()
  begin('um')
  await opened()
  const path = `/whatsappsession/${id}`
  expect(await as(admin).put(path, { phone: '119' })).toMatchObject({
    status: 422,
    body: { details: [{ path: 'phone' }] },
  })
  expect((await as(admin).put(path, { phone: '+55 (11) 99999-1234' })).body).toMatchObject({
    status: 'OPENING',
    pairingCode: 'AB991234',
    qrcode: null,
    loginUntil: expect.any(String),
    account: { number: '551140001000', name: 'Loja' },
  })
  expect((await as(agent).get('/whatsapp')).body.items[0]).toMatchObject({ pairingCode: null, loginUntil: null })
  expect((await as(admin).put(path, {})).body).toMatchObject({ pairingCode: null, qrcode: '2@outro' })
  expect((await as(admin).delete(path)).body).toMatchObject({ status: 'DISCONNECTED', qrcode: null, stoppedAt: null })
  expect(provider.unlinked).toBe(1)
})

test('outside programs know the same calls by other names', async () => {
  const { admin, agent, id } = await makeSession()
  begin('um')
  await opened()
  expect((await as(admin).post(`/evo-qrcode/${id}`, {})).body).toMatchObject({ id, qrcode: '2@outro' })
  expect((await as(admin).post('/setDefault', { id })).body).toMatchObject({ id, isDefault: true })
  const check = { whatsappId: id, numbers: ['+55 (11) 99999-1234', '1 212 555 0100', '5511999991234'] }
  expect((await as(agent).post('/checkContacts', check)).body).toEqual([
    { number: '5511999991234', exists: true, lid: '95511999991234' },
    { number: '12125550100', exists: false, lid: '912125550100' },
  ])
  expect((await as(admin).get('/proxy-stats')).body).toEqual([])
  const proxy = { kind: 'proxy', name: 'Saída', config: { host: '127.0.0.1', port: 9 } }
  const { id: proxyId } = (await as(admin).post('/integrations', proxy)).body
  await as(admin).put(`/whatsapp/${id}`, { proxyId })
  expect((await as(admin).get('/proxy-stats')).body).toMatchObject([
    { id: proxyId, connections: [{ id, sentToday: 0 }] },
  ])
  expect((await as(admin).post('/proxy-test', { id: proxyId })).body).toMatchObject({ ok: false })
  // A channel without a phone says so, and not that it is on its way back.
  await as(admin).delete(`/whatsappsession/${id}`)
  expect((await as(admin).post('/checkContacts', check)).body).toMatchObject({
    error: 'ERR_CHANNEL_REFUSED',
    message: expect.stringContaining('não está conectado'),
  })
})
