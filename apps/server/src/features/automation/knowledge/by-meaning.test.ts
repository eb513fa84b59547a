import { startLlmSimulator } from '@balcao/simulators/llm.ts'
import { eq, sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const { as, seedTenant, withTenant, withPlatform, schema } = await startTestApp()
const { readDueSources } = await import('./reader.loop.ts')
const llm = await startLlmSimulator()
afterAll(() => llm.close())

const readAll = async () => {
  while ((await readDueSources()).did) {}
}
const texts = [
  'Entrega\nEntregamos na capital em 2 dias úteis.',
  'Pagamento\nDividimos em prestações no cartão.',
  'Troca\nA etiqueta tem de estar na peça.',
]
const company = async (account: object = {}) => {
  const tenant = await seedTenant()
  const me = as(tenant.admin)
  const config = {
    ...{
      apiKey: `chave-${v7()}`,
      baseUrl: llm.urls.openai,
      model: 'balcao-pequeno',
      embeddingModel: 'embedding-balcao',
    },
    ...{ embeddingPrice: 100, ...account },
  }
  const made = await me.post('/integrations', { kind: 'chat-gpt', name: 'Conta', config })
  expect([made.status, made.body.details]).toEqual([201, undefined])
  const accountId = made.body.id as string
  const base = (await me.post('/knowledge-bases', { name: 'Loja', integrationId: accountId })).body
  const path = `/knowledge-bases/${base.id}/sources`
  const body = texts.map((text) => `# ${text}`).join('\n\n')
  const text = (await me.post(path, { kind: 'text', name: 'Loja', body })).body.id as string
  await readAll()
  const find = async (q: string): Promise<{ body: string; score: number }[]> =>
    (await me.get(`/knowledge-search?q=${encodeURIComponent(q)}`)).body.items
  const source = async () => (await me.get(path)).body.items[0]
  const told = async () => (await me.get(`/knowledge-bases/${base.id}`)).body
  const change = async (settings: object) => {
    const row = (await me.get(`/integrations/${accountId}`)).body
    const saved = { kind: 'chat-gpt', name: row.name, config: { ...row.config, ...settings }, version: row.version }
    expect(await me.put(`/integrations/${accountId}`, saved)).toMatchObject({ status: 200 })
  }
  return { ...tenant, me, accountId, base, text, find, source, told, change }
}
const inOtherWords = 'vocês parcelam?'

test.each([
  ['chat-gpt', {}],
  ['gemini', { baseUrl: llm.urls.gemini }],
  ['ollama', { baseUrl: llm.urls.ollama }],
  ['qwen', {}],
  ['lm', {}],
])('%s: what says the same with other words is found, and each call counted', async (kind, more) => {
  const tenant = await seedTenant()
  const me = as(tenant.admin)
  const config = {
    ...{ apiKey: `chave-${v7()}`, baseUrl: llm.urls.openai, model: 'balcao-pequeno', embeddingPrice: 100, ...more },
    embeddingModel: 'embedding-balcao',
  }
  const account = (await me.post('/integrations', { kind, name: 'Conta', config })).body
  const base = (await me.post('/knowledge-bases', { name: 'Loja' })).body
  const body = texts.map((text) => `# ${text}`).join('\n\n')
  await me.post(`/knowledge-bases/${base.id}/sources`, { kind: 'text', name: 'Loja', body })
  await readAll()
  const find = async () => (await me.get(`/knowledge-search?q=${encodeURIComponent(inOtherWords)}`)).body.items
  expect(await find()).toEqual([])
  const chosen = { name: 'Loja', description: '', integrationId: account.id, version: base.version }
  expect(await me.put(`/knowledge-bases/${base.id}`, chosen)).toMatchObject({ status: 200 })
  await readAll()
  expect((await me.get(`/knowledge-bases/${base.id}`)).body).toMatchObject({
    chunks: 3,
    embedded: 3,
    isTooLarge: false,
  })
  expect(await find()).toMatchObject([{ heading: 'Pagamento' }])
  const calls = await withTenant(tenant.tenantId, (tx) =>
    tx.db.select().from(schema.aiUsage).where(eq(schema.aiUsage.tenantId, tenant.tenantId)),
  )
  const counted = { purpose: 'knowledge', state: 'done', integrationId: account.id, model: 'embedding-balcao' }
  // The passages, the question, and what is near to this model.
  expect(calls).toMatchObject([counted, counted, counted])
  for (const { costMicros } of calls) expect(costMicros).toBeGreaterThan(0)
})

test.each(['embedding-balcao', 'embedding-apertado', 'embedding-frouxo'])(
  'what is near is asked of the model: the same is found with %s, however near or far it holds all texts',
  async (embeddingModel) => {
    const shop = await company({ embeddingModel })
    expect(await shop.find(inOtherWords)).toMatchObject([{ heading: 'Pagamento' }])
    expect(await shop.find('quanto demora o envio?')).toMatchObject([{ heading: 'Entrega' }])
    expect(await shop.find('vocês vendem passagens para Lisboa?')).toEqual([])
  },
)

test('a question about something else finds nothing, and words alone find what they found', async () => {
  const shop = await company()
  expect(await shop.find('vocês vendem passagens para Lisboa?')).toEqual([])
  expect((await shop.find('qual a entrega na capital?'))[0]).toMatchObject({ heading: 'Entrega' })
})

test('what a passage means is asked for once: a text that changes asks for what is new in it, another model for all', async () => {
  const shop = await company()
  const before = llm.embedded.length
  await shop.me.post(`/knowledge-sources/${shop.text}/refresh`)
  await readAll()
  expect(llm.embedded.length).toBe(before)
  const body = [...texts, 'Garantia\nUm ano.'].map((text) => `# ${text}`).join('\n\n')
  await shop.me.put(`/knowledge-sources/${shop.text}`, { body })
  await readAll()
  expect(llm.embedded.slice(before)).toEqual(['Garantia\nUm ano.'])
  await shop.change({ embeddingModel: 'balcao-grande' })
  await readAll()
  expect(llm.embedded.slice(before + 1)).toHaveLength(4)
  expect(await shop.told()).toMatchObject({ chunks: 4, embedded: 4 })
})

test.each([
  ['erro-429', 'pediu para esperar'],
  ['erro-500', 'está com problema'],
  ['sem-saldo', 'sem saldo'],
  ['erro-401', 'não aceita esta chave'],
  ['nenhum', 'não conhece o modelo'],
])(
  'an account that answers %s leaves words to find passages, says why and is asked again later',
  async (model, says) => {
    const shop = await company()
    await shop.change({ embeddingModel: model })
    await readAll()
    expect(await shop.source()).toMatchObject({ state: 'ready', problem: expect.stringContaining(says), chunks: 3 })
    expect(await shop.told()).toMatchObject({ chunks: 3, embedded: 0 })
    expect((await shop.find('qual a entrega na capital?'))[0]).toMatchObject({ heading: 'Entrega' })
    expect(await shop.find(inOtherWords)).toEqual([])
    await shop.change({ embeddingModel: 'embedding-balcao' })
    await readAll()
    expect(await shop.source()).toMatchObject({ state: 'ready', problem: null })
    expect(await shop.find(inOtherWords)).toMatchObject([{ heading: 'Pagamento' }])
  },
  60_000,
)

test('where the money is spent nothing is asked', async () => {
  const shop = await company()
  await shop.me.put('/settings', { aiBudgetCents: 0 })
  const before = llm.embedded.length
  expect(await shop.find(inOtherWords)).toEqual([])
  expect((await shop.find('qual a entrega na capital?'))[0]).toMatchObject({ heading: 'Entrega' })
  expect(llm.embedded.length).toBe(before)
})

test('personal data is left out of passages and of questions', async () => {
  const shop = await company()
  await shop.me.put('/settings', { aiMaskPersonal: true })
  await shop.me.put(`/knowledge-sources/${shop.text}`, { body: 'Fale com o Rui: 11 98765-4321.' })
  const before = llm.embedded.length
  await readAll()
  await shop.find('o CPF 529.982.247-25 está certo?')
  const asked = llm.embedded.slice(before).join('\n')
  expect(asked).toContain('[TELEFONE 1]')
  expect(asked).toContain('[CPF 1]')
  expect(asked).not.toMatch(/98765|529/)
})

test('an account is chosen that can, of the company, and is not taken away from beneath a base', async () => {
  const shop = await company()
  const plain = { apiKey: 'chave-qualquer', baseUrl: llm.urls.openai, model: 'balcao-pequeno' }
  const other = (await shop.me.post('/integrations', { kind: 'chat-gpt', name: 'Outra', config: plain })).body
  const strange = await company()
  for (const integrationId of [other.id, strange.accountId, v7()])
    expect(await shop.me.post('/knowledge-bases', { name: 'Nova', integrationId })).toMatchObject({ status: 422 })
  expect((await shop.me.get('/assistant-accounts')).body.embedders).toEqual([{ id: shop.accountId, name: 'Conta' }])
  expect(await shop.me.delete(`/integrations/${shop.accountId}`)).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('base de conhecimento') },
  })
})

test('without pgvector a base of more than a thousand passages is searched by words alone, and says so', async () => {
  const shop = await company()
  await withPlatform('test', (tx) =>
    tx.db.execute(sql`insert into knowledge_chunks (tenant_id, id, base_id, source_id, position, heading, body, embedding, embedded_by)
      select c.tenant_id, gen_random_uuid(), c.base_id, c.source_id, n, '', 'nada', c.embedding, c.embedded_by
      from (select * from knowledge_chunks where tenant_id = ${shop.tenantId} limit 1) c, generate_series(10, 1010) n`),
  )
  expect(await shop.told()).toMatchObject({ isTooLarge: true })
  expect(await shop.find(inOtherWords)).toEqual([])
})
