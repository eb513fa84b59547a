import { Readable } from 'node:stream'
import { sampleMedia } from '@balcao/simulators/samples.ts'
import { startTelegramSimulator } from '@balcao/simulators/telegram.ts'
import { eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { startTestWorkers } from '../../../../test/workers.ts'
import { until } from './test-waba.ts'

const kit = await startTestApp()
const { app, as, seedTenant, createConnection, createContact, createTicket, withTenant, schema } = kit

const { storeFile } = await import('../../core/media/media.service.ts')

const botToken = '7000000077:AAF-segredo_do_bot_de_albuns'
const sim = await startTelegramSimulator({ botToken, botUsername: 'albuns_bot' })
afterAll(() => sim.close())
const tenant = await seedTenant()
const connectionId = await createConnection(tenant, { kind: 'telegram', config: { botToken, baseUrl: sim.url } })
const address = await app.listen({ host: '127.0.0.1', port: 0 })
await fetch(`${sim.url}/bot${botToken}/setWebhook`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ url: `${address}/hooks/telegram/${connectionId}`, secret_token: 'hook-secret' }),
})

beforeAll(async () => (await startTestWorkers('inbound rescue', 'sender')).stop)

const rowsOf = (ticketId: string) =>
  withTenant(tenant.tenantId, (tx) =>
    tx.db.select().from(schema.messages).where(eq(schema.messages.ticketId, ticketId)).orderBy(schema.messages.seq),
  )

let people = 5_900_000_100
/** Somebody who has written, whose conversation is ours. */
const talking = async () => {
  const customer = sim.customer({ id: people++, firstName: 'Ana' })
  await customer.start()
  const ticket = await until(() =>
    withTenant(tenant.tenantId, async (tx) => {
      const [found] = await tx.db
        .select({ id: schema.tickets.id })
        .from(schema.tickets)
        .innerJoin(schema.contactIdentities, eq(schema.contactIdentities.contactId, schema.tickets.contactId))
        .where(eq(schema.contactIdentities.value, customer.id))
      return found
    }),
  )
  await withTenant(tenant.tenantId, (tx) =>
    tx.db
      .update(schema.tickets)
      .set({ status: 'open', userId: tenant.agent.id })
      .where(eq(schema.tickets.id, ticket.id)),
  )
  return { customer, ticketId: ticket.id }
}

const photo = sampleMedia('image')
/** One that a provider refuses for its size alone. */
const tooLarge = 11_000_000
const picture = async (size = photo.bytes.length) => {
  const bytes = Buffer.concat([photo.bytes, Buffer.alloc(size - photo.bytes.length)])
  const { tenantId, agent } = tenant
  return (await storeFile({ tenantId, userId: agent.id, stream: Readable.from([bytes]), name: 'foto.jpg' })).id
}
type Sent = { body?: string; size?: number; album?: { id: string; of: number } }
const sendPicture = async (ticketId: string, { body = '', size, album }: Sent) => {
  const input = { id: v7(), type: 'image', body, mediaId: await picture(size), album }
  const answer = await as(tenant.agent).post(`/messages/${ticketId}`, input)
  expect(answer).toMatchObject({ status: 200 })
  return answer.body.id as string
}
/** Beside the greeting. */
const picturesOf = ({ inbox }: ReturnType<typeof sim.customer>) => inbox.filter(({ type }) => type === 'image')
const groupsSent = () => sim.requests.filter(({ path }) => path.endsWith('/sendMediaGroup'))

test('pictures sent together leave as one group, each with its words; what is written after them comes after them', async () => {
  const { customer, ticketId } = await talking()
  const before = groupsSent().length
  const album = { id: v7(), of: 3 }
  for (const body of ['Frente', '', 'Etiqueta']) await sendPicture(ticketId, { body, album })
  await as(tenant.agent).post(`/messages/${ticketId}`, { id: v7(), body: 'Qual prefere?' })
  await until(async () => customer.inbox.some(({ text }) => text === 'Qual prefere?'))

  expect(groupsSent()).toHaveLength(before + 1)
  const heard = customer.inbox.slice(-4)
  expect(heard.map(({ type, text = '' }) => [type, text])).toEqual([
    ['image', 'Frente'],
    ['image', ''],
    ['image', 'Etiqueta'],
    ['text', 'Qual prefere?'],
  ])
  const sent = (await rowsOf(ticketId)).filter(({ type }) => type === 'image')
  expect(sent.map(({ status, payload, providerId }) => [status, payload?.album?.id, providerId])).toEqual(
    heard.slice(0, 3).map(({ id }) => ['sent', album.id, `${customer.id}:${id}`]),
  )
})

