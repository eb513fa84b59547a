import { expect, test } from 'vitest'
import { flowFile } from './flows.ts'
import { blankNode, type FlowGraph, type FlowNode, flowGraph, type NodeData, type NodeKind } from './graph.ts'
import { importIzing, isIzing } from './izing.ts'
import { loopsIn, reachableFrom } from './paths.ts'
import { type FlowChannel, problemsIn } from './problems.ts'

const node = <K extends NodeKind>(
  kind: K,
  id: string,
  data: Partial<NodeData<K>> = {},
  next: Record<string, string> = {},
) => {
  const blank = blankNode(kind, id, { x: 0, y: 0 })
  return { ...blank, data: { ...blank.data, ...data }, next } as FlowNode
}
const graphOf = (nodes: FlowNode[], settings: object = {}): FlowGraph =>
  flowGraph.parse({ nodes: [{ ...node('start', 'start'), next: { next: nodes[0]?.id ?? '' } }, ...nodes], settings })
const says = (id: string, body: string, next: Record<string, string> = {}) =>
  node('message', id, { parts: [{ kind: 'text', body, mediaId: null, interactive: null }] }, next)
const option = (id: string, title: string) => ({ id, title, words: [], description: '' })
const told = (graph: FlowGraph, ...channels: FlowChannel[]) =>
  problemsIn(graph, channels).map(({ nodeId, path, message, level }) => `${level} ${nodeId}.${path}: ${message}`)

test('a whole flow has no problem', () => {
  const menu = node('menu', 'm', { body: 'Oi', options: [option('a', 'A'), option('b', 'B')] }, { a: 'x', b: 'p' })
  expect(told(graphOf([menu, says('x', 'Escolheu {{var.mensagem}}', { next: 'm' }), node('handOver', 'p')]))).toEqual(
    [],
  )
})

test('a request says what it still needs, and where its channel has no such button', () => {
  const base = { supports: ['text'] as const, buttonLimits: null, textLimits: { text: 4_096, caption: 1_024 } }
  const channel = { ...base, label: 'Telegram' }
  const link = node('request', 'l', { asks: 'link', body: 'Veja', button: 'Abrir', url: 'loja' }, { next: 'f' })
  expect(told(graphOf([link, node('request', 'f', { asks: 'form', body: 'Oi', button: 'Abrir' })]), channel)).toEqual([
    'error l.url: Escreva o endereço inteiro, com https://.',
    'warning l.asks: Telegram: sem este botão, vai como texto.',
    'error f.form: Escolha o formulário.',
    'error f.asks: Telegram: o canal não tem formulários nem catálogo.',
  ])
  const two = told(graphOf([{ ...link, next: {} } as FlowNode]), channel, { ...channel, label: 'SMS' })
  expect(two.at(-1)).toBe('warning l.asks: Telegram e SMS: sem este botão, vai como texto.')
  const open = { ...link, next: {}, data: { ...link.data, url: 'https://loja.com/{{protocol}}' } } as FlowNode
  expect(told(graphOf([open]), { ...channel, supports: ['requests'] })).toEqual([])
})

test('what is missing, unreachable or unknown is said at its step', () => {
  const menu = node(
    'menu',
    'm',
    { body: '', options: [option('a', 'A'), option('b', 'a'), option('c', '')] },
    { a: 'gone' },
  )
  const list = told(
    graphOf(
      [
        menu,
        says('x', 'Oi {{nada}} {{var.nada}}'),
        node('ask', 'q', { body: 'Oi?', variable: 'não dá' }, { next: 'x' }),
      ],
      {
        retries: { to: { kind: 'node', id: 'nowhere' } },
      },
    ),
  )
  expect(list).toEqual([
    'error m.body: Escreva a pergunta.',
    'error m.options.1.title: Escreva opções diferentes.',
    'error m.options.2.title: Escreva a opção.',
    'error m.next.a: “A” leva a um passo que não existe mais.',
    'error m.next.b: “a” não leva a lugar nenhum.',
    'error m.next.c: “Opção 3” não leva a lugar nenhum.',
    'error x.parts.0.body: A variável {{nada}} não existe.',
    'error x.parts.0.body: A variável {{var.nada}} não é definida neste fluxo.',
    'warning x.: Nenhum caminho chega a este passo.',
    'error q.variable: Use letras sem acento, números e _ no nome da variável, começando por letra.',
    'warning q.: Nenhum caminho chega a este passo.',
    'error null.retries.to: O passo de destino não existe mais.',
  ])
})

