import { startEvolutionSimulator } from '@balcao/simulators/evolution.ts'
import { startProxySimulator } from '@balcao/simulators/proxy.ts'
import { startZapiSimulator } from '@balcao/simulators/zapi.ts'
import { eq, sql } from 'drizzle-orm'
import { afterAll, describe, expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const { as, createConnection, seedTenant, withTenant, schema } = await startTestApp()
const { checkDue } = await import('../../channels/connections/check.loop.ts')
const { markConnection } = await import('../../channels/connections/connections.service.ts')
const { noticesOf } = await import('../notifications/notices-of.ts')
const { getDirectory } = await import('../../core/directory/directory.ts')
const { env } = await import('../../../env.ts')
const before = env.SMTP_URL
Object.assign(env, { SMTP_URL: 'smtp://127.0.0.1:9' })
afterAll(() => Object.assign(env, { SMTP_URL: before }))
const { alarmDue } = await import('./alarms.loop.ts')

const globalKey = 'chave-global-de-teste-0123456789'
const set = (tenantId: number, patch: object) =>
  withTenant(tenantId, (tx) => tx.db.update(schema.connections).set(patch))
/** What administrators' bells say of the company's channels. */
const bellsOf = (tenantId: number) =>
  withTenant(tenantId, async (tx) => {
    const events = await tx.db.select().from(schema.outbox).where(eq(schema.outbox.name, 'connection.updated'))
    const directory = await getDirectory(tenantId)
    return events.flatMap((event) => noticesOf(event as never, directory)).map(({ body }) => body)
  })
const mailsOf = (tenantId: number) =>
  withTenant(tenantId, (tx) => tx.db.$count(schema.mails, eq(schema.mails.kind, 'alarm')))

/** A number that is linked, and a look at how it stands. */
const linked = async (more: { byProxy?: boolean } = {}) => {
  const { tenantId, admin } = await seedTenant()
  const sim = await startEvolutionSimulator({ globalKey, delivery: { retryDelaysMs: [] } })
  const proxy = await startProxySimulator({ protocol: 'http' })
  afterAll(() => Promise.all([sim.close(), proxy.close()]))
  const way = { kind: 'proxy', name: 'Saída', config: { host: '127.0.0.1', port: proxy.port } }
  const proxyId = more.byProxy ? (await as(admin).post('/integrations', way)).body.id : null
  const config = { baseUrl: sim.url, apiKey: globalKey, instanceName: 'loja' }
  const { id } = (await as(admin).post('/whatsapp', { kind: 'evolution', name: 'Loja', config, proxyId })).body
  await sim.scan('loja')
  const look = async () => {
    await set(tenantId, { checkDueAt: new Date(0) })
    await checkDue()
    return (await as(admin).get(`/whatsapp/${id}`)).body
  }
  expect(await look()).toMatchObject({ status: 'CONNECTED', lostAt: null })
  return { tenantId, admin, id, sim, proxy, look }
}
type Stage = Awaited<ReturnType<typeof linked>>

test('a proxy that stops in use says so on its own card too', async () => {
  const stage = await linked({ byProxy: true })
  await stage.proxy.close()
  await stage.look()
  const [card] = (await as(stage.admin).get('/proxy')).body
  expect(card).toMatchObject({ state: 'broken', stateText: expect.stringContaining('não abriu caminho') })
})

describe('a fault is named within two looks, with what to do, and told to administrators', () => {
  const faults: [name: string, says: RegExp, happens: (stage: Stage) => unknown, byProxy?: true][] = [
    ['logged out', /telefone desconectou.*novo código/, ({ sim }) => sim.drop('loja', 401)],
    ['banned', /bloqueou este número.*pedir uma análise/, ({ sim }) => sim.drop('loja', 403)],
    ['restricted', /restringiu este número.*até quando/, ({ sim }) => sim.drop('loja', 402)],
    ['rate limited', /mais devagar.*espera e sai/, ({ sim }) => sim.faults.next({ status: 429, times: 99 })],
    ['provider down', /instável.*espera e sai/, ({ sim }) => sim.faults.next({ status: 503, times: 99 })],
    ['no answer', /não respondeu/, ({ sim }) => sim.close()],
    ['token revoked', /não aceita mais a chave.*cole aqui/, ({ sim }) => sim.setGlobalKey('outra-chave-0123456789')],
    [
      'webhook elsewhere',
      /deixou de avisar.*Testar/,
      ({ sim }) => Object.assign(sim.instances.get('loja')?.webhook ?? {}, { url: 'https://outro.exemplo.com/' }),
    ],
    [
      'clock wrong',
      /relógio deste servidor está 10 minutos atrasado/,
      ({ sim }) => {
        const headers = { date: new Date(Date.now() + 10 * 60_000).toUTCString() }
        sim.faults.next({ headers, times: 99 })
      },
    ],
    ['proxy dead', /proxy/, ({ proxy }) => proxy.close(), true],
  ]
  test.each(faults)('%s', async (_, says, happens, byProxy) => {
    const stage = await linked({ byProxy })
    await happens(stage)
    await stage.look()
    const { status, statusText, lostAt } = await stage.look()
    expect(statusText).toMatch(says)
    expect(['ERROR', 'DISCONNECTED']).toContain(status)
    expect(lostAt).not.toBeNull()
    expect(await bellsOf(stage.tenantId)).toContain(statusText)
    await alarmDue()
    expect(await mailsOf(stage.tenantId)).toBe(0)
    await set(stage.tenantId, { lostAt: sql`now() - interval '16 minutes'` })
    await alarmDue()
    await alarmDue()
    expect(await mailsOf(stage.tenantId)).toBe(1)
  })
})

test('a phone that we disconnected ourselves is no fault', async () => {
  const { tenantId, admin, id, look } = await linked()
  await as(admin).delete(`/whatsappsession/${id}`)
  expect(await look()).toMatchObject({ status: 'DISCONNECTED', lostAt: null })
  await as(admin).post(`/whatsappsession/${id}/stop`)
  expect(await look()).toMatchObject({ status: 'DISCONNECTED', lostAt: null })
  expect((await bellsOf(tenantId)).filter((text) => text?.includes('Desconectado por vocês'))).toEqual([])
})

test('trouble that comes while a code is shown says nothing of a phone, and a code stands again after it', async () => {
  const { tenantId, admin } = await seedTenant()
  const account = { instanceId: 'INSTANCIA900001', instanceToken: 'TOKEN123', clientToken: 'seguranca' }
  const sim = await startZapiSimulator(account)
  afterAll(() => sim.close())
  const config = { ...account, baseUrl: sim.url }
  const { id } = (await as(admin).post('/whatsapp', { kind: 'zapi', name: 'Loja', config })).body
  const look = async () => {
    await set(tenantId, { checkDueAt: new Date(0) })
    await checkDue()
    return (await as(admin).get(`/whatsapp/${id}`)).body
  }
  sim.faults.next({ status: 503, times: 99 })
  await look()
  expect(await look()).toMatchObject({ status: 'ERROR', statusText: expect.stringContaining('instável') })
  sim.faults.clear()
  expect(await look()).toMatchObject({ status: 'OPENING', qrcode: expect.any(String) })
  expect((await bellsOf(tenantId)).join()).not.toContain('desconectou')
})

test('a session that comes back within seconds is no trouble, one that only keeps trying is', async () => {
  const { tenantId, admin } = await seedTenant()
  const id = await createConnection({ tenantId }, { kind: 'telegram' })
  const read = async () => (await as(admin).get(`/whatsapp/${id}`)).body
  await markConnection(tenantId, id, 'OPENING', 'A conexão caiu. Estamos tentando de novo.')
  expect(await read()).toMatchObject({ status: 'OPENING', lostAt: expect.any(String) })
  await set(tenantId, { lostAt: sql`now() - interval '31 seconds'`, checkDueAt: new Date(0) })
  await markConnection(tenantId, id, 'OPENING', 'A conexão caiu. Estamos tentando de novo.')
  expect(await read()).toMatchObject({ status: 'ERROR' })
  await markConnection(tenantId, id, 'CONNECTED', 'Conectado.')
  expect(await read()).toMatchObject({ status: 'CONNECTED', lostAt: null })
})
