import type { FlowNode } from '@balcao/contract/automation/flows/graph.ts'
import { ViewportPortal } from '@xyflow/react'
import { memo, type Ref } from 'react'
import { useMark } from './builder-context.ts'
import classes from './canvas.module.css'
import { type CanvasLine, linePath, wayOf } from './flow-lines.tsx'
import type { Nodes } from './patch.ts'
import type { Carried } from './use-carrying.ts'

type Point = { x: number; y: number }
type Props = {
  ref: Ref<SVGSVGElement>
  nodes: Nodes
  lines: readonly CanvasLine[]
  carried: Carried | null
}

/**
 * Lines of our own, as a few paths: all of them where the flow is seen from afar, and while something is carried those that
 * lead from it to what stays. The library would look at each of its lines for every pixel.
 */
export const OwnLines = memo(({ ref, nodes, lines, carried }: Props) => {
  const ids = carried?.ids ?? none
  const isJump = ({ type }: CanvasLine) => type === 'jump'
  const loose = lines.filter((line) => isLoose(line, ids))
  const others = lines.filter((line) => !isLoose(line, ids))
  const [moved, still] = [others.filter(({ source }) => ids.has(source)), others.filter((one) => !ids.has(one.source))]
  const lit = useMark(({ path }) => path?.lit)
  const by = carried?.by ?? here
  const drawn = (some: readonly CanvasLine[]) => some.map((line) => ownPath(nodes, line, ids, by)).join('')
  const both = (some: readonly CanvasLine[]) => (
    <>
      <path className={classes.ownLine} d={drawn(some.filter((line) => !isJump(line)))} />
      <path className={`${classes.ownLine} ${classes.jump}`} d={drawn(some.filter(isJump))} />
    </>
  )
  return (
    <ViewportPortal>
      <svg ref={ref} className={classes.ownLines} aria-hidden>
        {both(still)}
        <g data-carried={carried ? true : undefined}>{both(moved)}</g>
        <path className={classes.ownLine} data-loose d={drawn(loose)} />
        {lit && <path className={classes.ownLit} d={drawn(lines.filter((line) => lit.has(wayOf(line))))} />}
        <path className={classes.ownChosen} d={drawn(lines.filter(({ selected }) => selected))} />
      </svg>
    </ViewportPortal>
  )
})

/** Between what is carried and what stays. */
export const isLoose = ({ source, target }: CanvasLine, ids: ReadonlySet<string>) => ids.has(source) !== ids.has(target)

/** Draws them where they are now. */
export const drawLoose = (
  svg: SVGSVGElement | null,
  nodes: Nodes,
  lines: readonly CanvasLine[],
  ids: ReadonlySet<string>,
  by: Point,
) => {
  const loose = lines.filter((line) => isLoose(line, ids))
  svg?.querySelector('[data-loose]')?.setAttribute('d', loose.map((line) => ownPath(nodes, line, ids, by)).join(''))
}

/** The line that is drawn nearest to a point, where it is within reach. */
export const lineAt = (nodes: Nodes, lines: readonly CanvasLine[], { x, y }: Point, reach: number) => {
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
  const distanceTo = (line: CanvasLine) => {
    path.setAttribute('d', ownPath(nodes, line, none, here))
    const length = path.getTotalLength()
    const count = Math.min(400, Math.ceil(length / reach))
    const points = Array.from({ length: count + 1 }, (_, n) => path.getPointAtLength((length * n) / count))
    return Math.min(...points.map((point) => Math.hypot(point.x - x, point.y - y)))
  }
  const all = lines.flatMap((line) => (line.type === 'jump' ? [] : { line, distance: distanceTo(line) }))
  const [nearest] = all.toSorted((one, other) => one.distance - other.distance)
  return nearest && nearest.distance <= reach ? nearest.line : undefined
}

const here: Point = { x: 0, y: 0 }
const none: ReadonlySet<string> = new Set()
const ownPath = (nodes: Nodes, line: CanvasLine, ids: ReadonlySet<string>, by: Point) => {
  const from = nodes.get(line.source)
  const to = nodes.get(line.target)
  if (!from || !to) return ''
  const placed = (node: FlowNode) =>
    ids.has(node.id) ? ({ ...node, x: node.x + by.x, y: node.y + by.y } as FlowNode) : node // moved, nothing else
  return linePath(placed(from), line.sourceHandle ?? '', placed(to), line.type === 'jump')
}
