import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { dayOf, formatDateTime, formatTime } from '../../../kit/format.ts'
import { nowMs } from '../../../ui/server-time.ts'

/** Until when a conversation is put away. */
export const pausedText = ({ pausedUntil, wakesOnReply }: Pick<Ticket, 'pausedUntil' | 'wakesOnReply'>): string => {
  const reply = 'até o cliente responder'
  if (!pausedUntil) return wakesOnReply ? `Pausado ${reply}.` : 'Pausado até alguém retomar.'
  const isToday = dayOf(pausedUntil) === dayOf(new Date(nowMs()))
  const when = isToday ? formatTime(pausedUntil) : formatDateTime(pausedUntil)
  return `Pausado até ${when}${wakesOnReply ? `, ou ${reply}` : ''}.`
}
