import type { Ticket } from '@balcao/contract/tickets.ts'
import { dayOf, formatDate, formatTime } from '../../kit/format.ts'

/** A customer who waits longer than this is marked. */
const lateAfterMs = 15 * 60_000
/** So little left of the time promised is told in amber. */
const soonShare = 0.25

type Waiting = Pick<Ticket, 'waitingSince' | 'status'>
export const isLate = ({ waitingSince, status }: Waiting, now: number): boolean =>
  status !== 'closed' && waitingSince !== null && now - Date.parse(waitingSince) > lateAfterMs

/** "25 min", "4h33", "27 h", "3 dias": a length of time where there is little room. */
const shortly = (milliseconds: number): string => {
  const minutes = Math.floor(Math.max(0, milliseconds) / 60_000)
  if (minutes < 60) return `${Math.max(1, minutes)} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 10) return `${hours}h${String(minutes % 60).padStart(2, '0')}`
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} dias`
}

/** "espera 25 min": how long the customer has been without an answer. */
export const waitingText = ({ waitingSince }: Waiting, now: number): string =>
  waitingSince ? `espera ${shortly(now - Date.parse(waitingSince))}` : ''

export type TimeLeft = { text: string; tone: 'calm' | 'soon' | 'over' }
type Promised = Pick<Ticket, 'slaDueAt' | 'status' | 'pausedAt' | 'createdAt' | 'startedAt'>
/** What is left of the time that was promised; null where nothing is promised, or it rests. */
export const timeLeftOf = (
  { slaDueAt, status, pausedAt, createdAt, startedAt }: Promised,
  now: number,
): TimeLeft | null => {
  if (!slaDueAt || status === 'closed' || pausedAt) return null
  const dueAt = Date.parse(slaDueAt)
  const leftMs = dueAt - now
  if (leftMs < 0) return { text: `atraso ${shortly(-leftMs)}`, tone: 'over' }
  return {
    text: shortly(leftMs),
    tone: leftMs < soonShare * (dueAt - Date.parse(startedAt ?? createdAt)) ? 'soon' : 'calm',
  }
}

/** "até 14:00", "até 24/11", or that it waits for the customer. */
export const pausedText = (
  { pausedUntil, wakesOnReply }: Pick<Ticket, 'pausedUntil' | 'wakesOnReply'>,
  now: number,
): string => {
  if (!pausedUntil) return wakesOnReply ? 'até responder' : 'em pausa'
  const isToday = dayOf(pausedUntil) === dayOf(new Date(now))
  return `até ${isToday ? formatTime(pausedUntil) : formatDate(pausedUntil).slice(0, 5)}`
}
