import type { FlowNode } from '@balcao/contract/automation/flows/graph.ts'
import { Panel, type ReactFlowState, useReactFlow, useStore } from '@xyflow/react'
import { memo, type PointerEvent, useMemo, useRef } from 'react'
import classes from './canvas.module.css'
import { type Box, boundsOf, boxOf } from './geometry.ts'
import type { Nodes } from './patch.ts'

const width = 200
const height = 150

/**
 * The whole flow, small, and what of it is on the screen; dragging there moves the canvas. All steps are a few paths, drawn
 * when the flow changes: the library's own map looks at each step of it for every pixel that something is moved.
 */
export const CanvasMap = memo(({ nodes, selected }: { nodes: Nodes; selected: ReadonlySet<string> }) => {
  const { setCenter, getZoom } = useReactFlow()
  const svg = useRef<SVGSVGElement>(null)
  const all = useMemo(() => boundsOf([...nodes.values()].map(boxOf)), [nodes])
  const scale = Math.max(all.width / width, all.height / height) * 1.1
  const x = all.x + all.width / 2 - (scale * width) / 2
  const y = all.y + all.height / 2 - (scale * height) / 2
  const steps = useMemo(() => pathOf([...nodes.values()].filter(({ kind }) => kind !== 'group')), [nodes])
  const frames = useMemo(() => pathOf([...nodes.values()].filter(({ kind }) => kind === 'group')), [nodes])
  const chosen = useMemo(() => pathOf([...selected].flatMap((id) => nodes.get(id) ?? [])), [nodes, selected])
  const go = (event: PointerEvent) => {
    if (!event.buttons || !svg.current) return
    const area = svg.current.getBoundingClientRect()
    void setCenter(
      x + ((event.clientX - area.left) / area.width) * scale * width,
      y + ((event.clientY - area.top) / area.height) * scale * height,
      { zoom: getZoom() },
    )
  }
  return (
    <Panel position="bottom-right" className={classes.map}>
      <svg
        ref={svg}
        width={width}
        height={height}
        viewBox={`${x} ${y} ${scale * width} ${scale * height}`}
        role="img"
        aria-label="Mapa do fluxo"
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          go(event)
        }}
        onPointerMove={go}
      >
        <path d={frames} className={classes.mapFrames} />
        <path d={steps} className={classes.mapSteps} />
        <path d={chosen} className={classes.mapChosen} />
        <Seen />
      </svg>
    </Panel>
  )
})

/** What is on the screen. */
const Seen = () => <path d={useStore(seenPath)} className={classes.mapSeen} vectorEffect="non-scaling-stroke" />
const seenPath = ({ transform: [x, y, zoom], width, height }: ReactFlowState) =>
  rectangle({ x: -x / zoom, y: -y / zoom, width: width / zoom, height: height / zoom })

const pathOf = (nodes: readonly FlowNode[]) => nodes.map((node) => rectangle(boxOf(node))).join('')
const rectangle = ({ x, y, width, height }: Box) => `M${x} ${y}h${width}v${height}h${-width}z`
