import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  blankNode,
  type FlowNode,
  flowSettings,
  type NodeData,
  type NodeKind,
} from '@balcao/contract/automation/flows/graph.ts'
import { type Action, blankAction } from '@balcao/contract/conversations/actions/index.ts'
import { alwaysOpen } from '@balcao/contract/core/business-hours.ts'
import { eq, sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import { afterAll, expect, test } from 'vitest'
import { startTestApp } from '../../../../test/kit.ts'
import type { InboundMessage } from '../../../channels/adapter.ts'

const { as, seedTenant, createConnection, withTenant, schema, invalidateDirectory } = await startTestApp()
const { runDueTurns } = await import('../../conversations/turns/turns.loop.ts')
const { ingest } = await import('../../intake/inbound/inbound.service.ts')
const { makeDueCalls } = await import('./calls.loop.ts')
const { writeAllDue } = await import('../../operations/schedules/schedules.loop.ts')

const node = <K extends NodeKind>(
  kind: K,
  id: string,
  data: Partial<NodeData<K>>,
  next: Record<string, string> = {},
) => {
  const blank = blankNode(kind, id, { x: 0, y: 0 })
  return { ...blank, data: { ...blank.data, ...data }, next } as FlowNode
}
const start = (to: string) => node('start', 'start', {}, { next: to })
const part = (body: string) => ({ kind: 'text' as const, body, mediaId: null, interactive: null })
const say = (id: string, body: string, next?: string) =>
  node('message', id, { parts: [part(body)] }, next ? { next } : {})
const menu = (id: string, body: string, options: Record<string, [string, string]>) =>
  node(
    'menu',
    id,
    {
      body,
      options: Object.entries(options).map(([key, [title]]) => ({ id: key, title, description: '', words: [] })),
    },
    Object.fromEntries(Object.entries(options).map(([key, [, to]]) => [key, to])),
  )
const handOver = (id: string, more: Partial<NodeData<'handOver'>> = {}) => node('handOver', id, more)

const closed = alwaysOpen.map((day) => ({ ...day, type: 'C' as const }))
const company = async (settings: object = {}) => {
  const tenant = await seedTenant({ queues: ['Vendas', 'Financeiro'], agentIn: ['Vendas'], settings })
  const connectionId = await createConnection(tenant)
  const me = as(tenant.supervisor)
  const inTenant = <T>(work: Parameters<typeof withTenant<T>>[1]) => withTenant(tenant.tenantId, work)
  const hear = async (body: string, more: Partial<InboundMessage> = {}) => {
    const from: InboundMessage['from'] = {
      identities: [{ kind: 'webchat', value: `v${tenant.tenantId}` }],
      name: 'Maria Lima',
    }
    const event = {
      kind: 'message' as const,
      providerId: v7(),
      from,
      fromMe: false,
      timestamp: new Date(),
      content: { type: 'text' as const, body },
      ...more,
    }
    await ingest(tenant.tenantId, connectionId, [event])
  }
  /** The customer writes, and whatever answers has answered. */
  const say = async (body: string, more = {}) => {
    await hear(body, more)
    await runDueTurns()
  }
  const messages = () => inTenant((tx) => tx.db.select().from(schema.messages).orderBy(schema.messages.seq))
  const said = async () =>
    (await messages())
      .filter(({ fromMe, type }) => fromMe && type !== 'system' && type !== 'note')
      .map(({ body }) => body)
  const ticket = async () =>
    (await inTenant((tx) => tx.db.select().from(schema.tickets)))[0] ?? expect.fail('no ticket')
  const runs = () => inTenant((tx) => tx.db.select().from(schema.chatFlowRuns).orderBy(schema.chatFlowRuns.createdAt))
  const steps = () => inTenant((tx) => tx.db.select().from(schema.chatFlowSteps).orderBy(schema.chatFlowSteps.id))
  const turns = () => inTenant((tx) => tx.db.select().from(schema.turns))
  /** As if so many seconds had passed: what waits does so a little less. */
  const pass = async (seconds: number) => {
    await inTenant(async (tx) => {
      await tx.db.execute(sql`update turns set due_at = due_at - make_interval(secs => ${seconds})`)
      const [run] = await tx.db.select().from(schema.chatFlowRuns).where(sql`ended_at is null`)
      if (!run?.state.wait) return
      const moved = Object.fromEntries(
        Object.entries(run.state.wait).map(([name, value]) =>
          (name === 'until' || name === 'warnAt') && value
            ? [name, new Date(Date.parse(value) - seconds * 1_000).toISOString()]
            : [name, value],
        ),
      )
      const state = { ...run.state, wait: moved } as typeof run.state
      await tx.db.update(schema.chatFlowRuns).set({ state }).where(eq(schema.chatFlowRuns.id, run.id))
    })
    await runDueTurns()
  }
  const publish = async (nodes: FlowNode[], more: { settings?: object; name?: string; celularTeste?: string } = {}) => {
    const { settings: given = {}, name = `Fluxo ${v7()}`, celularTeste = null } = more
    const { id } = (await me.post('/chat-flow', { name, celularTeste })).body
    const settings = flowSettings.parse(given)
    const changed = await me.post(`/chat-flow/${id}/draft`, { base: 1, upserts: nodes, settings })
    const published = await me.post(`/chat-flow/${id}/publish`, { revision: changed.body.revision })
    expect(published).toMatchObject({ status: 200 })
    return id as string
  }
  const onConnection = async (chatFlowId: string) => {
    await inTenant((tx) => tx.db.update(schema.connections).set({ options: { chatFlowId } }))
    invalidateDirectory(tenant.tenantId)
  }
  return {
    ...tenant,
    me,
    connectionId,
    inTenant,
    hear,
    say,
    messages,
    said,
    ticket,
    runs,
    steps,
    turns,
    pass,
    publish,
    onConnection,
  }
}

test('a flow leads from the first word to a queue, with what was asked and answered', async () => {
  const shop = await company()
  const flowId = await shop.publish(
    [
      start('oi'),
      say('oi', 'Olá, {{primeiro_nome}}!', 'menu'),
      menu('menu', 'Do que você precisa?', { v: ['Vendas', 'nome'], f: ['Financeiro', 'fim'] }),
      node('ask', 'nome', { body: 'Qual é o pedido?', variable: 'pedido' }, { next: 'fim' }),
      handOver('fim', { queueId: shop.queues.Vendas, body: 'Já passo o pedido {{var.pedido}} para alguém.' }),
    ],
    { name: 'Boas-vindas' },
  )
  await shop.onConnection(flowId)
  await shop.say('bom dia')
  expect(await shop.said()).toEqual(['Olá, Maria!', 'Do que você precisa?'])
  expect(await shop.ticket()).toMatchObject({ status: 'pending', chatFlowId: flowId, userId: null })
  expect(await shop.runs()).toMatchObject([
    { flowId, startedBy: 'connection', endedAt: null, state: { nodeId: 'menu' } },
  ])
  await shop.say('1')
  await shop.say('o 4512')
  expect((await shop.said()).slice(2)).toEqual(['Qual é o pedido?', 'Já passo o pedido o 4512 para alguém.'])
  expect(await shop.ticket()).toMatchObject({
    status: 'pending',
    chatFlowId: null,
    queueId: shop.queues.Vendas,
    userId: null,
  })
  expect(await shop.runs()).toMatchObject([{ endedWhy: 'step', endedTo: 'person' }])
  expect(await shop.turns()).toEqual([])
  const notes = (await shop.messages()).filter(({ type }) => type === 'note')
  expect(notes.map(({ body }) => body)).toEqual([
    'Resumo do fluxo Boas-vindas:\n• Do que você precisa? Vendas\n• Qual é o pedido? o 4512',
  ])
  expect((await shop.steps()).map(({ nodeId, port }) => [nodeId, port])).toEqual([
    ['start', 'next'],
    ['oi', 'next'],
    ['menu', null],
    ['menu', 'v'],
    ['nome', null],
    ['nome', 'next'],
    ['fim', null],
  ])
  // It led this conversation once.
  await shop.say('alguém aí?')
  expect(await shop.said()).toHaveLength(4)
})

test('where it begins: keyword, phone that tries it, channel, queue, company; never where it must not', async () => {
  const shop = await company({ businessHours: closed })
  const flowOf = (name: string, more: object = {}) =>
    shop.publish(
      [start('a'), say('a', name), node('ask', 'b', { body: 'x' })].map((one) =>
        one.id === 'a' ? { ...one, next: { next: 'b' } } : one,
      ) as FlowNode[],
      { name, ...more },
    )
  const always = { outOfHours: { does: 'continue' } }
  const quiet = await flowOf('Quieto')
  await shop.onConnection(quiet)
  await shop.say('oi')
  expect(await shop.runs()).toEqual([])
  const word = await flowOf('Boleto', { settings: { ...always, keywords: [{ text: 'boleto', mode: 'contains' }] } })
  await shop.say('quero o boleto')
  expect(await shop.runs()).toMatchObject([{ flowId: word, startedBy: 'keyword' }])
  await as(shop.supervisor).put(`/tickets/${(await shop.ticket()).id}`, { status: 'open', userId: shop.supervisor.id })
  expect(await shop.runs()).toMatchObject([{ endedWhy: 'taken' }])
  expect(await shop.turns()).toEqual([])
  expect(await shop.ticket()).toMatchObject({ chatFlowId: null })
  await shop.say('e o boleto?')
  expect(await shop.runs()).toHaveLength(1)

  const queue = await company()
  const [byQueue, byCompany] = [
    await queue.publish([start('a'), handOver('a')]),
    await queue.publish([start('a'), handOver('a')]),
  ]
  await as(queue.admin).put('/settings', { botTicketActive: byCompany })
  await queue.say('oi')
  expect(await queue.runs()).toMatchObject([{ flowId: byCompany, startedBy: 'company', endedWhy: 'step' }])
  await as(queue.admin).put(`/queue/${queue.queues.Vendas}`, { chatFlowId: byQueue })
  await queue.inTenant((tx) => tx.db.update(schema.tickets).set({ queueId: queue.queues.Vendas, chatFlowAt: null }))
  await queue.say('oi')
  expect((await queue.runs())[1]).toMatchObject({ flowId: byQueue, startedBy: 'queue' })

  const trying = await company()
  const tried = await trying.publish([start('a'), handOver('a')], { celularTeste: '(11) 98765-4321' })
  await trying.onConnection(tried)
  await trying.say('oi')
  expect(await trying.runs()).toEqual([])
  const from = { identities: [{ kind: 'phone', value: '5511987654321' }], name: 'Teste' }
  await trying.say('oi', { from })
  expect(await trying.runs()).toMatchObject([{ flowId: tried, startedBy: 'test' }])
})

test('a contact that is left to people is led by nothing until somebody gives it back', async () => {
  const shop = await company()
  const flowId = await shop.publish([
    start('a'),
    node('action', 'a', { actions: [{ kind: 'botBlock', robots: 'blocked' }] }, { next: 'b' }),
    handOver('b'),
  ])
  await shop.onConnection(flowId)
  await shop.say('oi')
  expect(await shop.runs()).toMatchObject([{ endedWhy: 'step' }])
  await as(shop.supervisor).put(`/ticketsForce/${(await shop.ticket()).id}`, {})
  await shop.say('oi de novo')
  expect(await shop.runs()).toHaveLength(1)

  const { id, contactId } = await shop.ticket()
  const card = `/contacts/${contactId}`
  expect(await as(shop.supervisor).get(card)).toMatchObject({ body: { isBotBlocked: true } })
  expect(await as(shop.supervisor).put(card, { isBotBlocked: false })).toMatchObject({ body: { isBotBlocked: false } })
  const trail = (await as(shop.admin).get(`/audit?entityId=${contactId}`)).body.items
  expect(trail.map((row: { after: unknown }) => row.after)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ isBotBlocked: true }),
      expect.objectContaining({ isBotBlocked: false }),
    ]),
  )
  await as(shop.supervisor).put(`/ticketsForce/${id}`, {})
  await shop.say('oi outra vez')
  expect(await shop.runs()).toHaveLength(2)
})

