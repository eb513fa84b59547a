import { blankPart } from '../../conversations/parts.ts'
import { askCalendar, chargeDrawn, enter, offerTimes } from './enter.ts'
import { type FlowGraph, type FlowNode, startId } from './graph.ts'
import { command, hear } from './hear.ts'
import type { Advanced, FlowEvent, FlowState, FlowWorld, Said } from './run.ts'
import { finish, goTo, keep, leave, nodeOf, say, set, step, toPerson, type Walk } from './walk.ts'

/** So many steps without a word of the customer: then it is a loop, and a person takes over. */
export const mostAutomatic = 50

/** A run before its first step. */
export const newRun = (versionId: string, vars: FlowState['vars'] = {}): FlowState => ({
  versionId,
  nodeId: startId,
  above: [],
  vars,
  wait: null,
  tries: 0,
  before: [],
  automatic: 0,
  steps: 0,
  answers: [],
})

/** Whether it takes what a customer writes now; else their words wait until it does. */
export const isListening = ({ wait }: FlowState): boolean => wait?.for === 'answer' || wait?.for === 'time'

/** When it has to be looked at again by the clock; null: only when something comes. */
export const dueOf = ({ wait }: FlowState): string | null => {
  if (wait?.for === 'answer') return wait.warnAt ?? wait.until
  return wait?.for === 'time' || wait?.for === 'pause' ? wait.until : null
}

/**
 * Takes a run one event further: as far as it goes by itself. Pure: the same state, event and world give the same. An event
 * that the run does not wait for leaves it as it is. The version it stands in has to be at hand.
 */
export const advance = (before: FlowState, event: FlowEvent, world: FlowWorld): Advanced => {
  const walk: Walk = {
    world,
    state: { ...before, steps: before.steps + 1 },
    effects: [],
    steps: [],
    status: 'waiting',
    end: null,
    isWorldOld: false,
  }
  const graph = world.graphOf(before.versionId)
  if (!graph) throw new Error(`Flow version ${before.versionId} is not at hand`)
  take(walk, graph, event)
  run(walk)
  const { state, effects, steps, status, end } = walk
  const isSame = status === 'waiting' && steps.length === 0 && effects.length === 0
  return { state: isSame ? before : state, effects, steps, status, end }
}

const take = (walk: Walk, graph: FlowGraph, event: FlowEvent): undefined => {
  const { wait } = walk.state
  switch (event.kind) {
    case 'begin':
      return begin(walk, graph, event.said)
    case 'said':
      if (isListening(walk.state)) return hear(walk, graph, event.said)
      if (isLent(walk, graph)) command(walk, graph, event.said)
      return
    case 'due':
      return due(walk, graph)
    case 'called': {
      if (wait?.for !== 'call' || wait.id !== event.id) return
      const node = nodeOf(graph, walk.state.nodeId)
      if (node?.kind === 'calendar') return calendarTold(walk, graph, node, event)
      if (node?.kind === 'pix') return chargeDrawn(walk, graph, node, (event.ok && event.vars.picture) || null)
      keep(walk, event.vars)
      if (node?.kind === 'assistant') return givenBack(walk, graph, node, event)
      return leave(walk, graph, event.ok ? 'next' : 'failed', event.ok ? 'Respondeu' : 'Não respondeu')
    }
    case 'told':
      if (wait?.for !== 'time' || wait.event !== event.event) return
      keep(walk, event.vars)
      return leave(walk, graph, 'event', `Evento ${event.event}`)
    case 'on':
      if (wait?.for !== 'done') return
      return leave(walk, graph, event.failed ? 'failed' : 'next', event.failed ? 'Não foi possível' : '')
  }
}

/** An assistant has it in hand: what the customer says is not for the flow, but for the words that mean the same everywhere. */
const isLent = ({ state }: Walk, graph: FlowGraph) =>
  state.wait?.for === 'call' && nodeOf(graph, state.nodeId)?.kind === 'assistant'

