import type { Part } from '../../conversations/parts.ts'
import { cutText } from '../../core/cut-text.ts'
import type { Destination, FlowGraph, FlowNode } from './graph.ts'
import type { Advanced, EndReason, FlowEffect, FlowEnd, FlowState, FlowStep, FlowWorld, Wait } from './run.ts'

/** A run on its way through one event: what it asked for so far, and where it stands. */
export type Walk = {
  readonly world: FlowWorld
  state: FlowState
  effects: FlowEffect[]
  steps: FlowStep[]
  status: Advanced['status']
  end: FlowEnd | null
  /** What was asked for changes what the world looks like. */
  isWorldOld: boolean
}

const mostKept = 50
const mostVariables = 200
const longestValue = 1_000

export const set = (walk: Walk, change: Partial<FlowState>): undefined => {
  walk.state = { ...walk.state, ...change }
}

/** Variables, as many and as long as a run keeps. */
export const keep = (walk: Walk, vars: Readonly<Record<string, string>>): undefined => {
  const given = Object.entries(vars).map(([name, value]) => [name, cutText(value, longestValue)] as const)
  const all = Object.entries({ ...walk.state.vars, ...Object.fromEntries(given) })
  set(walk, { vars: Object.fromEntries(all.slice(0, mostVariables)) })
}

/** What it does now, by its place in the run: done twice, it is still the same. */
export const here = ({ state }: Walk) => ({ stepId: String(state.steps), nodeId: state.nodeId })

export const say = (walk: Walk, part: Part): undefined => {
  const { stepId, nodeId } = here(walk)
  walk.effects.push({ nodeId, stepId: `${stepId}.${walk.effects.length}`, kind: 'say', part, vars: walk.state.vars })
}

/** Into the trace: which way it went, or what came in. */
export const step = (walk: Walk, port: string | null, note: string): undefined => {
  walk.steps.push({ ...here(walk), versionId: walk.state.versionId, port, note: cutText(note, 300) })
}

/** A question that was answered: for whoever takes over, and for who wants to go back. */
export const answered = (walk: Walk, node: FlowNode, answer: string): undefined => {
  const { world, state } = walk
  const body = 'body' in node.data ? node.data.body : ''
  const asked = body || (node.kind === 'rating' ? world.rating.question : '')
  const question = node.name || world.fill(asked, state.vars)
  const { versionId, nodeId } = state
  set(walk, {
    answers: [...walk.state.answers, { question: cutText(question, 200), answer: cutText(answer, 500) }].slice(
      -mostKept,
    ),
    before: [...walk.state.before, { versionId, nodeId }].slice(-mostKept),
  })
}

export const waitFor = (walk: Walk, wait: Wait): undefined => {
  set(walk, { wait })
}

export const later = ({ world }: Walk, ms: number): string => new Date(world.now.getTime() + ms).toISOString()

/** Out of the step it stands on by one of its ports, and on. */
export const leave = (walk: Walk, graph: FlowGraph, port: string, note: string): undefined => {
  const node = nodeOf(graph, walk.state.nodeId)
  if (!node) return finish(walk, 'broken')
  set(walk, { wait: null })
  move(walk, graph, node, port, note)
}

/** Out of a step by one of its ports; where no line leads on, back to the flow above, else to a person. */
export const move = (walk: Walk, graph: FlowGraph, node: FlowNode, port: string, note = ''): undefined => {
  step(walk, port, note)
  const to = node.next[port] ?? (isElsewhere(port) ? node.next.next : undefined)
  if (to) return stand(walk, to)
  const below = walk.state.above.at(-1)
  if (!below) return toPerson(walk, graph, 'through', {})
  const above = walk.state.above.slice(0, -1)
  if (below.nodeId) return set(walk, { ...below, nodeId: below.nodeId, above, tries: 0 })
  set(walk, { versionId: below.versionId, above })
  if (above.length === 0) return toPerson(walk, graph, 'through', {})
  move(walk, graph, { ...node, next: {} }, 'next')
}

export const stand = (walk: Walk, nodeId: string): undefined => {
  const isSame = nodeId === walk.state.nodeId
  set(walk, { nodeId, ...(!isSame && { tries: 0 }) })
}

/** Where the settings send a conversation; nowhere: to a person, in the queue it is in. */
export const goTo = (walk: Walk, to: Destination | null, why: EndReason): undefined => {
  set(walk, { wait: null })
  const graph = walk.world.graphOf(walk.state.versionId)
  if (!graph) return finish(walk, why)
  if (to?.kind === 'node' && nodeOf(graph, to.id) && why !== 'loop') {
    step(walk, null, why)
    set(walk, { nodeId: to.id, tries: 0 })
    return
  }
  if (to?.kind === 'close') return toClosed(walk, graph, why, to.id || null, '')
  const queueId = to?.kind === 'queue' ? to.id || null : null
  const userId = to?.kind === 'user' ? to.id || null : null
  toPerson(walk, graph, why, { queueId, userId })
}

export const finish = (walk: Walk, why: EndReason): undefined =>
  toPerson(walk, walk.world.graphOf(walk.state.versionId), why, {})

export const toPerson = (
  walk: Walk,
  graph: FlowGraph | undefined,
  why: EndReason,
  { queueId = null, userId = null, body = '', summary = true }: Partial<Extract<FlowEnd, { to: 'person' }>>,
): undefined => {
  over(walk, {
    nodeId: walk.state.nodeId,
    why,
    to: 'person',
    queueId,
    userId,
    body: body || graph?.settings.welcomeMessage || '',
    summary,
  })
}

export const toClosed = (
  walk: Walk,
  graph: FlowGraph,
  why: EndReason,
  reasonId: string | null,
  body: string,
): undefined => {
  over(walk, { nodeId: walk.state.nodeId, why, to: 'closed', reasonId, body: body || graph.settings.farewellMessage })
}

const over = (walk: Walk, end: FlowEnd): undefined => {
  if (walk.steps.at(-1)?.nodeId !== walk.state.nodeId) step(walk, null, '')
  set(walk, { wait: null })
  walk.end = end
  walk.status = 'ended'
}

/** Steps of a graph by their id; graphs do not change. */
const indexes = new WeakMap<FlowGraph, ReadonlyMap<string, FlowNode>>()
export const nodeOf = (graph: FlowGraph, id: string): FlowNode | undefined => {
  const known = indexes.get(graph) ?? new Map(graph.nodes.map((node) => [node.id, node]))
  indexes.set(graph, known)
  return known.get(id)
}

/** Ports that lead on as `next` does where they have no line of their own. */
const isElsewhere = (port: string) => port === 'failed' || port === 'answer'