test('a flow that another passes through may read what that one has asked', () => {
  const sub = graphOf([says('x', 'Total: {{var.total}}')])
  const message = 'x.parts.0.body: A variável {{var.total}} não é definida neste fluxo.'
  expect(told(sub)).toEqual([`error ${message}`])
  expect(problemsIn(sub, [], true).map(({ level }) => level)).toEqual(['warning'])
})

test('a way round without the customer is shown; one in which time passes is a warning', () => {
  const round = graphOf([says('a', 'A', { next: 'b' }), says('b', 'B', { next: 'c' }), says('c', 'C', { next: 'b' })])
  expect(told(round)).toEqual(['error b.: Volta sem fim, sem o cliente escrever: Mensagem → Mensagem → Mensagem.'])
  const slow = graphOf([says('a', 'A', { next: 'w' }), node('wait', 'w', {}, { next: 'a' })])
  expect(told(slow)[0]).toMatch(/^warning a\.: Repete-se sem o cliente escrever/)
  const asked = graphOf([node('ask', 'a', { body: 'Oi?' }, { next: 'b' }), says('b', 'B', { next: 'a' })])
  expect(told(asked)).toEqual([])
  const long = Array.from({ length: 1_000 - 1 }, (_, n) => says(`n${n}`, 'x', { next: `n${(n + 1) % 999}` }))
  expect(loopsIn(graphOf(long))).toEqual([{ path: long.map(({ id }) => id), isSlow: false }])
  expect(reachableFrom(graphOf(long)).size).toBe(1_000)
})

test('what a channel cannot do is told, and a text it does not carry keeps it back', () => {
  const menu = node('menu', 'm', { body: 'x'.repeat(300), options: [option('a', 'A')] }, { a: 'm' })
  const plain = {
    label: 'SMS',
    supports: ['text' as const],
    buttonLimits: undefined,
    textLimits: { text: 160, caption: 0 },
  }
  expect(told(graphOf([menu]), plain as never)).toEqual([
    'error m.body: SMS: o texto passa dos 160 caracteres que o canal leva.',
    'warning m.style: SMS: as opções vão numeradas no texto.',
  ])
  const short = node('menu', 'm', { body: 'Oi?', options: [option('a', 'A')] }, { a: 'm' })
  expect(told(graphOf([short]), plain as never, { ...plain, label: 'E-mail' } as never)).toEqual([
    'warning m.style: SMS e E-mail: as opções vão numeradas no texto.',
  ])
})

const izing = {
  name: 'Bot',
  nodeList: [
    { id: 'start', type: 'start', left: '10px', top: '20px' },
    {
      id: 'configurations',
      type: 'configurations',
      configurations: {
        notOptionsSelectMessage: { message: 'Não entendi', stepReturn: 'S' },
        notResponseMessage: { time: 15, type: 3, message: 'Tchau', messageWarningEnabled: true, messageWarning: 'Oi?' },
        maxRetryBotMessage: { number: 2, type: 1, destiny: 7 },
        keyword: { message: 'menu,robô' },
        answerCloseTicket: ['sair'],
        autoDistributeTickets: 'B',
      },
    },
    {
      id: 'n1',
      name: 'Boas-vindas',
      type: 'node',
      left: '100px',
      top: '50px',
      interactions: [
        { type: 'MediaField', data: { name: 'logo.png', caption: '' } },
        { type: 'DelayField', data: { time: 5 } },
        { type: 'PlanilhaField', data: { folha: 'abc' } },
        {
          type: 'MessageOptionsField',
          data: { message: 'Oi {{name}}', values: [{ value: 'Vendas' }, { value: 'Suporte' }] },
        },
      ],
      conditions: [
        { type: 'R', condition: ['1', 'vendas'], action: 1, queueId: 3 },
        { type: 'R', condition: ['2'], action: 0, nextStepId: 'n2' },
        { type: 'US', action: 3 },
      ],
    },
    {
      id: 'n2',
      name: 'Suporte',
      type: 'node',
      interactions: [{ type: 'MessageField', data: { message: 'Conte o problema' } }],
      conditions: [{ type: 'US', action: 2 }],
    },
  ],
  lineList: [{ from: 'start', to: 'n1' }],
}

