import { startTelegramSimulator } from '@balcao/simulators/telegram.ts'
import { afterAll, afterEach, expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { until } from '../../conversations/messages/test-waba.ts'

const { as, app, seedTenant, withTenant, schema } = await startTestApp()
const { createSessions } = await import('../sessions/sessions.loop.ts')
const { settleInbound } = await import('../../intake/inbound/inbound.service.ts')
await app.listen({ host: '127.0.0.1', port: 0 })
const address = app.server.address()
const here = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
const sessions = createSessions({ owner: 'telegram-switch' })
afterEach(() => sessions.finish())

const botToken = '7000000042:AAtoken-de-teste-0123456789'
const simulator = await startTelegramSimulator({
  botToken,
  botUsername: 'loja_bot',
  delivery: { retryDelaysMs: [50, 50] },
})
afterAll(() => simulator.close())

test('from webhook to asking and back: what was said before, meanwhile and after comes once each', async () => {
  const tenant = await seedTenant()
  const config = { botToken, receive: 'webhook', baseUrl: simulator.url }
  const made = await as(tenant.admin).post('/whatsapp', { kind: 'telegram', name: 'Bot', config })
  expect(made.body).toMatchObject({ status: 'CONNECTED' })
  const turn = (receive: 'webhook' | 'polling') =>
    as(tenant.admin).put(`/whatsapp/${made.body.id}`, { config: { receive } })
  const bodies = async () => {
    await settleInbound()
    const rows = await withTenant(tenant.tenantId, (tx) =>
      tx.db.select().from(schema.messages).orderBy(schema.messages.seq),
    )
    return rows.filter(({ fromMe, type }) => !fromMe && type === 'text').map(({ body }) => body)
  }
  const tick = async () => {
    await sessions.renew()
    await sessions.take()
  }
  const arrived = (count: number) =>
    until(async () => {
      await tick()
      return (await bodies()).length >= count
    }, 12_000)
  /** The product's public address is none that a simulator reaches. */
  const reachable = () => {
    simulator.webhook.url = simulator.webhook.url.replace(/^https?:\/\/[^/]+/, here)
  }
  const ana = simulator.customer({ firstName: 'Ana' })

  reachable()
  await ana.sendText('pelo webhook')
  await arrived(1)
  simulator.webhook.url = 'http://127.0.0.1:9/fora-do-ar' // what cannot be delivered waits there
  void ana.sendText('fora do ar')
  await simulator.idle()

  expect((await turn('polling')).body).toMatchObject({ status: expect.stringMatching(/CONNECTED|OPENING/) })
  await ana.sendText('pela consulta')
  await arrived(3)
  await ana.sendText('ainda pela consulta')
  await arrived(4)

  await turn('webhook')
  reachable()
  await tick()
  await ana.sendText('de volta ao webhook')
  await arrived(5)
  await simulator.idle()
  await tick()
  expect((await bodies()).toSorted()).toEqual([
    'ainda pela consulta',
    'de volta ao webhook',
    'fora do ar',
    'pela consulta',
    'pelo webhook',
  ])
  // Nobody asks any more: the address would be gone.
  expect(simulator.webhook.url).toContain(`/hooks/telegram/${made.body.id}`)
})
