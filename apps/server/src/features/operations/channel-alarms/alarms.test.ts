import { startTelegramSimulator } from '@balcao/simulators/telegram.ts'
import { eq, sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const kit = await startTestApp()
const { as, seedTenant, withTenant, schema } = kit
const { checkDue } = await import('../../channels/connections/check.loop.ts')
const { env } = await import('../../../env.ts')
const before = env.SMTP_URL
Object.assign(env, { SMTP_URL: 'smtp://127.0.0.1:9' })
afterAll(() => Object.assign(env, { SMTP_URL: before }))
const { alarmDue } = await import('./alarms.loop.ts')
const { noticesOf } = await import('../notifications/notices-of.ts')
const { getDirectory } = await import('../../core/directory/directory.ts')

test('a provider that is down is told of at the second look, by mail when it lasts, and is over by itself', async () => {
  const { tenantId, admin, agent } = await seedTenant()
  const botToken = '77001:AAtoken-de-teste-0123456789'
  const sim = await startTelegramSimulator({ botToken, botUsername: 'loja_bot' })
  afterAll(() => sim.close())
  const config = { botToken, baseUrl: sim.url }
  const { id } = (await as(admin).post('/whatsapp', { kind: 'telegram', name: 'Bot da loja', config })).body
  const look = async () => {
    await withTenant(tenantId, (tx) => tx.db.update(schema.connections).set({ checkDueAt: new Date(0) }))
    await checkDue()
    return (await as(admin).get(`/whatsapp/${id}`)).body
  }
  const mails = () =>
    withTenant(tenantId, (tx) =>
      tx.db.select({ to: schema.mails.to }).from(schema.mails).where(eq(schema.mails.kind, 'alarm')),
    )
  const later = () =>
    withTenant(tenantId, (tx) => tx.db.update(schema.connections).set({ lostAt: sql`now() - interval '16 minutes'` }))

  sim.faults.next({ status: 503, times: 99 })
  expect(await look()).toMatchObject({ status: 'CONNECTED' })
  expect(await look()).toMatchObject({ status: 'ERROR', statusText: expect.stringContaining('espera e sai') })

  const events = await withTenant(tenantId, (tx) =>
    tx.db.select().from(schema.outbox).where(eq(schema.outbox.name, 'connection.updated')),
  )
  const last = events.filter(({ payload }) => (payload as { status: string }).status === 'ERROR')
  expect(last).toHaveLength(1)
  const notices = noticesOf(last[0] as never, await getDirectory(tenantId))
  expect(notices).toMatchObject([{ userId: admin.id, kind: 'channel', title: 'Bot da loja parou' }])
  expect(notices.map(({ userId }) => userId)).not.toContain(agent.id)

  await alarmDue()
  expect(await mails()).toEqual([])
  await later()
  await Promise.all([alarmDue(), alarmDue()])
  await alarmDue()
  expect(await mails()).toEqual([{ to: expect.any(String) }])

  sim.faults.clear()
  expect(await look()).toMatchObject({ status: 'CONNECTED' })
  await alarmDue()
  expect(await mails()).toHaveLength(1)
})

test('a channel that never worked is not said to have stopped', async () => {
  const { tenantId, admin } = await seedTenant()
  const sim = await startTelegramSimulator({ botToken: '77002:AAtoken-de-teste-0123456789', botUsername: 'loja_bot' })
  afterAll(() => sim.close())
  const config = { botToken: '77003:AAerrado-de-teste-012345678', baseUrl: sim.url }
  await as(admin).post('/whatsapp', { kind: 'telegram', name: 'Bot novo', config })
  const told = await withTenant(tenantId, (tx) =>
    tx.db.select().from(schema.outbox).where(eq(schema.outbox.name, 'connection.updated')),
  )
  const directory = await getDirectory(tenantId)
  const notices = told.flatMap((event) => noticesOf(event as never, directory))
  expect(notices).toMatchObject([{ userId: admin.id, kind: 'channel', title: 'Bot novo não conectou' }])
})
