import type { Invitation } from '@balcao/contract/conversations/messages.ts'
import { IconCalendarEvent } from '@tabler/icons-react'
import { formatDate, formatDateTime, formatTime } from '../../../kit/format.ts'
import classes from './bubble.module.css'

/** To what, when and where a mail invites; the answer is written in words. */
export const InvitationCard = ({
  invitation: { title, place, starts, ends, isCancelled },
}: {
  invitation: Invitation
}) => (
  <div className={classes.invitation} role="note" aria-label={isCancelled ? 'Convite cancelado' : 'Convite'}>
    <IconCalendarEvent size={22} stroke={1.75} aria-hidden />
    <div>
      <strong data-cancelled={isCancelled}>{title}</strong>
      <div>{whenOf(starts, ends)}</div>
      {place && <div>{place}</div>}
      {isCancelled && <div>Cancelado por quem convidou.</div>}
    </div>
  </div>
)

/** A whole day ends at the beginning of the next, as calendars write it: only its first is said. */
const whenOf = (starts: string, ends: string | null): string => {
  if (starts.length === 10) return formatDate(`${starts}T12:00`)
  const isSameDay = ends !== null && ends.length > 10 && formatDate(starts) === formatDate(ends)
  if (!ends || ends.length === 10) return formatDateTime(starts)
  return `${formatDateTime(starts)} até ${isSameDay ? formatTime(ends) : formatDateTime(ends)}`
}
