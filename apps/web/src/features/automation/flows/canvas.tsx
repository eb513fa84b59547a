import { type FlowNode, isDrawing, portsOf, startId } from '@balcao/contract/automation/flows/graph.ts'
import { titleOf } from '@balcao/contract/automation/flows/problems.ts'
import {
  Background,
  BackgroundVariant,
  type Connection,
  type EdgeChange,
  type NodeChange,
  type OnConnectEnd,
  Position,
  ReactFlow,
  type ReactFlowInstance,
  SelectionMode,
  useStore,
} from '@xyflow/react'
import '@xyflow/react/dist/base.css'
import { type DragEvent, useMemo, useRef, useState } from 'react'
import { useSteady } from '../../../kit/use-steady.ts'
import { useBuilder, useDesk } from './builder-context.ts'
import classes from './canvas.module.css'
import { CanvasMap } from './canvas-map.tsx'
import { connected, linked, type PortRef, tidied } from './edits.ts'
import { type CanvasLine, lineTypes } from './flow-lines.tsx'
import { boxOf, isFar, liesIn, openingView, portY, sizeOf } from './geometry.ts'
import { type CanvasNode, jumpPort, nodeTypes } from './step-card.tsx'

type Point = { x: number; y: number }
type Props = {
  selected: ReadonlySet<string>
  onSelect: (ids: ReadonlySet<string>) => void
  lines: readonly PortRef[]
  onSelectLines: (lines: readonly PortRef[]) => void
  /** A line was let go of over nothing, or something was put there. */
  onDropLine: (from: PortRef, at: Point) => void
  onDropKind: (kind: string, at: Point) => void
  /** A click also on what is chosen already. */
  onClick: () => void
  onOpen: (id: string) => void
}

/** What a step that is dragged from the palette is called on its way. */
export const draggedKind = 'application/x-balcao-step'
const grid: [number, number] = [8, 8]
const zoomedOut = 0.02
const zoomedIn = 2