test('a flow of the other family comes with what it says, where answers lead, and what has to be chosen anew', () => {
  expect(isIzing(izing)).toBe(true)
  expect(isIzing({ nodes: [] })).toBe(false)
  const { name, graph, notes } = importIzing({ id: 1, name: 'Bot', flow: izing })
  expect(name).toBe('Bot')
  const byId = new Map(graph.nodes.map((one) => [one.id, one]))
  expect(byId.get('start')?.next).toEqual({ next: 's1-1' })
  expect(graph.nodes.map(({ id, kind }) => `${id} ${kind}`)).toEqual([
    ...['start start', 's1-o1 handOver', 's1-other close', 's1-1 message', 's1-2 delay', 's1-3 foreign', 's1-4 menu'],
    ...['s2-other handOver', 's2-1 ask'],
  ])
  expect(byId.get('s1-4')).toMatchObject({
    data: { body: 'Oi {{name}}', options: [{ title: 'Vendas', words: ['1', 'vendas'] }, { title: 'Suporte' }] },
    next: { o1: 's1-o1', o2: 's2-1', other: 's1-other' },
  })
  expect(graph.settings).toMatchObject({
    notUnderstood: { message: 'Não entendi', returnTo: 'start' },
    silence: { minutes: 15, to: { kind: 'close' }, warning: 'Oi?' },
    retries: { most: 2, to: { kind: 'queue', id: '' } },
    keywords: [
      { text: 'menu', mode: 'exact' },
      { text: 'robô', mode: 'exact' },
    ],
    closeWords: ['sair'],
    distribution: 'B',
  })
  expect(Object.groupBy(notes, ({ level }) => level).lost).toMatchObject([{ what: 'Boas-vindas: PlanilhaField' }])
  expect(notes.filter(({ level }) => level === 'changed').length).toBeGreaterThan(2)
})

test('what the other family does without a person is done here as it is', () => {
  const interactions = [
    { type: 'ChatBotBlockField', data: {} },
    { type: 'NotesField', data: { notes: 'Ligar amanhã' } },
    { type: 'ScheduleField', data: { scheduleMessage: 'Até logo' } },
    { type: 'WebhookField', data: { webhook: 'https://exemplo.com.br/x' } },
  ]
  const { graph } = importIzing({ nodeList: [{ id: 'a', type: 'node', name: 'A', interactions, conditions: [] }] })
  expect(graph.nodes.map(({ kind }) => kind)).toEqual(['start', 'action', 'action', 'action', 'http'])
  expect(problemsIn(graph).filter(({ nodeId, level }) => nodeId !== 'start' && level === 'error')).toEqual([])
})

test('an opportunity and an SMS come with their words; whose rows they name is chosen anew', () => {
  const interactions = [
    {
      type: 'OpportunityField',
      data: { name: 'Pedido de {{name}}', value: 1250.5, opportunityDescription: 'Do robô' },
    },
    { type: 'OpportunityField', data: {} },
    { type: 'SmsField', data: { smsMessage: 'Oi {{name}}', smsService: 'x' } },
    { type: 'VapiField', data: { assistantId: 'abc' } },
  ]
  const { graph, notes } = importIzing({
    nodeList: [{ id: 'a', type: 'node', name: 'A', interactions, conditions: [] }],
  })
  expect(graph.nodes.flatMap((one) => (one.kind === 'action' ? one.data.actions : []))).toMatchObject([
    { kind: 'opportunity', name: 'Pedido de {{name}}', value: '1250,5', description: 'Do robô', stageId: '' },
    { kind: 'opportunity', name: '{{name}}', value: null },
    { kind: 'sms', body: 'Oi {{name}}', connectionId: '' },
    { kind: 'voiceCall', integrationId: '' },
  ])
  expect(notes.map(({ level, what }) => `${level} ${what}`)).toEqual([
    'changed A: oportunidade',
    'changed A: oportunidade',
    'changed A: SMS',
    'changed A: assistente de voz Vapi',
  ])
  expect(problemsIn(graph).filter(({ nodeId }) => nodeId !== 'start')).toMatchObject([
    { path: 'actions.0.stageId', message: 'Escolha a etapa.' },
    { path: 'actions.0.stageId' },
    { path: 'actions.0.connectionId' },
    { path: 'actions.0.integrationId' },
  ])
})

