import { blankNode, type FlowNode, type NodeKind, startId } from '@balcao/contract/automation/flows/graph.ts'
import { expect, test } from 'vitest'
import { added, connected, copyOf, diffOf, leadsOn, pasted, removed, tidied } from './edits.ts'
import { arranged, boxOf, liesIn, neighbour, portY, sizeOf } from './geometry.ts'
import { applyPatch, inverseOf, joined } from './patch.ts'
import { findIn } from './words.ts'

const settings = {} as Parameters<typeof applyPatch>[0]['settings']
const node = (id: string, next: Record<string, string> = {}, at = { x: 0, y: 0 }): FlowNode => ({
  ...blankNode('message', id, at),
  next,
})
const start = (to?: string): FlowNode => ({
  ...blankNode('start', startId, { x: 0, y: 0 }),
  next: to ? { next: to } : {},
})
const graphOf = (...nodes: FlowNode[]) => new Map(nodes.map((one) => [one.id, one]))
const menu = (): FlowNode<'menu'> => {
  const blank = blankNode('menu', 'm', { x: 0, y: 0 })
  const option = (id: string, title: string) => ({ id, title, description: '', words: [] })
  return { ...blank, data: { ...blank.data, options: [option('a', 'Vendas'), option('b', 'Suporte')] } }
}

test('a step that is added after a port stands right of it and the port leads there', () => {
  const { patch, node: made } = added(graphOf(start()), 'message', { id: startId, port: 'next' })
  const { nodes } = applyPatch({ nodes: graphOf(start()), settings }, patch)
  expect(nodes.get(startId)?.next).toEqual({ next: made.id })
  expect(made.x).toBeGreaterThan(sizeOf(start()).width)
})

test('a step that is added on a line leads on to where the line led, in one change', () => {
  const before = { nodes: graphOf(start('a'), node('a', {}, { x: 700, y: 40 })), settings }
  const { patch, node: made } = added(before.nodes, 'menu', { id: startId, port: 'next' })
  const { nodes } = applyPatch(before, patch)
  expect(nodes.get(startId)?.next).toEqual({ next: made.id })
  expect(Object.values(made.next)).toEqual(['a'])
  expect(made.x).toBeGreaterThan(sizeOf(start()).width)
  expect(made.x + sizeOf(made).width).toBeLessThan(700)
  expect(applyPatch({ nodes, settings }, inverseOf(before, patch)).nodes).toEqual(before.nodes)
})

test('on a line without room the step stands below, and one of a condition leads on where nothing fits', () => {
  const nodes = graphOf(start('a'), node('a', {}, { x: 320, y: 0 }))
  const { node: made } = added(nodes, 'condition', { id: startId, port: 'next' })
  expect(made.next).toEqual({ else: 'a' })
  expect(made.y).toBeGreaterThanOrEqual(boxOf(node('a')).height)
  expect(['menu', 'wait', 'handOver', 'jump', 'comment'].map((kind) => leadsOn(kind as NodeKind))).toEqual([
    ...[true, true, false, false, false],
  ])
})

test('steps that are added after the same card do not lie on each other', () => {
  const from = menu()
  const first = added(graphOf(from), 'message', { id: 'm', port: 'a' })
  const nodes = applyPatch({ nodes: graphOf(from), settings }, first.patch).nodes
  const second = added(nodes, 'message', { id: 'm', port: 'b' })
  const [one, other] = [boxOf(first.node), boxOf(second.node)]
  expect(other.y >= one.y + one.height || one.y >= other.y + other.height).toBe(true)
})

test('what is removed takes the lines that led there along, and the start stays', () => {
  const nodes = graphOf(start('a'), node('a', { next: 'b' }), node('b'))
  const patch = removed(nodes, new Set([startId, 'b']))
  expect(patch.removes).toEqual(['b'])
  expect(patch.upserts).toMatchObject([{ id: 'a', next: {} }])
  expect(removed(nodes, new Set(), [{ id: 'a', port: 'next' }]).upserts).toMatchObject([{ id: 'a', next: {} }])
})

test('an undone change leaves what was there, whatever was changed after one another', () => {
  const before = { nodes: graphOf(start(), node('a')), settings }
  const first = connected(before.nodes, { id: startId, port: 'next' }, 'a')
  const between = applyPatch(before, first)
  const second = removed(between.nodes, new Set(['a']))
  const both = joined(first, second)
  expect(applyPatch(before, both).nodes).toEqual(applyPatch(between, second).nodes)
  expect(applyPatch(applyPatch(before, both), inverseOf(before, both)).nodes).toEqual(before.nodes)
})

test('what is copied comes as new steps, linked among each other as they were', () => {
  const jump: FlowNode = { ...blankNode('jump', 'j', { x: 0, y: 0 }), data: { to: 'a' } }
  const nodes = graphOf(start('a'), node('a', { next: 'b' }), node('b', { next: 'elsewhere' }), jump)
  const text = copyOf(nodes, [startId, 'a', 'b', 'j']) ?? ''
  const { patch, ids } = pasted(nodes, text, null) ?? { patch: { upserts: [], removes: [] }, ids: [] }
  expect(ids).toHaveLength(3)
  const [a, b, j] = patch.upserts
  expect([a?.next, b?.next]).toEqual([{ next: b?.id }, {}])
  expect(j).toMatchObject({ kind: 'jump', data: { to: a?.id } })
  expect(ids.some((id) => nodes.has(id))).toBe(false)
  expect(pasted(nodes, 'um texto qualquer', null)).toBeUndefined()
})