/** The steps and their lines. It draws what the desk has; what is dragged is told to the desk when it is let go of. */
export const Canvas = ({
  selected,
  onSelect,
  lines,
  onSelectLines,
  onDropLine,
  onDropKind,
  onClick,
  onOpen,
}: Props) => {
  const { desk, readOnly } = useBuilder()
  const nodes = useDesk(desk, (state) => state.nodes)
  const [moving, setMoving] = useState<ReadonlyMap<string, Point> | null>(null)
  /** What lies in the frames that are dragged, and how far from their corner. */
  const carried = useRef(new Map<string, { frame: string; by: Point }>())
  const drawn = useDrawnNodes(nodes, selected, moving)
  const edges = useLines(nodes, lines)
  const frame = useRef<HTMLDivElement>(null)
  const isSmall = useStore(isFar) // ends cannot be aimed at

  // Whatever is handed to the canvas anew draws each of its steps and lines anew, with every letter in a form.
  const handleChanges = useSteady((changes: NodeChange<CanvasNode>[]) => {
    const chosen = changes.filter((change) => change.type === 'select')
    if (chosen.length) {
      const next = new Set([...selected].filter((id) => nodes.has(id))) // an undone step is chosen no more
      for (const { id, selected: isChosen } of chosen) isChosen ? next.add(id) : next.delete(id)
      onSelect(next)
    }
    const moves = changes.flatMap((change) =>
      change.type === 'position' && change.position ? { id: change.id, position: change.position } : [],
    )
    if (moves.length) setMoving((now) => movedWith(now, moves, carried.current))
  })
  const handleDragStart = (dragged: readonly CanvasNode[]) => {
    const all = desk.get().nodes
    const ids = new Set(dragged.map(({ id }) => id))
    carried.current.clear()
    for (const id of ids) {
      const frame = all.get(id)
      if (frame?.kind !== 'group') continue
      const box = boxOf(frame)
      for (const node of all.values())
        if (!ids.has(node.id) && liesIn(box, boxOf(node)))
          carried.current.set(node.id, { frame: id, by: { x: node.x - frame.x, y: node.y - frame.y } })
    }
  }
  const handleNodeDragStart = useSteady((_event: unknown, _node: CanvasNode, dragged: CanvasNode[]) =>
    handleDragStart(dragged),
  )
  const handleSelectionDragStart = useSteady((_event: unknown, dragged: CanvasNode[]) => handleDragStart(dragged))
  const handleDragStop = useSteady(() => {
    setMoving((now) => {
      if (now) queueMicrotask(() => commitMoves(now))
      return null
    })
  })
  const commitMoves = (moves: ReadonlyMap<string, Point>) => {
    const all = desk.get().nodes
    const upserts = [...moves].flatMap(([id, { x, y }]) => {
      const node = all.get(id)
      return node && (node.x !== x || node.y !== y) ? ({ ...node, x, y } as FlowNode) : []
    })
    desk.change({ upserts, removes: [] })
  }
  const handleConnect = useSteady(({ source, sourceHandle, target }: Connection) => {
    if (sourceHandle) desk.change(connected(desk.get().nodes, { id: source, port: sourceHandle }, target))
  })
  const handleReconnect = useSteady((line: CanvasLine, { source, sourceHandle, target }: Connection) => {
    const from = desk.get().nodes.get(line.source)
    if (!from || !sourceHandle || !line.sourceHandle) return
    if (source === line.source) {
      const free = linked(from, line.sourceHandle, null)
      desk.change({ upserts: [linked(free, sourceHandle, target)], removes: [] })
      return
    }
    const other = desk.get().nodes.get(source)
    if (other)
      desk.change({
        upserts: [linked(from, line.sourceHandle, null), linked(other, sourceHandle, target)],
        removes: [],
      })
  })
  const handleConnectEnd = useSteady<Parameters<OnConnectEnd>, void>((event, end) => {
    const { isValid, fromNode, fromHandle, toNode } = end
    if (isValid || toNode || !fromNode || !fromHandle?.id || fromHandle.type !== 'source') return
    const at = 'changedTouches' in event ? event.changedTouches[0] : event
    if (at) onDropLine({ id: fromNode.id, port: fromHandle.id }, { x: at.clientX, y: at.clientY })
  })
  const isValid = useSteady(({ target }: Connection | CanvasLine) => {
    const to = desk.get().nodes.get(target)
    return to !== undefined && to.kind !== 'start' && !isDrawing(to.kind)
  })
  const handleLineChanges = useSteady((changes: EdgeChange<CanvasLine>[]) => {
    const chosen = changes.filter((change) => change.type === 'select')
    if (!chosen.length) return
    const kept = lines.filter((line) => !chosen.some(({ id }) => id === lineId(line)))
    const added = chosen.flatMap(({ id, selected: isChosen }) => (isChosen ? portOf(id) : []))
    onSelectLines([...kept, ...added])
  })
  const handleClick = useSteady(onClick)
  const handleDoubleClick = useSteady((_event: unknown, { id }: CanvasNode) => onOpen(id))
  const handleInit = useSteady((flow: ReactFlowInstance<CanvasNode, CanvasLine>) => {
    const size = frame.current?.getBoundingClientRect()
    if (size) void flow.setViewport(openingView([...nodes.values()], size))
  })
  const handleDrop = (event: DragEvent) => {
    const kind = event.dataTransfer.getData(draggedKind)
    if (!kind) return
    event.preventDefault()
    onDropKind(kind, { x: event.clientX, y: event.clientY })
  }

  return (
    <ReactFlow
      ref={frame}
      className={classes.canvas}
      nodes={drawn}
      edges={edges}
      nodeTypes={nodeTypes}
      edgeTypes={lineTypes}
      onNodesChange={handleChanges}
      onEdgesChange={handleLineChanges}
      onNodeDragStart={handleNodeDragStart}
      onNodeDragStop={handleDragStop}
      onSelectionDragStart={handleSelectionDragStart}
      onSelectionDragStop={handleDragStop}
      onNodeClick={handleClick}
      onNodeDoubleClick={handleDoubleClick}
      onConnect={handleConnect}
      onConnectEnd={handleConnectEnd}
      onReconnect={handleReconnect}
      isValidConnection={isValid}
      onDrop={handleDrop}
      onDragOver={(event) => {
        if (event.dataTransfer.types.includes(draggedKind)) event.preventDefault()
      }}
      nodesDraggable={!readOnly}
      nodesConnectable={!readOnly}
      edgesReconnectable={!readOnly && !isSmall}
      nodesFocusable={false}
      edgesFocusable={false}
      disableKeyboardA11y
      deleteKeyCode={null}
      multiSelectionKeyCode={multiKeys}
      selectionMode={SelectionMode.Partial}
      connectOnClick={false}
      connectionRadius={28}
      snapToGrid
      snapGrid={grid}
      minZoom={zoomedOut}
      maxZoom={zoomedIn}
      panOnScroll
      zoomOnDoubleClick={false}
      onlyRenderVisibleElements
      elevateNodesOnSelect={false}
      onInit={handleInit}
      attributionPosition="bottom-center"
    >
      <Background variant={BackgroundVariant.Dots} gap={24} size={1.5} color="var(--balcao-border-strong)" />
      <CanvasMap nodes={nodes} selected={selected} />
    </ReactFlow>
  )
}

