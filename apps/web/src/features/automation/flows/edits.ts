import {
  blankNode,
  type FlowNode,
  flowNode,
  type NodeKind,
  portsOf,
  startId,
} from '@balcao/contract/automation/flows/graph.ts'
import { blankPart } from '@balcao/contract/conversations/parts.ts'
import { z } from 'zod'
import { boundsOf, boxOf, placeAfter, placeBetween, sizeOf } from './geometry.ts'
import type { Nodes, Patch } from './patch.ts'

export type PortRef = { id: string; port: string }
type Point = { x: number; y: number }

/** Names of new steps, choices and branches. */
export const newId = (prefix = 'n') =>
  prefix + [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => (byte % 36).toString(36)).join('')

/** A new step with what every one of its kind begins with. */
export const freshNode = (kind: NodeKind, at: Point): FlowNode => {
  const node = blankNode(kind, newId(), { x: Math.round(at.x), y: Math.round(at.y) })
  switch (node.kind) {
    case 'message':
      return { ...node, data: { parts: [blankPart('text')] } }
    case 'menu':
      return { ...node, data: { ...node.data, options: [blankOption(), blankOption()] } }
    case 'condition':
      return {
        ...node,
        data: { branches: [{ id: newId('c'), label: '', match: 'all', tests: [] }] },
      }
    case 'split':
      return { ...node, data: { branches: ['A', 'B'].map((label) => ({ id: newId('c'), label, weight: 50 })) } }
    case 'set':
      return { ...node, data: { sets: [{ name: '', as: 'text', value: '' }] } }
    default:
      return node
  }
}
export const blankOption = () => ({ id: newId('o'), title: '', description: '', words: [] })

/** A step more: where it is put, or after a port with the line to it; where that led to a step, it leads on there. */
export const added = (nodes: Nodes, kind: NodeKind, place: PortRef | Point): { patch: Patch; node: FlowNode } => {
  if ('x' in place) {
    const node = freshNode(kind, place)
    return { node, patch: { upserts: [node], removes: [] } }
  }
  const from = nodes.get(place.id)
  const blank = freshNode(kind, { x: 0, y: 0 })
  if (!from) return { node: blank, patch: { upserts: [blank], removes: [] } }
  const to = nodes.get(from.next[place.port] ?? '')
  const way = onward(blank)
  if (to && way) {
    const put = { ...blank, ...placeBetween(nodes.values(), from, to, sizeOf(blank).height) } as FlowNode // moved, nothing else
    const node = linked(put, way.id, to.id)
    return { node, patch: { upserts: [linked(from, place.port, node.id), node], removes: [] } }
  }
  const portAt = portsOf(from).findIndex(({ id }) => id === place.port)
  const node = { ...blank, ...placeAfter(nodes.values(), from, portAt, sizeOf(blank).height) } as FlowNode // moved, nothing else
  return { node, patch: { upserts: [linked(from, place.port, node.id), node], removes: [] } }
}

/** The way of a new step that leads on where the line led before. */
const onward = (node: FlowNode) => portsOf(node).find(({ id }) => id === 'else') ?? portsOf(node)[0]
/** Whether something can follow a step of this kind, so that it can stand between two others. */
export const leadsOn = (kind: NodeKind) => onward(freshNode(kind, { x: 0, y: 0 })) !== undefined

/** The step with a port leading elsewhere; null: nowhere. */
export const linked = (node: FlowNode, port: string, to: string | null): FlowNode => {
  const { [port]: _, ...others } = node.next
  return { ...node, next: to ? { ...others, [port]: to } : others }
}
export const connected = (nodes: Nodes, from: PortRef, to: string | null): Patch => {
  const node = nodes.get(from.id)
  return { upserts: node ? [linked(node, from.port, to)] : [], removes: [] }
}

