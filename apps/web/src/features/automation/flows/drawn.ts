import { type FlowNode, isDrawing, portsOf, startId } from '@balcao/contract/automation/flows/graph.ts'
import { titleOf } from '@balcao/contract/automation/flows/problems.ts'
import { type Node, Position } from '@xyflow/react'
import { useMemo, useRef } from 'react'
import { type PortRef, tidied } from './edits.ts'
import { type CanvasLine, jumpPort, lineId } from './flow-lines.tsx'
import { type Detail, leadsBack, portY, sizeOf } from './geometry.ts'
import type { Nodes } from './patch.ts'
import type { Carried } from './use-carrying.ts'

export type CanvasNode = Node<{ node: FlowNode; detail: Detail }>

/** Whether two steps look alike, wherever they stand. */
export const looksAlike = (one: FlowNode, other: FlowNode) =>
  one === other ||
  (one.kind === other.kind && one.name === other.name && one.data === other.data && one.next === other.next)

type Seen = { selected: ReadonlySet<string>; carried: Carried | null; detail: Detail }
/** As the canvas wants them; one that has not changed stays the same object, and is not drawn again. */
export const useDrawnNodes = (nodes: Nodes, { selected, carried, detail }: Seen): CanvasNode[] => {
  const last = useRef(new Map<string, CanvasNode>())
  return useMemo(() => {
    const next = new Map<string, CanvasNode>()
    for (const node of nodes.values()) {
      const before = last.current.get(node.id)
      const by = carried?.ids.has(node.id) ? carried.by : { x: 0, y: 0 }
      const position = { x: node.x + by.x, y: node.y + by.y }
      const isChosen = selected.has(node.id)
      const isHeld = carried?.held.has(node.id) ?? false
      const isSame =
        before?.data.node === node &&
        before.data.detail === detail &&
        before.selected === isChosen &&
        before.dragging === isHeld &&
        before.position.x === position.x &&
        before.position.y === position.y
      if (isSame) {
        next.set(node.id, before)
        continue
      }
      const look = before && looksAlike(before.data.node, node) ? before : lookOf(node)
      const data = before?.data.node === node && before.data.detail === detail ? before.data : { node, detail }
      // `dragging`: it stays in the page while the finger holds it, even beyond the edge.
      const zIndex = node.kind === 'group' ? -1 : isHeld ? 1 : 0
      next.set(node.id, { ...look, zIndex, position, selected: isChosen, dragging: isHeld, data })
    }
    last.current = next
    return [...next.values()]
  }, [nodes, selected, carried, detail])
}

const lookOf = (node: FlowNode) => {
  const size = sizeOf(node)
  return {
    id: node.id,
    type: isDrawing(node.kind) ? node.kind : 'step',
    ...size,
    measured: size,
    handles: handlesOf(node),
    ariaLabel: titleOf(node),
  }
}
const handlesOf = (node: FlowNode): NonNullable<CanvasNode['handles']> =>
  isDrawing(node.kind)
    ? []
    : [
        ...(node.id === startId ? [] : [{ id: 'in', type: 'target' as const, position: Position.Left, x: 0, y: 20 }]),
        ...(node.kind === 'jump'
          ? [{ id: jumpPort, type: 'source' as const, position: Position.Right, x: sizeOf(node).width, y: 20 }]
          : []),
        ...portsOf(node).map(({ id }, at) => ({
          id,
          type: 'source' as const,
          position: Position.Right,
          x: sizeOf(node).width,
          y: portY(node, at),
        })),
      ].map((one) => ({ ...one, width: 1, height: 1 }))

/** Lines follow from their steps; as long as none leads elsewhere they stay the same, whatever is written in the steps. */
export const useLines = (nodes: Nodes, chosenLines: readonly PortRef[]): CanvasLine[] => {
  const known = useRef(new Map<string, { node: FlowNode; lines: CanvasLine[] }>())
  const last = useRef<CanvasLine[]>([])
  return useMemo(() => {
    const chosen = new Set(chosenLines.map(lineId))
    const ownOf = (node: FlowNode) => {
      const before = known.current.get(node.id)
      if (before && looksAlike(before.node, node)) return before.lines
      const fresh = linesOf(node)
      const lines = before && leadAlike(before.lines, fresh) ? before.lines : fresh
      known.current.set(node.id, { node, lines })
      return lines
    }
    const all = [...nodes.values()].flatMap((node) => {
      const there = ownOf(node).flatMap((line) => {
        const to = nodes.get(line.target)
        if (!to) return []
        return line.type === 'ahead' && leadsBack(node, to) ? backOf(line) : line
      })
      return chosen.size ? there.map((line) => (chosen.has(line.id) ? { ...line, selected: true } : line)) : there
    })
    const isSame = all.length === last.current.length && all.every((line, at) => line === last.current[at])
    if (!isSame) last.current = all
    return last.current
  }, [nodes, chosenLines])
}
const leadAlike = (some: readonly CanvasLine[], others: readonly CanvasLine[]) =>
  some.length === others.length &&
  some.every(({ id, target }, at) => id === others[at]?.id && target === others[at]?.target)
const backOf = (line: CanvasLine): CanvasLine => {
  const known = backs.get(line) ?? { ...line, type: 'back' }
  backs.set(line, known)
  return known
}
const backs = new WeakMap<CanvasLine, CanvasLine>()
const linesOf = (node: FlowNode): CanvasLine[] =>
  node.kind === 'jump'
    ? [
        {
          ...{ id: `${node.id}:${jumpPort}`, type: 'jump', source: node.id, sourceHandle: jumpPort },
          ...{
            target: node.data.to,
            targetHandle: 'in',
            data: { from: null },
            selectable: false,
            reconnectable: false,
          },
        },
      ]
    : Object.entries(tidied(node).next).map(([port, target]) => ({
        id: lineId({ id: node.id, port }),
        type: 'ahead',
        source: node.id,
        sourceHandle: port,
        target,
        targetHandle: 'in',
        data: { from: { id: node.id, port } },
      }))