test('a file that is broken in places comes in as far as it goes', () => {
  const odd = { nodeList: [null, { id: 'a', type: 'node', interactions: 'x', conditions: [{ type: 'R' }] }] }
  expect(isIzing({ ...odd, nodeList: odd.nodeList.slice(1) })).toBe(true)
  const { graph } = importIzing({
    nodeList: [
      {
        id: 'a',
        type: 'node',
        name: 7,
        interactions: [{}],
        conditions: [{ type: 'R', condition: [3], action: '0', nextStepId: 'none' }],
      },
    ],
  })
  expect(problemsIn(graph).some(({ level }) => level === 'error')).toBe(true)
  expect(flowFile.safeParse({ product: 'balcao', format: 1, name: 'x', ...graph }).success).toBe(true)
})

test('bots of theirs become the assistant of that kind, where the company has one', () => {
  const bot = (type: string) => ({ type, data: { typebotUrl: 'https://bot.example', typebotName: 'loja' } })
  const given = {
    nodeList: [
      { id: 'a', type: 'node', name: 'A', interactions: [bot('TypebotField'), bot('ChatGPTField')], conditions: [] },
    ],
  }
  const known = [{ id: '01980000-0000-7000-8000-00000000000a', name: 'Aurora', bot: 'typebot' }]
  const { graph, notes } = importIzing(given, known)
  expect(graph.nodes.filter(({ id }) => id !== 'start')).toMatchObject([
    { kind: 'assistant', data: { assistantId: known[0]?.id }, next: { next: 's1-2' } },
    { kind: 'foreign', data: { type: 'ChatGPTField' } },
  ])
  expect(notes).toMatchObject([
    { level: 'changed', what: 'A: Typebot', how: expect.stringContaining('Aurora') },
    { level: 'lost', what: 'A: ChatGPT', how: expect.stringContaining('Nenhum assistente desse tipo') },
  ])
})

test('an appointment of theirs becomes free times of a calendar, which is chosen anew', () => {
  const data = {
    ...{ eventSummary: 'Consulta de {{name}}', eventDescription: 'Pelo robô', googleConfigId: 7 },
    ...{ eventStartDateTime: '2026-11-24T10:00:00Z', eventEndDateTime: '2026-11-24T10:45:00Z' },
  }
  const interactions = [{ type: 'GoogleAgendaField', data }]
  const { graph, notes } = importIzing({
    nodeList: [{ id: 'a', type: 'node', name: 'A', interactions, conditions: [] }],
  })
  expect(graph.nodes[1]).toMatchObject({
    kind: 'calendar',
    data: { title: 'Consulta de {{name}}', description: 'Pelo robô', minutes: 45, calendarId: '' },
  })
  expect(notes).toMatchObject([{ level: 'changed', what: 'A: Google Agenda' }])
  expect(problemsIn(graph)).toContainEqual(expect.objectContaining({ path: 'calendarId', level: 'error' }))
})

test('an action says everything it still needs at once', () => {
  const found = told(
    graphOf([node('action', 'a', { actions: [{ kind: 'webhook', integrationId: '', name: '', url: 'x' }] })]),
  )
  expect(found.map((one) => one.split(':')[0])).toEqual([
    'error a.actions.0.integrationId',
    'error a.actions.0.name',
    'error a.actions.0.url',
  ])
})

test('what is to be chosen anew after an import is told once', () => {
  const configurations = { outOpenHours: { type: 1, destiny: '3' }, firstInteraction: { type: 2, destiny: '4' } }
  const { notes } = importIzing({ nodeList: [{ id: 'configurations', type: 'configurations', configurations }] })
  expect(notes.map(({ what }) => what)).toEqual(['Fora do horário', 'Primeiro contato'])
})

test('what some channels cannot do keeps a flow from them alone, not from being published', () => {
  const base = { buttonLimits: null, textLimits: { text: 4_096, caption: 1_024 } }
  const official = { ...base, label: 'WhatsApp', supports: ['requests' as const] }
  const plain = { ...base, label: 'Telegram', supports: ['text' as const] }
  const form = { id: '1', name: 'Pedido' }
  const graph = graphOf([node('request', 'f', { asks: 'form', body: 'Oi', button: 'Abrir', form } as object)])
  const levels = (...channels: FlowChannel[]) => told(graph, ...channels).map((one) => one.split(' ')[0])
  const possible = (channel: FlowChannel) => ({ ...channel, isPossible: true })
  expect(levels(possible(official), possible(plain))).toEqual(['warning'])
  expect(levels(possible(plain))).toEqual(['error'])
  expect(levels(official, plain)).toEqual(['error'])
})