test('one that cannot go is told of alone; the others arrive', async () => {
  const { customer, ticketId } = await talking()
  const album = { id: v7(), of: 3 }
  await sendPicture(ticketId, { body: 'Boa', album })
  await sendPicture(ticketId, { body: 'Enorme', size: tooLarge, album })
  await sendPicture(ticketId, { body: 'Outra boa', album })
  const rows = await until(async () => {
    const all = (await rowsOf(ticketId)).filter(({ type }) => type === 'image')
    return all.every(({ status }) => status === 'sent' || status === 'failed') && all
  })
  expect(rows.map(({ body, status, error }) => [body, status, error])).toEqual([
    ['Boa', 'sent', null],
    ['Enorme', 'failed', 'O arquivo é grande demais para o Telegram.'],
    ['Outra boa', 'sent', null],
  ])
  expect(picturesOf(customer).map(({ text }) => text)).toEqual(['Boa', 'Outra boa'])
})

test('a refusal that may pass holds the whole group, which then leaves as one', async () => {
  const { customer, ticketId } = await talking()
  sim.faults.next({
    status: 429,
    body: { ok: false, error_code: 429, description: 'Too Many Requests', parameters: { retry_after: 0 } },
    match: ({ path }) => path.endsWith('/sendMediaGroup'),
  })
  const before = groupsSent().length
  const album = { id: v7(), of: 2 }
  for (const body of ['Um', 'Dois']) await sendPicture(ticketId, { body, album })
  await until(async () => picturesOf(customer).length === 2, 15_000)
  expect(groupsSent()).toHaveLength(before + 2)
  const arrived = async () =>
    (await rowsOf(ticketId)).filter(({ type, status }) => type === 'image' && status === 'sent')
  await until(async () => (await arrived()).length === 2)
})

test('what waits for the rest of its group waits no longer than some seconds, and goes alone', async () => {
  const { customer, ticketId } = await talking()
  const id = await sendPicture(ticketId, { album: { id: v7(), of: 2 } })
  const [held] = (await rowsOf(ticketId)).filter((row) => row.id === id)
  const waitsMs = (held?.nextAttemptAt?.getTime() ?? 0) - Date.now()
  expect(waitsMs).toBeGreaterThan(5_000)
  expect(waitsMs).toBeLessThan(20_000)
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.update(schema.messages).set({ nextAttemptAt: new Date() }).where(eq(schema.messages.id, id)),
  )
  await until(async () => picturesOf(customer).length === 1)
})

test('where a channel knows no albums, pictures go one by one as ever', async () => {
  const contactId = await createContact(tenant, { number: '5511966660001' })
  const channel = await createConnection(tenant, { kind: 'waba' })
  const ticketId = await createTicket(tenant, { contactId, connectionId: channel, userId: tenant.agent.id })
  await withTenant(tenant.tenantId, (tx) =>
    tx.db.update(schema.tickets).set({ lastInboundAt: new Date() }).where(eq(schema.tickets.id, ticketId)),
  )
  const id = await sendPicture(ticketId, { album: { id: v7(), of: 2 } })
  const [row] = (await rowsOf(ticketId)).filter((one) => one.id === id)
  expect(row).toMatchObject({ payload: null, nextAttemptAt: null })
})

test('an album of the customer is one group in the conversation', async () => {
  const { customer, ticketId } = await talking()
  await customer.sendAlbum([photo, photo], 'As duas')
  const rows = await until(async () => {
    const all = (await rowsOf(ticketId)).filter(({ type }) => type === 'image')
    return all.length === 2 && all
  })
  expect(rows.map(({ body }) => body)).toEqual(['As duas', ''])
  expect(rows[0]?.payload?.album?.id).toMatch(/^\d+$/)
  expect(rows[1]?.payload).toEqual(rows[0]?.payload)
})
