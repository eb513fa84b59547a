import { startLlmSimulator } from '@balcao/simulators/llm.ts'
import { and, eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const { as, schema, seedTenant, createTicket, withTenant } = await startTestApp()
const { storeFile } = await import('../../core/media/media.service.ts')
const { transcribeDue } = await import('./transcripts.loop.ts')
const llm = await startLlmSimulator()
afterAll(() => llm.close())
llm.hear(({ bytes }) => `Quero saber o prazo do pedido ${bytes.length}`)

type Company = Awaited<ReturnType<typeof seedTenant>>
const ogg = (size: number) => Buffer.concat([Buffer.from('OggS\0\u0002'), Buffer.alloc(size - 6, 1)])
const company = async (settings: object = { transcribeAudios: true }, config: object = {}) => {
  const made = await seedTenant({ queues: ['Vendas'], settings })
  const { body } = await as(made.admin).post('/integrations', {
    kind: 'groqcloud',
    name: 'Groq',
    config: {
      ...{
        apiKey: `chave-${v7()}`,
        baseUrl: llm.urls.openai,
        model: 'balcao-pequeno',
        audioModel: 'whisper-balcao',
        audioPrice: 0.6,
      },
      ...config,
    },
  })
  return { ...made, accountId: String(body.id) }
}
/** A voice note of a customer, as it is stored. */
const hear = async (tenant: Company, { ticketId, fromMe = false }: { ticketId: string; fromMe?: boolean }) => {
  const { tenantId } = tenant
  const [ticket] = await withTenant(tenantId, (tx) =>
    tx.db
      .select()
      .from(schema.tickets)
      .where(and(eq(schema.tickets.tenantId, tenantId), eq(schema.tickets.id, ticketId))),
  )
  if (!ticket) throw new Error('no ticket')
  const { contactId, connectionId } = ticket
  const file = await storeFile({ tenantId, bytes: ogg(4_000), name: 'audio.ogg', contactId })
  const id = v7()
  await withTenant(tenantId, (tx) =>
    tx.db.insert(schema.messages).values({
      ...{
        tenantId,
        id,
        ticketId,
        contactId,
        connectionId,
        fromMe,
        type: 'audio',
        mediaId: file.id,
        mediaState: 'ready',
      },
      ...{ status: fromMe ? 'sent' : 'received', timestamp: new Date() },
    }),
  )
  return id
}
const messageOf = async ({ admin }: Company, ticketId: string, id: string) =>
  (await as(admin).get(`/messages/${ticketId}`)).body.items.find((one: { id: string }) => one.id === id)
const rowsOf = (tenantId: number) =>
  withTenant(tenantId, (tx) =>
    tx.db.select().from(schema.audioTranscripts).where(eq(schema.audioTranscripts.tenantId, tenantId)),
  )
const usageOf = (tenantId: number) =>
  withTenant(tenantId, (tx) => tx.db.select().from(schema.aiUsage).where(eq(schema.aiUsage.tenantId, tenantId)))
/** Until nothing of the company waits; the loop may take another company's first. */
const round = async (tenantId: number) => {
  await withTenant(tenantId, (tx) =>
    tx.db
      .update(schema.audioTranscripts)
      .set({ dueAt: new Date(0) })
      .where(eq(schema.audioTranscripts.tenantId, tenantId)),
  )
  while ((await transcribeDue()).isMore);
}

test('what a customer says is written below the audio once, found by its words, exported and paid', async () => {
  const tenant = await company()
  const { tenantId } = tenant
  const ticketId = await createTicket(tenant, { queue: 'Vendas' })
  const id = await hear(tenant, { ticketId })
  await hear(tenant, { ticketId, fromMe: true })
  expect(await rowsOf(tenantId)).toMatchObject([{ id, state: 'waiting' }])
  const before = llm.requests.length
  await Promise.all([transcribeDue(), transcribeDue(), transcribeDue()])
  await transcribeDue()
  const asked = llm.requests.slice(before).filter(({ path }) => path.endsWith('/audio/transcriptions'))
  expect(asked).toHaveLength(1)
  expect(asked[0]?.body).toMatchObject({ model: 'whisper-balcao' })
  const message = await messageOf(tenant, ticketId, id)
  expect(message).toMatchObject({
    body: 'Quero saber o prazo do pedido 4000',
    payload: { transcript: { state: 'done' } },
    editedAt: null,
  })
  const found = await as(tenant.admin).get('/searchMessage?searchParam=prazo do pedido')
  expect(found.body.items).toMatchObject([{ id, type: 'audio' }])
  expect(await usageOf(tenantId)).toMatchObject([
    { purpose: 'transcription', state: 'done', ticketId, kind: 'groqcloud' },
  ])
  const events = await withTenant(tenantId, (tx) =>
    tx.db.select().from(schema.outbox).where(eq(schema.outbox.name, 'message.updated')),
  )
  expect(events).toHaveLength(1)
})

test('nothing is sent where the company did not ask for it; by hand one audio is', async () => {
  const tenant = await company({})
  const ticketId = await createTicket(tenant, { queue: 'Vendas' })
  const id = await hear(tenant, { ticketId })
  expect(await rowsOf(tenant.tenantId)).toEqual([])
  const stranger = await seedTenant()
  expect((await as(stranger.admin).post(`/messages/${id}/transcript`)).status).toBe(404)
  expect((await as(tenant.agent).post(`/messages/${id}/transcript`)).status).toBe(204)
  expect(await messageOf(tenant, ticketId, id)).toMatchObject({ payload: { transcript: { state: 'waiting' } } })
  await round(tenant.tenantId)
  expect(await messageOf(tenant, ticketId, id)).toMatchObject({ payload: { transcript: { state: 'done' } } })
  const none = await seedTenant({ queues: ['Vendas'] })
  const other = await createTicket(none, { queue: 'Vendas' })
  const alone = await hear(none, { ticketId: other })
  expect(await as(none.agent).post(`/messages/${alone}/transcript`)).toMatchObject({
    status: 409,
    body: { error: 'ERR_NO_MODEL' },
  })
})

test('what failed is shown with its reason, tried again where that helps, and again by hand', async () => {
  const tenant = await company({ transcribeAudios: true }, { audioModel: 'erro-500' })
  const ticketId = await createTicket(tenant, { queue: 'Vendas' })
  const id = await hear(tenant, { ticketId })
  await round(tenant.tenantId)
  expect(await rowsOf(tenant.tenantId)).toMatchObject([
    { state: 'waiting', attempts: 1, error: expect.stringContaining('GroqCloud') },
  ])
  for (let attempt = 0; attempt < 3; attempt += 1) await round(tenant.tenantId)
  expect(await rowsOf(tenant.tenantId)).toMatchObject([{ state: 'failed', attempts: 4 }])
  expect(await messageOf(tenant, ticketId, id)).toMatchObject({
    body: '',
    payload: { transcript: { state: 'failed', error: expect.any(String) } },
  })
  expect((await usageOf(tenant.tenantId)).map(({ costMicros }) => costMicros)).toEqual([0])

  await as(tenant.admin).put(`/integrations/${tenant.accountId}`, { config: { audioModel: 'whisper-balcao' } })
  expect((await as(tenant.agent).post(`/messages/${id}/transcript`)).status).toBe(204)
  await round(tenant.tenantId)
  expect(await messageOf(tenant, ticketId, id)).toMatchObject({ payload: { transcript: { state: 'done' } } })
})

test('a month without money left transcribes nothing, and says so', async () => {
  const tenant = await company({ transcribeAudios: true, aiBudgetCents: 0 })
  const ticketId = await createTicket(tenant, { queue: 'Vendas' })
  const id = await hear(tenant, { ticketId })
  const before = llm.requests.length
  await round(tenant.tenantId)
  expect(llm.requests.length).toBe(before)
  expect(await messageOf(tenant, ticketId, id)).toMatchObject({
    payload: { transcript: { state: 'failed', error: expect.stringContaining('orçamento') } },
  })
})