/** Steps and lines that go, with the lines that led to them. The start stays. */
export const removed = (nodes: Nodes, ids: ReadonlySet<string>, lines: readonly PortRef[] = []): Patch => {
  const removes = [...ids].filter((id) => id !== startId && nodes.has(id))
  const gone = new Set(removes)
  const upserts = [...nodes.values()].flatMap((node) => {
    if (gone.has(node.id)) return []
    const cut = new Set(lines.flatMap(({ id, port }) => (id === node.id ? port : [])))
    const next = Object.entries(node.next).filter(([port, to]) => !gone.has(to) && !cut.has(port))
    return next.length === Object.keys(node.next).length ? [] : { ...node, next: Object.fromEntries(next) }
  })
  return { upserts, removes }
}

/** A step whose ports may have changed: lines of ports that are gone go as well. */
export const tidied = (node: FlowNode): FlowNode => {
  const ports = new Set(portsOf(node).map(({ id }) => id))
  const next = Object.entries(node.next).filter(([port]) => ports.has(port))
  return next.length === Object.keys(node.next).length ? node : { ...node, next: Object.fromEntries(next) }
}

const copiedSteps = z.object({
  product: z.literal('balcao'),
  kind: z.literal('flow-steps'),
  nodes: z.array(flowNode).max(1_000),
})
/** Steps as they lie on the clipboard; the start is of its flow. */
export const copyOf = (nodes: Nodes, ids: Iterable<string>): string | null => {
  const chosen = [...ids].flatMap((id) => (id === startId ? [] : (nodes.get(id) ?? [])))
  return chosen.length ? JSON.stringify({ product: 'balcao', kind: 'flow-steps', nodes: chosen }) : null
}
/** What lies on the clipboard as new steps around a point, upon no others; undefined: no steps of ours. */
export const pasted = (
  nodes: Nodes,
  text: string,
  middle: Point | null,
): { patch: Patch; ids: string[] } | undefined => {
  const parsed = copiedSteps.safeParse(jsonOf(text)).data
  const steps = parsed?.nodes.filter(({ kind }) => kind !== 'start') ?? []
  if (!steps.length) return undefined
  const names = new Map(steps.map(({ id }) => [id, newId()]))
  const bounds = boundsOf(steps.map(boxOf))
  const by = middle
    ? { x: middle.x - bounds.x - bounds.width / 2, y: middle.y - bounds.y - bounds.height / 2 }
    : { x: beside, y: beside }
  const taken = new Set([...nodes.values()].map(placeOf))
  const isUpon = () => steps.some(({ x, y }) => taken.has(placeOf({ x: x + by.x, y: y + by.y })))
  for (; isUpon(); by.x += beside) by.y += beside
  const upserts = steps.map((node) => ({
    ...node,
    id: names.get(node.id) ?? newId(),
    x: Math.round(node.x + by.x),
    y: Math.round(node.y + by.y),
    next: Object.fromEntries(
      Object.entries(node.next).flatMap(([port, to]) => {
        const name = names.get(to)
        return name ? [[port, name]] : []
      }),
    ),
    ...(node.kind === 'jump' && { data: { to: names.get(node.data.to) ?? node.data.to } }),
  })) as FlowNode[] // each of its own kind, under another name
  return { patch: { upserts, removes: [] }, ids: upserts.map(({ id }) => id) }
}
const beside = 40
const placeOf = ({ x, y }: Point) => `${Math.round(x)} ${Math.round(y)}`
const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** What became of a version on the way to the draft. */
export type Diff = { added: string[]; removed: FlowNode[]; changed: string[]; settings: boolean }
export const diffOf = (
  before: { nodes: readonly FlowNode[]; settings: unknown },
  after: { nodes: readonly FlowNode[]; settings: unknown },
): Diff => {
  const old = new Map(before.nodes.map((node) => [node.id, node]))
  const now = new Map(after.nodes.map((node) => [node.id, node]))
  const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)
  const meaning = ({ x: _x, y: _y, ...rest }: FlowNode) => sorted(rest)
  return {
    added: after.nodes.flatMap(({ id }) => (old.has(id) ? [] : id)),
    removed: before.nodes.filter(({ id }) => !now.has(id)),
    changed: after.nodes.flatMap((node) => {
      const was = old.get(node.id)
      return was && !same(meaning(was), meaning(node)) ? node.id : []
    }),
    settings: !same(sorted(before.settings), sorted(after.settings)),
  }
}
/** Keys in one order: a database keeps its own. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, sorted(one)]),
  )
}
