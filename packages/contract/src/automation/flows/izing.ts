import { z } from 'zod'
import { type Action, blankAction } from '../../conversations/actions/index.ts'
import { blankPart, type Part } from '../../conversations/parts.ts'
import { botNames } from '../../conversations/tickets.ts'
import type { ImportNote } from './flows.ts'
import {
  blankGraph,
  blankNode,
  type Destination,
  type FlowGraph,
  type FlowNode,
  flowGraph,
  type NodeData,
  type NodeKind,
  startId,
  variableName,
} from './graph.ts'
import { showNumber } from './numbers.ts'

/**
 * Flows of the Izing family: `{ nodeList, lineList }`, each step with what it says (`interactions`) and where answers lead
 * (`conditions`); fields as that family's builder writes them. Lenient: what is not there is left out, what we have not is
 * kept to be read.
 */
const loose = z.record(z.string(), z.unknown())
const text = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''))
const list = <T extends z.ZodType>(item: T) => z.array(item).catch([])
const interaction = z.object({ type: text, data: loose.catch({}) })
const condition = z.object({
  type: text,
  condition: list(text),
  action: z.coerce.number().catch(-1),
  nextStepId: text,
})
type Condition = z.output<typeof condition>
const step = z.object({
  id: text,
  name: text,
  type: text,
  left: text,
  top: text,
  interactions: list(interaction),
  conditions: list(condition),
  configurations: loose.optional().catch(undefined),
})
type Step = z.output<typeof step>
const izingFile = z.object({
  name: text,
  nodeList: z.array(step).min(1),
  lineList: list(z.object({ from: text, to: text })),
})

/** How rows of the other product are found here: by their name, where the file has it; else they are to be chosen. */
export type ImportedFlow = { name: string; graph: FlowGraph; notes: ImportNote[] }

/** Whether a file looks like one of that family. */
export const isIzing = (file: unknown): boolean => izingFile.safeParse(unwrapped(file)).success

/** Some write the flow within the row it belongs to. */
const unwrapped = (file: unknown): unknown => {
  const held = loose.safeParse(file).data
  return held && !('nodeList' in held) && typeof held.flow === 'object'
    ? { name: held.name, ...(held.flow as object) }
    : file
}

/** An assistant of the company that answers, by the kind of account behind it. */
export type KnownAssistant = { id: string; name: string; bot: string | null }

/** The file as a flow of ours, with what became of each of its parts. Throws a ZodError where it is none. */
export const importIzing = (file: unknown, assistants: readonly KnownAssistant[] = []): ImportedFlow => {
  const { name, nodeList, lineList } = izingFile.parse(unwrapped(file))
  const made = new Making(nodeList, assistants)
  const first =
    lineList.find(({ from }) => from === startId)?.to ?? nodeList.find(({ type }) => type === 'node')?.id ?? ''
  return made.flow(name, first)
}

class Making {
  private readonly nodes: FlowNode[] = []
  private readonly notes: ImportNote[] = []
  private readonly ids = new Map<string, string>()
  private readonly steps: Step[]
  private readonly configurations: Record<string, unknown>

  private readonly assistants: readonly KnownAssistant[]

  constructor(all: Step[], assistants: readonly KnownAssistant[]) {
    this.assistants = assistants
    this.steps = all.filter(
      ({ type, id }) => type !== 'start' && type !== 'configurations' && id !== startId && id !== 'configurations',
    )
    const kept = all.find(({ type, id }) => type === 'configurations' || id === 'configurations')
    this.configurations = kept?.configurations ?? {}
    this.steps.forEach(({ id }, at) => {
      this.ids.set(id, `s${at + 1}`)
    })
  }

  flow(name: string, firstId: string): ImportedFlow {
    for (const one of this.steps) this.step(one)
    const begin = blankNode('start', startId, { x: 0, y: 0 })
    const first = this.entrances.get(firstId)
    const graph = flowGraph.parse({
      nodes: [{ ...begin, next: first ? { next: first } : {} }, ...this.nodes],
      settings: this.settings(),
    })
    return { name: name.slice(0, 60), graph, notes: this.notes }
  }

