import type { FlowNode } from '@balcao/contract/automation/flows/graph.ts'
import { nodeLabels, type Port, portsOf } from '@balcao/contract/automation/flows/graph.ts'
import { titleOf } from '@balcao/contract/automation/flows/problems.ts'
import { Tooltip } from '@mantine/core'
import { IconAlertCircle, IconAlertTriangle, IconPlus } from '@tabler/icons-react'
import { Handle, type NodeProps, NodeResizer, Position } from '@xyflow/react'
import { memo, type ReactNode, useState } from 'react'
import { formatNumber } from '../../../kit/format.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { type NodeNumbers, useBuilder, useDesk, useMark } from './builder-context.ts'
import { type CanvasNode, looksAlike } from './drawn.ts'
import { jumpPort } from './flow-lines.tsx'
import { type Detail, hasWords } from './geometry.ts'
import { kinds } from './kinds.ts'
import classes from './step-card.module.css'
import { wordsOfNode } from './words.ts'

type Props = NodeProps<CanvasNode>

const JumpEnd = () => (
  <Handle
    id={jumpPort}
    type="source"
    position={Position.Right}
    isConnectable={false}
    className={classes.unseen}
    style={{ top: 20 }}
  />
)

const StepCard = ({ data: { node, detail } }: Props) => (
  <Frame node={node} detail={detail}>
    {detail === 'all' ? <NearFace node={node} /> : detail === 'name' && <FarFace node={node} />}
  </Frame>
)

/** What is known of a step changes around what it shows: that is not drawn anew with it. */
const Frame = ({ node, detail, children }: { node: FlowNode; detail: Detail; children: ReactNode }) => {
  const isWrong = useMark(
    (marks) => detail !== 'all' && (marks.problems.get(node.id)?.some(({ level }) => level === 'error') ?? false),
  )
  return (
    <div
      className={classes.card}
      data-tone={kinds[node.kind].tone}
      data-detail={detail}
      data-wrong={isWrong || undefined}
      {...useCardState(node.id)}
    >
      {children}
    </div>
  )
}

/** Where words cannot be read, a card is its name alone, large, and hundreds of them cost little. */
const FarFace = ({ node }: { node: FlowNode }) => {
  const { icon: Icon } = kinds[node.kind]
  return (
    <div className={classes.far}>
      <Icon size={28} stroke={1.75} aria-hidden />
      <span className={classes.farName}>{titleOf(node)}</span>
    </div>
  )
}

/** One step: its kind and name, its first words, its ways out on the right edge, and what is known of it. */
const NearFace = ({ node }: { node: FlowNode }) => {
  const { desk } = useBuilder()
  const { id } = node
  const nameOf = useMark((marks) => marks.nameOf)
  const problems = useMark((marks) => marks.problems.get(id))
  const numbers = useMark((marks) => marks.numbers?.get(id))
  const hasNumbers = useMark((marks) => marks.numbers !== null)
  const viewers = useMark((marks) => marks.viewers.get(id))
  const jumpsTo = useDesk(desk, ({ nodes }) => {
    const to = node.kind === 'jump' ? nodes.get(node.data.to) : undefined
    return to && titleOf(to)
  })
  const { icon: Icon } = kinds[node.kind]
  const words = wordsOfNode(node, nameOf, () => jumpsTo)
  const isWrong = problems?.some(({ level }) => level === 'error')
  const Alert = isWrong ? IconAlertCircle : IconAlertTriangle
  return (
    <>
      {node.kind !== 'start' && <Handle id="in" type="target" position={Position.Left} className={classes.in} />}
      <div className={classes.head}>
        <span className={classes.icon}>
          <Icon size={16} stroke={1.75} aria-hidden />
        </span>
        <span className={classes.name}>{titleOf(node)}</span>
        {problems && problems.length > 0 && (
          <Tooltip label={problems.map(({ message }) => message).join(' ')} multiline maw={280}>
            <span
              className={classes.problem}
              data-wrong={isWrong}
              role="img"
              aria-label={`${isWrong ? 'Precisa de correção' : 'Atenção'}: ${problems[0]?.message}`}
            >
              <Alert size={16} stroke={2} />
            </span>
          </Tooltip>
        )}
        {viewers?.slice(0, 3).map(({ userId, name }) => (
          <Tooltip key={userId} label={name}>
            <span className={classes.viewer}>
              <Avatar name={name} size={20} />
            </span>
          </Tooltip>
        ))}
      </div>
      {hasWords(node) && (
        <div className={classes.words} data-empty={!words || undefined}>
          {words || `${nodeLabels[node.kind]} sem conteúdo`}
        </div>
      )}
      {portsOf(node).map((port) => (
        <PortRow key={port.id} node={node} port={port} numbers={numbers} />
      ))}
      {node.kind === 'jump' && <JumpEnd />}
      {hasNumbers && <Numbers of={numbers} />}
    </>
  )
}

