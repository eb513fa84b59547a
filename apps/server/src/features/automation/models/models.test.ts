import { integrations } from '@balcao/contract/core/integrations/index.ts'
import { type ModelKind, modelKinds } from '@balcao/contract/core/integrations/models.ts'
import { lastText, startLlmSimulator } from '@balcao/simulators/llm.ts'
import { and, eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { afterAll, expect, test } from 'vitest'
import { z } from 'zod'
import { startTestApp } from '../../../../test/kit.ts'

const { as, schema, seedTenant, withTenant } = await startTestApp()
const { answerWith, pauseBefore } = await import('./answer.ts')
const { openCall, settleCall } = await import('./usage.ts')
const { ModelProblem } = await import('../../../integrations/model-problem.ts')
const llm = await startLlmSimulator()
afterAll(() => llm.close())

const addressOf = (kind: ModelKind) => {
  if (kind === 'claude') return llm.urls.anthropic
  if (kind === 'gemini') return llm.urls.gemini
  return kind === 'ollama' ? llm.urls.ollama : llm.urls.openai
}
type Company = Awaited<ReturnType<typeof seedTenant>>
let accounts = 0
const connect = async ({ admin }: Company, kind: ModelKind, more: object = {}) => {
  accounts += 1
  const config = {
    apiKey: `chave-${v7()}`,
    baseUrl: addressOf(kind),
    model: 'balcao-pequeno',
    inputPrice: 10,
    outputPrice: 100,
    ...more,
  }
  const { status, body } = await as(admin).post('/integrations', { kind, name: `${kind} ${accounts}`, config })
  expect([status, body.details]).toEqual([201, undefined])
  return String(body.id)
}
const usageOf = (tenantId: number) =>
  withTenant(tenantId, (tx) => tx.db.select().from(schema.aiUsage).where(eq(schema.aiUsage.tenantId, tenantId)))
const daysOf = (tenantId: number) =>
  withTenant(tenantId, (tx) => tx.db.select().from(schema.aiDays).where(eq(schema.aiDays.tenantId, tenantId)))
const ask = ({ tenantId }: Company, integrationIds: string[], more: object = {}) =>
  answerWith({
    tenantId,
    integrationIds,
    purpose: 'copilot',
    messages: [{ role: 'user', content: 'Qual o prazo de entrega?' }],
    ...more,
  })

test.each(modelKinds)(
  '%s answers whole and streamed, calls a tool and hears its answer, and says what it counted',
  async (kind) => {
    const company = await seedTenant()
    const id = await connect(company, kind)
    const undo = llm.script((turn) => {
      if (turn.messages.at(-1)?.role === 'tool') return { text: `O pedido ${turn.messages.at(-1)?.text}` }
      return turn.tools.length ? { calls: [{ name: 'pedido', input: { numero: 7 } }] } : undefined
    })
    const whole = await ask(company, [id], { system: 'Seja breve.' })
    expect(whole).toMatchObject({
      text: expect.stringContaining('dias úteis'),
      finish: 'stop',
      steps: 1,
      integrationId: id,
    })
    expect(llm.turns.at(-1)).toMatchObject({ system: 'Seja breve.', model: 'balcao-pequeno' })
    expect(whole.costMicros).toBe(Math.ceil(whole.usage.inputTokens * 10 + whole.usage.outputTokens * 100))

    const seen: string[] = []
    const streamed = await ask(company, [id], { onText: (soFar: string) => seen.push(soFar) })
    expect(streamed.text).toBe(whole.text)
    expect(seen.length).toBeGreaterThan(3)
    expect(seen.at(-1)).toBe(whole.text)
    expect(streamed.usage.outputTokens).toBe(whole.usage.outputTokens)

    const ran: unknown[] = []
    const pedido = {
      description: 'Lê um pedido',
      input: z.object({ numero: z.int() }),
      run: async (input: unknown) => {
        ran.push(input)
        return 'saiu hoje'
      },
    }
    for (const onText of [undefined, () => {}]) {
      const answer = await ask(company, [id], { tools: { pedido }, onText })
      expect(answer).toMatchObject({
        text: expect.stringContaining('saiu hoje'),
        steps: 2,
        toolCalls: [{ name: 'pedido', input: { numero: 7 }, output: 'saiu hoje' }],
      })
    }
    expect(ran).toEqual([{ numero: 7 }, { numero: 7 }])
    undo()
    const rows = await usageOf(company.tenantId)
    expect(rows).toHaveLength(6)
    expect(
      rows.every(({ state, inputTokens, outputTokens }) => state === 'done' && inputTokens > 0 && outputTokens > 0),
    ).toBe(true)
    const [day] = await daysOf(company.tenantId)
    expect(day).toMatchObject({ calls: 6, failures: 0, costMicros: rows.reduce((sum, row) => sum + row.costMicros, 0) })
  },
)

test('by the responses of OpenAI too, and nothing is stored there', async () => {
  const company = await seedTenant()
  const id = await connect(company, 'chat-gpt', { wire: 'responses' })
  const undo = llm.script((turn) =>
    turn.tools.length && turn.messages.at(-1)?.role !== 'tool' ? { calls: [{ name: 'hora', input: {} }] } : undefined,
  )
  for (const onText of [undefined, () => {}]) {
    const hora = { description: 'As horas', input: z.object({}), run: async () => '14:30' }
    expect(await ask(company, [id], { tools: { hora }, onText })).toMatchObject({
      text: expect.stringContaining('14:30'),
      steps: 2,
    })
  }
  undo()
  const asked = llm.requests.filter(({ path }) => path.endsWith('/responses'))
  expect(asked.length).toBeGreaterThan(3)
  for (const { body } of asked) expect(body).toMatchObject({ store: false })
})

test.each(modelKinds)(
  '%s is tested by a question, lists its models now, and says in Portuguese what is wrong',
  async (kind) => {
    const company = await seedTenant()
    const { admin } = company
    const id = await connect(company, kind)
    expect((await as(admin).post(`/integrations/${id}/test`)).body).toEqual({
      ok: true,
      text: expect.stringMatching(/^O modelo balcao-pequeno respondeu em/),
    })
    const listed = (given: object) => as(admin).post('/integrations/models', { kind, ...given })
    expect((await listed({ id, config: { baseUrl: addressOf(kind) } })).body).toMatchObject({
      problem: null,
      models: expect.arrayContaining(['balcao-grande']),
    })
    const typed = { apiKey: 'chave-digitada-agora', baseUrl: addressOf(kind) }
    expect((await listed({ config: typed })).body.models).toContain('balcao-pequeno')
    const wrong = kind === 'ollama' ? { model: 'nao-existe' } : { apiKey: 'chave-errada-sk-123456789' }
    await as(admin).put(`/integrations/${id}`, { config: wrong })
    const told = (await as(admin).post(`/integrations/${id}/test`)).body
    expect(told).toMatchObject({
      ok: false,
      text: expect.stringMatching(kind === 'ollama' ? /não conhece o modelo nao-existe/ : /não aceita esta chave/),
    })
    expect(told.text).toContain(integrations[kind].label)
    expect(JSON.stringify((await as(admin).get(`/integrations/${id}`)).body)).not.toContain('errada-sk')
    if (kind === 'ollama') return
    expect((await listed({ id, config: {} })).body).toMatchObject({
      models: [],
      problem: expect.stringContaining('chave'),
    })
  },
)

test('a stored key is listed with at its own address alone, and no address inside is called', async () => {
  const company = await seedTenant()
  const { admin } = company
  const id = await connect(company, 'grok')
  const asked = llm.requests.length
  const other = await as(admin).post('/integrations/models', {
    kind: 'grok',
    id,
    config: { baseUrl: 'https://evil.example/v1' },
  })
  expect(other.body).toMatchObject({ models: [], problem: expect.stringContaining('Preencha chave') })
  expect(llm.requests.length).toBe(asked)
  const inside = { kind: 'lm', name: 'Local', config: { baseUrl: 'http://10.0.0.8:1234/v1', model: 'x' } }
  expect((await as(admin).post('/integrations', inside)).body.details).toMatchObject([{ path: 'config.baseUrl' }])
  expect((await as(company.supervisor).post('/integrations/models', { kind: 'grok', config: {} })).status).toBe(403)
})

const failures: [model: string, kind: string, says: RegExp, isOfAccount: boolean][] = [
  ['erro-401', 'config', /não aceita esta chave/, true],
  ['erro-402', 'money', /sem saldo/, true],
  ['erro-403', 'config', /região/, true],
  ['sem-saldo', 'money', /sem saldo/, true],
  ['longo-demais', 'length', /longa demais/, false],
  ['recusa', 'refusal', /não quis|sem texto/, false],
  ['vazio', 'refusal', /sem texto/, false],
]
test.each(failures)(
  '%s is %s, is not tried again, and only what is of the account marks it',
  async (model, kind, says, isOfAccount) => {
    for (const which of ['chat-gpt', 'claude', 'gemini', 'deepseek'] as const) {
      // Gemini answers an exhausted credit and a speed limit with the same words but for the status.
      if (which === 'gemini' && model === 'sem-saldo') continue
      const company = await seedTenant()
      const id = await connect(company, which, { model })
      for (const onText of [undefined, () => {}]) {
        const asked = llm.requests.length
        const failed = await ask(company, [id], { onText }).catch((error) => error)
        expect(failed).toBeInstanceOf(ModelProblem)
        expect([which, failed.kind]).toEqual([which, kind])
        expect(failed.message).toMatch(says)
        expect(llm.requests.length).toBe(asked + 1)
      }
      const { body } = await as(company.admin).get(`/integrations/${id}`)
      expect(body.state).toBe(isOfAccount ? 'broken' : 'unchecked')
      const notices = await withTenant(company.tenantId, (tx) =>
        tx.db.select().from(schema.outbox).where(eq(schema.outbox.name, 'ai.notice')),
      )
      expect(notices).toHaveLength(isOfAccount ? 1 : 0)
      const rows = await usageOf(company.tenantId)
      expect(rows.map((row) => row.problem)).toEqual([kind, kind])
    }
  },
)

test('speed and network are tried again, within bounds and with the wait that is asked for', () => {
  const problem = (kind: 'speed' | 'network' | 'config', retryAfterMs?: number) =>
    new ModelProblem(kind, '', { retryAfterMs })
  expect([0, 1, 2].map((tries) => pauseBefore(problem('speed'), tries, 0.5))).toEqual([1_000, 2_000, undefined])
  expect(pauseBefore(problem('speed', 7_000), 0, 0.5)).toBe(7_000)
  expect([0, 1].map((tries) => pauseBefore(problem('network'), tries, 0.5))).toEqual([1_000, undefined])
  expect(pauseBefore(problem('config'), 0)).toBeUndefined()
})

test('a provider that is full for a moment is asked again, and counted once', async () => {
  const company = await seedTenant()
  const id = await connect(company, 'groqcloud')
  llm.faults.next({
    status: 429,
    headers: { 'retry-after-ms': '5' },
    body: { error: { message: 'slow down', code: 'rate_limit_exceeded' } },
    match: ({ headers }) => String(headers.authorization).length > 0,
  })
  expect(await ask(company, [id])).toMatchObject({ finish: 'stop' })
  expect(await usageOf(company.tenantId)).toMatchObject([{ state: 'done', problem: null }])
  const [day] = await daysOf(company.tenantId)
  expect(day).toMatchObject({ calls: 1, failures: 0 })
})

test.each(['cortado', 'erro-em-200', 'erro-500', 'erro-529'])(
  '%s goes on with the next account, from the beginning',
  async (model) => {
    const company = await seedTenant()
    const first = await connect(company, 'deepseek', { model })
    const second = await connect(company, 'claude', { model: 'balcao-grande' })
    const seen: string[] = []
    const answer = await ask(company, [first, second], {
      onText: (soFar: string) => seen.push(soFar),
      deadlineMs: 20_000,
    })
    expect(answer).toMatchObject({ integrationId: second, model: 'balcao-grande' })
    expect(seen.at(-1)).toBe(answer.text)
    const rows = await usageOf(company.tenantId)
    expect(rows.map(({ kind, state }) => [kind, state]).sort()).toEqual([
      ['claude', 'done'],
      ['deepseek', 'failed'],
    ])
  },
)

test('whoever is silent is given up in time, also before the first word', async () => {
  const company = await seedTenant()
  const id = await connect(company, 'lm', { model: 'lento' })
  llm.pace.slowMs = 60_000
  const failed = await ask(company, [id], { deadlineMs: 300 }).catch((error) => error)
  expect(failed).toMatchObject({ kind: 'network', message: expect.stringContaining('não respondeu a tempo') })
  const stopped = new AbortController()
  const late = ask(company, [id], { signal: stopped.signal, onText: () => {} }).catch((error) => error)
  await expect.poll(() => llm.turns.filter(({ model }) => model === 'lento').length).toBeGreaterThan(1)
  stopped.abort()
  expect(await late).toBeInstanceOf(ModelProblem)
  expect((await usageOf(company.tenantId)).map(({ state, costMicros }) => [state, costMicros])).toEqual([
    ['failed', 0],
    ['failed', 0],
  ])
})

test('under one key a question is answered once and paid once, also after a process died over it', async () => {
  const company = await seedTenant()
  const id = await connect(company, 'claude')
  const key = `turno:${v7()}`
  const first = await ask(company, [id], { key })
  const asked = llm.turns.length
  expect(await ask(company, [id], { key })).toMatchObject({ text: first.text, costMicros: first.costMicros })
  expect(llm.turns.length).toBe(asked)
  expect(await usageOf(company.tenantId)).toHaveLength(1)

  // A process that dies between the question and its answer leaves the call open.
  const { tenantId } = company
  const call = {
    id: v7(),
    tenantId,
    integrationId: id,
    kind: 'claude' as const,
    model: 'balcao-pequeno',
    purpose: 'copilot' as const,
    mostMicros: 5_000,
  }
  await openCall(call)
  await openCall(call)
  const settled = { state: 'done' as const, inputTokens: 10, outputTokens: 10, costMicros: 700, ms: 5 }
  await Promise.all([settleCall(call, settled), settleCall(call, settled), settleCall(call, settled)])
  const rows = await usageOf(tenantId)
  expect(rows.find((row) => row.id === call.id)).toMatchObject({ attempts: 2, costMicros: 700, state: 'done' })
  const [day] = await daysOf(tenantId)
  expect(day).toMatchObject({ calls: 2, costMicros: first.costMicros + 700 })
})

test('the last of the month’s budget is given once, however many ask; who cares for it is warned once', async () => {
  const company = await seedTenant({ settings: { aiBudgetCents: 10 } })
  const { tenantId } = company
  const id = await connect(company, 'gemini')
  const open = (mostMicros: number, assistant?: { id: string; budgetCents: number | null }) =>
    openCall({
      id: v7(),
      tenantId,
      integrationId: id,
      kind: 'gemini',
      model: 'x',
      purpose: 'assistant',
      mostMicros,
      assistant,
    })
  const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => open(9_000)))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(11)
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'ERR_AI_BUDGET' })
  const told = await withTenant(tenantId, (tx) =>
    tx.db.select().from(schema.outbox).where(eq(schema.outbox.name, 'ai.notice')),
  )
  expect(told).toHaveLength(1)
  expect(told[0]?.audience).toMatchObject({ kind: 'users', userIds: [company.admin.id] })
  const asked = llm.turns.length
  await expect(ask(company, [id])).rejects.toMatchObject({ code: 'ERR_AI_BUDGET' })
  expect(llm.turns.length).toBe(asked)
})

