import {
  blankNode,
  type FlowNode,
  flowSettings,
  type NodeData,
  type NodeKind,
} from '@balcao/contract/automation/flows/graph.ts'
import { startTypebotSimulator } from '@balcao/simulators/bots.ts'
import { sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import { afterAll, afterEach, expect, test } from 'vitest'
import { killedWhile } from '../../../../test/killed.ts'
import { startTestApp } from '../../../../test/kit.ts'
import type { InboundMessage } from '../../../channels/adapter.ts'
import { AnswerError, type AnswerWith, registerAnswerer } from './answering.ts'

const { as, ownerUrl, seedTenant, createConnection, withTenant, schema, invalidateDirectory } = await startTestApp()
const { createThinker, runDueTurns } = await import('../../conversations/turns/turns.loop.ts')
const { ingest } = await import('../../intake/inbound/inbound.service.ts')
const { makeDueCalls } = await import('../flows/calls.loop.ts')
const typebot = await startTypebotSimulator()
afterAll(() => typebot.close())
afterEach(() => registerAnswerer(undefined))

const node = <K extends NodeKind>(
  kind: K,
  id: string,
  data: Partial<NodeData<K>>,
  next: Record<string, string> = {},
) => {
  const blank = blankNode(kind, id, { x: 0, y: 0 })
  return { ...blank, data: { ...blank.data, ...data }, next } as FlowNode
}
const say = (id: string, body: string, next?: string) =>
  node('message', id, { parts: [{ kind: 'text', body, mediaId: null, interactive: null }] }, next ? { next } : {})

/** A company whose flow lends conversations to an assistant. */
const company = async (
  lends: Partial<NodeData<'assistant'>>,
  ways: Record<string, string>,
  { settings = {}, config = {}, account = { kind: 'proxy', config: {} } as { kind: string; config: object } } = {},
) => {
  const tenant = await seedTenant({ queues: ['Vendas', 'Financeiro'], agentIn: ['Vendas'] })
  const connectionId = await createConnection(tenant)
  const boss = as(tenant.admin)
  const inTenant = <T>(work: Parameters<typeof withTenant<T>>[1]) => withTenant(tenant.tenantId, work)
  let integrationId = v7()
  if (account.kind === 'typebot')
    integrationId = (await boss.post('/integrations', { name: 'Robô', ...account })).body.id
  else
    await inTenant((tx) =>
      tx.db.insert(schema.integrations).values({
        ...{ tenantId: tenant.tenantId, id: integrationId, family: 'proxy', kind: 'proxy', name: 'Conta', config: {} },
      }),
    )
  const made = await boss.post('/assistants', {
    name: 'Aurora',
    config: { prompt: 'Ajude.', integrationIds: [integrationId], waitSeconds: 0, ...config },
  })
  expect((await boss.post(`/assistants/${made.body.id}/publish`, { version: made.body.version })).status).toBe(200)
  const assistantId = made.body.id as string
  const flowId = (await boss.post('/chat-flow', { name: 'Recepção' })).body.id as string
  const nodes = [
    node('start', 'start', {}, { next: 'nome' }),
    node('ask', 'nome', { body: 'Seu nome?', variable: 'quem' }, { next: 'ia' }),
    node('assistant', 'ia', { assistantId, variable: 'resposta', ...lends }, ways),
    say('fim', '{{var.quem}}: {{var.resposta}}', 'voltou'),
    node('ask', 'voltou', { body: 'Ajudei?', variable: 'nota' }),
    say('plano', 'Plano B', 'outra'),
    node('ask', 'outra', { body: 'E agora?', variable: 'nota' }),
  ]
  const changed = await boss.post(`/chat-flow/${flowId}/draft`, {
    ...{ base: 1, upserts: nodes, settings: flowSettings.parse(settings) },
  })
  expect(await boss.post(`/chat-flow/${flowId}/publish`, { revision: changed.body.revision })).toMatchObject({
    status: 200,
  })
  await inTenant((tx) => tx.db.update(schema.connections).set({ options: { chatFlowId: flowId } }))
  invalidateDirectory(tenant.tenantId)
  const hear = async (body: string) => {
    const from: InboundMessage['from'] = {
      identities: [{ kind: 'webchat', value: `v${tenant.tenantId}` }],
      name: 'Maria Lima',
    }
    const content = { type: 'text' as const, body }
    await ingest(tenant.tenantId, connectionId, [
      { kind: 'message', providerId: v7(), from, fromMe: false, timestamp: new Date(), content },
    ])
  }
  const work = async () => {
    for (let n = 0; n < 3; n += 1) {
      await runDueTurns()
      const thinker = createThinker()
      while ((await thinker.claim(() => {}))?.did) await thinker.finish()
    }
  }
  /** What the customer is answered to these words. */
  let read = 0
  const answers = async () => {
    const rows = await inTenant((tx) => tx.db.select().from(schema.messages).orderBy(schema.messages.seq))
    const ours = rows.filter(({ fromMe, type }) => fromMe && type !== 'system' && type !== 'note')
    const later = ours.slice(read).map(({ body }) => body)
    read = ours.length
    return later
  }
  const talk = async (body: string) => {
    await hear(body)
    await work()
    return answers()
  }
  const ticket = async () => (await inTenant((tx) => tx.db.select().from(schema.tickets)))[0] ?? expect.fail('none')
  const run = async () => (await inTenant((tx) => tx.db.select().from(schema.chatFlowRuns)))[0] ?? expect.fail('none')
  const ports = async () =>
    (await inTenant((tx) => tx.db.select().from(schema.chatFlowSteps).orderBy(schema.chatFlowSteps.id))).flatMap(
      ({ nodeId, port, note }) => (nodeId === 'ia' ? [[port, note]] : []),
    )
  /** As if everybody had been silent for so long. */
  const pass = async (minutes: number) => {
    await inTenant(async (tx) => {
      await tx.db.execute(sql`update messages set created_at = created_at - make_interval(mins => ${minutes})`)
      await tx.db.execute(sql`update chat_flow_calls set due_at = due_at - make_interval(mins => ${minutes})`)
    })
    await makeDueCalls()
    await work()
    return answers()
  }
  return { ...tenant, boss, inTenant, hear, work, talk, answers, ticket, run, ports, pass, flowId, assistantId }
}
const model = (...texts: (string | Error)[]) => {
  const asked: string[] = []
  const answer: AnswerWith = async ({ messages }) => {
    const content = messages.at(-1)?.content
    asked.push(typeof content === 'string' ? content : '')
    const next = texts.length > 1 ? texts.shift() : texts[0]
    if (next instanceof Error) throw next
    return { text: next ?? '', toolCalls: [], costMicros: 0, integrationId: null, finish: 'done' }
  }
  registerAnswerer(answer)
  return asked
}

test('it answers what was said last, and after so many answers the flow goes on with its words', async () => {
  const asked = model('Custa dez.', 'E vinte.')
  const shop = await company({ answers: 2 }, { next: 'fim' })
  await shop.talk('oi')
  expect(await shop.talk('Ana')).toEqual(['Custa dez.'])
  expect(asked).toEqual(['Ana'])
  expect(await shop.ticket()).toMatchObject({ bot: 'lm', chatFlowId: shop.flowId, status: 'pending' })
  expect(await shop.talk('e o grande?')).toEqual(['E vinte.', 'Ana: E vinte.', 'Ajudei?'])
  expect(await shop.ticket()).toMatchObject({ bot: null, chatFlowId: shop.flowId })
  expect(await shop.ports()).toEqual([
    [null, 'Passou para o assistente'],
    ['next', 'Respondeu'],
  ])
  // What the assistant has heard the flow does not hear again.
  expect(await shop.run()).toMatchObject({ endedAt: null, state: { nodeId: 'voltou', vars: { quem: 'Ana' } } })
  await shop.talk('sim')
  expect(await shop.run()).toMatchObject({ endedWhy: 'through', state: { vars: { nota: 'sim' } } })
})

test('Typebot begins anew with what the flow knows, and what it has kept is there afterwards', async () => {
  const account = { kind: 'typebot', config: { baseUrl: typebot.url, publicId: 'loja', pauseS: 0 } }
  const shop = await company({}, { next: 'fim' }, { account, config: { prompt: '', handOver: { asked: false } } })
  await shop.talk('oi')
  expect((await shop.talk('Ana')).slice(0, 2)).toEqual(['Olá, *Maria Lima*!', 'Como podemos ajudar?'])
  expect([...typebot.sessions.values()].at(-1)?.variables).toMatchObject({ quem: 'Ana' })
  await shop.talk('segunda via')
  const last = await shop.talk('maria@loja.example')
  expect(last.slice(-1)).toEqual(['Ajudei?'])
  expect((await shop.ports()).at(-1)).toEqual(['next', 'Terminou'])
})

test('words of the flow take it back: the menu again, a person, the end', async () => {
  model('Custa dez.')
  const shop = await company({}, { next: 'fim' }, { settings: { closeWords: ['encerrar'] } })
  await shop.talk('oi')
  await shop.talk('Ana')
  expect(await shop.talk('Menu')).toEqual(['Seu nome?'])
  expect(await shop.ticket()).toMatchObject({ bot: null, chatFlowId: shop.flowId })
  await shop.talk('Bia')
  expect(await shop.talk('encerrar')).toEqual([])
  expect(await shop.ticket()).toMatchObject({ bot: null, chatFlowId: null, status: 'closed' })
  expect(await shop.run()).toMatchObject({ endedWhy: 'words', state: { vars: { quem: 'Bia' } } })
})

test('a hand-over goes the way of the flow, else to the team as the assistant would', async () => {
  model('Custa dez.')
  const drawn = await company({}, { next: 'fim', handOver: 'plano' })
  await drawn.talk('oi')
  await drawn.talk('Ana')
  expect(await drawn.talk('quero falar com um gerente')).toEqual(['Plano B', 'E agora?'])
  const plain = await company({}, { next: 'fim' })
  const queueId = plain.queues.Financeiro
  const { body } = await plain.boss.get(`/assistants/${plain.assistantId}`)
  const config = { ...body.config, handOver: { ...body.config.handOver, queueId, message: 'Já chamo alguém.' } }
  const put = await plain.boss.put(`/assistants/${plain.assistantId}`, { ...body, config })
  await plain.boss.post(`/assistants/${plain.assistantId}/publish`, { version: put.body.version })
  await plain.talk('oi')
  await plain.talk('Ana')
  expect(await plain.talk('quero falar com um gerente')).toEqual(['Já chamo alguém.'])
  expect(await plain.ticket()).toMatchObject({ bot: null, chatFlowId: null, status: 'pending', queueId })
  expect(await plain.run()).toMatchObject({ endedWhy: 'assistant', endedTo: 'person' })
})

test('without money, without an answer and without an assistant the flow goes its own ways', async () => {
  model(new AnswerError('money', 'O orçamento do mês acabou.'))
  const poor = await company({}, { next: 'fim', budget: 'plano' })
  await poor.talk('oi')
  expect(await poor.talk('Ana')).toEqual(['Plano B', 'E agora?'])
  expect((await poor.ports()).at(-1)).toEqual(['budget', 'Acabou o orçamento ou o crédito do provedor.'])

  model(new AnswerError('config', 'A chave não vale mais.'))
  const broken = await company({}, { next: 'fim', failed: 'plano' })
  await broken.talk('oi')
  expect(await broken.talk('Ana')).toEqual(['Plano B', 'E agora?'])

  const off = await company({}, { next: 'fim', failed: 'plano' })
  const { body } = await off.boss.get(`/assistants/${off.assistantId}`)
  await off.talk('oi')
  const naming = await off.boss.get(`/chat-flow-naming/${off.assistantId}`)
  expect(naming.body.items).toMatchObject([{ id: off.flowId, name: 'Recepção' }])
  expect((await off.boss.put(`/assistants/${off.assistantId}`, { ...body, isActive: false })).status).toBe(200)
  expect(await off.talk('Ana')).toEqual(['Plano B', 'E agora?'])
})

test('a contact in a wallet is lent to nobody where assistants keep away from it, nor kept by one', async () => {
  const asked = model('Custa dez.')
  const shop = await company({ now: false }, { next: 'fim', failed: 'plano' })
  await shop.boss.put('/tenantsWalletExternal', { carteiraExterna: true })
  const own = async () =>
    shop.boss.put(`/contact-wallet/${(await shop.ticket()).contactId}`, { wallets: [shop.agent.id] })
  await shop.talk('oi')
  await shop.talk('Ana')
  expect(await shop.ticket()).toMatchObject({ bot: 'lm' })
  expect((await own()).status).toBe(200)
  expect(await shop.talk('quanto custa?')).toEqual(['Plano B', 'E agora?'])
  expect(asked).toEqual([])

  const other = await company({}, { next: 'fim', failed: 'plano' })
  await other.boss.put('/tenantsWalletExternal', { carteiraExterna: true })
  await other.talk('oi')
  const { contactId } = await other.ticket()
  await other.boss.put(`/contact-wallet/${contactId}`, { wallets: [other.agent.id] })
  expect(await other.talk('Ana')).toEqual(['Plano B', 'E agora?'])
  expect((await other.ports()).at(-1)).toEqual(['failed', 'O contato tem carteira, e os assistentes ficam fora dela.'])
  expect(asked).toEqual([])
})

test('a silent customer goes the way of silence; an assistant nobody runs is not waited for', async () => {
  model('Custa dez.')
  const shop = await company({}, { next: 'fim' }, { settings: { silence: { minutes: 10, message: 'Até logo!' } } })
  await shop.talk('oi')
  await shop.talk('Ana')
  expect(await shop.pass(9)).toEqual([])
  expect(await shop.run()).toMatchObject({ endedAt: null })
  expect(await shop.pass(2)).toEqual(['Até logo!'])
  expect(await shop.run()).toMatchObject({ endedWhy: 'silence' })

  const lost = await company({ now: false }, { next: 'fim', failed: 'plano' })
  await lost.talk('oi')
  await lost.talk('Ana')
  await lost.hear('alguém?')
  await lost.inTenant((tx) => tx.db.delete(schema.turns))
  expect(await lost.pass(11)).toEqual(['Plano B', 'E agora?'])
})

test('what the assistant had said and kept is the flow’s too when the customer goes silent', async () => {
  model('Custa dez.')
  const shop = await company({}, { next: 'plano', silence: 'fim' })
  await shop.talk('oi')
  await shop.talk('Ana')
  expect(await shop.pass(11)).toEqual(['Ana: Custa dez.', 'Ajudei?'])

  const account = { kind: 'typebot', config: { baseUrl: typebot.url, publicId: 'loja', pauseS: 0 } }
  const bot = await company({}, { silence: 'fim' }, { account, config: { prompt: '', handOver: { asked: false } } })
  await bot.talk('oi')
  await bot.talk('Ana')
  await bot.talk('segunda via')
  await bot.inTenant((tx) => tx.db.execute(sql`update assistant_sessions set vars = vars || '{"pedido": "731"}'`))
  expect((await bot.pass(11)).at(-1)).toBe('Ajudei?')
  expect((await bot.run()).state.vars).toMatchObject({ quem: 'Ana', pedido: '731' })
})

test('killed while a flow lends, and while it takes back: lent once, answered once, gone on with once', async () => {
  const asked = model('Custa dez.')
  const shop = await company({}, { next: 'plano', silence: 'fim' })
  await shop.talk('oi')
  await shop.hear('Ana')
  await killedWhile(
    ownerUrl,
    `await load('index.ts')
    const { registerFlowHooks, flowHooks } = await load('automation/flows/hooks.ts')
    const { runDueTurns } = await load('conversations/turns/turns.loop.ts')
    const hooks = flowHooks()
    registerFlowHooks({ ...hooks, lend: (...given) => hooks.lend(...given).then(stopHere) })
    await runDueTurns()`,
  )
  expect(await shop.ticket()).toMatchObject({ bot: null, chatFlowId: shop.flowId })
  expect(await shop.inTenant((tx) => tx.db.select().from(schema.chatFlowCalls))).toEqual([])
  const again = (table: 'turns' | 'chat_flow_calls') =>
    shop.inTenant((tx) => tx.db.execute(sql`update ${sql.identifier(table)} set due_at = now() - interval '1 second'`))
  await again('turns')
  await Promise.all([runDueTurns(), runDueTurns()])
  await shop.work()
  expect(await shop.answers()).toEqual(['Custa dez.'])
  expect(asked).toEqual(['Ana'])

  await shop.inTenant((tx) => tx.db.execute(sql`update messages set created_at = created_at - interval '11 minutes'`))
  await again('chat_flow_calls')
  await killedWhile(
    ownerUrl,
    `await load('index.ts')
    const { registerFlowHooks, flowHooks } = await load('automation/flows/hooks.ts')
    const { makeDueCalls } = await load('automation/flows/calls.loop.ts')
    registerFlowHooks({ ...flowHooks(), kept: stopHere })
    await makeDueCalls()`,
  )
  expect(await shop.ticket()).toMatchObject({ bot: 'lm', chatFlowId: shop.flowId })
  await again('chat_flow_calls')
  await Promise.all([makeDueCalls(), makeDueCalls()])
  await shop.work()
  expect(await shop.answers()).toEqual(['Ana: Custa dez.', 'Ajudei?'])
  expect(asked).toEqual(['Ana'])
  expect(await shop.inTenant((tx) => tx.db.select().from(schema.chatFlowCalls))).toMatchObject([{ state: 'done' }])
})

test('a person who accepts takes it from both, and nothing comes back later', async () => {
  model('Custa dez.')
  const shop = await company({}, { next: 'fim', silence: 'plano' })
  await shop.talk('oi')
  await shop.talk('Ana')
  const { id } = await shop.ticket()
  expect((await shop.boss.put(`/tickets/${id}`, { status: 'open', userId: shop.admin.id })).status).toBe(200)
  expect(await shop.pass(60)).toEqual([])
  expect(await shop.run()).toMatchObject({ endedWhy: 'taken' })
  expect(await shop.inTenant((tx) => tx.db.select().from(schema.chatFlowCalls))).toMatchObject([{ state: 'failed' }])
})