const givenBack = (
  walk: Walk,
  graph: FlowGraph,
  node: FlowNode<'assistant'>,
  { ok, vars, port = ok ? 'next' : 'failed', note = '' }: Extract<FlowEvent, { kind: 'called' }>,
): undefined => {
  const { silence, person } = graph.settings
  if (port === 'words') {
    const said = { text: vars.mensagem ?? '', type: 'text' as const, choiceId: null, fileId: null, location: null }
    return command(walk, graph, [said]) ? undefined : leave(walk, graph, 'next', note)
  }
  if (port === 'next' || node.next[port]) return leave(walk, graph, port, note)
  step(walk, port, note)
  if (port === 'handOver') return toPerson(walk, graph, 'assistant', {})
  if (port !== 'silence') return goTo(walk, person, 'assistant')
  if (silence.message) say(walk, { ...blankPart('text'), body: silence.message })
  return goTo(walk, silence.to, 'silence')
}

const calendarTold = (
  walk: Walk,
  graph: FlowGraph,
  node: FlowNode<'calendar'>,
  { ok, vars, port = ok ? 'next' : 'failed', note = '', times }: Extract<FlowEvent, { kind: 'called' }>,
): undefined => {
  if (times?.length) {
    step(walk, null, 'Ofereceu horários')
    return offerTimes(walk, graph, node, times)
  }
  const way = times ? 'none' : port
  if (way === 'taken') {
    say(walk, { ...blankPart('text'), body: 'Esse horário acabou de ser ocupado.' })
    step(walk, null, 'Horário ocupado')
    return askCalendar(walk, node, null)
  }
  keep(walk, vars)
  set(walk, { times: [] })
  if (way === 'next' || node.next[way]) return leave(walk, graph, way, note)
  step(walk, way, note)
  return goTo(walk, graph.settings.person, 'calendar')
}

/** Steps on until something has to come. */
const run = (walk: Walk): undefined => {
  while (walk.status === 'waiting' && !walk.state.wait) {
    const graph = walk.world.graphOf(walk.state.versionId)
    const node = graph && nodeOf(graph, walk.state.nodeId)
    if (!graph || (node && walk.isWorldOld && readsWorld(node))) {
      walk.status = 'more'
      return
    }
    if (!node) return finish(walk, 'broken')
    if (walk.state.automatic >= mostAutomatic) return goTo(walk, graph.settings.retries.to, 'loop')
    set(walk, { automatic: walk.state.automatic + 1, steps: walk.state.steps + 1 })
    enter(walk, graph, node)
  }
}
/** What a step finds depends on what was done before it. */
const readsWorld = ({ kind }: FlowNode) => kind === 'condition' || kind === 'set' || kind === 'hours'

const begin = (walk: Walk, graph: FlowGraph, said: readonly Said[]): undefined => {
  const { settings } = graph
  const { ticket, isOpen } = walk.world
  keep(walk, { mensagem: said.map(({ text }) => text).join('\n') })
  if (settings.outOfHours.does === 'destination' && !isOpen(ticket.queueId))
    return goTo(walk, settings.outOfHours.to, 'hours')
  if (settings.firstContact && ticket.isFirst) return goTo(walk, settings.firstContact, 'step')
}

/** A moment has come. */
const due = (walk: Walk, graph: FlowGraph): undefined => {
  const { wait } = walk.state
  const isPast = (moment: string | null) => moment !== null && Date.parse(moment) <= walk.world.now.getTime()
  if (wait?.for === 'time' || wait?.for === 'pause') {
    if (isPast(wait.until)) leave(walk, graph, 'next', wait.for === 'time' ? 'O tempo passou' : '')
    return
  }
  if (wait?.for !== 'answer') return
  const { silence } = graph.settings
  if (isPast(wait.until)) {
    if (nodeOf(graph, walk.state.nodeId)?.next.silence) return leave(walk, graph, 'silence', 'Sem resposta')
    if (silence.message) say(walk, { ...blankPart('text'), body: silence.message })
    return goTo(walk, silence.to, 'silence')
  }
  if (!isPast(wait.warnAt)) return
  step(walk, null, 'Aviso de que ninguém respondeu')
  if (silence.warning) say(walk, { ...blankPart('text'), body: silence.warning })
  set(walk, { wait: { ...wait, warnAt: null } })
}
