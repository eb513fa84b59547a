import type { ContactFacts } from '../../contacts/segments/fields.ts'
import type { Action } from '../../conversations/actions/index.ts'
import { carriedAs, isRequest, numberedText } from '../../conversations/interactive.ts'
import type { Part } from '../../conversations/parts.ts'
import { fillVariables, type VariableContext } from '../../variables.ts'
import { answerWords } from './answers.ts'
import { advance, dueOf, newRun } from './engine.ts'
import { freeTimes, timeLabel } from './free-times.ts'
import { type NodeData, portsOf, type SavedField } from './graph.ts'
import type { FlowEffect, FlowEnd, FlowEvent, FlowState, FlowWorld, Said } from './run.ts'

/**
 * A flow gone through with a customer who is not there: the very engine of the server in a world made up for it. Nothing leaves.
 */
export type Rehearsal = {
  state: FlowState
  end: FlowEnd | null
  /** By its own clock, which is moved by hand. */
  now: string
  contact: ContactFacts
  ticket: FlowWorld['ticket']
  lines: RehearsalLine[]
  /** Steps of the flow itself that were done, and lines of it that were gone along (`step:port`), in their order. */
  passed: readonly string[]
  lit: readonly string[]
  /** A system is waited for: what it answers is said by hand. */
  asked: { id: string; request: NodeData<'http'> } | null
  /** An assistant has it, or a calendar is asked: what comes of it is said by hand. */
  outcome: { id: string; title: string; variable: string; ways: { id: string; label: string }[] } | null
}
export type RehearsalLine = {
  id: string
  from: 'us' | 'customer' | 'note'
  text: string
  /** What can be pressed. */
  options: { id: string; title: string }[]
  nodeId: string | null
}
export type RehearsalSetup = Pick<
  FlowWorld,
  'runId' | 'branch' | 'timezone' | 'graphOf' | 'publishedOf' | 'segments' | 'rating' | 'abilities'
> & {
  versionId: string
  contact: ContactFacts
  ticket: FlowWorld['ticket']
  now: Date
  isOpen: (queueId: string | null, now: Date) => boolean
  /** What cannot be done here in one line: "Adicionar etiquetas: VIP". */
  describe: (action: Action) => string
  assistantName: (id: string) => string | undefined
  fileName: (id: string) => string | undefined
}
/** What the person who tries it does; `minutes` moves the clock. */
export type Rehearsed = Extract<FlowEvent, { kind: 'said' | 'called' | 'told' }> | { kind: 'clock'; minutes: number }

/** More rounds than any flow makes at one event. */
const mostRounds = 200

/** From the beginning, with the first words of the customer. */
export const startRehearsal = (setup: RehearsalSetup, said: Said): Rehearsal => {
  const { versionId, contact, ticket, now } = setup
  const blank: Rehearsal = {
    ...{ state: newRun(versionId), end: null, now: now.toISOString(), contact, ticket },
    ...{ lines: [customerLine(0, said)], passed: [], lit: [], asked: null, outcome: null },
  }
  const isQuiet = setup.graphOf(versionId)?.settings.outOfHours.does === 'absence' && !setup.isOpen(ticket.queueId, now)
  const lines = isQuiet ? [...blank.lines, noteLine(blank, quietNote, null)] : blank.lines
  return onward(setup, { ...blank, lines }, { kind: 'begin', said: [said] })
}
const quietNote =
  'Fora do horário este fluxo não começa sozinho: o cliente recebe a mensagem de ausência. O ensaio segue assim mesmo.'

/** One thing further. */
export const rehearse = (setup: RehearsalSetup, before: Rehearsal, given: Rehearsed): Rehearsal => {
  if (before.end) return before
  if (given.kind !== 'clock') {
    const said = given.kind === 'said' ? given.said.map((one, at) => customerLine(before.lines.length + at, one)) : []
    return onward(setup, { ...before, lines: [...before.lines, ...said] }, withTimes(setup, before, given))
  }
  const until = new Date(Date.parse(before.now) + given.minutes * 60_000)
  let here = before
  // What falls due on the way comes in its order and at its time.
  for (let due = dueOf(here.state); due && !here.end && Date.parse(due) <= until.getTime(); due = dueOf(here.state))
    here = onward(setup, { ...here, now: due }, { kind: 'due' })
  return { ...here, now: until.toISOString() }
}

const free = [
  { id: 'times', label: 'Há horários' },
  { id: 'none', label: 'Sem horário' },
  { id: 'failed', label: 'Falhou' },
]
const booked = [
  { id: 'next', label: 'Marcou' },
  { id: 'taken', label: 'Acabou de ser ocupado' },
  { id: 'failed', label: 'Falhou' },
]
/** Invented ones: all that the hours allow. */
const withTimes = (setup: RehearsalSetup, { state, now }: Rehearsal, given: FlowEvent): FlowEvent => {
  if (given.kind !== 'called' || (given.port !== 'times' && given.port !== 'none')) return given
  const node = setup.graphOf(state.versionId)?.nodes.find(({ id }) => id === state.nodeId)
  if (node?.kind !== 'calendar') return given
  const { port, ...called } = given
  const isOpen = (moment: Date) => setup.isOpen(node.data.queueId || null, moment)
  const asked = { ...node.data, now: new Date(now), timezone: setup.timezone, busy: [], isOpen }
  return { ...called, ok: true, times: port === 'none' ? [] : freeTimes(asked) }
}