test('what is pasted twice at the same place does not lie upon itself', () => {
  const text = copyOf(graphOf(node('a')), ['a']) ?? ''
  const first = pasted(graphOf(node('a')), text, { x: 400, y: 400 })?.patch.upserts ?? []
  const second = pasted(graphOf(node('a'), ...first), text, { x: 400, y: 400 })?.patch.upserts ?? []
  const [one, two] = [...first, ...second]
  expect([two?.x, two?.y]).toEqual([(one?.x ?? 0) + 40, (one?.y ?? 0) + 40])
})

test('a choice that is taken out takes its line along', () => {
  const from: FlowNode<'menu'> = { ...menu(), next: { a: 'x', b: 'y', silence: 'z' } }
  const options = from.data.options.slice(1)
  expect(tidied({ ...from, data: { ...from.data, options } }).next).toEqual({ b: 'y', silence: 'z' })
})

test('a version and the draft differ in what is said and linked, not in where it stands', () => {
  const old = { nodes: [start('a'), node('a'), node('b')], settings: { one: 1, two: 2 } }
  const moved = { ...node('a'), x: 500 }
  const now = { nodes: [moved, start('c'), node('c')], settings: { two: 2, one: 1 } }
  expect(diffOf(old, now)).toMatchObject({
    added: ['c'],
    changed: [startId],
    removed: [{ id: 'b' }],
    settings: false,
  })
})

test('arrows follow lines, and lead to the nearest where there is none', () => {
  const nodes = [start('a'), node('a', {}, { x: 340, y: 0 }), node('b', {}, { x: 340, y: 300 })]
  const [first, a, b] = nodes as [FlowNode, FlowNode, FlowNode]
  expect(neighbour(nodes, first, 'right')).toBe(a)
  expect(neighbour(nodes, a, 'left')).toBe(first)
  expect(neighbour(nodes, a, 'down')).toBe(b)
  expect(neighbour(nodes, a, 'up')).toBeUndefined()
})

test('arranged steps come one after the other and do not overlap', () => {
  const placed = arranged([start('m'), { ...menu(), next: { a: 'x', b: 'y' } }, node('x'), node('y')])
  const byId = new Map(placed.map((one) => [one.id, one]))
  const x = (id: string) => byId.get(id)?.x ?? Number.NaN
  expect(x(startId)).toBeLessThan(x('m'))
  expect(x('m')).toBeLessThan(x('x'))
  expect(byId.get('x')?.y).not.toBe(byId.get('y')?.y)
})

test('arranging keeps steps in their frame and a comment beside its step', () => {
  const nodes = [
    start('a'),
    node('a', { next: 'b' }, { x: 340, y: 0 }),
    node('b', { next: 'c' }, { x: 340, y: 160 }),
    node('c', {}, { x: 340, y: 900 }),
    { ...blankNode('comment', 'note', { x: 360, y: 1_040 }), data: { text: 'Revisar' } },
    { ...blankNode('group', 'frame', { x: 300, y: -60 }), data: { color: 'gray', width: 320, height: 400 } },
    { ...blankNode('group', 'whole', { x: 280, y: -120 }), data: { color: 'gray', width: 400, height: 1_400 } },
  ]
  const byId = new Map(arranged(nodes).map((one) => [one.id, one]))
  const box = (id: string) => boxOf(byId.get(id) ?? expect.fail(id))
  for (const id of ['a', 'b']) expect(liesIn(box('frame'), box(id))).toBe(true)
  expect(liesIn(box('frame'), box('c'))).toBe(false)
  for (const id of ['frame', 'c', 'note']) expect(liesIn(box('whole'), box(id))).toBe(true)
  expect(liesIn(box('whole'), box(startId))).toBe(false)
  expect(Math.abs(box('note').y - box('c').y)).toBeLessThan(300)
})

test.each([1, 2, 3])('any flow with frames can be arranged (%i)', (seed) => {
  const random = (most: number, n: number) => Math.floor(((Math.sin(seed * 97 + n * 13) + 1) / 2) * most) % most
  const steps = Array.from({ length: 180 }, (_, n) =>
    node(`n${n}`, { next: `n${random(180, n)}` }, { x: random(9_000, n + 1), y: random(5_000, n + 2) }),
  )
  const frames = Array.from({ length: 8 }, (_, n) => ({
    ...blankNode('group', `g${n}`, { x: random(8_000, n + 3), y: random(4_000, n + 4) }),
    data: { color: 'gray', width: 400 + random(3_000, n + 5), height: 400 + random(2_000, n + 6) },
  }))
  const placed = arranged([start('n0'), ...steps, ...frames])
  expect(placed.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))).toBe(true)
})

test('a frame carries what lies in it as a whole', () => {
  const frame = { x: 0, y: 0, width: 400, height: 300 }
  expect(liesIn(frame, { x: 10, y: 10, width: 248, height: 100 })).toBe(true)
  expect(liesIn(frame, { x: 200, y: 10, width: 248, height: 100 })).toBe(false)
  expect(portY(menu(), 1) - portY(menu(), 0)).toBe(26)
})

test('a search looks into every word of a step, accents aside', () => {
  const nodes = graphOf(start(), menu(), node('a'))
  expect(findIn(nodes, 'suporte')).toEqual(['m'])
  expect(findIn(nodes, 'MENU DE OPCOES')).toEqual(['m'])
  expect(findIn(nodes, ' ')).toEqual([])
})
