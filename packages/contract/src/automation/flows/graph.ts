import { z } from 'zod'
import { type Action, type ActionKind, actionKinds } from '../../conversations/actions/index.ts'
import { requestKinds } from '../../conversations/interactive.ts'
import { interactive } from '../../conversations/messages.ts'
import { mostParts, part } from '../../conversations/parts.ts'
import { keyword } from '../../service/auto-replies.ts'

/**
 * A flow as data. A step may be half made while it is a draft, so the schema only bounds it: what is missing is said by
 * the checks before it is published (`problems.ts`). A line is a port of its step with the step it leads to.
 */

export const mostNodes = 1_000
const text = (most: number) => z.string().max(most, `Use no máximo ${most.toLocaleString('pt-BR')} caracteres.`)
/** A row of the company; empty while it is not chosen. */
const ref = z.string().max(40).default('')
export const nodeId = z.string().regex(/^[\w-]{1,40}$/, 'Identificador inválido.')
const body = text(4_000).default('')

/** The name of a variable: read as `{{var.name}}`. */
export const variableName = /^[a-z][a-z0-9_]{0,39}$/i
const variable = text(40).default('')

/** What a flow may do by itself: marking wants a person, an end is a step of its own. */
const wantPerson: readonly ActionKind[] = ['mark', 'reopen', 'close', 'forceClose', 'transfer']
export const flowActions: readonly ActionKind[] = actionKinds.filter((kind) => !wantPerson.includes(kind))
/** Checked by the catalogue before it is published. */
const draftAction = z.looseObject({
  kind: z.string().refine((kind) => flowActions.some((one) => one === kind), 'Escolha o que fazer.'),
}) as unknown as z.ZodType<Action>

/** Where a conversation goes when the flow cannot go on. */
export const destinationKinds = ['queue', 'user', 'node', 'close'] as const
export const destination = z.object({
  kind: z.enum(destinationKinds),
  /** The queue, the person, the step, or the reason of closing. */
  id: ref,
})
export type Destination = z.output<typeof destination>

/** How what a customer answers is read. */
export const answerKinds = [
  'text',
  'name',
  'email',
  'cpf',
  'cnpj',
  'phone',
  'date',
  'number',
  'file',
  'location',
] as const
export type AnswerKind = (typeof answerKinds)[number]
/** Where in the contact's card an answer is kept besides. */
export const savedFields = ['name', 'email', 'businessName', 'document', 'birthdayDate'] as const
export type SavedField = (typeof savedFields)[number]

const menuOption = z.object({
  id: nodeId,
  title: text(60),
  description: text(72).default(''),
  /** Other words that mean it. */
  words: z.array(text(60)).max(20).default([]),
})
export type MenuOption = z.output<typeof menuOption>

const compare = ['is', 'isNot', 'contains', 'above', 'below', 'isSet', 'isNotSet'] as const
export type Compare = (typeof compare)[number]
export const compareLabels: Record<Compare, string> = {
  is: 'é',
  isNot: 'não é',
  contains: 'contém',
  above: 'é maior que',
  below: 'é menor que',
  isSet: 'está preenchida',
  isNotSet: 'está vazia',
}
export const ticketTests = ['queue', 'connection', 'channel', 'priority', 'tag', 'isFirst'] as const
/** One question: of a variable, of the conversation, of the contact (the language of segments), of a saved segment. */
const test = z.discriminatedUnion('on', [
  z.object({ on: z.literal('variable'), name: variable, op: z.enum(compare), value: text(200).default('') }),
  z.object({
    on: z.literal('ticket'),
    field: z.enum(ticketTests),
    isNot: z.boolean().default(false),
    values: z.array(text(60)).max(50).default([]),
  }),
  z.object({ on: z.literal('contact'), rules: z.record(z.string(), z.unknown()) }),
  z.object({ on: z.literal('segment'), segmentId: ref, isNot: z.boolean().default(false) }),
])
export type FlowTest = z.output<typeof test>
const branch = { id: nodeId, label: text(60).default('') }

const header = z.object({ name: text(100), value: text(2_000) })