const onward = (setup: RehearsalSetup, before: Rehearsal, event: FlowEvent): Rehearsal => {
  let here = before
  let next: FlowEvent | undefined = event
  for (let round = 0; next && round < mostRounds; round += 1) {
    const done = advance(here.state, next, worldOf(setup, here))
    // Steps of another flow may bear the same names.
    const own = done.steps.filter(({ versionId }) => versionId === setup.versionId)
    const isOwn = (stepId: string) => own.some((step) => step.stepId === stepId.split('.')[0])
    here = done.effects.reduce<Rehearsal>((now, effect) => withEffect(setup, now, effect, isOwn(effect.stepId)), {
      ...here,
      state: done.state,
      end: done.end,
      passed: [...here.passed, ...own.map(({ nodeId }) => nodeId)],
      lit: [...here.lit, ...own.flatMap(({ nodeId, port }) => (port ? `${nodeId}:${port}` : []))],
    })
    const { wait } = here.state
    if (wait?.for !== 'call') here = { ...here, asked: null, outcome: null }
    // Who writes takes a moment; here nobody waits for it.
    if (wait?.for === 'pause') here = { ...here, now: wait.until }
    next = done.status === 'more' ? { kind: 'on' } : comesByItself(wait, done.effects)
  }
  return here.end ? withEnd(setup, here, here.end) : here
}

/** What nobody has to wait for, or to answer by hand. */
const comesByItself = (wait: FlowState['wait'], effects: readonly FlowEffect[]): FlowEvent | undefined => {
  if (wait?.for === 'pause') return { kind: 'due' }
  const isDrawn = wait?.for === 'call' && effects.some(({ kind, stepId }) => kind === 'draw' && stepId === wait.id)
  return isDrawn ? { kind: 'called', id: wait.id, ok: true, vars: { picture: 'rehearsal' } } : undefined
}

const worldOf = (setup: RehearsalSetup, { now, contact, ticket }: Rehearsal): FlowWorld => ({
  ...setup,
  now: new Date(now),
  contact,
  ticket,
  isOpen: (queueId) => setup.isOpen(queueId, new Date(now)),
  fill: (text, vars) => fillVariables(text, contextOf(setup, contact, vars), new Date(now)),
})
const contextOf = (setup: RehearsalSetup, contact: ContactFacts, vars: FlowState['vars']): VariableContext => ({
  name: contact.name,
  email: contact.email,
  phoneNumber: contact.number,
  businessName: contact.businessName,
  extra: contact.extraInfo,
  protocol: '00000001',
  timeZone: setup.timezone,
  vars,
})

const withEffect = (setup: RehearsalSetup, here: Rehearsal, effect: FlowEffect, isOwn: boolean): Rehearsal => {
  const nodeId = isOwn ? effect.nodeId : null
  const filled = (text: string, vars: FlowState['vars']) =>
    fillVariables(text, contextOf(setup, here.contact, vars), new Date(here.now))
  const add = (from: RehearsalLine['from'], text: string, options: RehearsalLine['options'] = []): Rehearsal => ({
    ...here,
    lines: [...here.lines, { id: `${here.lines.length}`, from, text, options, nodeId }],
  })
  switch (effect.kind) {
    case 'say': {
      const { body, options } = carried(setup, effect.part)
      return add('us', filled(body, effect.vars), options)
    }
    case 'do':
      return withActions(here, { ...effect, nodeId }, (action) => filled(setup.describe(action), effect.vars))
    case 'save':
      return {
        ...add(
          'note',
          `Cadastro do contato: ${savedLabels[effect.field]} = ${answerWords(effect.field === 'birthdayDate' ? 'date' : 'text', effect.value)}`,
        ),
        contact: saved(here.contact, effect),
      }
    case 'call':
      return {
        ...add('note', `Chama ${effect.request.method} ${filled(effect.request.url, effect.vars)}`),
        asked: { id: effect.stepId, request: effect.request },
      }
    case 'lend': {
      const { nodes } = setup.graphOf(here.state.versionId) ?? { nodes: [] }
      const node = nodes.find(({ id }) => id === effect.nodeId)
      const title = 'O assistente conversa com o cliente. Como ele devolve?'
      return {
        ...add('note', `Passa para o assistente ${setup.assistantName(effect.loan.assistantId) ?? 'não encontrado'}`),
        outcome: { id: effect.stepId, title, variable: effect.loan.variable, ways: node ? portsOf(node) : [] },
      }
    }
    case 'calendar': {
      const { at, asks, stepId, vars } = effect
      const told = at
        ? `Marca na agenda: ${filled(asks.title, vars)}, ${timeLabel(at, setup.timezone)}`
        : 'Consulta a agenda'
      return {
        ...add('note', told),
        outcome: {
          id: stepId,
          title: 'A agenda foi chamada. O que ela responde?',
          variable: '',
          ways: at ? booked : free,
        },
      }
    }
    case 'rate':
      return add('note', `Avaliação: ${effect.grade}`)
    case 'draw':
      return here
    case 'pix': {
      const price = effect.amount?.toLocaleString('pt-BR', { style: 'currency', currency: 'BRL' })
      return add(
        'us',
        `${filled(effect.charge.body, effect.vars)}\n${effect.pictureId ? '[QR Code]\n' : ''}[Pix copia e cola${price ? ` de ${price}` : ''}]`.trim(),
      )
    }
  }
}