  /** The first of the steps that one of theirs became. */
  private get entrances(): ReadonlyMap<string, string> {
    return new Map(this.steps.map(({ id }) => [id, `${this.ids.get(id)}-1`]))
  }
  private note(level: ImportNote['level'], nodeId: string | null, what: string, how: string) {
    this.notes.push({ level, nodeId, what, how })
  }

  /** One of theirs becomes a row of ours: what it says, then the question its conditions are. */
  private step(given: Step) {
    const id = this.ids.get(given.id) ?? 's'
    const place = { x: pixels(given.left), y: pixels(given.top) }
    const row: FlowNode[] = []
    const add = <K extends NodeKind>(kind: K, data: Partial<NodeData<K>>, next: Record<string, string> = {}) => {
      const nodeId = `${id}-${row.length + 1}`
      const blank = blankNode(kind, nodeId, { x: place.x + row.length * 320, y: place.y })
      row.push({ ...blank, name: given.name.slice(0, 80), data: { ...blank.data, ...data }, next } as FlowNode)
      return nodeId
    }
    const asked = given.conditions.length > 0
    const last = given.interactions.findLastIndex(
      ({ type }) => type === 'MessageField' || type === 'MessageOptionsField',
    )
    const parts: Part[] = []
    const flush = () => {
      if (parts.length) add('message', { parts: parts.splice(0) })
    }
    given.interactions.forEach((one, at) => {
      const label = `${given.name || 'Etapa'}: ${typeLabels[one.type] ?? one.type}`
      if (asked && at === last) return
      const part = this.partOf(one, label)
      if (part) {
        parts.push(part)
        return
      }
      flush()
      this.other(one, label, add)
    })
    flush()
    if (asked) this.question(given, last < 0 ? undefined : given.interactions[last], add)
    if (!row.length) add('message', {})
    row.forEach((node, at) => {
      const following = row[at + 1]
      if (following && !node.next.next) node.next.next = following.id
    })
    this.nodes.push(...row)
  }

  private partOf({ type, data }: Step['interactions'][number], label: string): Part | undefined {
    if (type === 'MessageField') return { ...blankPart('text'), body: this.words(data.message) }
    if (type === 'MessageOptionsField') {
      const lines = [this.words(data.message), ...textsOf(data.values).map((one, at) => `${at + 1}. ${one}`)]
      return { ...blankPart('text'), body: lines.join('\n') }
    }
    if (type !== 'MediaField') return undefined
    const name = textsOf([data.name])[0] ?? 'arquivo'
    this.note(
      'changed',
      null,
      label,
      `O arquivo ${name} não vem no arquivo do fluxo: escolha-o de novo nesta mensagem.`,
    )
    return { ...blankPart('file'), body: this.words(data.caption) }
  }

