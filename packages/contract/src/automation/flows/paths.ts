import { type FlowGraph, type FlowNode, isQuestion, portsOf, startId } from './graph.ts'

/** Steps some way leads to: from the beginning, and from wherever the settings send a conversation. */
export const reachableFrom = ({ nodes, settings }: FlowGraph): ReadonlySet<string> => {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const { retries, silence, outOfHours, firstContact, person } = settings
  const entries = [retries.to, silence.to, outOfHours.to, firstContact, person].flatMap((to) =>
    to?.kind === 'node' ? to.id : [],
  )
  const reached = new Set<string>()
  const left = [startId, ...entries]
  for (let id = left.pop(); id !== undefined; id = left.pop()) {
    const node = byId.get(id)
    if (!node || reached.has(id)) continue
    reached.add(id)
    left.push(...waysOut(node).map(({ to }) => to))
  }
  return reached
}

/** Where a step leads, by the ports it has now: a line of a port that is gone leads nowhere. */
export const waysOut = (node: FlowNode): { port: string; to: string }[] => [
  ...portsOf(node).flatMap(({ id }) => {
    const to = node.next[id]
    return to === undefined ? [] : [{ port: id, to }]
  }),
  ...(node.kind === 'jump' && node.data.to ? [{ port: 'next', to: node.data.to }] : []),
]

export type Loop = { path: string[] /** Time passes in it. */; isSlow: boolean }
/** Ways that come back to where they were without a word of the customer, each knot of them once, by one of its ways. */
export const loopsIn = ({ nodes }: FlowGraph): Loop[] => {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const fast = loopsBy(nodes, (node) =>
    automatic(node, byId)
      .filter(({ isSlow }) => !isSlow)
      .map(({ to }) => to),
  )
  const known = new Set(fast.flat())
  const slow = loopsBy(nodes, (node) => automatic(node, byId).map(({ to }) => to)).filter(
    (path) => !path.some((id) => known.has(id)),
  )
  return [...fast.map((path) => ({ path, isSlow: false })), ...slow.map((path) => ({ path, isSlow: true }))]
}

const automatic = (node: FlowNode, byId: ReadonlyMap<string, FlowNode>) =>
  waysOut(node).flatMap(({ port, to }) => {
    if (!byId.has(to)) return []
    // What a calendar answers is nothing the customer said.
    if (node.kind === 'calendar' && (port === 'none' || port === 'failed')) return [{ to, isSlow: false }]
    if (isQuestion(node)) return port === 'silence' ? [{ to, isSlow: true }] : []
    if (node.kind === 'assistant' && !node.data.now) return port === 'silence' ? [{ to, isSlow: true }] : []
    if (node.kind === 'wait') return port === 'next' ? [{ to, isSlow: true }] : []
    return [{ to, isSlow: false }]
  })

/** Of each circle that a walk in depth meets, the way round; a step stands in one of them at most. */
const loopsBy = (nodes: readonly FlowNode[], waysOf: (node: FlowNode) => string[]): string[][] => {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const done = new Set<string>()
  const loops: string[][] = []
  const told = new Set<string>()
  for (const { id } of nodes) {
    if (done.has(id)) continue
    // Its own stack: a thousand steps in a row are deeper than calls may go.
    const trail = [{ id, left: waysOf(byId.get(id) as FlowNode) }]
    const places = new Map([[id, 0]])
    while (trail.length) {
      const here = trail[trail.length - 1] as (typeof trail)[number]
      const to = here.left.pop()
      if (to === undefined) {
        done.add(here.id)
        places.delete(here.id)
        trail.pop()
        continue
      }
      const place = places.get(to)
      if (place !== undefined) {
        const path = trail.slice(place).map((one) => one.id)
        if (!path.some((one) => told.has(one))) loops.push(path)
        for (const one of path) told.add(one)
      } else if (!done.has(to)) {
        const node = byId.get(to)
        if (!node) continue
        places.set(to, trail.length)
        trail.push({ id: to, left: waysOf(node) })
      }
    }
  }
  return loops
}