/** What a message looks like on the chosen channel. */
const carried = (
  { abilities, fileName }: RehearsalSetup,
  { kind, body, mediaId, interactive }: Part,
): { body: string; options: RehearsalLine['options'] } => {
  if (kind === 'file' || kind === 'voice') {
    const file = `[${fileName(mediaId ?? '') ?? (kind === 'voice' ? 'Áudio' : 'Arquivo')}]`
    return { body: [file, body].filter(Boolean).join('\n'), options: [] }
  }
  if (!interactive) return { body, options: [] }
  if (isRequest(interactive) || carriedAs(abilities, interactive, body) === 'text')
    return { body: numberedText(interactive, body), options: [] }
  return { body, options: interactive.options.map(({ id, title }) => ({ id, title })) }
}

const noteLine = ({ lines }: Rehearsal, text: string, nodeId: string | null): RehearsalLine => ({
  ...{ id: `${lines.length}`, from: 'note', text, options: [], nodeId },
})
const customerLine = (at: number, { text, fileId, location }: Said): RehearsalLine => {
  const sent = location ? 'Localização' : fileId ? 'Arquivo' : ''
  return { id: `${at}`, from: 'customer', text: text || sent, options: [], nodeId: null }
}

const savedLabels: Record<SavedField, string> = {
  name: 'nome',
  email: 'e-mail',
  businessName: 'empresa',
  document: 'CPF ou CNPJ',
  birthdayDate: 'aniversário',
}
const saved = (contact: ContactFacts, { field, value }: { field: SavedField; value: string }): ContactFacts =>
  field === 'document'
    ? { ...contact, documentKind: value.length === 11 ? 'cpf' : 'cnpj' }
    : { ...contact, [field]: value }

const withActions = (
  before: Rehearsal,
  { actions, nodeId }: { actions: readonly Action[]; nodeId: string | null },
  describe: RehearsalSetup['describe'],
): Rehearsal => {
  let here = before
  for (const action of actions) {
    const line = noteLine(here, describe(action), nodeId)
    here = withAction({ ...here, lines: [...here.lines, line] }, action)
  }
  return here
}
/** What later conditions may ask about. */
const withAction = (here: Rehearsal, action: Action): Rehearsal => {
  const { contact, ticket } = here
  const united = (one: readonly string[], other: readonly string[]) => [...new Set([...one, ...other])]
  switch (action.kind) {
    case 'addContactTags':
      return { ...here, contact: { ...contact, tagIds: united(contact.tagIds, action.tagIds) } }
    case 'removeContactTags':
      return { ...here, contact: { ...contact, tagIds: contact.tagIds.filter((id) => !action.tagIds.includes(id)) } }
    case 'wallet':
      return { ...here, contact: { ...contact, walletIds: united(contact.walletIds, [action.userId]) } }
    case 'lane':
      return { ...here, contact: { ...contact, laneId: action.laneId } }
    case 'addTags':
      return { ...here, ticket: { ...ticket, tagIds: united(ticket.tagIds, action.tagIds) } }
    case 'removeTags':
      return { ...here, ticket: { ...ticket, tagIds: ticket.tagIds.filter((id) => !action.tagIds.includes(id)) } }
    case 'queue':
      return { ...here, ticket: { ...ticket, queueId: action.queueId } }
    case 'priority':
      return { ...here, ticket: { ...ticket, priority: action.priority } }
    default:
      return here
  }
}

const withEnd = (setup: RehearsalSetup, here: Rehearsal, end: FlowEnd): Rehearsal => {
  const text = fillVariables(end.body, contextOf(setup, here.contact, here.state.vars), new Date(here.now))
  const nodeId = here.state.versionId === setup.versionId ? end.nodeId : null
  const said = text ? [{ id: `${here.lines.length}`, from: 'us' as const, text, options: [], nodeId }] : []
  const told = noteLine(
    { ...here, lines: [...here.lines, ...said] },
    end.to === 'closed' ? 'Atendimento encerrado' : 'Passa para a equipe',
    nodeId,
  )
  return { ...here, lines: [...here.lines, ...said, told] }
}
