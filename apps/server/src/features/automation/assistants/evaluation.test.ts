import { comparedTo } from '@balcao/contract/automation/assistants/evaluation.ts'
import { eq, sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'

const { as, seedTenant, withTenant, schema } = await startTestApp()
const { AnswerError, registerAnswerer } = await import('./answering.ts')
const { evaluateDue } = await import('./nightly.loop.ts')
const { nextNight } = await import('./next-night.ts')
const { createJobs } = await import('../../core/jobs/jobs.loop.ts')

afterEach(() => registerAnswerer(undefined))

type Said = { text: string; costMicros?: number } | Error
/** A model that says this to everything, whoever asks. */
const saying = (said: Said) => {
  let calls = 0
  registerAnswerer(async ({ integrationIds }) => {
    calls += 1
    if (said instanceof Error) throw said
    return {
      ...{ text: said.text, toolCalls: [], costMicros: said.costMicros ?? 1_000 },
      ...{ integrationId: integrationIds[0] ?? null, finish: 'done' as const },
    }
  })
  return () => calls
}

const company = async () => {
  const tenant = await seedTenant()
  const { tenantId } = tenant
  const boss = as(tenant.admin)
  const inTenant = <T>(work: Parameters<typeof withTenant<T>>[1]) => withTenant(tenantId, work)
  const [integrationId, otherId] = [v7(), v7()]
  for (const [id, name] of [
    [integrationId, 'Conta'],
    [otherId, 'Outra'],
  ] as const)
    await inTenant((tx) =>
      tx.db.insert(schema.integrations).values({ tenantId, id, family: 'proxy', kind: 'proxy', name, config: {} }),
    )
  const config = { prompt: 'Ajude com pedidos.', integrationIds: [integrationId], waitSeconds: 0 }
  const made = await boss.post('/assistants', { name: 'Aurora', allTickets: true, config })
  const id: string = made.body.id
  const path = `/assistants/${id}` as const
  const read = async () => (await boss.get(path)).body
  const addCase = async (name: string, value: string) =>
    expect(
      await boss.post('/assistant-cases', {
        ...{ assistantId: id, name, lines: [`${name}?`], expects: [{ kind: 'contains', value }] },
      }),
    ).toMatchObject({ status: 201 })
  const change = async (prompt: string) => {
    const before = await read()
    const body = { config: { ...before.config, prompt }, version: before.version }
    expect(await boss.put(path, body)).toMatchObject({ status: 200 })
  }
  const publish = async (signedReason = '') =>
    boss.post(`${path}/publish`, { version: (await read()).version, signedReason })
  const evaluations = async () => (await boss.get(`${path}/evaluations`)).body.items
  const night = async () => {
    await inTenant((tx) =>
      tx.db
        .update(schema.assistants)
        .set({ evaluateAt: new Date(Date.now() - 1_000) })
        .where(eq(schema.assistants.tenantId, tenantId)),
    )
    while ((await evaluateDue()).isMore) {}
  }
  const dueAt = async () => (await inTenant((tx) => tx.db.select().from(schema.assistants)))[0]?.evaluateAt ?? null
  const notices = () => inTenant((tx) => tx.db.select().from(schema.outbox).where(eq(schema.outbox.name, 'ai.notice')))
  return {
    ...tenant,
    boss,
    id,
    path,
    otherId,
    inTenant,
    read,
    addCase,
    change,
    publish,
    evaluations,
    night,
    dueAt,
    notices,
  }
}

test('what is published plays its cases each night, and whoever cares for it hears once when it got worse', async () => {
  const shop = await company()
  await shop.addCase('Prazo', '4 dias')
  await shop.addCase('Frete', 'grátis')
  expect(await shop.dueAt()).toBeNull()
  saying({ text: 'De 2 a 4 dias, e o frete é grátis.' })
  expect(await shop.publish()).toMatchObject({ status: 200 })
  expect((await shop.dueAt())?.getTime()).toBeGreaterThan(Date.now())
  await shop.night()
  expect(await shop.notices()).toEqual([])
  const [first] = await shop.evaluations()
  expect(first).toMatchObject({ why: 'nightly', passed: 2, total: 2, isPublished: true, version: { number: 1 } })
  expect((await shop.dueAt())?.getTime()).toBeGreaterThan(Date.now())

  // The same version, and its model answers otherwise.
  saying({ text: 'De 2 a 4 dias.' })
  await shop.night()
  const [notice, ...more] = await shop.notices()
  expect(more).toEqual([])
  expect(notice?.payload).toMatchObject({
    title: 'Aurora na avaliação da noite: 1 caso deixou de passar',
    text: 'Frete: Não disse “grátis”.',
    link: `/assistentes/${shop.id}?aba=avaliacao`,
  })
  expect(notice?.audience).toMatchObject({ kind: 'users', userIds: expect.arrayContaining([shop.admin.id]) })
  await shop.night()
  expect(await shop.notices()).toHaveLength(1)

  saying(new AnswerError('network', 'O provedor não respondeu.'))
  await shop.night()
  expect((await shop.notices())[1]?.payload).toMatchObject({
    title: 'Aurora não pôde ser avaliado esta noite',
    text: 'O provedor não respondeu.',
  })
})

test('a night costs nothing where nobody wants it, nothing is published or nothing is to be played', async () => {
  const shop = await company()
  const calls = saying({ text: 'De 2 a 4 dias.' })
  expect(await shop.publish()).toMatchObject({ status: 200 })
  await shop.night()
  expect([calls(), await shop.evaluations()]).toEqual([0, []])

  await shop.addCase('Prazo', '4 dias')
  const { version } = await shop.read()
  expect(await shop.boss.put(shop.path, { evaluatesNightly: false, version })).toMatchObject({ status: 200 })
  expect(await shop.dueAt()).toBeNull()
  await shop.night()
  expect(await shop.dueAt()).toBeNull()
  const off = await shop.read()
  await shop.boss.put(shop.path, { evaluatesNightly: true, isActive: false, version: off.version })
  expect((await shop.dueAt())?.getTime()).toBeGreaterThan(Date.now())
  const before = calls()
  await shop.night()
  expect(calls()).toBe(before)
})

test('publishing is refused where it got worse, dearer or slower, and who signs for it stands in the audit', async () => {
  const shop = await company()
  await shop.addCase('Prazo', '4 dias')
  saying({ text: 'De 2 a 4 dias.' })
  expect(await shop.publish()).toMatchObject({ status: 200 })
  await shop.change('Responda.')
  saying({ text: 'Logo.' })
  expect((await shop.publish()).body).toMatchObject({
    error: 'ERR_EVALUATION_FAILED',
    message: expect.stringMatching(/1 de 1 caso não passou. 1 passava na versão publicada. Prazo: Não disse “4 dias”/),
  })
  const calls = saying({ text: 'Logo.' })
  expect(await shop.publish('A loja fechou hoje')).toMatchObject({ status: 200, body: { published: { number: 2 } } })
  // What was just found was not paid again.
  expect(calls()).toBe(0)
  const audit = (await shop.inTenant((tx) => tx.db.select().from(schema.audit))).filter(
    ({ action }) => action === 'assistant.published',
  )
  expect(audit.map(({ userId, after }) => [userId, after])).toEqual([
    [shop.admin.id, expect.objectContaining({ number: 1, passed: 1, total: 1 })],
    [shop.admin.id, expect.objectContaining({ number: 2, passed: 0, total: 1, signedReason: 'A loja fechou hoje' })],
  ])
  expect((await shop.boss.get(`${shop.path}/versions`)).body.items).toMatchObject([
    { number: 2, signedReason: 'A loja fechou hoje' },
    { number: 1, signedReason: '' },
  ])

  await shop.change('Diga o prazo.')
  saying({ text: 'De 2 a 4 dias.' })
  expect(await shop.publish('Sem precisar')).toMatchObject({ status: 200 })
  expect((await shop.boss.get(`${shop.path}/versions`)).body.items[0]).toMatchObject({ number: 3, signedReason: '' })
  await shop.change('Diga o prazo com muitas palavras.')
  saying({ text: 'De 2 a 4 dias.', costMicros: 9_000 })
  expect((await shop.publish()).body).toMatchObject({
    error: 'ERR_EVALUATION_FAILED',
    message: expect.stringMatching(/^Cada caso custa R\$\s0,009, e custava R\$\s0,001\./),
  })
  expect((await shop.boss.post(`${shop.path}/publish`, { version: 1 })).body.error).toBe('ERR_CONFLICT')
})

test('any version is played by any account, so that they stand side by side', async () => {
  const shop = await company()
  await shop.addCase('Prazo', '4 dias')
  saying({ text: 'De 2 a 4 dias.' })
  await shop.publish()
  const [first] = (await shop.boss.get(`${shop.path}/versions`)).body.items
  await shop.change('Responda.')
  await shop.publish()
  const play = (body: object) => shop.boss.post(`${shop.path}/evaluations`, body)
  expect((await play({ versionId: first.id, integrationId: shop.otherId })).body).toMatchObject({
    ...{
      version: { number: 1 },
      isPublished: false,
      integrationId: shop.otherId,
      passed: 1,
      total: 1,
      costMicros: 1_000,
    },
  })
  expect((await play({ of: 'published' })).body).toMatchObject({ version: { number: 2 }, isPublished: true })
  expect((await play({})).body).toMatchObject({ version: null, isPublished: false })
  expect(await play({ versionId: v7() })).toMatchObject({ status: 404 })
  const bot = {
    tenantId: shop.tenantId,
    id: v7(),
    family: 'assistant',
    kind: 'typebot',
    name: 'Robô',
    config: {},
  } as const
  await shop.inTenant((tx) => tx.db.insert(schema.integrations).values(bot))
  expect(await play({ integrationId: bot.id })).toMatchObject({
    ...{ status: 422, body: { message: expect.stringContaining('robô externo') } },
  })
  const stranger = await company()
  expect(await stranger.boss.post(`${stranger.path}/evaluations`, { versionId: first.id })).toMatchObject({
    status: 404,
  })
  expect(await stranger.boss.post(`${stranger.path}/evaluations`, {})).toMatchObject({
    ...{ status: 422, body: { message: expect.stringContaining('Crie um caso primeiro') } },
  })
})

test('in the background: publishes what is as good, tells why it does not, and plays what is to be compared', async () => {
  const shop = await company()
  await shop.addCase('Prazo', '4 dias')
  await shop.addCase('Frete', 'grátis')
  const jobs = createJobs()
  const ended = async (id: string) => {
    for (;;) {
      await jobs.run()
      const { body } = await shop.boss.get(`/bulkJobs/${id}`)
      if (body.finishedAt) return body
    }
  }
  const ask = (body: object) => shop.boss.post(`${shop.path}/evaluation-jobs`, body)
  const publish = async () => ask({ publish: { version: (await shop.read()).version, note: 'Primeira' } })

  saying({ text: 'De 2 a 4 dias.' })
  const refused = await publish()
  expect(refused).toMatchObject({ status: 202, body: { kind: 'evaluateAssistant', subject: 'Aurora', total: 2 } })
  expect(await ended(refused.body.id)).toMatchObject({
    ...{ state: 'failed', error: expect.stringContaining('1 de 2 casos não passou. Frete: Não disse “grátis”.') },
  })
  expect((await shop.read()).published).toBeNull()

  saying({ text: 'De 2 a 4 dias, e o frete é grátis.' })
  const passed = await publish()
  expect(await ended(passed.body.id)).toMatchObject({ state: 'done', done: 2, hasResult: true })
  expect((await shop.read()).published).toMatchObject({ number: 1 })
  expect((await shop.boss.get(`${shop.path}/versions`)).body.items).toMatchObject([{ number: 1, note: 'Primeira' }])

  const compared = await ask({ candidates: [{}, { integrationId: shop.otherId }] })
  expect(await ended(compared.body.id)).toMatchObject({ state: 'done', done: 4, total: 4 })
  expect((await shop.evaluations()).slice(0, 2)).toMatchObject([
    { integrationId: shop.otherId },
    { integrationId: null },
  ])
  expect((await ask({ publish: { version: 1 } })).body.error).toBe('ERR_CONFLICT')
  const stranger = await company()
  expect((await stranger.boss.post(`${shop.path}/evaluation-jobs`, {})).status).toBe(404)
  expect((await stranger.boss.post(`${stranger.path}/evaluation-jobs`, {})).status).toBe(422)
})

/** A model that answers until its process dies over a case: that answer never comes. */
const dyingOver = (name: string) => {
  const asked: string[] = []
  registerAnswerer(({ messages, key, integrationIds }) => {
    const text = String(messages.at(-1)?.content)
    asked.push(text)
    expect(key).toEqual(expect.any(String))
    if (text === `${name}?`) return new Promise(() => {})
    return Promise.resolve({
      ...{ text: 'De 2 a 4 dias, e o frete é grátis.', toolCalls: [], costMicros: 1_000 },
      ...{ integrationId: integrationIds[0] ?? null, finish: 'done' as const },
    })
  })
  return asked
}

test('a process that dies over the cases leaves what they gave: the next goes on with those that were not played', async () => {
  const shop = await company()
  for (const name of ['Prazo', 'Frete', 'Troca', 'Pix']) await shop.addCase(name, name === 'Frete' ? 'grátis' : 'dias')
  const jobs = createJobs()
  const { body } = await shop.boss.post(`${shop.path}/evaluation-jobs`, {
    candidates: [{ integrationId: shop.otherId }, {}],
  })
  const job = async () => (await shop.boss.get(`/bulkJobs/${body.id}`)).body
  const asked = dyingOver('Troca')
  await jobs.run()
  await vi.waitFor(async () => {
    expect([...asked].sort()).toEqual(['Frete?', 'Pix?', 'Prazo?', 'Troca?'])
    expect(await job()).toMatchObject({ state: 'running', done: 3, total: 8 })
  }, 5_000)
  expect(await shop.evaluations()).toEqual([])

  await shop.inTenant((tx) => tx.db.update(schema.bulkJobs).set({ claimedAt: sql`now() - interval '31 seconds'` }))
  const after = dyingOver('nothing')
  const next = createJobs()
  onTestFinished(() => next.finish())
  await next.run()
  await vi.waitFor(async () => expect(await job()).toMatchObject({ state: 'done', done: 8, total: 8 }), 5_000)
  expect(after.slice(0, 1)).toEqual(['Troca?'])
  expect(after).toHaveLength(1 + 4)
  const played = await shop.evaluations()
  expect(played).toMatchObject([
    { integrationId: null, passed: 4, total: 4, costMicros: 4_000 },
    { integrationId: shop.otherId, passed: 4, total: 4, costMicros: 4_000 },
  ])
  expect(played[1].results.map((one: { name: string }) => one.name)).toEqual(['Frete', 'Pix', 'Prazo', 'Troca'])
})

test('a night whose process died goes on where it was, but for what changed meanwhile', async () => {
  const shop = await company()
  for (const name of ['Prazo', 'Frete', 'Troca']) await shop.addCase(name, 'dias')
  saying({ text: 'De 2 a 4 dias.' })
  expect(await shop.publish()).toMatchObject({ status: 200 })
  const asked = dyingOver('Troca')
  const due = () =>
    shop.inTenant((tx) => tx.db.update(schema.assistants).set({ evaluateAt: new Date(Date.now() - 1_000) }))
  await due()
  void evaluateDue()
  const kept = () =>
    shop.inTenant((tx) =>
      tx.db.select().from(schema.assistantEvaluations).where(eq(schema.assistantEvaluations.why, 'nightly')),
    )
  await vi.waitFor(async () => {
    expect(asked).toHaveLength(3)
    expect((await kept())[0]?.results).toHaveLength(2)
  }, 5_000)

  const [frete] = (await shop.boss.get(`/assistant-cases?assistantId=${shop.id}&searchParam=Frete`)).body.items
  expect(
    await shop.boss.put(`/assistant-cases/${frete.id}`, { lines: ['Frete hoje?'], version: frete.version }),
  ).toMatchObject({ status: 200 })
  const after = dyingOver('nothing')
  await due()
  while ((await evaluateDue()).isMore) {}
  expect([...after].sort()).toEqual(['Frete hoje?', 'Troca?'])
  expect(await kept()).toMatchObject([{ passed: 3, total: 3, costMicros: 3_000 }])
})

test('what is compared are the cases both answered', () => {
  const result = (caseId: string, isPassed: boolean, more: object = {}) => ({
    ...{ caseId, caseVersion: 1, name: caseId, isPassed, isPlayed: true, problems: [], answers: [], handOver: null },
    ...{ costMicros: 2_000, ms: 1_000, ...more },
  })
  const before = {
    results: [result('a', true), result('b', true), result('c', false), result('gone', true), result('changed', true)],
  }
  const now = {
    results: [
      result('a', false, { ms: 9_000 }),
      result('b', false, { isPlayed: false }),
      result('c', true, { ms: 8_000 }),
      result('new', false),
      result('changed', false, { caseVersion: 2 }),
    ],
  }
  const compared = comparedTo(before, now)
  expect(compared.lost.map(({ caseId }) => caseId)).toEqual(['a'])
  expect(compared).toMatchObject({ isDearer: false, isSlower: true, ms: { before: 1_000, now: 8_500 } })
})

test('the next night begins at three of the company’s clock', () => {
  const hours = new Set(
    Array.from({ length: 20 }, () =>
      nextNight('America/Sao_Paulo').toLocaleTimeString('en-GB', { timeZone: 'America/Sao_Paulo', hour: '2-digit' }),
    ),
  )
  expect([...hours]).toEqual(['03'])
  expect(nextNight('America/Sao_Paulo').getTime()).toBeGreaterThan(Date.now())
})
