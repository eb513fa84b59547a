import { blankPart } from '../../conversations/parts.ts'
import { cutText } from '../../core/cut-text.ts'
import { momentAt, wallAfter, wallTimeOf } from '../../core/wall-time.ts'
import { scaleMessage } from '../../service/rating-scale.ts'
import { choiceIdOf, choicesPart, menuPart } from './choices.ts'
import { timeLabel } from './free-times.ts'
import type { FlowGraph, FlowNode } from './graph.ts'
import { isQuestion, startId } from './graph.ts'
import { compute, showNumber } from './numbers.ts'
import { requestPart } from './requests.ts'
import type { FlowLoan } from './run.ts'
import { holds } from './tests.ts'
import {
  goTo,
  here,
  keep,
  later,
  leave,
  move,
  say,
  set,
  stand,
  step,
  toClosed,
  toPerson,
  type Walk,
  waitFor,
} from './walk.ts'

const mostAbove = 20

/** What a step does when a run comes to it. */
export const enter = (walk: Walk, graph: FlowGraph, node: FlowNode): undefined => {
  switch (node.kind) {
    case 'message':
      for (const part of node.data.parts) say(walk, part)
      return move(walk, graph, node, 'next')
    case 'request':
      if (!isQuestion(node)) {
        say(walk, requestPart(node.data))
        return move(walk, graph, node, 'next')
      }
      ask(walk, node)
      step(walk, null, 'Perguntou')
      return waitForAnswer(walk, graph)
    case 'menu':
    case 'ask':
    case 'rating':
      ask(walk, node)
      step(walk, null, 'Perguntou')
      return waitForAnswer(walk, graph)
    case 'delay':
      step(walk, null, '')
      return waitFor(walk, { for: 'pause', until: later(walk, node.data.seconds * 1_000) })
    case 'wait': {
      const until = atClock(walk, later(walk, node.data.minutes * 60_000), node.data.clock)
      step(walk, null, 'Espera')
      return waitFor(walk, { for: 'time', until, event: node.data.event || null })
    }
    case 'condition': {
      const found = node.data.branches.find((branch) => holds(walk, branch))
      return move(walk, graph, node, found?.id ?? 'else')
    }
    case 'hours':
      return move(walk, graph, node, walk.world.isOpen(node.data.queueId || null) ? 'open' : 'closed')
    case 'split':
      return move(
        walk,
        graph,
        node,
        node.data.branches[walk.world.branch ?? -1]?.id ??
          shareOf(node.data.branches, `${walk.world.runId}:${node.id}`),
      )
    case 'set':
      return move(walk, graph, node, 'next', assign(walk, node))
    case 'action':
      walk.effects.push({ ...here(walk), kind: 'do', actions: node.data.actions, vars: walk.state.vars })
      walk.isWorldOld = true
      if (!node.next.failed) return move(walk, graph, node, 'next')
      waitFor(walk, { for: 'done' })
      walk.status = 'more'
      return
    case 'http': {
      const { stepId } = here(walk)
      walk.effects.push({ ...here(walk), kind: 'call', request: node.data, vars: walk.state.vars })
      step(walk, null, 'Chamou')
      return waitFor(walk, { for: 'call', id: stepId })
    }
    case 'calendar':
      step(walk, null, 'Consultou a agenda')
      return askCalendar(walk, node, null)
    case 'assistant': {
      const { stepId } = here(walk)
      walk.effects.push({ ...here(walk), kind: 'lend', loan: loanOf(graph, node), vars: walk.state.vars })
      step(walk, null, 'Passou para o assistente')
      return waitFor(walk, { for: 'call', id: stepId })
    }
    case 'flow':
      return enterFlow(walk, graph, node)
    case 'jump':
      step(walk, 'next', '')
      return stand(walk, node.data.to)
    case 'pix': {
      if (!walk.world.abilities.supports.includes('image')) {
        charge(walk, node, here(walk).stepId, null)
        return move(walk, graph, node, 'next')
      }
      const { stepId } = here(walk)
      const amount = computed(walk, node.data.amount)
      walk.effects.push({ ...here(walk), kind: 'draw', charge: node.data, amount, vars: walk.state.vars })
      return waitFor(walk, { for: 'call', id: stepId })
    }
    case 'handOver': {
      const { queueId, userId, body, summary } = node.data
      return toPerson(walk, graph, 'step', { queueId: queueId || null, userId: userId || null, body, summary })
    }
    case 'close':
      return toClosed(walk, graph, 'step', node.data.reasonId || null, node.data.body)
    default:
      return move(walk, graph, node, 'next')
  }
}

const loanOf = ({ settings }: FlowGraph, { data, next }: FlowNode<'assistant'>): FlowLoan => ({
  ...data,
  words: [...settings.closeWords, ...settings.personWords, ...settings.menuWords, ...settings.backWords],
  silenceMinutes: settings.silence.minutes,
  handsOver: !next.handOver,
})

/** Asks for free times, or books this one. */
export const askCalendar = (walk: Walk, node: FlowNode<'calendar'>, at: string | null): undefined => {
  const { stepId, nodeId } = here(walk)
  // Free times and the booking are asked for in one step, again and again.
  const id = `${stepId}.${at ?? 'free'}`
  walk.effects.push({ nodeId, stepId: id, kind: 'calendar', asks: node.data, at, vars: walk.state.vars })
  return waitFor(walk, { for: 'call', id })
}
export const offerTimes = (
  walk: Walk,
  graph: FlowGraph,
  node: FlowNode<'calendar'>,
  times: readonly string[],
): undefined => {
  set(walk, { times })
  ask(walk, node)
  return waitForAnswer(walk, graph)
}