test('silence: a warning at half the time, then where the flow says; and a pause of typing', async () => {
  const shop = await company()
  const flowId = await shop.publish(
    [
      start('d'),
      node('delay', 'd', { seconds: 3 }, { next: 'm' }),
      menu('m', 'Escolha', { a: ['Um', 'x'] }),
      handOver('x'),
    ],
    {
      settings: {
        silence: { minutes: 10, warning: 'Ainda aí?', message: 'Vou encerrar.', to: { kind: 'close', id: '' } },
      },
    },
  )
  await shop.onConnection(flowId)
  await shop.say('oi')
  expect(await shop.said()).toEqual([])
  expect(await shop.turns()).toMatchObject([{ owner: 'flow', ownerId: flowId }])
  await shop.pass(4)
  expect(await shop.said()).toEqual(['Escolha'])
  await shop.pass(4 * 60)
  expect(await shop.said()).toHaveLength(1)
  await shop.pass(2 * 60)
  expect(await shop.said()).toEqual(['Escolha', 'Ainda aí?'])
  await shop.pass(5 * 60)
  expect((await shop.said()).at(-1)).toBe('Vou encerrar.')
  expect(await shop.ticket()).toMatchObject({ status: 'closed', chatFlowId: null })
  expect(await shop.runs()).toMatchObject([{ endedWhy: 'silence', endedTo: 'closed' }])
  expect(await shop.turns()).toEqual([])
})