test('an assistant stops at its own budget while the company still has some', async () => {
  const company = await seedTenant()
  const id = await connect(company, 'gemini')
  const assistant = { id: v7(), budgetCents: 0 }
  await expect(ask(company, [id], { assistant })).rejects.toMatchObject({
    code: 'ERR_AI_BUDGET',
    message: expect.stringContaining('deste assistente'),
  })
  await expect(ask(company, [id])).resolves.toBeTruthy()
  await expect(ask(company, [id], { assistant: { ...assistant, budgetCents: 1_000 } })).resolves.toBeTruthy()
  const rows = await withTenant(company.tenantId, (tx) =>
    tx.db
      .select()
      .from(schema.aiDays)
      .where(and(eq(schema.aiDays.tenantId, company.tenantId), eq(schema.aiDays.assistantId, assistant.id))),
  )
  expect(rows).toMatchObject([{ calls: 1 }])
})

test('CPF, cards and phones stay here, and what the model says of them is whole again', async () => {
  const company = await seedTenant()
  const id = await connect(company, 'deepseek')
  const said = 'Meu CPF é 529.982.247-25, cartão 4111 1111 1111 1111, ligue (11) 98765-4321. Pedido 123456.'
  const undo = llm.script((turn) =>
    turn.apiKey && lastText(turn).includes('Pedido 123456') ? { text: `Anotei: ${lastText(turn)}` } : undefined,
  )
  const answer = await ask(company, [id], { messages: [{ role: 'user', content: said }] })
  expect(llm.turns.at(-1)?.messages[0]?.text).toBe(
    'Meu CPF é [CPF 1], cartão [CARTÃO 1], ligue [TELEFONE 1]. Pedido 123456.',
  )
  expect(answer.text).toBe(`Anotei: ${said}`)
  await as(company.admin).put('/settings', { aiMaskPersonal: false })
  await ask(company, [id], { messages: [{ role: 'user', content: said }] })
  expect(llm.turns.at(-1)?.messages[0]?.text).toBe(said)
  undo()
})

test('a tool with arguments it does not take is not run, and one nobody offered is not there', async () => {
  const company = await seedTenant()
  const id = await connect(company, 'qwen')
  let ran = 0
  const soma = { description: 'Soma', input: z.object({ a: z.int() }), run: async () => (ran += 1) }
  const replies = [
    { calls: [{ name: 'soma', input: { a: 'x' } }] },
    { calls: [{ name: 'apagar_tudo', input: {} }] },
    { text: 'Não consegui.' },
  ]
  const undo = llm.script((turn) => (turn.tools.some(({ name }) => name === 'soma') ? replies.shift() : undefined))
  const answer = await ask(company, [id], { tools: { soma } })
  undo()
  expect(ran).toBe(0)
  expect(answer.toolCalls).toMatchObject([
    { name: 'soma', error: expect.any(String) },
    { name: 'apagar_tudo', error: expect.any(String) },
  ])
  expect(answer.text).toBe('Não consegui.')
  const bodies = llm.requests.filter(({ path }) => path.endsWith('/chat/completions')).map(({ body }) => body)
  expect(bodies.at(-1)).toMatchObject({ enable_thinking: false })
})