/** Says a Pix charge, with its picture where there is one. */
const charge = (walk: Walk, node: FlowNode<'pix'>, stepId: string, pictureId: string | null): undefined => {
  const { data } = node
  const amount = computed(walk, data.amount)
  walk.effects.push({ ...here(walk), stepId, kind: 'pix', charge: data, amount, vars: walk.state.vars, pictureId })
}
/** Its picture is drawn, or could not be: the code goes all the same. */
export const chargeDrawn = (
  walk: Walk,
  graph: FlowGraph,
  node: FlowNode<'pix'>,
  pictureId: string | null,
): undefined => {
  charge(walk, node, `${here(walk).stepId}.pix`, pictureId)
  leave(walk, graph, 'next', pictureId ? '' : 'Sem a imagem do QR Code')
}

/** Says the question of a step. */
export const ask = (walk: Walk, node: FlowNode<'menu' | 'ask' | 'request' | 'rating' | 'calendar'>): undefined => {
  if (node.kind === 'calendar') {
    const options = (walk.state.times ?? []).map((time) => ({
      ...{ id: choiceIdOf(node.id, time.replaceAll(':', '_')), description: '' },
      title: timeLabel(time, walk.world.timezone),
    }))
    return say(walk, choicesPart(node.data.body, { kind: 'list', button: 'Horários', options }))
  }
  if (node.kind === 'ask') {
    if (node.data.body.trim()) say(walk, { ...blankPart('text'), body: node.data.body })
    return
  }
  if (node.kind === 'menu') return say(walk, menuPart(node))
  if (node.kind === 'request') return say(walk, requestPart(node.data))
  const { question, grades } = walk.world.rating
  const { body, interactive } = scaleMessage(
    { question: node.data.body || question, options: grades },
    walk.world.abilities,
    ({ value }) => choiceIdOf(node.id, String(value)),
  )
  say(walk, interactive ? { ...blankPart('choices'), body, interactive } : { ...blankPart('text'), body })
}

export const waitForAnswer = (walk: Walk, graph: FlowGraph): undefined => {
  const { minutes, warning } = graph.settings.silence
  const until = minutes ? later(walk, minutes * 60_000) : null
  waitFor(walk, { for: 'answer', warnAt: minutes && warning ? later(walk, minutes * 30_000) : null, until })
}

const enterFlow = (walk: Walk, graph: FlowGraph, node: FlowNode<'flow'>): undefined => {
  const versionId = walk.world.publishedOf(node.data.flowId)
  if (!versionId) return move(walk, graph, node, 'next', 'O outro fluxo não está publicado')
  if (walk.state.above.length >= mostAbove) return goTo(walk, graph.settings.retries.to, 'loop')
  step(walk, 'next', 'Entrou no outro fluxo')
  const back = { versionId: walk.state.versionId, nodeId: node.next.next ?? null }
  const above = node.data.returns ? [...walk.state.above, back] : walk.state.above
  set(walk, { versionId, nodeId: startId, above, tries: 0 })
}

const assign = (walk: Walk, node: FlowNode<'set'>): string => {
  const notes: string[] = []
  for (const { name, as, value } of node.data.sets) {
    if (!name) continue
    try {
      const given = as === 'text' ? walk.world.fill(value, walk.state.vars) : showNumber(number(walk, value))
      keep(walk, { [name]: given })
      notes.push(`${name} = ${given}`)
    } catch (error) {
      notes.push(`${name}: ${error instanceof Error ? error.message : ''}`)
    }
  }
  return cutText(notes.join('; '), 300)
}

const number = ({ state: { vars } }: Walk, formula: string): number =>
  compute(formula, (name) => (Object.hasOwn(vars, name) ? vars[name] : undefined))

const computed = (walk: Walk, formula: string): number | null => {
  try {
    return formula.trim() ? number(walk, formula) : null
  } catch {
    return null
  }
}

/** The first moment from then on at this time of the day. */
const atClock = (walk: Walk, moment: string, clock: string | null): string => {
  if (!clock) return moment
  const wall = wallTimeOf(moment, walk.world.timezone)
  const sameDay = `${wall.slice(0, 10)}T${clock}`
  const at = sameDay >= wall.slice(0, 16) ? sameDay : wallAfter(sameDay, 1)
  return new Date(momentAt(at, walk.world.timezone)).toISOString()
}

/** One of the ways by its weight; the same name always goes the same way. */
const shareOf = (branches: readonly { id: string; weight: number }[], name: string): string => {
  const total = branches.reduce((sum, { weight }) => sum + weight, 0)
  let left = (hashOf(name) / 2 ** 32) * total
  for (const { id, weight } of branches) {
    left -= weight
    if (left < 0) return id
  }
  return branches.at(-1)?.id ?? 'next'
}
/** FNV-1a with a last mix, 32 bits. */
const hashOf = (text: string): number => {
  let hash = 2_166_136_261
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619)
  hash = Math.imul(hash ^ (hash >>> 16), 2_246_822_507)
  return (hash ^ (hash >>> 13)) >>> 0
}