const useCardState = (id: string) => {
  const isFound = useMark((marks) => (marks.found ? marks.found.has(id) : undefined))
  const diff = useMark((marks) =>
    marks.diff?.added.has(id) ? 'added' : marks.diff?.changed.has(id) ? 'changed' : undefined,
  )
  const path = useMark((marks) => {
    if (!marks.path) return undefined
    return marks.path.at === id ? 'at' : marks.path.passed.has(id) ? 'passed' : 'other'
  })
  return { 'data-found': isFound, 'data-diff': diff, 'data-path': path }
}

const PortRow = ({ node, port, numbers }: { node: FlowNode; port: Port; numbers: NodeNumbers | undefined }) => {
  const { offerAfter, readOnly } = useBuilder()
  const isLinked = Boolean(node.next[port.id])
  const went = numbers?.ports[port.id]
  const share = went && numbers.passed ? `${Math.round((went / numbers.passed) * 100)}%` : null
  return (
    <div className={classes.port} data-linked={isLinked} data-optional={port.isOptional || undefined}>
      <span className={classes.portLabel}>{port.label}</span>
      {share && <span className={classes.share}>{share}</span>}
      <Handle
        id={port.id}
        type="source"
        position={Position.Right}
        className={classes.out}
        isConnectableEnd={false}
        role="button"
        aria-label={
          isLinked ? `Saída “${port.label}”` : `Adicionar um passo depois de “${port.label}” de ${titleOf(node)}`
        }
        onClick={(event) => {
          if (!isLinked && !readOnly) offerAfter({ id: node.id, port: port.id }, { x: event.clientX, y: event.clientY })
        }}
      >
        {!isLinked && !readOnly && <IconPlus size={12} stroke={2.5} aria-hidden />}
      </Handle>
    </div>
  )
}

const Numbers = ({ of }: { of: NodeNumbers | undefined }) => (
  <div className={classes.numbers}>
    <span title="Conversas que passaram">
      {formatNumber(of?.passed ?? 0)} {of?.passed === 1 ? 'passou' : 'passaram'}
    </span>
    {of && of.waiting > 0 && <span title="Conversas paradas aqui agora">{formatNumber(of.waiting)} aqui</span>}
    {of && of.dropped > 0 && (
      <span className={classes.dropped} title="Pararam de responder aqui">
        {formatNumber(of.dropped)} {of.dropped === 1 ? 'desistiu' : 'desistiram'}
      </span>
    )}
    {of && of.toPerson > 0 && (
      <span className={classes.toPerson} title="Foram para uma pessoa aqui">
        {formatNumber(of.toPerson)} à equipe
      </span>
    )}
  </div>
)

const CommentCard = ({ id, data: { node } }: Props) => (
  <div className={classes.comment} {...useCardState(id)}>
    {(node.kind === 'comment' && node.data.text) || 'Comentário vazio'}
  </div>
)

const minWidth = 160
const minHeight = 100
const GroupFrame = ({ id, data: { node }, selected }: Props) => {
  const { desk, readOnly } = useBuilder()
  const state = useCardState(id)
  const [held, setHeld] = useState<{ x: number; y: number; width: number; height: number }>()
  if (node.kind !== 'group') return null
  const asHeld = held && { left: held.x - node.x, top: held.y - node.y, width: held.width, height: held.height }
  return (
    <div className={classes.group} data-color={node.data.color} style={asHeld} {...state}>
      <NodeResizer
        isVisible={selected && !readOnly}
        minWidth={minWidth}
        minHeight={minHeight}
        onResize={(_event, { x, y, width, height }) => setHeld({ x, y, width, height })}
        onResizeEnd={(_event, { x, y, width, height }) => {
          setHeld(undefined)
          const now = desk.get().nodes.get(id)
          if (now?.kind !== 'group') return
          const data = { ...now.data, width: Math.round(width), height: Math.round(height) }
          desk.change({ upserts: [{ ...now, x: Math.round(x), y: Math.round(y), data }], removes: [] })
        }}
      />
      <span className={classes.groupName}>{titleOf(node)}</span>
    </div>
  )
}

const isSame = (before: Props, now: Props) =>
  before.data.detail === now.data.detail && looksAlike(before.data.node, now.data.node)
export const nodeTypes = {
  step: memo(StepCard, isSame),
  comment: memo(CommentCard, isSame),
  group: memo(GroupFrame, (before, now) => isSame(before, now) && before.selected === now.selected),
}
