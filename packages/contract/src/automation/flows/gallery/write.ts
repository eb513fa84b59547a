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

const column = 340
/** What a card takes, with room for what is shown of it beneath. */
const heightOf = (node: FlowNode) => 160 + portsOf(node).length * 32

/** Steps by their names, the first of them the beginning, as a flow that is drawn from left to right. */
export const drawn = (steps: Record<string, Written>, settings: Partial<FlowSettings> = {}): FlowGraph => {
  const [first = ''] = Object.keys(steps)
  const depth = new Map([[first, 1]])
  for (const [name] of depth)
    for (const to of Object.values(steps[name]?.next ?? {}))
      if (!depth.has(to)) depth.set(to, (depth.get(name) ?? 0) + 1)
  const taken = new Map<number, number>()
  const nodes = Object.entries(steps).map(([id, { kind, data, next, name }]): FlowNode => {
    const at = depth.get(id) ?? 1
    const y = taken.get(at) ?? 0
    const blank = blankNode(kind, id, { x: at * column, y })
    const node = { ...blank, name, data: { ...blank.data, ...data }, next } as FlowNode // the parts above belong together
    taken.set(at, y + heightOf(node))
    return node
  })
  const start = { ...blankNode('start', startId, { x: 0, y: 0 }), next: { next: first } }
  return flowGraph.parse({ nodes: [start, ...nodes], settings: { ...blankGraph().settings, ...settings } })
}