/** What each kind of step holds. */
const shapes = {
  start: z.object({}),
  /** Says these, one after the other. */
  message: z.object({ parts: z.array(part).max(mostParts).default([]) }),
  /** Says words with choices, and goes where the answer leads. */
  menu: z.object({
    body,
    style: z.enum(['buttons', 'list', 'text']).default('buttons'),
    button: text(20).default(''),
    options: z.array(menuOption).max(20).default([]),
    /** Keeps the title of what was chosen. */
    variable,
  }),
  /** Asks, and goes on once the answer is one of that kind. */
  ask: z.object({
    body,
    as: z.enum(answerKinds).default('text'),
    variable,
    saveTo: z.enum(savedFields).nullable().default(null),
    /** What is said when it is not; empty: what the kind says by itself. */
    invalid: text(1_000).default(''),
  }),
  /** Asks for one thing with a button of the channel, and keeps what comes back; a link waits for nothing. */
  request: z.object({
    body,
    asks: z.enum(requestKinds).default('place'),
    header: text(60).default(''),
    footer: text(60).default(''),
    button: text(20).default(''),
    /** May have variables. */
    url: text(2_000).default(''),
    /** Whose forms and catalogue these are. */
    connectionId: ref,
    form: interactive.shape.form,
    catalog: interactive.shape.catalog,
    variable,
  }),
  /** A pause between two messages, as somebody who writes. */
  delay: z.object({ seconds: z.int().min(1).max(60).default(3) }),
  /** Until a time has passed, the customer writes (where that port leads on) or an event of this name is told. */
  wait: z.object({
    minutes: z.int().min(1).max(525_600).default(60),
    /** Not before this time of the day. */
    clock: z
      .string()
      .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
      .nullable()
      .default(null),
    event: text(60).default(''),
  }),
  condition: z.object({
    branches: z
      .array(
        z.object({ ...branch, match: z.enum(['all', 'any']).default('all'), tests: z.array(test).max(20).default([]) }),
      )
      .max(20)
      .default([]),
  }),
  hours: z.object({ queueId: ref }),
  /** The same conversation always goes the same way. */
  split: z.object({
    branches: z
      .array(z.object({ ...branch, weight: z.int().min(0).max(1_000).default(50) }))
      .max(10)
      .default([]),
  }),
  set: z.object({
    sets: z
      .array(
        z.object({ name: variable, as: z.enum(['text', 'number']).default('text'), value: text(1_000).default('') }),
      )
      .max(20)
      .default([]),
  }),
  action: z.object({ actions: z.array(draftAction).max(20).default([]) }),
  /** Asks a system of the company, and keeps what it answers. */
  http: z.object({
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).default('POST'),
    url: text(2_000).default(''),
    headers: z.array(header).max(30).default([]),
    /** Empty: the conversation with its contact and variables, as JSON. */
    body: text(20_000).default(''),
    timeoutMs: z.int().min(500).max(60_000).default(10_000),
    retries: z.int().min(0).max(5).default(0),
    retryDelayMs: z.int().min(0).max(600_000).default(5_000),
    /** What of its JSON becomes which variable: `pedido.itens.0.nome`. */
    saves: z
      .array(z.object({ path: text(200), name: variable }))
      .max(20)
      .default([]),
  }),
  /** An assistant, or a bot elsewhere, answers until it gives the conversation back. */
  assistant: z.object({
    assistantId: ref,
    /** It answers what the customer wrote last; else it waits for their next words. */
    now: z.boolean().default(true),
    /** So many answers, then on; 0: as long as it takes. */
    answers: z.int().min(0).max(100).default(0),
    /** Keeps what it said last. */
    variable,
  }),
  /** Offers free times of a calendar, and books the one the customer chooses. */
  calendar: z.object({
    calendarId: ref,
    body: text(1_000).default('Qual horário fica melhor para você?'),
    title: text(200).default('Horário de {{name}}'),
    description: text(2_000).default(''),
    minutes: z.int().min(10).max(480).default(30),
    /** How far ahead, and how soon at the earliest. */
    days: z.int().min(1).max(60).default(7),
    noticeHours: z.int().min(0).max(720).default(2),
    offers: z.int().min(1).max(10).default(6),
    /** Within whose hours; empty: the conversation's. */
    queueId: ref,
    /** Keeps the time that was booked, in words. */
    variable,
  }),
  /** Another flow; it comes back here when that one is through, where it is to. */
  flow: z.object({ flowId: ref, returns: z.boolean().default(true) }),
  jump: z.object({ to: text(40).default('') }),
  /** Asks for a grade in the company's scale, and keeps it as a rating. */
  rating: z.object({ body }),
  /** Says a Pix code to copy and paste. */
  pix: z.object({
    key: text(80).default(''),
    name: text(25).default(''),
    city: text(15).default(''),
    /** A formula of variables, in reais; empty: the customer says how much. */
    amount: text(200).default(''),
    description: text(60).default(''),
    body: text(1_000).default(''),
  }),
  /** The end: a person goes on. */
  handOver: z.object({
    queueId: ref,
    userId: ref,
    /** Empty: what the flow says by itself at such an end. */
    body,
    /** Leaves the team a note with what was asked and answered. */
    summary: z.boolean().default(true),
  }),
  /** The end: closed. */
  close: z.object({ reasonId: ref, body }),
  /** On the canvas alone. */
  comment: z.object({ text: text(2_000).default('') }),
  group: z.object({
    color: text(20).default('gray'),
    width: z.number().min(40).max(20_000).default(400),
    height: z.number().min(40).max(20_000).default(300),
  }),
  /** What another product had here and ours has not: kept to be read, passed over. */
  foreign: z.object({ type: text(60).default(''), text: text(4_000).default(''), data: z.unknown() }),
}
type Shapes = typeof shapes
export type NodeKind = keyof Shapes
export const nodeKinds = Object.keys(shapes) as NodeKind[] // the keys of the table above
export type NodeData<K extends NodeKind = NodeKind> = z.output<Shapes[K]>
export type FlowNode<K extends NodeKind = NodeKind> = {
  [One in K]: {
    id: string
    kind: One
    name: string
    x: number
    y: number
    data: NodeData<One>
    /** From a port to the step it leads to. */
    next: Record<string, string>
  }
}[K]