const multiKeys = ['Control', 'Meta', 'Shift']
export const fitting = { padding: 0.15, maxZoom: 1, minZoom: zoomedOut }
const movedWith = (
  now: ReadonlyMap<string, Point> | null,
  moves: readonly { id: string; position: Point }[],
  carried: ReadonlyMap<string, { frame: string; by: Point }>,
) => {
  const next = new Map(now)
  for (const { id, position } of moves) {
    next.set(id, position)
    for (const [inside, { frame, by }] of carried)
      if (frame === id) next.set(inside, { x: position.x + by.x, y: position.y + by.y })
  }
  return next
}

/** As the canvas wants them; one that has not changed stays the same object, and is not drawn again. */
const useDrawnNodes = (
  nodes: ReadonlyMap<string, FlowNode>,
  selected: ReadonlySet<string>,
  moving: ReadonlyMap<string, Point> | null,
): CanvasNode[] => {
  const last = useRef(new Map<string, CanvasNode>())
  return useMemo(() => {
    const next = new Map<string, CanvasNode>()
    for (const node of nodes.values()) {
      const before = last.current.get(node.id)
      const { x, y } = moving?.get(node.id) ?? node
      const isChosen = selected.has(node.id)
      const isDragged = moving?.has(node.id) ?? false
      const isSame =
        before?.data.node === node &&
        before.selected === isChosen &&
        before.dragging === isDragged &&
        before.position.x === x &&
        before.position.y === y
      next.set(node.id, isSame ? before : drawnNode(node, { x, y }, isChosen, isDragged))
    }
    last.current = next
    return [...next.values()]
  }, [nodes, selected, moving])
}

/** `dragging`: it stays in the page while the finger holds it, even beyond the edge. */
const drawnNode = (node: FlowNode, position: Point, selected: boolean, dragging: boolean): CanvasNode => {
  const size = sizeOf(node)
  return {
    id: node.id,
    type: isDrawing(node.kind) ? node.kind : 'step',
    position,
    selected,
    dragging,
    data: { node },
    ...size,
    measured: size,
    handles: handlesOf(node),
    zIndex: node.kind === 'group' ? -1 : 0,
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

const lineId = ({ id, port }: PortRef) => `${id}:${port}`
const portOf = (lineId: string): PortRef => {
  const at = lineId.indexOf(':')
  return { id: lineId.slice(0, at), port: lineId.slice(at + 1) }
}

/** Lines follow from their steps; as long as none leads elsewhere they stay the same, whatever is written in the steps. */
const useLines = (nodes: ReadonlyMap<string, FlowNode>, chosenLines: readonly PortRef[]): CanvasLine[] => {
  const known = useRef(new Map<string, { node: FlowNode; lines: CanvasLine[] }>())
  const last = useRef<CanvasLine[]>([])
  return useMemo(() => {
    const chosen = new Set(chosenLines.map(lineId))
    const ownOf = (node: FlowNode) => {
      const before = known.current.get(node.id)
      if (before?.node === node) return before.lines
      const fresh = linesOf(node)
      const lines = before && leadAlike(before.lines, fresh) ? before.lines : fresh
      known.current.set(node.id, { node, lines })
      return lines
    }
    const all = [...nodes.values()].flatMap((node) => {
      const there = ownOf(node).flatMap((line) => {
        const to = nodes.get(line.target)
        if (!to) return []
        return line.type === 'ahead' && to.x < node.x + sizeOf(node).width ? backOf(line) : line
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
