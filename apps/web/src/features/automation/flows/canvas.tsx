import { isDrawing } from '@balcao/contract/automation/flows/graph.ts'
import {
  Background,
  BackgroundVariant,
  type Connection,
  type EdgeChange,
  type NodeChange,
  type OnConnectEnd,
  ReactFlow,
  type ReactFlowInstance,
  SelectionMode,
  useReactFlow,
  useStore,
} from '@xyflow/react'
import '@xyflow/react/dist/base.css'
import { type DragEvent, type MouseEvent, useMemo, useRef } from 'react'
import { useSteady } from '../../../kit/use-steady.ts'
import { useBuilder, useDesk } from './builder-context.ts'
import classes from './canvas.module.css'
import { CanvasMap } from './canvas-map.tsx'
import { type CanvasNode, useDrawnNodes, useLines } from './drawn.ts'
import { connected, linked, type PortRef } from './edits.ts'
import { type CanvasLine, lineId, lineTypes, portOf } from './flow-lines.tsx'
import { detailAt, openingView } from './geometry.ts'
import { drawLoose, isLoose, lineAt, OwnLines } from './own-lines.tsx'
import { nodeTypes } from './step-card.tsx'
import { useCarrying } from './use-carrying.ts'

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
/** So near to a line a click on the screen chooses it. */
const linesReach = 7
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
  const { screenToFlowPosition, getZoom } = useReactFlow()
  const nodes = useDesk(desk, (state) => state.nodes)
  const frame = useRef<HTMLDivElement>(null)
  const ownLines = useRef<SVGSVGElement>(null)
  const detail = useStore(detailAt)
  const isSmall = detail !== 'all' // ends cannot be aimed at
  const all = useLines(nodes, lines)
  const byId = useMemo(() => new Map(all.map((line) => [line.id, line])), [all])
  const { carried, begin, move, end } = useCarrying(
    frame,
    {
      isInner: (id, ids) => {
        const line = byId.get(id)
        return line !== undefined && ids.has(line.source) && ids.has(line.target)
      },
      draw: (ids, by) => drawLoose(ownLines.current, desk.get().nodes, all, ids, by),
    },
    (ids, by) => {
      const moved = [...ids].flatMap((id) => nodes.get(id) ?? [])
      desk.change({ upserts: moved.map((node) => ({ ...node, x: node.x + by.x, y: node.y + by.y })), removes: [] })
    },
  )
  const drawn = useDrawnNodes(nodes, { selected, carried, detail })
  const ids = carried?.ids
  const [edges, own] = useMemo((): [CanvasLine[], CanvasLine[]] => {
    if (isSmall) return [[], all]
    if (!ids) return [all, []]
    const loose = all.filter((line) => isLoose(line, ids))
    return loose.length ? [all.filter((line) => !isLoose(line, ids)), loose] : [all, loose]
  }, [all, ids, isSmall])

  // Whatever is handed to the canvas anew draws each of its steps and lines anew, with every letter in a form.
  const handleChanges = useSteady((changes: NodeChange<CanvasNode>[]) => {
    const chosen = changes.filter((change) => change.type === 'select')
    if (chosen.length) {
      const next = new Set([...selected].filter((id) => nodes.has(id))) // an undone step is chosen no more
      for (const { id, selected: isChosen } of chosen) isChosen ? next.add(id) : next.delete(id)
      onSelect(next)
      // From afar the library does not know of chosen lines.
      if (isSmall && lines.length && chosen.some((change) => change.selected)) onSelectLines([])
    }
    const moves = changes.flatMap((change) =>
      change.type === 'position' && change.position ? { id: change.id, position: change.position } : [],
    )
    if (moves.length) move(moves)
  })
  const idsOf = (dragged: readonly CanvasNode[]) => dragged.map(({ id }) => id)
  const handleNodeDragStart = useSteady((_event: unknown, _node: CanvasNode, dragged: CanvasNode[]) =>
    begin(desk.get().nodes, idsOf(dragged)),
  )
  const handleSelectionDragStart = useSteady((_event: unknown, dragged: CanvasNode[]) =>
    begin(desk.get().nodes, idsOf(dragged)),
  )
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
  /** From afar lines are ours, and so is the click on one. */
  const handlePaneClick = useSteady((event: MouseEvent) => {
    if (!isSmall) return
    const point = screenToFlowPosition({ x: event.clientX, y: event.clientY }, { snapToGrid: false })
    const line = lineAt(nodes, all, point, linesReach / getZoom())
    const isMore = event.shiftKey || event.ctrlKey || event.metaKey
    onSelectLines([...(isMore ? lines : []), ...(line ? [portOf(line.id)] : [])])
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
      onNodeDragStop={end}
      onSelectionDragStart={handleSelectionDragStart}
      onSelectionDragStop={end}
      onPaneClick={handlePaneClick}
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
      <OwnLines ref={ownLines} nodes={nodes} lines={own} carried={carried} />
      <CanvasMap nodes={nodes} selected={selected} />
    </ReactFlow>
  )
}

const multiKeys = ['Control', 'Meta', 'Shift']
export const fitting = { padding: 0.15, maxZoom: 1, minZoom: zoomedOut }
