import { startVapiSimulator } from '@balcao/simulators/bots.ts'
import { and, eq, sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const { app, as, call, schema, seedTenant, createContact, createTicket, withTenant } = await startTestApp()
const { lookAfterCalls } = await import('./voice-calls.loop.ts')
const sim = await startVapiSimulator({ delivery: { retryDelaysMs: [] } })
const here = await app.listen({ port: 0, host: '127.0.0.1' })
afterAll(() => sim.close())
beforeEach(() => {
  Object.assign(sim.control, { server: null, losesAnswer: false, hasRecordings: true })
  Object.assign(sim.delivery, { duplicate: 0, reorder: false })
})

const secret = 'segredo-da-vapi-0123'
type Company = Awaited<ReturnType<typeof company>>
const company = async (config: object = {}) => {
  const tenant = await seedTenant({ queues: ['Vendas'], agentIn: ['Vendas'] })
  const { body } = await as(tenant.admin).post('/integrations', {
    kind: 'vapi',
    name: 'Vapi',
    config: {
      ...{
        apiKey: sim.control.apiKey,
        assistantId: 'as-1',
        phoneNumberId: 'pn-1',
        hookSecret: secret,
        baseUrl: sim.url,
      },
      ...config,
    },
  })
  const accountId = String(body.id)
  const contactId = await createContact(tenant, { name: 'Maria Lima', number: '5511988887777' })
  const ticketId = await createTicket(tenant, { queue: 'Vendas', contactId })
  sim.control.server = { url: `${here}/hooks/vapi/${accountId}`, secret }
  return { ...tenant, accountId, contactId, ticketId }
}
const rowsOf = ({ tenantId }: Company) =>
  withTenant(tenantId, (tx) => tx.db.select().from(schema.voiceCalls).where(eq(schema.voiceCalls.tenantId, tenantId)))
/** What waits of this company is done now; another company's may be taken first. */
const work = async (of: Company, is: (rows: Awaited<ReturnType<typeof rowsOf>>) => boolean) => {
  for (;;) {
    await withTenant(of.tenantId, (tx) =>
      tx.db
        .update(schema.voiceCalls)
        .set({ dueAt: sql`now() - interval '1 second'` })
        .where(and(eq(schema.voiceCalls.tenantId, of.tenantId), sql`due_at is not null`)),
    )
    await lookAfterCalls()
    const rows = await rowsOf(of)
    if (is(rows)) return rows
  }
}
const notesOf = async ({ admin, ticketId }: Company) =>
  (await as(admin).get(`/messages/${ticketId}`)).body.items.filter((one: { type: string }) => one.type === 'note')
const placed = (rows: { providerId: string | null }[]) => rows.every(({ providerId }) => providerId !== null)
const told = (rows: { toldAt: Date | null }[]) => rows.every(({ toldAt }) => toldAt !== null)
const only = <T>([one]: readonly T[]): T => {
  if (!one) throw new Error('none')
  return one
}

test('assistants and numbers of the account, under the names outside callers know', async () => {
  const shop = await company()
  const { tenantId } = shop
  expect((await as(shop.agent).get(`/vapiAssistants/${tenantId}`)).body.items).toEqual([
    { id: 'as-1', name: 'Cobrança' },
    { id: 'as-2', name: 'Confirmação de agenda' },
  ])
  expect((await as(shop.agent).get(`/vapiPhoneNumbers/${tenantId}`)).body.items).toEqual([
    { id: 'pn-1', name: 'Central', number: '+551140028922' },
  ])
  expect((await as(shop.agent).get(`/vapiAssistants/${tenantId + 1}`)).status).toBe(404)
  expect((await as(shop.agent).get('/voice-accounts')).body.items).toEqual([
    { id: shop.accountId, name: 'Vapi', canCall: true },
  ])
  const other = await seedTenant()
  expect(await as(other.admin).get(`/vapiAssistants/${other.tenantId}`)).toMatchObject({
    status: 409,
    body: { error: 'ERR_NO_VOICE_ACCOUNT' },
  })
  await as(shop.admin).put(`/integrations/${shop.accountId}`, { version: 1, config: { apiKey: 'errada-errada' } })
  expect(await as(shop.agent).get(`/vapiAssistants/${tenantId}`)).toMatchObject({ status: 502 })
})

test('a call from a conversation: told as it goes, its result a note with the recording, once, whatever comes twice', async () => {
  const shop = await company()
  const id = v7()
  const first = await as(shop.agent).post(`/tickets/${shop.ticketId}/voice-calls`, { id })
  expect(first).toMatchObject({ status: 201, body: { id, status: 'queued', number: '+5511988887777' } })
  expect((await as(shop.agent).post(`/tickets/${shop.ticketId}/voice-calls`, { id })).body.id).toBe(id)
  const before = sim.calls.size
  const { providerId } = only(await work(shop, placed))
  expect(sim.calls.size).toBe(before + 1)
  const one = sim.calls.get(providerId ?? '')
  expect(one).toMatchObject({
    metadata: { balcaoCallId: id },
    assistantOverrides: {
      variableValues: { nome: 'Maria Lima', numero: '+5511988887777', atendimento: shop.ticketId },
    },
  })
  Object.assign(sim.delivery, { duplicate: 2, reorder: true })
  await sim.move(providerId ?? '', 'ringing')
  await sim.move(providerId ?? '', 'in-progress')
  expect(only(await rowsOf(shop))).toMatchObject({ status: 'talking' })
  await sim.end(providerId ?? '')
  await work(shop, told)
  await Promise.all([lookAfterCalls(), lookAfterCalls()])
  await sim.move(providerId ?? '', 'ringing') // late, and of no consequence
  expect(await notesOf(shop)).toMatchObject([
    {
      body: 'Ligação do assistente de voz: durou 42 s, o cliente desligou, custou US$\u00a00,12.\n\nResumo: O cliente confirmou o pagamento para amanhã.\n\nTranscrição:\nAssistente: Olá, aqui é da Loja Aurora.\nCliente: Oi, pode falar.',
      media: { kind: 'audio' },
    },
  ])
  const { items } = (await as(shop.agent).get(`/tickets/${shop.ticketId}/voice-calls`)).body
  expect(items).toMatchObject([
    { id, status: 'ended', endedReason: 'o cliente desligou', costUsd: 0.1234, user: { id: shop.agent.id } },
  ])
  const audits = await withTenant(shop.tenantId, (tx) => tx.db.select().from(schema.audit))
  expect(audits.filter(({ action }) => action === 'voiceCall.placed').map(({ userId }) => userId)).toContain(
    shop.agent.id,
  )
})

test('nobody tells us: the call is asked about until it is over', async () => {
  const shop = await company({ hookSecret: undefined })
  sim.control.server = null
  sim.control.hasRecordings = false
  await as(shop.agent).post(`/tickets/${shop.ticketId}/voice-calls`, {})
  const { providerId } = only(await work(shop, placed))
  await sim.end(providerId ?? '', { reason: 'customer-did-not-answer', summary: '', transcript: '', seconds: 0 })
  await work(shop, told)
  expect(await notesOf(shop)).toMatchObject([
    { body: 'Ligação do assistente de voz: o cliente não atendeu, custou US$\u00a00,12.', media: null },
  ])
})

test('an answer that was lost is not asked for again: what is told later still finds the call', async () => {
  const shop = await company()
  sim.control.losesAnswer = true
  const { body } = await as(shop.agent).post(`/tickets/${shop.ticketId}/voice-calls`, {})
  const before = sim.calls.size
  expect(only(await work(shop, ([row]) => row?.status === 'uncertain'))).toMatchObject({ providerId: null })
  await lookAfterCalls()
  expect(sim.calls.size).toBe(before + 1)
  expect((await notesOf(shop)).map((one: { body: string }) => one.body)).toEqual([
    expect.stringContaining('a Vapi não confirmou'),
  ])
  const mine = [...sim.calls.values()].find(({ metadata }) => metadata?.balcaoCallId === body.id)
  await sim.end(mine?.id ?? '')
  await work(shop, told)
  expect(await notesOf(shop)).toHaveLength(2)
})

test('what Vapi refuses is told in its words, and rings nowhere', async () => {
  const shop = await company()
  const before = sim.calls.size
  await as(shop.agent).post(`/tickets/${shop.ticketId}/voice-calls`, { assistantId: 'as-9' })
  expect(only(await work(shop, ([row]) => row?.status === 'failed'))).toMatchObject({
    problem: expect.stringContaining('Assistant with ID as-9 not found'),
  })
  expect(sim.calls.size).toBe(before)
  const contactId = await createContact(shop, { name: 'Sem telefone' })
  const ticketId = await createTicket(shop, { queue: 'Vendas', contactId })
  expect(await as(shop.agent).post(`/tickets/${ticketId}/voice-calls`, {})).toMatchObject({
    status: 409,
    body: { message: 'O contato não tem telefone no cadastro para ligar.' },
  })
  await as(shop.admin).put(`/integrations/${shop.accountId}`, { version: 1, config: { phoneNumberId: '' } })
  expect(await as(shop.agent).post(`/tickets/${shop.ticketId}/voice-calls`, {})).toMatchObject({ status: 422 })
})

test('calls to numbers: each is one, in the conversation of whoever has it; a call that comes in is told there too', async () => {
  const shop = await company()
  const made = await as(shop.admin).post(`/vapiCall/${shop.tenantId}`, {
    customers: [{ number: '+55 11 8888-7777', name: 'Maria' }, { number: '5521977776666' }],
    assistantId: 'as-2',
    phoneNumberId: 'pn-1',
  })
  expect(made).toMatchObject({
    status: 201,
    body: {
      items: [
        { ticketId: shop.ticketId, number: '+551188887777' },
        { ticketId: null, number: '+5521977776666' },
      ],
    },
  })
  expect(await as(shop.admin).post(`/vapiCall/${shop.tenantId}`, { customers: [{ number: '12' }] })).toMatchObject({
    status: 422,
  })
  for (const { providerId } of await work(shop, placed)) await sim.end(providerId ?? '')
  await work(shop, told)
  expect(await notesOf(shop)).toHaveLength(1)
  const inbound = await sim.ringIn('+5511988887777', 'Maria')
  await sim.end(inbound, { summary: 'Perguntou o horário.' })
  await work(shop, told)
  expect((await notesOf(shop)).at(-1)).toMatchObject({
    body: expect.stringContaining('Ligação recebida pelo assistente de voz'),
  })
})

test('only who knows the secret is heard; questions are answered at once', async () => {
  const shop = await company()
  const hook = (message: object, headers: object = { authorization: `Bearer ${secret}` }) =>
    call('POST', `/hooks/vapi/${shop.accountId}`, { message }, { ...headers })
  expect((await hook({ type: 'assistant-request' }, {})).status).toBe(401)
  expect((await hook({ type: 'assistant-request' }, { authorization: 'Bearer outra' })).status).toBe(401)
  expect((await hook({ type: 'assistant-request' }, { 'x-vapi-secret': secret })).body).toEqual({ assistantId: 'as-1' })
  expect((await hook({ type: 'tool-calls', toolCallList: [{ id: 't1', name: 'saldo' }] })).body).toEqual({
    results: [{ toolCallId: 't1', name: 'saldo', result: 'Esta ferramenta não está disponível.' }],
  })
  for (const strange of [{ type: 'hang' }, {}, { type: 'end-of-call-report' }])
    expect((await hook(strange)).status).toBe(200)
  expect(await rowsOf(shop)).toEqual([])
})

test('a macro calls too, and says so', async () => {
  const shop = await company()
  const { body: macro } = await as(shop.admin).post('/macros', {
    name: 'Ligar',
    actions: [{ kind: 'voiceCall', integrationId: shop.accountId }],
  })
  const ran = await as(shop.admin).post(`/macros/${macro.id}/run`, { ticketId: shop.ticketId, runId: v7() })
  expect(ran.status).toBe(200)
  expect(only(await work(shop, placed))).toMatchObject({ ticketId: shop.ticketId, userId: shop.admin.id })
})

test('the list of calls: filters, pages, the whole one with what was recorded, and nothing of conversations one may not see', async () => {
  const made = await company()
  const { admin, agent, ticketId, tenantId } = made
  await as(admin).post(`/tickets/${ticketId}/voice-calls`, {})
  await sim.end(only(await work(made, placed)).providerId ?? '')
  await work(made, told)
  const [first] = await rowsOf(made)
  const hidden = await createTicket(made, {
    contactId: await createContact(made, { name: 'Rui', number: '5511977776666' }),
  })
  const row = {
    ...{ tenantId, integrationId: made.accountId, number: '+5511977776666', assistantId: 'as', phoneNumberId: 'pn' },
  }
  await withTenant(tenantId, (tx) =>
    tx.db.insert(schema.voiceCalls).values([
      { ...row, id: v7(), ticketId: hidden, status: 'failed' as const, problem: 'sem saldo.', dueAt: null },
      { ...row, id: v7(), name: 'Ninguém', direction: 'inbound' as const, status: 'ended' as const, dueAt: null },
    ]),
  )
  const list = async (who: string, query = '') => (await as({ token: who }).get(`/voice-calls?${query}`)).body
  const all = await list(admin.token, 'count=true')
  expect(all).toMatchObject({
    count: 3,
    items: [{ direction: 'inbound', contact: null }, { status: 'failed' }, { id: first?.id }],
  })
  expect(all.items[2]).toMatchObject({ contact: { name: 'Maria Lima' }, hasRecording: true })
  expect(all.items[2]).not.toHaveProperty('transcript')
  expect((await list(admin.token, 'direction=inbound')).items).toHaveLength(1)
  expect((await list(admin.token, 'status=failed&status=ended')).items).toHaveLength(3)
  expect((await list(admin.token, 'searchParam=98888')).items).toMatchObject([{ id: first?.id }])
  expect((await list(admin.token, 'searchParam=mária')).items).toMatchObject([{ id: first?.id }])
  const page = await list(admin.token, 'limit=2')
  expect((await list(admin.token, `limit=2&cursor=${page.nextCursor}`)).items).toMatchObject([{ id: first?.id }])

  const own = await list(agent.token)
  expect(own.items.map(({ id }: { id: string }) => id)).toEqual([first?.id])
  const whole = await as(agent).get(`/voice-calls/${first?.id}`)
  expect(whole.body).toMatchObject({ recording: { kind: 'audio' }, protocol: expect.any(String) })
  expect(whole.body.transcript.length).toBeGreaterThan(10)
  expect((await as(agent).get(`/voice-calls/${all.items[1].id}`)).status).toBe(404)
  const other = await company()
  expect((await as(other.admin).get(`/voice-calls/${first?.id}`)).status).toBe(404)
  expect((await list(other.admin.token)).items).toEqual([])
  expect((await as(agent).post('/voice-calls/export', {})).status).toBe(202)
})