  private other(
    { type, data }: Step['interactions'][number],
    label: string,
    add: <K extends NodeKind>(kind: K, data: Partial<NodeData<K>>) => string,
  ) {
    const chosen = (nodeId: string, what: string) =>
      this.note('changed', nodeId, label, `Escolha ${what}: os cadastros são desta empresa.`)
    // Half made: what is left to be chosen is said by the checks.
    const act = (action: Record<string, unknown>) => add('action', { actions: [action as unknown as Action] })
    switch (type) {
      case 'DelayField': {
        const seconds = Math.round(Number(data.time) || 3)
        if (seconds <= 60) add('delay', { seconds: Math.max(1, seconds) })
        else
          this.note(
            'changed',
            add('wait', { minutes: Math.max(1, Math.round(seconds / 60)) }),
            label,
            'A pausa longa virou uma espera.',
          )
        return
      }
      case 'WebhookField':
        add('http', { url: this.words(data.webhook) })
        return
      case 'WebhookAllField': {
        const method = String(data.httpMethod ?? 'POST').toUpperCase()
        add('http', {
          method: (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).find((one) => one === method) ?? 'POST',
          url: this.words(data.webhookUrl),
          headers: listOf(data.headers).flatMap((one) => {
            const name = textsOf([one.name ?? one.key])[0]
            return name ? [{ name, value: this.words(one.value) }] : []
          }),
          body: this.words(data.bodyContent),
          timeoutMs: within(Number(data.timeout) || 10_000, 500, 60_000),
          retries: within(Number(data.retryAttempts) || 0, 0, 5),
          retryDelayMs: within(Number(data.retryDelay) || 5_000, 0, 600_000),
        })
        return
      }
      case 'ChatFlowField':
        chosen(add('flow', { flowId: '', returns: false }), 'o outro fluxo')
        return
      case 'TagField':
        chosen(act({ kind: 'addContactTags', tagIds: [] }), 'a etiqueta')
        return
      case 'KanbanField':
        chosen(act({ kind: 'lane', laneId: '' }), 'o estágio')
        return
      case 'ReasonsField':
        chosen(act({ kind: 'reason', reasonId: '' }), 'o motivo')
        return
      case 'NotesField':
        act({ kind: 'note', body: this.words(data.notes) })
        return
      case 'SmsField':
        chosen(act({ kind: 'sms', connectionId: '', body: this.words(data.smsMessage) }), 'o canal de SMS')
        return
      case 'VapiField':
        chosen(act({ kind: 'voiceCall', integrationId: '' }), 'a conta da Vapi')
        return
      case 'ChatBotBlockField':
        act({ kind: 'botBlock', robots: 'blocked' })
        return
      case 'OpportunityField': {
        const value = textsOf([data.value])[0] ?? (typeof data.value === 'number' ? showNumber(data.value) : '')
        const action = {
          ...blankAction('opportunity'),
          name: this.words(data.name).slice(0, 120) || '{{name}}',
          value: value || null,
          description: this.words(data.opportunityDescription) || null,
        }
        chosen(act(action), 'a etapa do funil e o responsável')
        return
      }
      case 'ScheduleField':
        this.note(
          'changed',
          act({ kind: 'schedule', body: this.words(data.scheduleMessage), minutes: 1_440 }),
          label,
          'Confira quando a mensagem sai.',
        )
        return
      case 'GoogleAgendaField': {
        const [title, description] = [this.words(data.eventSummary), this.words(data.eventDescription)]
        const blank = blankNode('calendar', 'c', { x: 0, y: 0 }).data
        const span = (Date.parse(String(data.eventEndDateTime)) - Date.parse(String(data.eventStartDateTime))) / 60_000
        const nodeId = add('calendar', {
          ...{ title: (title || blank.title).slice(0, 200), description: description.slice(0, 2_000) },
          minutes: within(span || blank.minutes, 10, 480),
        })
        this.note('changed', nodeId, label, 'Escolha a agenda: aqui o cliente escolhe entre os horários livres.')
        return
      }
      default: {
        const bot = type.replace(/Field$/, '').toLowerCase()
        const assistant = isBot(bot) ? this.assistants.find((one) => one.bot === bot) : undefined
        if (assistant) {
          const how = `Quem responde aqui é o assistente ${assistant.name}: endereço, chave e palavras ficam nele.`
          this.note('changed', add('assistant', { assistantId: assistant.id }), label, how)
          return
        }
        const words = Object.entries(data).flatMap(([key, value]) =>
          typeof value === 'string' && value ? `${key}: ${value}` : [],
        )
        const nodeId = add('foreign', { type, text: words.join('\n').slice(0, 4_000), data })
        const missing = isBot(bot) ? 'Nenhum assistente desse tipo está publicado' : 'Não há aqui'
        this.note('lost', nodeId, label, `${missing}: ficou no fluxo para ser lido, e é pulado.`)
      }
    }
  }

