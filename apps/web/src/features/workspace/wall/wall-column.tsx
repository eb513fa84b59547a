import type { Page } from '@balcao/contract/common.ts'
import type { WallAgent, WallCard } from '@balcao/contract/conversations/wall.ts'
import { Loader } from '@mantine/core'
import { type DragEvent, useState } from 'react'
import { Virtuoso } from 'react-virtuoso'
import { formatDuration, formatNumber, plural } from '../../../kit/format.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { useNow } from '../../../ui/clock.ts'
import { ColorDot } from '../../../ui/color-dot.tsx'
import { AgentMenu } from './agent-menu.tsx'
import { AgentState } from './agent-state.tsx'
import type { Column } from './columns.ts'
import { type CardHandlers, WallTicket } from './wall-card.tsx'
import classes from './wall-column.module.css'

type Props = CardHandlers & {
  column: Column
  page: Page<WallCard> | undefined
  /** The card in hand may be let go here. */
  isTarget: boolean
  selfId: string
  canWork: boolean
  showsAgent: boolean
  /** Under which word what nobody has is gathered. */
  kicker: string | null
  isLoadingMore: boolean
  onMore: (key: string) => void
  onDrop: (key: string) => void
  /** Left out for whoever does not lead the team. */
  onPauses?: (agent: WallAgent) => void
}

/** One agent, queue or state: how it stands, then who waits longest. */
export const BoardColumn = (props: Props) => {
  const { column, page, isTarget, selfId, canWork, showsAgent, kicker, isLoadingMore, onMore, onDrop, onPauses } = props
  const [isOver, setOver] = useState(false)
  const cards = page?.items ?? []
  const handlers = {
    onOpen: props.onOpen,
    onDrag: props.onDrag,
    onTake: props.onTake,
    onMove: props.onMove,
    onPriority: props.onPriority,
  }
  return (
    <section
      className={classes.column}
      data-over={isOver && isTarget}
      data-target={isTarget}
      aria-label={kicker ? `${kicker}: ${column.title}` : column.title}
      onDragOver={(event: DragEvent) => {
        if (!isTarget) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false) // React types it as any EventTarget
      }}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        if (isTarget) onDrop(column.key)
      }}
    >
      <Head
        column={column}
        kicker={kicker}
        total={page && !page.hasMore ? cards.length : column.open + column.pending}
        onPauses={onPauses}
      />
      {cards.length === 0 ? (
        <p className={classes.none}>{page?.hasMore ? 'Carregando…' : 'Nenhum atendimento'}</p>
      ) : (
        <Virtuoso
          className={classes.cards}
          data={cards}
          computeItemKey={(_, card) => card.id}
          defaultItemHeight={104}
          increaseViewportBy={200}
          endReached={() => page?.hasMore && onMore(column.key)}
          context={{ isLoadingMore }}
          components={parts}
          itemContent={(_, card) => (
            <div className={classes.item}>
              <WallTicket
                card={card}
                selfId={selfId}
                canWork={canWork}
                showsAgent={showsAgent}
                showsQueue={!column.key.startsWith('queue:')}
                {...handlers}
              />
            </div>
          )}
        />
      )}
    </section>
  )
}

type HeadProps = Pick<Props, 'column' | 'kicker' | 'onPauses'> & { total: number }
const Head = ({ column, kicker, total, onPauses }: HeadProps) => {
  const now = useNow()
  const { agent } = column
  const isFull = agent?.capacity != null && column.open >= agent.capacity
  return (
    <header className={classes.head}>
      <div className={classes.top}>
        {agent && <Avatar name={agent.name} size={32} />}
        <div className={classes.titles}>
          {kicker && <span className={classes.kicker}>{kicker}</span>}
          <h2 className={`truncate ${classes.title}`} title={column.title}>
            {column.color ? <ColorDot color={column.color} label={column.title} /> : column.title}
          </h2>
          {agent && (
            <span className={classes.state}>
              <AgentState agent={agent} />
            </span>
          )}
        </div>
        <span className={`tabular ${classes.count}`} title={plural(total, 'atendimento', 'atendimentos')}>
          {formatNumber(total)}
        </span>
        {agent && onPauses && <AgentMenu agent={agent} onPauses={onPauses} />}
      </div>
      <div className={`tabular ${classes.figures}`}>
        {agent?.capacity != null && (
          <span data-tone={isFull ? 'waiting' : undefined}>
            {column.open} de {agent.capacity}
            {isFull && ' · lotado'}
          </span>
        )}
        {column.waitingSince && (
          <span>maior espera {formatDuration(Math.max(0, now - Date.parse(column.waitingSince)))}</span>
        )}
        {column.late > 0 && <span data-tone="late">{plural(column.late, 'atrasado', 'atrasados')}</span>}
      </div>
      {agent?.capacity != null && (
        <div className={classes.bar} aria-hidden>
          <span
            data-full={isFull}
            style={{ width: `${Math.min(100, Math.round((100 * column.open) / agent.capacity))}%` }}
          />
        </div>
      )}
    </header>
  )
}

const Foot = ({ context }: { context?: { isLoadingMore: boolean } }) => (
  <div className={classes.foot}>{context?.isLoadingMore && <Loader size={18} aria-label="Carregando mais" />}</div>
)
const parts = { Footer: Foot }
