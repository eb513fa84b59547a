import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { IconAlarm } from '@tabler/icons-react'
import { formatExact } from '../../../kit/format.ts'
import { useNow } from '../../../ui/clock.ts'
import { timeLeftOf } from '../../conversations/tickets/late.ts'
import classes from './sla-clock.module.css'

type Promised = Pick<Ticket, 'slaDueAt' | 'status' | 'pausedAt' | 'firstAnsweredAt' | 'createdAt' | 'startedAt'>

/** What is left of the time that was promised: amber in its last quarter, red when it is over. Nothing where nothing is promised. */
export const SlaClock = ({ ticket }: { ticket: Promised }) => {
  const now = useNow(ticket.slaDueAt ? Date.parse(ticket.slaDueAt) : null)
  const left = timeLeftOf(ticket, now)
  if (!left || !ticket.slaDueAt) return null
  const what = ticket.firstAnsweredAt ? 'Resolução prometida' : 'Primeira resposta prometida'
  const title = `${what} até ${formatExact(ticket.slaDueAt)}`
  return (
    <span className={`tabular ${classes.clock}`} data-tone={left.tone} title={title}>
      <IconAlarm size={14} stroke={1.75} aria-hidden />
      <span className={classes.unseen}>{left.tone === 'over' ? 'Prazo vencido: ' : 'Prazo: '}</span>
      {left.text}
    </span>
  )
}