const nodeOf = <K extends NodeKind>(kind: K) =>
  z.object({
    id: nodeId,
    kind: z.literal(kind),
    name: text(80).default(''),
    x: z.number().min(-1_000_000).max(1_000_000).default(0),
    y: z.number().min(-1_000_000).max(1_000_000).default(0),
    data: shapes[kind],
    next: z.record(nodeId, nodeId).default({}),
  })
const [first, ...others] = nodeKinds.map(nodeOf) as unknown as [z.ZodObject, ...z.ZodObject[]]
export const flowNode = z.discriminatedUnion('kind', [first, ...others]) as unknown as z.ZodType<FlowNode, FlowNode>

/** Whom distribution gives what the flow hands over: nobody, each in turn, whoever has least. */
export const flowDistributions = ['N', 'R', 'B'] as const
const words = (some: string[]) => z.array(text(60)).max(20).default(some)
export const flowSettings = z.object({
  /** Said when a person takes over. */
  welcomeMessage: text(1_000).default(''),
  /** Said when the flow closes. */
  farewellMessage: text(1_000).default(''),
  /** An answer that is not understood: what is said, and which question comes again. */
  notUnderstood: z
    .object({
      message: text(1_000).default('Não entendi. Escolha uma das opções, por favor.'),
      returnTo: z.enum(['current', 'start']).default('current'),
    })
    .prefault({}),
  /** So many answers that are not understood, and where it goes then; null: to a person, in the queue it is in. */
  retries: z.object({ most: z.int().min(1).max(20).default(3), to: destination.nullable().default(null) }).prefault({}),
  /** The customer says nothing; 0: it waits for ever. The warning goes out at half the time. */
  silence: z
    .object({
      minutes: z.int().min(0).max(43_200).default(10),
      to: destination.nullable().default(null),
      message: text(1_000).default(''),
      warning: text(1_000).default(''),
    })
    .prefault({}),
  /** Outside of the hours: the words for closed hours and no flow, the flow all the same, or straight there. */
  outOfHours: z
    .object({
      does: z.enum(['absence', 'continue', 'destination']).default('absence'),
      to: destination.nullable().default(null),
    })
    .prefault({}),
  /** Where somebody goes who writes for the first time ever; null: where everybody goes. */
  firstContact: destination.nullable().default(null),
  /** Words that start it, whatever else is set up. */
  keywords: z.array(keyword).max(50).default([]),
  /** Answers that close. */
  closeWords: words([]),
  backWords: words(['voltar']),
  menuWords: words(['menu', 'início']),
  personWords: words(['atendente', 'falar com atendente', 'humano', 'pessoa', 'falar com alguém']),
  /** Where who asks for a person goes; null: the queue it is in. */
  person: destination.nullable().default(null),
  distribution: z.enum(flowDistributions).default('N'),
})
export type FlowSettings = z.output<typeof flowSettings>