  /** Conditions of the first kind are the options of a menu, any other answer its own way. */
  private question(
    given: Step,
    asks: Step['interactions'][number] | undefined,
    add: <K extends NodeKind>(kind: K, data: Partial<NodeData<K>>, next?: Record<string, string>) => string,
  ) {
    const named = given.conditions.filter(({ type }) => type === 'R')
    const any = given.conditions.find(({ type }) => type === 'US')
    const titles = textsOf(asks?.data.values)
    const next: Record<string, string> = {}
    const options = named.map((one, at) => {
      const id = `o${at + 1}`
      const [first = '', ...words] = one.condition
      const place = /^\d{1,2}$/.test(first.trim()) ? Number(first) - 1 : at
      next[id] = this.goal(given, one, id)
      return {
        id,
        title: (titles[place] ?? first).slice(0, 60),
        description: '',
        words: [first, ...words].filter(Boolean).slice(0, 20),
      }
    })
    if (any) next.other = this.goal(given, any, 'other')
    const body = this.words(asks?.data.message)
    const nodeId = options.length
      ? add('menu', { body, options, style: asks?.type === 'MessageOptionsField' ? 'buttons' : 'text' }, clean(next))
      : add('ask', { body }, clean({ next: next.other ?? '' }))
    this.note(
      'kept',
      nodeId,
      given.name || 'Etapa',
      options.length ? `${options.length} respostas viraram opções do menu.` : 'Qualquer resposta continua o fluxo.',
    )
  }

  /** The step an answer leads to: theirs, or an end of ours. */
  private goal(given: Step, { action, nextStepId }: Condition, port: string): string {
    if (action === 0) return this.entrances.get(nextStepId) ?? ''
    const id = `${this.ids.get(given.id)}-${port}`
    const place = { x: pixels(given.left) + 700, y: pixels(given.top) + this.nodes.length * 20 }
    const label = `${given.name || 'Etapa'}: ${port === 'other' ? 'outra resposta' : `opção ${port.slice(1)}`}`
    if (action === 3) {
      this.nodes.push(blankNode('close', id, place))
      return id
    }
    this.nodes.push(blankNode('handOver', id, place))
    const what = action === 1 ? 'a fila' : action === 2 ? 'a pessoa' : 'o destino'
    const channel = action === 4 ? 'Mudar de canal pede uma ação antes. ' : ''
    this.note(
      action === 4 ? 'lost' : 'changed',
      id,
      label,
      `${channel}Escolha ${what}: os cadastros são desta empresa.`,
    )
    return id
  }

  private settings() {
    const { configurations: all } = this
    const of = (key: string) => loose.catch({}).parse(all[key])
    const message = (key: string) => this.words(of(key).message).slice(0, 1_000)
    const to = (key: string): Destination | null => {
      const type = Number(of(key).type)
      if (type === 3) return { kind: 'close', id: '' }
      if (type !== 1 && type !== 2) return null
      this.note(
        'changed',
        null,
        settingLabels[key] ?? key,
        `Escolha ${type === 1 ? 'a fila' : 'a pessoa'} nas configurações do fluxo.`,
      )
      return { kind: type === 1 ? 'queue' : 'user', id: '' }
    }
    const silent = of('notResponseMessage')
    const missed = of('notOptionsSelectMessage')
    const keyword = message('keyword').trim()
    const closes = textsOf(all.answerCloseTicket)
    const closed = to('outOpenHours')
    return {
      ...blankGraph().settings,
      welcomeMessage: message('welcomeMessage'),
      farewellMessage: message('farewellMessage'),
      notUnderstood: {
        message: message('notOptionsSelectMessage') || blankGraph().settings.notUnderstood.message,
        returnTo: missed.stepReturn === 'S' ? ('start' as const) : ('current' as const),
      },
      retries: { most: within(Number(of('maxRetryBotMessage').number) || 3, 1, 20), to: to('maxRetryBotMessage') },
      silence: {
        minutes: within(Number(silent.time) || 10, 0, 43_200),
        to: to('notResponseMessage'),
        message: this.words(silent.message).slice(0, 1_000),
        warning: silent.messageWarningEnabled ? this.words(silent.messageWarning).slice(0, 1_000) : '',
      },
      outOfHours: { does: closed ? ('destination' as const) : ('absence' as const), to: closed },
      firstContact: to('firstInteraction'),
      keywords: keyword
        ? keyword
            .split(',')
            .flatMap((one) => (one.trim() ? [{ text: one.trim().slice(0, 60), mode: 'exact' as const }] : []))
        : [],
      closeWords: closes.map((one) => one.slice(0, 60)).slice(0, 20),
      distribution: (['N', 'R', 'B'] as const).find((one) => one === all.autoDistributeTickets) ?? 'N',
    }
  }

