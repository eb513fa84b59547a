import { blankPart } from '../../../conversations/parts.ts'
import {
  type AnswerKind,
  blankGraph,
  blankNode,
  type FlowGraph,
  type FlowNode,
  type FlowSettings,
  flowGraph,
  type NodeData,
  type NodeKind,
  portsOf,
  type SavedField,
  startId,
} from '../graph.ts'

/** A step as ready flows are written down: what it is, and where it leads by the names of steps. */
export type Written = { kind: NodeKind; name: string; data: object; next: Record<string, string> }
const written = <K extends NodeKind>(
  kind: K,
  data: Partial<NodeData<K>>,
  next: Record<string, string> = {},
  name = '',
): Written => ({
  ...{ kind, data, next, name },
})

export const say = (body: string, next: string) =>
  written('message', { parts: [{ ...blankPart('text'), body }] }, { next })
/** Options as title, step and other words for it. */
export const menu = (body: string, options: [title: string, to: string, ...words: string[]][], name = '') =>
  written(
    'menu',
    {
      body,
      style: options.length > 3 ? 'list' : 'buttons',
      button: 'Ver opções',
      variable: name,
      options: options.map(([title, , ...words], at) => ({ id: `o${at + 1}`, title, words, description: '' })),
    },
    Object.fromEntries(options.map(([, to], at) => [`o${at + 1}`, to])),
  )
export const ask = (as: AnswerKind, variable: string, body: string, next: string, saveTo: SavedField | null = null) =>
  written('ask', { as, variable, body, saveTo }, { next })
export const hours = (open: string, closed: string) => written('hours', {}, { open, closed })
export const person = (body: string) => written('handOver', { body })
export const close = (body: string) => written('close', { body })
export const grade = (next: string) => written('rating', {}, { next })
export const total = (name: string, formula: string, next: string) =>
  written('set', { sets: [{ name, as: 'number', value: formula }] }, { next })
/** The first of these that the variable is, else `otherwise`. */
export const when = (variable: string, cases: [is: string, to: string][], otherwise: string) =>
  written(
    'condition',
    {
      branches: cases.map(([value], at) => ({
        ...{ id: `c${at + 1}`, label: value, match: 'all' as const },
        tests: [{ on: 'variable' as const, name: variable, op: 'is' as const, value }],
      })),
    },
    { ...Object.fromEntries(cases.map(([, to], at) => [`c${at + 1}`, to])), else: otherwise },
  )

/** Of a flow that begins here: who asks for a person, or gives up, is told that one comes. */
export const newSettings = (): FlowSettings => ({
  ...blankGraph().settings,
  welcomeMessage: 'Vou passar você para a nossa equipe.',
})

const column = 340
const between = 40
/** A card as it is drawn: its name and first words, then its ways out, one below the other. */
const [headHeight, portHeight] = [90, 26]
const heightOf = (node: FlowNode) => headHeight + portsOf(node).length * portHeight

/** Steps by their names, the first of them the beginning, as a flow that is drawn from left to right. */
export const drawn = (steps: Record<string, Written>, settings: Partial<FlowSettings> = {}): FlowGraph => {
  const [first = ''] = Object.keys(steps)
  const nodes = new Map(
    Object.entries(steps).map(([id, { kind, data, next, name }]) => {
      const blank = blankNode(kind, id, { x: 0, y: 0 })
      return [id, { ...blank, name, data: { ...blank.data, ...data }, next } as FlowNode] // the parts above belong together
    }),
  )
  const columns = columnsOf(nodes, first)
  /** Where a step would lie: beside what leads to it, in the order of its ways. */
  const wanted = new Map([[first, [0]]])
  for (const [at, ids] of columns.entries()) {
    const placed: { node: FlowNode; want: number }[] = ids
      .map((id) => ({ node: nodes.get(id) as FlowNode, want: meanOf(wanted.get(id) ?? [0]) })) // of these steps
      .toSorted((a, b) => a.want - b.want)
    let free = Number.NEGATIVE_INFINITY
    for (const { node, want } of placed) {
      node.y = Math.max(want, free)
      free = node.y + heightOf(node) + between
    }
    const down = meanOf(placed.map(({ node, want }) => node.y - want))
    for (const { node } of placed) {
      node.x = (at + 1) * column
      node.y = Math.round(node.y - down)
      const ways = portsOf(node).flatMap(({ id }) => node.next[id] ?? [])
      for (const [n, to] of ways.entries())
        wanted.set(to, [...(wanted.get(to) ?? []), node.y + (n - (ways.length - 1) / 2) * portHeight])
    }
  }
  const start = { ...blankNode('start', startId, { x: 0, y: 0 }), next: { next: first } }
  return flowGraph.parse({ nodes: [start, ...nodes.values()], settings: { ...newSettings(), ...settings } })
}
const meanOf = (some: readonly number[]) => some.reduce((sum, one) => sum + one, 0) / some.length

/** Each step right of everything that leads to it, unless that is a way back. */
const columnsOf = (nodes: ReadonlyMap<string, FlowNode>, first: string) => {
  const order: string[] = []
  const seen = new Set<string>()
  const visit = (id: string) => {
    if (seen.has(id)) return
    seen.add(id)
    for (const to of Object.values(nodes.get(id)?.next ?? {})) visit(to)
    order.unshift(id)
  }
  visit(first)
  const depth = new Map<string, number>()
  for (const [at, id] of order.entries())
    for (const to of Object.values(nodes.get(id)?.next ?? {}))
      if (order.indexOf(to) > at) depth.set(to, Math.max(depth.get(to) ?? 0, (depth.get(id) ?? 0) + 1))
  const columns: string[][] = []
  for (const id of order) {
    const at = depth.get(id) ?? 0
    columns[at] = [...(columns[at] ?? []), id]
  }
  return columns
}
