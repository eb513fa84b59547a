import { wallTimeOf } from '@balcao/contract/core/wall-time.ts'
import { v7 } from 'uuid'
import { expect, test, vi } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const { app, as, seedTenant, createTicket, withTenant, schema } = await startTestApp()
const { openCall, settleCall } = await import('./usage.ts')
const { createJobs } = await import('../../core/jobs/jobs.loop.ts')
const { rebuildEpisodes } = await import('../../operations/reports/episodes.loop.ts')

const today = wallTimeOf(new Date(), 'America/Sao_Paulo').slice(0, 10)

const company = async () => {
  const tenant = await seedTenant({ queues: ['Vendas', 'Suporte'] })
  const { tenantId } = tenant
  const boss = as(tenant.admin)
  const account = v7()
  await withTenant(tenantId, (tx) =>
    tx.db
      .insert(schema.integrations)
      .values({ tenantId, id: account, family: 'assistant', kind: 'chat-gpt', name: 'ChatGPT', config: {} }),
  )
  const ticket = async (queue: string) => {
    const ticketId = await createTicket(tenant, { queue })
    const queueId = tenant.queues[queue]
    const to = { status: 'pending', userId: null, queueId }
    await withTenant(tenantId, (tx) =>
      tx.db.insert(schema.ticketLogs).values({ tenantId, ticketId, type: 'create', to } as never),
    )
    return ticketId
  }
  const call = async (costMicros: number, more: object = {}) => {
    const id = v7()
    await openCall({
      ...{ id, tenantId, integrationId: account, kind: 'chat-gpt', model: 'pequeno', purpose: 'assistant' },
      ...{ mostMicros: costMicros, ...more },
    })
    await settleCall({ tenantId, id }, { state: 'done', inputTokens: 100, outputTokens: 10, costMicros, ms: 1_200 })
  }
  const assistant = async (name: string, budgetCents: number | null) =>
    (await boss.post('/assistants', { name, config: { budgetCents } })).body.id as string
  return { ...tenant, boss, ticket, call, assistant }
}

test('what each assistant cost this month stands beside its budget, also of one that is gone', async () => {
  const shop = await company()
  const [aurora, quiet, gone] = [await shop.assistant('Aurora', 5_000), await shop.assistant('Quieta', null), v7()]
  await shop.call(1_800, { assistant: { id: aurora, budgetCents: 5_000 } })
  await shop.call(200, { assistant: { id: aurora, budgetCents: 5_000 } })
  await shop.call(700, { assistant: { id: gone, budgetCents: null } })
  await shop.call(50_000, { purpose: 'copilot' })
  const { body } = await shop.boss.get(`/ai/spending?from=${today}&to=${today}`)
  expect(body.assistants).toEqual([
    { id: aurora, name: 'Aurora', monthMicros: 2_000, budgetCents: 5_000 },
    { id: gone, name: '', monthMicros: 700, budgetCents: null },
    { id: quiet, name: 'Quieta', monthMicros: 0, budgetCents: null },
  ])
  expect(body.month.costMicros).toBe(52_700)
  expect((await shop.boss.get(`/assistants/${aurora}`)).body).toMatchObject({ monthMicros: 2_000 })
  const stranger = await company()
  expect((await stranger.boss.get(`/ai/spending?from=${today}&to=${today}`)).body.assistants).toEqual([])
})

test('what models cost is a number of conversations, by queue and by itself', async () => {
  const shop = await company()
  const [first, second, third] = [
    await shop.ticket('Vendas'),
    await shop.ticket('Vendas'),
    await shop.ticket('Suporte'),
  ]
  const fourth = await shop.ticket('Suporte')
  await shop.call(3_000, { ticketId: first })
  await shop.call(1_000, { ticketId: first })
  await shop.call(2_000, { ticketId: second })
  await shop.call(500, { ticketId: third })
  await shop.call(9_000, { purpose: 'copilot' })
  await rebuildEpisodes(shop.tenantId)
  const { body } = await shop.boss.get(`/reports/custo-ia?dimension=queue&dateFrom=${today}&dateTo=${today}`)
  expect(body.measures.map(({ key }: { key: string }) => key)).toEqual([
    'aiCost',
    'aiCostPerTicket',
    'aiTickets',
    'aiCalls',
  ])
  expect(body.rows.map(({ label, values }: { label: string; values: number[] }) => [label, values])).toEqual([
    ['Vendas', [0.6, 0.3, 2, 3]],
    ['Suporte', [0.05, 0.05, 1, 1]],
  ])
  expect(body.total).toEqual([expect.closeTo(0.65), expect.closeTo(0.65 / 3), 3, 4])
  const { items } = (await shop.boss.get(`/tickets-report?dateFrom=${today}&dateTo=${today}`)).body
  const costs = items.map(({ ticketId, aiCostMicros }: { ticketId: string; aiCostMicros: number }) => [
    ticketId,
    aiCostMicros,
  ])
  expect(Object.fromEntries(costs)).toEqual({ [first]: 4_000, [second]: 2_000, [third]: 500, [fourth]: 0 })
})

test('what was asked of models becomes a spreadsheet, to a millionth of a real', async () => {
  const shop = await company()
  const aurora = await shop.assistant('Aurora', null)
  const ticketId = await shop.ticket('Vendas')
  await shop.call(1_834, { assistant: { id: aurora, budgetCents: null }, ticketId })
  await shop.call(20, { purpose: 'copilot', userId: shop.admin.id })
  expect((await as(shop.agent).post('/ai/calls/export', { from: today, to: today })).status).toBe(403)
  const asked = await shop.boss.post('/ai/calls/export', { from: today, to: today })
  expect(asked).toMatchObject({ status: 202, body: { kind: 'exportAiCalls', total: 2 } })
  const jobs = createJobs()
  await jobs.run(() => {})
  await vi.waitFor(async () =>
    expect((await shop.boss.get(`/bulkJobs/${asked.body.id}`)).body).toMatchObject({ state: 'done' }),
  )
  await jobs.finish()
  const headers = { authorization: `Bearer ${shop.admin.token}` }
  const file = await app.inject({ url: `/api/bulkJobs/${asked.body.id}/result`, headers })
  const [head, ...lines] = file.body.trim().split('\r\n')
  expect(head).toContain('Para quê;Provedor;Conta;Modelo;Assistente;Protocolo;Pessoa')
  expect(lines).toEqual([
    expect.stringMatching(
      /;Copiloto da equipe;ChatGPT \(OpenAI\);ChatGPT;pequeno;;;Carla Dias;Respondida;100;10;0,000020;1,2$/,
    ),
    expect.stringMatching(/;Respostas de assistentes;.*;Aurora;\w{20};;Respondida;100;10;0,001834;1,2$/),
  ])
})
