import { startTelegramSimulator } from '@balcao/simulators/telegram.ts'
import { eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { startTestWorkers } from '../../../../test/workers.ts'
import { until } from './test-waba.ts'

const { app, as, seedTenant, createConnection, withTenant, schema } = await startTestApp()

const botToken = '7000000001:AAF-segredo_do_bot_da_loja'
const sim = await startTelegramSimulator({ botToken, botUsername: 'loja_bot' })
afterAll(() => sim.close())
const tenant = await seedTenant()
const connectionId = await createConnection(tenant, { kind: 'telegram', config: { botToken, baseUrl: sim.url } })
const address = await app.listen({ host: '127.0.0.1', port: 0 })
await fetch(`${sim.url}/bot${botToken}/setWebhook`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    url: `${address}/hooks/telegram/${connectionId}`,
    secret_token: 'hook-secret',
    allowed_updates: ['message', 'edited_message', 'message_reaction', 'my_chat_member'],
  }),
})

beforeAll(async () => (await startTestWorkers('inbound rescue', 'sender')).stop)

const messages = () =>
  withTenant(tenant.tenantId, (tx) => tx.db.select().from(schema.messages).orderBy(schema.messages.seq))
const find = (look: (row: Awaited<ReturnType<typeof messages>>[number]) => boolean | undefined) =>
  until(async () => (await messages()).find(look))

const ana = sim.customer({ id: 5_900_000_001, firstName: 'Ana', username: 'ana' })
await ana.start()
const lineId = await ana.sendText('vocês abrem sábado?')
const asked = await find((row) => row.body === 'vocês abrem sábado?')
await withTenant(tenant.tenantId, (tx) =>
  tx.db
    .update(schema.tickets)
    .set({ status: 'open', userId: tenant.agent.id })
    .where(eq(schema.tickets.id, asked.ticketId)),
)

/** What a list shows of the conversation. */
const lastWords = async () => (await as(tenant.agent).get(`/tickets/${asked.ticketId}`)).body.lastMessage

test('an answer is corrected and taken back at the customer’s too', async () => {
  const { body: sent } = await as(tenant.agent).post(`/messages/${asked.ticketId}`, {
    id: v7(),
    body: 'Sim, ate 13h',
    quotedId: asked.id,
  })
  await find((row) => row.id === sent.id && row.status === 'sent')
  await until(async () => ana.inbox.find((line) => line.text === 'Sim, ate 13h'))

  expect(await as(tenant.agent).patch(`/messages/${sent.id}`, { body: 'Sim, até 13h' })).toMatchObject({
    status: 200,
    body: { body: 'Sim, até 13h' },
  })
  await until(async () => ana.inbox.find((line) => line.text === 'Sim, até 13h'))
  expect(await lastWords()).toBe('Sim, até 13h')

  expect(await as(tenant.admin).delete('/messages', { id: sent.id })).toMatchObject({
    status: 200,
    body: { isDeleted: true },
  })
  await until(async () => !ana.inbox.some((line) => line.text === 'Sim, até 13h' && !line.isDeleted))
  expect(await lastWords()).toBe('Mensagem apagada')
})

test('our reaction reaches the customer; theirs stays beside it', async () => {
  expect(await as(tenant.agent).post('/messages/reactionMessage', { messageId: asked.id, emoji: '👍' })).toMatchObject({
    status: 200,
    body: { reactions: [{ emoji: '👍', fromMe: true, userId: tenant.agent.id }] },
  })
  await until(async () => ana.transcript.find((line) => line.id === lineId)?.reactions.business === '👍')
  expect(await as(tenant.agent).post('/messages/reactionMessage', { messageId: asked.id, emoji: '' })).toMatchObject({
    body: { reactions: [] },
  })
})

test('what the customer edits shows the new words and keeps the old', async () => {
  await ana.editText(lineId, 'vocês abrem domingo?')
  const row = await find((one) => one.id === asked.id && one.body === 'vocês abrem domingo?')
  expect(row.editedAt).toBeTruthy()
  expect(row.edits).toMatchObject([{ body: 'vocês abrem sábado?' }])
})

test('what the provider refuses is not shown', async () => {
  sim.faults.next({ status: 400, body: { ok: false, error_code: 400, description: 'Bad Request: REACTION_INVALID' } })
  expect(await as(tenant.agent).post('/messages/reactionMessage', { messageId: asked.id, emoji: '🦖' })).toMatchObject({
    status: 502,
    body: { error: 'ERR_SENDING_WAPP_MSG' },
  })
  expect((await messages()).find((row) => row.id === asked.id)?.reactions).toEqual([])
})
