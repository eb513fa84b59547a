import { startLlmSimulator } from '@balcao/simulators/llm.ts'
import { v7 } from 'uuid'
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import { insideQuestions, outsideQuestions, shopKnowledge } from './questions.fixture.ts'

const { as, seedTenant, withTenant, schema } = await startTestApp()
const { registerAnswerer } = await import('../assistants/answering.ts')
const { readDueSources } = await import('./reader.loop.ts')
const llm = await startLlmSimulator()
afterAll(async () => {
  registerAnswerer(undefined)
  await llm.close()
})

/** A shop whose model answers whatever it is asked: what holds is held by the runtime. */
const shop = async ({ embeddingModel = '' } = {}) => {
  const { tenantId, admin } = await seedTenant()
  const boss = as(admin)
  const settings = { apiKey: `chave-${v7()}`, baseUrl: llm.urls.openai, model: 'balcao-pequeno' }
  const embedder = { kind: 'lm', name: 'Sentido', config: { ...settings, embeddingModel } }
  const integrationId = embeddingModel ? (await boss.post('/integrations', embedder)).body.id : null
  const base = (await boss.post('/knowledge-bases', { name: 'Loja', integrationId })).body.id
  for (const [name, body] of shopKnowledge)
    await boss.post(`/knowledge-bases/${base}/sources`, { kind: 'text', name, body })
  while ((await readDueSources()).did) {}
  const account = v7()
  await withTenant(tenantId, (tx) =>
    tx.db
      .insert(schema.integrations)
      .values({ tenantId, id: account, family: 'proxy', kind: 'proxy', name: 'Conta', config: {} }),
  )
  let answers = 0
  registerAnswerer(async () => {
    answers += 1
    return { text: 'Claro que sim!', toolCalls: [], costMicros: 0, integrationId: account, finish: 'done' }
  })
  const config = { prompt: 'Responda tudo.', integrationIds: [account], knowledgeIds: [base] }
  const made = await boss.post('/assistants', { name: 'Aurora', config })
  const ask = async (text: string) => {
    const lines = [{ from: 'customer', text }]
    const { status, body } = await boss.post(`/assistants/${made.body.id}/rehearse`, {
      config: made.body.config,
      lines,
    })
    expect([text, status]).toEqual([text, 200])
    return body as { handOver: string | null; passages: unknown[]; text: string }
  }
  return { ask, answers: () => answers }
}

test.each([
  ['by words', {}],
  ['by meaning too', { embeddingModel: 'embedding-balcao' }],
  ['with a model to which all texts are near', { embeddingModel: 'embedding-apertado' }],
  ['with a model to which all texts are far', { embeddingModel: 'embedding-frouxo' }],
])(
  '%s: of questions outside its knowledge at least 95 %% go to the team, of those inside at least 90 %% are answered with their passage',
  async (_, how) => {
    expect(outsideQuestions.length).toBeGreaterThanOrEqual(100)
    const { ask, answers } = await shop(how)
    const kept: string[] = []
    for (const question of outsideQuestions) if (!(await ask(question)).handOver) kept.push(question)
    // A model is not even asked about what is handed over.
    expect(answers()).toBe(kept.length)
    const lost: string[] = []
    for (const question of insideQuestions) {
      const { handOver, passages, text } = await ask(question)
      if (handOver) lost.push(question)
      else expect([text, passages.length > 0]).toEqual(['Claro que sim!', true])
    }
    const share = (part: readonly string[], all: readonly string[]) => 1 - part.length / all.length
    const told = JSON.stringify({ kept, lost })
    expect(share(kept, outsideQuestions), told).toBeGreaterThanOrEqual(0.95)
    expect(share(lost, insideQuestions), told).toBeGreaterThanOrEqual(0.9)
  },
  120_000,
)

test.each([
  'queria saber o preço do dólar hoje',
  'me informa o endereço da prefeitura por favor',
  'preciso confirmar a escalação do Flamengo.',
  'gostaria de entender o imposto de renda',
  'estou com uma dúvida sobre o meu passaporte',
  'I would like to know the weather in Paris',
])('what is asked without a question mark is outside too: %s', async (question) => {
  const { ask, answers } = await shop()
  expect(await ask(question)).toMatchObject({ handOver: 'outside', text: '' })
  expect(answers()).toBe(0)
})

test('two questions at once find a passage each, whatever stands between them', async () => {
  const { ask } = await shop()
  const { handOver, passages } = await ask('Boa noite\nQual o prazo de entrega?\nAceitam Pix e boleto?')
  expect(handOver).toBeNull()
  for (const heading of ['Prazo de entrega', 'Formas de pagamento'])
    expect(passages).toContainEqual(expect.objectContaining({ heading: expect.stringContaining(heading) }))
})