test('words that come while it is busy are heard once, in order', async () => {
  const shop = await company()
  const ask = (id: string, variable: string, next: string) => node('ask', id, { body: id, variable }, { next })
  const flowId = await shop.publish([
    start('d'),
    node('delay', 'd', { seconds: 2 }, { next: 'a' }),
    ask('a', 'um', 'b'),
    ask('b', 'dois', 'c'),
    say('c', '{{var.um}} e {{var.dois}}', 'p'),
    handOver('p'),
  ])
  await shop.onConnection(flowId)
  await shop.say('oi')
  await shop.hear('primeira')
  await shop.hear('segunda')
  await runDueTurns()
  expect(await shop.said()).toEqual([])
  await shop.pass(3)
  await shop.say('terceira')
  expect(await shop.said()).toEqual(['a', 'b', 'primeira\nsegunda e terceira'])
})

test('a system is asked after the commit, with a key of its own, and the run goes on with what it said', async () => {
  const calls: { key: unknown; body: string; url: string }[] = []
  let failures = 1
  const server = createServer((req, res) => {
    let body = ''
    req.on('data', (piece) => {
      body += piece
    })
    req.on('end', () => {
      calls.push({ key: req.headers['idempotency-key'], body, url: req.url ?? '' })
      failures -= 1
      res.writeHead(failures >= 0 ? 500 : 200, { 'content-type': 'application/json' })
      res.end(JSON.stringify({ pedido: { itens: [{ nome: 'Bolo' }] } }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => server.close())
  const { port } = server.address() as AddressInfo
  const shop = await company()
  const http = node(
    'http',
    'h',
    {
      url: `http://127.0.0.1:${port}/pedidos?nome={{name}}`,
      body: '{"quem":"{{name}}"}',
      retries: 1,
      retryDelayMs: 0,
      saves: [{ path: 'pedido.itens.0.nome', name: 'item' }],
    },
    { next: 'c' },
  )
  const flowId = await shop.publish([start('h'), http, say('c', 'É um {{var.item}}.', 'p'), handOver('p')])
  await shop.onConnection(flowId)
  await shop.say('oi')
  expect(calls).toEqual([])
  expect(await shop.turns()).toEqual([])
  await makeDueCalls()
  await makeDueCalls()
  await runDueTurns()
  expect(calls).toHaveLength(2)
  expect(new Set(calls.map(({ key }) => key)).size).toBe(1)
  expect(calls[0]).toMatchObject({ body: '{"quem":"Maria Lima"}', url: '/pedidos?nome=Maria%20Lima' })
  expect(await shop.said()).toEqual(['É um Bolo.'])
})

test('it acts, keeps what it learned, asks for a grade and for money, and closes with a reason', async () => {
  const shop = await company()
  const { id: reasonId } = (await as(shop.admin).post('/reasons', { name: 'Resolvido' })).body
  const { id: tagId } = (await as(shop.admin).post('/tags', { name: 'Pix', color: '#112233' })).body
  const flowId = await shop.publish([
    start('e'),
    node('ask', 'e', { body: 'E-mail?', as: 'email', variable: 'email', saveTo: 'email' }, { next: 'x' }),
    node(
      'action',
      'x',
      {
        actions: [
          { kind: 'addTags', tagIds: [tagId] },
          { kind: 'note', body: 'Escreveu {{var.email}}' },
        ],
      },
      { next: 'k' },
    ),
    node(
      'condition',
      'k',
      {
        branches: [
          {
            id: 'sim',
            label: '',
            match: 'all',
            tests: [{ on: 'ticket', field: 'tag', isNot: false, values: [tagId] }],
          },
        ],
      },
      { sim: 'p', else: 'z' },
    ),
    node(
      'pix',
      'p',
      { key: 'loja@exemplo.com.br', name: 'Loja', city: 'São Paulo', amount: '10 + 2,5', body: 'Segue o código:' },
      { next: 'r' },
    ),
    node('rating', 'r', { body: 'Como foi?' }, { next: 'z' }),
    node('close', 'z', { reasonId, body: 'Até logo!' }),
  ])
  await shop.onConnection(flowId)
  await shop.say('oi')
  await shop.say('não sei')
  await shop.say('maria@exemplo.com')
  // Its picture is drawn and stored as a call is made: two rounds, and once.
  expect(await shop.said()).toHaveLength(2)
  await makeDueCalls()
  await makeDueCalls()
  await runDueTurns()
  const [, , text, , code, question] = await shop.said()
  expect(text).toBe('Segue o código:')
  const [picture] = (await shop.messages()).filter(({ type }) => type === 'image')
  expect(picture).toMatchObject({ fromMe: true, body: '', mediaId: expect.any(String) })
  expect(code).toMatch(/^000201.*br\.gov\.bcb\.pix.*540512\.50.*5909|^000201.*540512\.50.*6304[\dA-F]{4}$/)
  expect(question).toContain('Como foi?')
  await shop.say('5')
  expect((await shop.said()).at(-1)).toBe('Até logo!')
  expect(await shop.ticket()).toMatchObject({ status: 'closed', reasonId, chatFlowId: null })
  const [contact] = await shop.inTenant((tx) => tx.db.select().from(schema.contacts))
  expect(contact).toMatchObject({ email: 'maria@exemplo.com' })
  const ratings = await shop.inTenant((tx) => tx.db.select().from(schema.ratings))
  expect(ratings).toMatchObject([{ grade: 5, status: 'answered' }])
  expect((await shop.messages()).map(({ body }) => body)).toContain('Escreveu maria@exemplo.com')
})

test('by hand and back: a person hands a conversation to a flow, and takes it again', async () => {
  const shop = await company()
  const flowId = await shop.publish([
    start('a'),
    node('ask', 'a', { body: 'Em que posso ajudar?' }, { next: 'p' }),
    handOver('p'),
  ])
  await shop.say('oi')
  const { id } = await shop.ticket()
  const me = as(shop.supervisor)
  await me.put(`/tickets/${id}`, { status: 'open', userId: shop.supervisor.id })
  expect(await me.put(`/ticketsChatBot/${id}`, { chatFlowId: v7() })).toMatchObject({ status: 422 })
  expect(await me.put(`/ticketsChatBot/${id}`, { chatFlowId: flowId })).toMatchObject({
    status: 200,
    body: { chatFlowId: flowId, status: 'pending', userId: null },
  })
  await runDueTurns()
  expect(await shop.said()).toEqual(['Em que posso ajudar?'])
  expect(await me.put(`/ticketsChatBot/${id}`, { chatFlowId: flowId })).toMatchObject({ status: 200 })
  await runDueTurns()
  expect(await shop.runs()).toMatchObject([
    { startedBy: 'hand', endedWhy: 'taken', userId: shop.supervisor.id },
    { endedAt: null },
  ])
  expect(await me.put(`/ticketsChatBot/${id}`, { chatFlowId: null })).toMatchObject({
    status: 200,
    body: { chatFlowId: null },
  })
  expect((await shop.runs()).map(({ endedWhy }) => endedWhy)).toEqual(['taken', 'taken'])
  await shop.say('preciso de ajuda')
  expect(await shop.said()).toHaveLength(2)
})

test('a conversation stays on the version it began with; fifty steps without a word are a loop', async () => {
  const shop = await company()
  const flowId = await shop.publish([
    start('a'),
    node('ask', 'a', { body: 'Um?' }, { next: 'b' }),
    say('b', 'Versão 1', 'p'),
    handOver('p'),
  ])
  await shop.onConnection(flowId)
  await shop.say('oi')
  const changed = await shop.me.post(`/chat-flow/${flowId}/draft`, { base: 2, upserts: [say('b', 'Versão 2', 'p')] })
  await shop.me.post(`/chat-flow/${flowId}/publish`, { revision: changed.body.revision })
  await shop.say('sim')
  expect((await shop.said()).at(-1)).toBe('Versão 1')

  // Published before the checks knew of such rounds.
  const round = await company()
  const roundId = await round.publish([start('a'), handOver('a')])
  const priority = node('action', 'a', { actions: [{ kind: 'priority', priority: 'high' }] }, { next: 'b' })
  const nodes = [start('a'), priority, node('jump', 'b', { to: 'a' })]
  await round.inTenant((tx) => tx.db.update(schema.chatFlowVersions).set({ nodes }))
  await round.onConnection(roundId)
  await round.say('oi')
  expect(await round.runs()).toMatchObject([{ endedWhy: 'loop', endedTo: 'person' }])
  expect((await round.steps()).length).toBeLessThan(60)
})

test('a run waits for an event and goes on when it is told; the trace and the numbers say what happened', async () => {
  const shop = await company()
  const flowId = await shop.publish(
    [
      start('w'),
      node('wait', 'w', { minutes: 60, event: 'pago' }, { next: 'n', event: 's' }),
      say('n', 'Não foi pago.', 'p'),
      say('s', 'Recebemos {{var.valor}}.', 'p'),
      handOver('p'),
    ],
    { name: 'Pagamento' },
  )
  await shop.onConnection(flowId)
  await shop.say('oi')
  const { id: ticketId } = await shop.ticket()
  const today = new Date().toISOString().slice(0, 10)
  const numbers = async () =>
    (await shop.me.get(`/chat-flow/${flowId}/numbers?from=2020-01-01&to=${today.slice(0, 3)}9-01-01`)).body
  expect(await numbers()).toMatchObject({ started: 1, ended: 0 })
  expect((await numbers()).nodes).toContainEqual(expect.objectContaining({ nodeId: 'w', passed: 1, waiting: 1 }))
  expect((await shop.me.get(`/tickets/${ticketId}/flow-runs`)).body.items).toMatchObject([
    {
      flow: { name: 'Pagamento' },
      version: { number: 1 },
      startedBy: 'Canal',
      endedAt: null,
      outcome: 'Espera o evento pago',
    },
  ])
  const tell = (event: string) => shop.me.post('/chat-flow-event', { ticketId, event, data: { valor: 'R$ 10' } })
  expect(await tell('outro')).toMatchObject({ status: 409 })
  expect(await tell('pago')).toMatchObject({ status: 204 })
  expect(await tell('pago')).toMatchObject({ status: 409 })
  expect(await shop.said()).toEqual(['Recebemos R$ 10.'])
  await shop.pass(7_200)
  expect(await shop.said()).toHaveLength(1)
  expect((await numbers()).nodes).toContainEqual(
    expect.objectContaining({ nodeId: 'p', passed: 1, toPerson: 1, waiting: 0 }),
  )
  expect((await numbers()).nodes.find((one: { nodeId: string }) => one.nodeId === 'w').ports).toEqual({ event: 1 })
  const [run] = (await shop.me.get(`/tickets/${ticketId}/flow-runs`)).body.items
  expect(run).toMatchObject({ outcome: 'Como o fluxo prevê: passado para a equipe', vars: { valor: 'R$ 10' } })
  expect(run.steps.map(({ label, port }: { label: string; port: string }) => [label, port])).toEqual([
    ['Início', 'next'],
    ['Esperar', null],
    ['Esperar', 'event'],
    ['Mensagem', 'next'],
    ['Passar para a equipe', null],
  ])
  expect(run.steps.map(({ said }: { said: string }) => said)).toEqual(['', '', '', 'Recebemos R$ 10.', ''])
  const other = await company()
  expect(await other.me.get(`/tickets/${ticketId}/flow-runs`)).toMatchObject({ status: 404 })
})

test('it makes an appointment for a message and an opportunity by itself, with what it has learned', async () => {
  const shop = await company()
  await as(shop.admin).post('/pipelines', { name: 'Vendas' })
  const [stage] = (await as(shop.admin).get('/stages')).body.items
  const flowId = await shop.publish(
    [
      start('q'),
      node('ask', 'q', { body: 'Qual é o pedido?', variable: 'pedido' }, { next: 'v' }),
      node('ask', 'v', { body: 'Quanto quer gastar?', as: 'number', variable: 'total' }, { next: 'a' }),
      node(
        'action',
        'a',
        {
          actions: [
            { kind: 'schedule', body: 'Oi, {{primeiro_nome}}! Chegou o {{var.pedido}}?', minutes: 60 },
            {
              ...blankAction('opportunity'),
              name: '{{var.pedido}}',
              value: '{{var.total}}',
              stageId: stage.id,
            } as Action,
          ],
        },
        { next: 'fim', failed: 'ruim' },
      ),
      say('ruim', 'Algo deu errado.', 'fim'),
      handOver('fim', { queueId: shop.queues.Vendas, body: 'Anotado.' }),
    ],
    { name: 'Pedidos' },
  )
  await shop.onConnection(flowId)
  for (const words of ['oi', 'bolo de cenoura', '89,90']) await shop.say(words)
  expect(await shop.said()).toEqual(['Qual é o pedido?', 'Quanto quer gastar?', 'Anotado.'])
  const [schedule] = (await shop.me.get('/scheduleMessages')).body.items
  expect(schedule).toMatchObject({
    ...{ body: 'Oi, {{primeiro_nome}}! Chegou o bolo de cenoura?', state: 'pending', createdBy: null, rule: 'Pedidos' },
  })
  expect((await as(shop.admin).get('/opportunities')).body.items).toMatchObject([
    { name: 'bolo de cenoura', value: 8_990, createdBy: null, responsible: null, stageId: stage.id },
  ])
  await shop.inTenant((tx) =>
    tx.db.execute(sql`update schedules set due_at = now() - interval '1 s', attempt_at = now() - interval '1 s'`),
  )
  await writeAllDue()
  expect((await shop.messages()).at(-1)).toMatchObject({
    ...{ body: 'Oi, Maria! Chegou o bolo de cenoura?', author: { kind: 'rule', name: 'Pedidos' } },
  })
})

test('a question is answered by an audio once its words are here, with what was said after it', async () => {
  const shop = await company()
  await shop.inTenant((tx) =>
    tx.db
      .update(schema.tenants)
      .set({ settings: { transcribeAudios: true } })
      .where(eq(schema.tenants.id, shop.tenantId)),
  )
  invalidateDirectory(shop.tenantId)
  const flowId = await shop.publish([
    start('q'),
    menu('q', 'Qual setor?', { v: ['Vendas', 'n'], f: ['Financeiro', 'n'] }),
    node('ask', 'n', { body: 'Seu nome?', as: 'name', variable: 'nome' }, { next: 'fim' }),
    say('fim', 'Certo, {{var.nome}}.', 'mais'),
    node('ask', 'mais', { body: 'Algo mais?', variable: 'mais' }),
  ])
  await shop.onConnection(flowId)
  const { storeFile } = await import('../../core/media/media.service.ts')
  const { writeTranscript } = await import('../../conversations/messages/write-transcript.ts')
  const { leaveOwnTurn } = await import('../../conversations/timeline/leave-turn.ts')
  const { getDirectory } = await import('../../core/directory/directory.ts')
  const bytes = Buffer.concat([Buffer.from('OggS\0\u0002'), Buffer.alloc(200, 1)])
  const speak = async () => {
    const { id } = await storeFile({ tenantId: shop.tenantId, bytes, name: 'a.ogg', isOurs: true })
    await shop.say('', { content: { type: 'audio', body: '', mediaId: id } })
  }
  /** As the loop that writes audios down leaves it. */
  const write = async (text: string) => {
    const directory = await getDirectory(shop.tenantId)
    const audio = (await shop.messages()).findLast(({ type }) => type === 'audio')
    await shop.inTenant(async (tx) => {
      await tx.db.update(schema.audioTranscripts).set({ state: 'done' })
      await writeTranscript(tx, directory, audio?.id ?? '', { text, state: 'done' })
      await leaveOwnTurn(tx, audio?.ticketId ?? '', { owner: 'flow', ownerId: flowId })
      await tx.db.update(schema.turns).set({ dueAt: new Date(0) })
    })
    await runDueTurns()
  }
  await shop.say('oi')
  await speak()
  expect(await shop.said()).toEqual(['Qual setor?'])
  await write('quero falar com o financeiro, por favor')
  expect(await shop.said()).toEqual(['Qual setor?', 'Seu nome?'])
  await speak()
  await write('Ana Maria')
  expect((await shop.said()).slice(2)).toEqual(['Certo, Ana Maria.', 'Algo mais?'])
  expect(await shop.runs()).toMatchObject([{ state: { vars: { nome: 'Ana Maria' } } }])
})

test('a photo answers at once, though its file is still at the provider, and is named as one to who takes over', async () => {
  const shop = await company()
  const ask = node('ask', 'q', { body: 'Manda uma foto?', as: 'file', variable: 'foto' }, { next: 'p' })
  await shop.onConnection(await shop.publish([start('q'), ask, handOver('p', { summary: true })]))
  await shop.say('oi')
  await shop.say('', {
    content: { type: 'image', body: 'da nota', media: { source: { id: 'later' } } } satisfies InboundMessage['content'],
  })
  const [run] = await shop.runs()
  expect(run?.endedWhy).toBe('step')
  const [photo] = (await shop.messages()).filter(({ type }) => type === 'image')
  expect(photo?.mediaId).toBeNull()
  expect(run?.state.vars.foto).toBe(photo?.id)
  const [note] = (await shop.messages()).filter(({ type }) => type === 'note')
  expect(note?.body).toContain('Manda uma foto? Foto: da nota')
})
