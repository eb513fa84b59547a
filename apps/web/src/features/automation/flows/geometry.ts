import { type FlowNode, isDrawing, portsOf, startId } from '@balcao/contract/automation/flows/graph.ts'
import dagre from '@dagrejs/dagre'
import type { ReactFlowState } from '@xyflow/react'

/** Of a card. Its size follows from its step alone, so that nothing has to be measured before it is drawn. */
export const cardWidth = 248
export const headHeight = 40
const wordsHeight = 44
export const portHeight = 26
const foot = 6
const commentLine = 20
const commentLetters = 30

export type Box = { x: number; y: number; width: number; height: number }

export const hasWords = (node: FlowNode) => node.kind !== 'start'

export const sizeOf = (node: FlowNode): { width: number; height: number } => {
  if (node.kind === 'group') return { width: node.data.width, height: node.data.height }
  if (node.kind === 'comment') {
    const lines = node.data.text
      .split('\n')
      .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / commentLetters)), 0)
    return { width: cardWidth, height: Math.min(Math.max(lines, 2), 14) * commentLine + 20 }
  }
  const ports = portsOf(node).length
  const words = hasWords(node) ? wordsHeight : 0
  return { width: cardWidth, height: headHeight + words + ports * portHeight + (ports ? foot : 0) }
}
export const boxOf = (node: FlowNode): Box => ({ x: node.x, y: node.y, ...sizeOf(node) })

/** The middle of a port's row, from the top of its card. */
export const portY = (node: FlowNode, at: number) =>
  headHeight + (hasWords(node) ? wordsHeight : 0) + at * portHeight + portHeight / 2

/** Half of the dot where a line begins or ends. */
export const endRadius = 6
const portHeights = new WeakMap<FlowNode['data'], Map<string, number>>()
/** The same by the port's name. What a step holds decides its ports. */
export const portHeightOf = (node: FlowNode, port: string): number => {
  if (node.kind === 'jump') return headHeight / 2
  const known = portHeights.get(node.data) ?? new Map(portsOf(node).map(({ id }, at) => [id, portY(node, at)]))
  portHeights.set(node.data, known)
  return known.get(port) ?? headHeight / 2
}
/** Such a line goes round the cards. */
export const leadsBack = (from: FlowNode, to: FlowNode) => to.x < from.x + sizeOf(from).width

/** What lies in a frame as a whole goes along with it. */
export const liesIn = (frame: Box, box: Box) =>
  box.x >= frame.x &&
  box.y >= frame.y &&
  box.x + box.width <= frame.x + frame.width &&
  box.y + box.height <= frame.y + frame.height

export const boundsOf = (boxes: readonly Box[]): Box => {
  const x = Math.min(...boxes.map((box) => box.x))
  const y = Math.min(...boxes.map((box) => box.y))
  const right = Math.max(...boxes.map((box) => box.x + box.width))
  const bottom = Math.max(...boxes.map((box) => box.y + box.height))
  return { x, y, width: right - x, height: bottom - y }
}

/** From here on out words cannot be read. */
export const farZoom = 0.4
export const isFar = ({ transform: [, , zoom] }: ReactFlowState) => zoom < farZoom
/** How much of a step is drawn: all, its name alone in large letters, or a shape where even those would be dust. */
export type Detail = 'all' | 'name' | 'shape'
const dustZoom = 0.16
export const detailAt = ({ transform: [, , zoom] }: ReactFlowState): Detail =>
  zoom < dustZoom ? 'shape' : zoom < farZoom ? 'name' : 'all'
/** The whole where it can be read at once, else its beginning. */
export const openingView = (nodes: readonly FlowNode[], { width, height }: { width: number; height: number }) => {
  const bounds = boundsOf(nodes.map(boxOf))
  const whole = Math.min(1, width / (bounds.width * 1.2), height / (bounds.height * 1.2))
  if (whole >= farZoom)
    return {
      x: width / 2 - (bounds.x + bounds.width / 2) * whole,
      y: height / 2 - (bounds.y + bounds.height / 2) * whole,
      zoom: whole,
    }
  const zoom = Math.min(0.8, width / (cardWidth * 1.4))
  const start = nodes.find(({ id }) => id === startId)
  return { x: 64 - (start?.x ?? bounds.x) * zoom, y: height / 3 - (start?.y ?? bounds.y) * zoom, zoom }
}

/** Of so many steps the exact order of columns takes seconds. */
const manySteps = 150

const frameRim = { side: 32, top: 56 }
/** A frame that lies around these boxes. */
export const frameAround = (boxes: readonly Box[]): Box => {
  const { x, y, width, height } = boundsOf(boxes)
  return {
    ...{ x: x - frameRim.side, y: y - frameRim.top },
    ...{ width: width + frameRim.side * 2, height: height + frameRim.top + frameRim.side },
  }
}

/**
 * From left to right in the order one comes through. What lies in a frame stays together in it, and a comment goes along
 * with the step it lies next to.
 */