export const flowGraph = z.object({
  nodes: z.array(flowNode).max(mostNodes, `Use no máximo ${mostNodes} passos.`),
  settings: flowSettings.prefault({}),
})
export type FlowGraph = z.output<typeof flowGraph>

export const startId = 'start'
export const blankNode = <K extends NodeKind>(kind: K, id: string, at: { x: number; y: number }): FlowNode<K> =>
  nodeOf(kind).parse({ id, kind, data: kind === 'foreign' ? { data: null } : {}, ...at }) as unknown as FlowNode<K>
export const blankGraph = (): FlowGraph => ({
  nodes: [blankNode('start', startId, { x: 0, y: 0 })],
  settings: flowSettings.parse({}),
})

/** Of each kind, as people read it. */
export const nodeLabels: Record<NodeKind, string> = {
  start: 'Início',
  message: 'Mensagem',
  menu: 'Menu de opções',
  ask: 'Pergunta',
  request: 'Pedido, link ou catálogo',
  delay: 'Pausa de digitação',
  wait: 'Esperar',
  condition: 'Condição',
  hours: 'Horário de atendimento',
  split: 'Teste A/B',
  set: 'Definir variáveis',
  action: 'Ações',
  http: 'Chamar sistema (webhook)',
  assistant: 'Assistente ou robô',
  calendar: 'Google Agenda',
  flow: 'Outro fluxo',
  jump: 'Ir para um passo',
  rating: 'Avaliação',
  pix: 'Cobrança Pix',
  handOver: 'Passar para a equipe',
  close: 'Encerrar',
  comment: 'Comentário',
  group: 'Grupo',
  foreign: 'Passo de outro sistema',
}
/** On the canvas alone: nothing passes through them. */
export const isDrawing = (kind: NodeKind): boolean => kind === 'comment' || kind === 'group'
/** What waits for the customer. */
export const isQuestion = (node: FlowNode): boolean =>
  node.kind === 'request' ? node.data.asks !== 'link' : ['menu', 'ask', 'rating', 'calendar'].includes(node.kind)

/** A way out of a step. `isOptional`: without a line there is something else that happens. */
export type Port = { id: string; label: string; isOptional: boolean }
const port = (id: string, label: string, isOptional = false): Port => ({ id, label, isOptional })
const next = port('next', 'Depois')
const silence = port('silence', 'Sem resposta', true)

/** The ways out of a step, in the order they are drawn. Without a line on `next` the flow is through, and a person goes on. */
export const portsOf = (node: FlowNode): Port[] => {
  switch (node.kind) {
    case 'menu':
      return [
        ...node.data.options.map(({ id, title }, at) => port(id, title || `Opção ${at + 1}`)),
        port('other', 'Outra resposta', true),
        silence,
      ]
    case 'ask':
      return [next, port('invalid', 'Resposta inválida', true), silence]
    case 'request':
      return isQuestion(node) ? [next, silence] : [next]
    case 'rating':
      return [next, silence]
    case 'wait':
      return [
        port('next', 'O tempo passou'),
        port('answer', 'O cliente escreveu', true),
        ...(node.data.event ? [port('event', `Evento ${node.data.event}`)] : []),
      ]
    case 'condition':
      return [
        ...node.data.branches.map(({ id, label }, at) => port(id, label || `Caminho ${at + 1}`)),
        port('else', 'Senão'),
      ]
    case 'split':
      return node.data.branches.map(({ id, label }, at) => port(id, label || String.fromCharCode(65 + at)))
    case 'hours':
      return [port('open', 'Aberto'), port('closed', 'Fechado')]
    case 'action':
      return [next, port('failed', 'Não foi possível', true)]
    case 'http':
      return [next, port('failed', 'Falhou', true)]
    case 'assistant':
      return [
        port('next', 'Terminou'),
        port('handOver', 'Passou para a equipe', true),
        port('failed', 'O assistente não respondeu', true),
        port('budget', 'Acabou o orçamento', true),
        port('silence', 'O cliente não respondeu', true),
      ]
    case 'calendar':
      return [port('next', 'Marcado'), port('none', 'Sem horário', true), port('failed', 'Falhou', true), silence]
    case 'flow':
      return node.data.returns ? [next] : []
    case 'jump':
    case 'handOver':
    case 'close':
    case 'comment':
    case 'group':
      return []
    default:
      return [next]
  }
}