  /** A text with their variables as ours; what stands for nothing here is told. */
  private words(given: unknown): string {
    const found = textsOf([given])[0] ?? ''
    return found
      .replace(/\{\{\s*([^{}]+?)\s*\}\}/g, (whole, name: string) => {
        const ours = variables[name.toLowerCase()]
        if (ours) return `{{${ours}}}`
        if (!variableName.test(name)) return whole
        this.note('changed', null, whole, 'Confira esta variável: aqui ela tem outro nome.')
        return whole
      })
      .slice(0, 4_000)
  }
}

/** Parts of a step, and settings, as the report calls them. */
const typeLabels: Record<string, string> = {
  MessageField: 'mensagem',
  MessageOptionsField: 'mensagem com opções',
  MediaField: 'arquivo',
  DelayField: 'pausa',
  WebhookField: 'webhook',
  WebhookAllField: 'webhook',
  ChatFlowField: 'outro fluxo',
  TagField: 'etiqueta',
  KanbanField: 'estágio',
  ReasonsField: 'motivo',
  NotesField: 'nota',
  ChatBotBlockField: 'só com pessoas',
  ScheduleField: 'mensagem agendada',
  OpportunityField: 'oportunidade',
  GoogleAgendaField: 'Google Agenda',
  SmsField: 'SMS',
  ChatGPTField: 'ChatGPT',
  DialogflowField: 'Dialogflow',
  DifyField: 'Dify',
  VapiField: 'assistente de voz Vapi',
  TypebotField: 'Typebot',
  N8nField: 'n8n',
}
const settingLabels: Record<string, string> = {
  maxRetryBotMessage: 'Depois de errar várias vezes',
  notResponseMessage: 'Sem resposta',
  outOpenHours: 'Fora do horário',
  firstInteraction: 'Primeiro contato',
}

/** Of that family, and what they are called here. */
const variables: Record<string, string> = {
  name: 'name',
  nome: 'name',
  firstname: 'primeiro_nome',
  primeironome: 'primeiro_nome',
  greeting: 'saudacao',
  saudacao: 'saudacao',
  protocol: 'protocol',
  protocolo: 'protocol',
  email: 'email',
  phonenumber: 'phoneNumber',
  user: 'user',
  username: 'user',
}

/** What answers in their interactions, by the name of the flag that stands for it here. */
const isBot = (name: string) => botNames.some((one) => one === name)

const within = (value: number, least: number, most: number) => Math.min(most, Math.max(least, Math.round(value)))
const pixels = (value: string) => within(Number.parseFloat(value) || 0, -100_000, 100_000)
const clean = (next: Record<string, string>) => Object.fromEntries(Object.entries(next).filter(([, to]) => to))
/** Texts, or what objects call `value`, `label` or `title`. */
const textsOf = (given: unknown): string[] =>
  (Array.isArray(given) ? given : [given]).flatMap((one) => {
    if (typeof one === 'string') return one.trim() ? [one.trim()] : []
    const held = loose.safeParse(one).data
    return held ? textsOf([held.value ?? held.label ?? held.title]) : []
  })
const listOf = (given: unknown): Record<string, unknown>[] =>
  Array.isArray(given) ? given.flatMap((one): Record<string, unknown>[] => [loose.safeParse(one).data ?? {}]) : []
