import type { WallAgent } from '@balcao/contract/conversations/wall.ts'
import { formatDuration, formatNumber, plural } from '../../../kit/format.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { useNow } from '../../../ui/clock.ts'
import { ColorDot } from '../../../ui/color-dot.tsx'
import { AgentMenu } from './agent-menu.tsx'
import { AgentState } from './agent-state.tsx'
import classes from './column-head.module.css'
import type { Column } from './columns.ts'

type Props = {
  column: Column
  /** Under which word what nobody has is gathered. */
  kicker: string | null
  total: number
  /** Left out for whoever does not lead the team. */
  onPauses?: (agent: WallAgent) => void
}

/** One agent, queue or state: how it stands. */
export const ColumnHead = ({ column, kicker, total, onPauses }: Props) => {
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
