import type { FlowNode } from '@balcao/contract/automation/flows/graph.ts'
import {
  BaseEdge,
  type Edge,
  type EdgeProps,
  type EdgeTypes,
  getBezierPath,
  getSmoothStepPath,
  Position,
  useStore,
} from '@xyflow/react'
import { useBuilder, useMark } from './builder-context.ts'
import classes from './canvas.module.css'
import type { PortRef } from './edits.ts'
import { endRadius, headHeight, isFar, leadsBack, portHeightOf, sizeOf } from './geometry.ts'

/** A line as it is drawn: of which port it is; none of a jump's, which its step names by itself. */
export type CanvasLine = Edge<{ from: PortRef | null }, 'ahead' | 'back' | 'jump'>
type Props = EdgeProps<CanvasLine>
type Drawn = [path: string, middleX: number, middleY: number, ...offsets: number[]]

/** Where the line of a jump begins: its step names where it leads, so nobody draws it. */
export const jumpPort = 'jump'
export const lineId = ({ id, port }: PortRef) => `${id}:${port}`
export const portOf = (lineId: string): PortRef => {
  const at = lineId.indexOf(':')
  return { id: lineId.slice(0, at), port: lineId.slice(at + 1) }
}

const AheadLine = (props: Props) => <Line {...props} drawn={getBezierPath(props)} />
/** One that leads back goes round the cards, not through them. */
const BackLine = (props: Props) => <Line {...props} drawn={around(props)} />
const JumpLine = (props: Props) => (
  <BaseEdge path={around(props)[0]} className={`${classes.jump} ${useLit(props) ?? ''}`} interactionWidth={0} />
)
const around = (props: Parameters<typeof getSmoothStepPath>[0]) =>
  getSmoothStepPath({ ...props, borderRadius: 16, offset: 24 })

/** The same from the steps alone, for what the library does not draw. */
export const linePath = (from: FlowNode, port: string, to: FlowNode, isJump: boolean): string => {
  const ends = {
    ...{ sourceX: from.x + sizeOf(from).width + endRadius, sourceY: from.y + portHeightOf(from, port) },
    ...{ targetX: to.x - endRadius, targetY: to.y + headHeight / 2 },
    ...{ sourcePosition: Position.Right, targetPosition: Position.Left },
  }
  return (isJump || leadsBack(from, to) ? around(ends) : getBezierPath(ends))[0]
}

/** A run tells a jump as its step's one way out. */
export const wayOf = ({ id, source, type }: Pick<CanvasLine, 'id' | 'source' | 'type'>) =>
  type === 'jump' ? lineId({ id: source, port: 'next' }) : id
const useLit = ({ id, source, type }: Pick<Props, 'id' | 'source' | 'type'>) =>
  useMark(({ path }) => (path?.lit.has(wayOf({ id, source, type })) ? classes.lit : undefined))

const Line = ({ id, source, type, data, drawn: [path, x, y], interactionWidth }: Props & { drawn: Drawn }) => {
  const { readOnly } = useBuilder()
  const isSmall = useStore(isFar)
  return (
    <>
      <BaseEdge path={path} className={useLit({ id, source, type })} interactionWidth={interactionWidth} />
      {data?.from && !readOnly && !isSmall && <Plus from={data.from} x={x} y={y} />}
    </>
  )
}

/** Puts a step between the two ends of a line. The keyboard has the plus of the chosen line, and of the way in the form. */
const Plus = ({ from, x, y }: { from: PortRef; x: number; y: number }) => {
  const { offerAfter } = useBuilder()
  return (
    // biome-ignore lint/a11y/useSemanticElements: within a drawing there is no other button
    <g
      role="button"
      aria-label="Inserir um passo nesta linha"
      className={classes.plus}
      transform={`translate(${x} ${y})`}
      onClick={(event) => {
        event.stopPropagation()
        offerAfter(from, { x: event.clientX, y: event.clientY })
      }}
    >
      <circle r={20} className={classes.plusTarget} />
      <circle r={10} className={classes.plusDisc} />
      <path d="M-4.5 0H4.5M0-4.5V4.5" className={classes.plusSign} />
    </g>
  )
}

export const lineTypes = { ahead: AheadLine, back: BackLine, jump: JumpLine } satisfies EdgeTypes