export const arranged = (nodes: readonly FlowNode[]): FlowNode[] => {
  const graph = new dagre.graphlib.Graph({ compound: true })
  const steps = nodes.filter(({ kind }) => !isDrawing(kind))
  const frames = nodes
    .flatMap((node) => (node.kind === 'group' ? { frame: node, box: boxOf(node) } : []))
    .toSorted((one, other) => one.box.width * one.box.height - other.box.width * other.box.height)
  const frameOf = (node: FlowNode) => frames.find(({ frame, box }) => frame !== node && liesIn(box, boxOf(node)))?.frame
  const ranker = steps.length > manySteps ? 'tight-tree' : 'network-simplex'
  graph.setGraph({ rankdir: 'LR', ranker, nodesep: 40, ranksep: 90, marginx: 0, marginy: 0 })
  graph.setDefaultEdgeLabel(() => ({}))
  const known = new Set(steps.map(({ id }) => id))
  for (const node of steps) graph.setNode(node.id, { ...sizeOf(node) })
  for (const node of steps) {
    const frame = frameOf(node)
    if (!frame) continue
    graph.setNode(frame.id, {})
    graph.setParent(node.id, frame.id)
  }
  for (const node of steps)
    for (const { id } of portsOf(node)) {
      const to = node.next[id]
      if (to && known.has(to)) graph.setEdge(node.id, to)
    }
  dagre.layout(graph)
  const placed = new Map<string, FlowNode>()
  for (const node of steps) {
    const { x, y } = graph.node(node.id)
    const { width, height } = sizeOf(node)
    placed.set(node.id, { ...node, x: Math.round(x - width / 2), y: Math.round(y - height / 2) })
  }
  for (const node of nodes) {
    if (node.kind !== 'comment') continue
    const distance = (step: FlowNode) =>
      Math.hypot(middleOf(step).x - middleOf(node).x, middleOf(step).y - middleOf(node).y)
    const beside = steps.toSorted((one, other) => distance(one) - distance(other))[0]
    const now = beside && placed.get(beside.id)
    if (!now) continue
    const at = { x: node.x + now.x - beside.x, y: node.y + now.y - beside.y }
    placed.set(node.id, { ...node, ...freePlace(placed.values(), at, sizeOf(node).height) })
  }
  // From the inmost outwards: a frame may lie in another.
  for (const { frame } of frames) {
    const held = nodes.filter((node) => frameOf(node) === frame).flatMap(({ id }) => placed.get(id) ?? [])
    if (!held.length) continue
    const { x, y, width, height } = frameAround(held.map(boxOf))
    placed.set(frame.id, { ...frame, x, y, data: { ...frame.data, width, height } })
  }
  return [...placed.values()]
}

type Direction = 'left' | 'right' | 'up' | 'down'
/** The step an arrow key leads to: along a line where there is one, else the nearest on that side. */
export const neighbour = (nodes: readonly FlowNode[], from: FlowNode, direction: Direction): FlowNode | undefined => {
  const others = nodes.filter(({ id, kind }) => id !== from.id && kind !== 'group')
  if (direction === 'right') {
    const ports = portsOf(from)
    const next = ports.flatMap(({ id }) => others.find((one) => one.id === from.next[id]) ?? [])[0]
    if (next) return next
  }
  if (direction === 'left') {
    const before = others.find((one) => Object.values(one.next).includes(from.id))
    if (before) return before
  }
  const here = middleOf(from)
  const isAcross = direction === 'left' || direction === 'right'
  const sign = direction === 'left' || direction === 'up' ? -1 : 1
  const distance = (node: FlowNode) => {
    const there = middleOf(node)
    const along = (isAcross ? there.x - here.x : there.y - here.y) * sign
    const aside = Math.abs(isAcross ? there.y - here.y : there.x - here.x)
    return along <= 0 || aside > along * 3 ? Number.POSITIVE_INFINITY : along + aside * 2
  }
  const nearest = others.toSorted((a, b) => distance(a) - distance(b))[0]
  return nearest && distance(nearest) < Number.POSITIVE_INFINITY ? nearest : undefined
}
const middleOf = (node: FlowNode) => {
  const { x, y, width, height } = boxOf(node)
  return { x: x + width / 2, y: y + height / 2 }
}

/** Where a new step stands after a port: right of its card, below what is there already. */
export const placeAfter = (nodes: Iterable<FlowNode>, from: FlowNode, portAt: number, height: number) =>
  freePlace(nodes, { x: from.x + sizeOf(from).width + 90, y: from.y + (portAt > 0 ? portAt * 40 : 0) }, height)

/** The same on a line: in its middle, or below where there is no room. */
export const placeBetween = (nodes: Iterable<FlowNode>, from: FlowNode, to: FlowNode, height: number) => {
  const x = (from.x + sizeOf(from).width + to.x) / 2 - cardWidth / 2
  return freePlace(nodes, { x: Math.round(x), y: Math.round((from.y + to.y) / 2) }, height)
}

/** Here, or below where cards lie. */
export const freePlace = (nodes: Iterable<FlowNode>, { x, y: top }: { x: number; y: number }, height: number) => {
  let y = top
  const boxes = [...nodes].filter(({ kind }) => kind !== 'group').map(boxOf)
  const isTaken = () =>
    boxes.find(
      (box) =>
        x < box.x + box.width + 16 &&
        x + cardWidth + 16 > box.x &&
        y < box.y + box.height + 16 &&
        y + height + 16 > box.y,
    )
  for (let box = isTaken(), rounds = 0; box && rounds < 200; box = isTaken(), rounds += 1) y = box.y + box.height + 24
  return { x, y }
}
