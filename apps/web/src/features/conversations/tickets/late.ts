import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { waitLimitMs } from '@balcao/contract/conversations/urgency.ts'
import { dayOf, formatDate, formatDateTime, formatTime } from '../../../kit/format.ts'

/** So little left of the time is told in amber. */
const soonShare = 0.25

export type Tone = 'calm' | 'soon' | 'over'
export type Urgency = { text: string; title: string; tone: Tone }
type Pressing = Pick<Ticket, 'waitingSince' | 'status'> & Promised

/** The one thing that presses: whichever comes first of the end of a customer's patience and of what was promised. */
export const urgencyOf = (ticket: Pressing, now: number): Urgency | null => {
  const wait = waitOf(ticket, now)
  const promise = promiseOf(ticket, now)
  if (!wait || !promise) return wait ?? promise
  return wait.dueAt < promise.dueAt ? wait : promise
}

/** How long the customer has been without an answer. */
export const waitOf = (ticket: Pressing, now: number): (Urgency & { dueAt: number }) | null => {
  const { waitingSince, status, pausedAt } = ticket
  if (!waitingSince || status === 'closed' || pausedAt) return null
  const since = Date.parse(waitingSince)
  const dueAt = since + waitLimitMs
  const title = `O cliente espera desde ${formatDateTime(waitingSince)}`
  return { text: waitingText(ticket, now), title, tone: toneOf(since, dueAt, now), dueAt }
}

/** What is left of the promise, or by how much it was broken. */
export const promiseOf = (ticket: Promised, now: number): (Urgency & { dueAt: number }) | null => {
  const left = timeLeftOf(ticket, now)
  if (!left || !ticket.slaDueAt) return null
  const text = left.tone === 'over' ? left.text : `prazo ${left.text}`
  const title = `Prazo: ${formatDateTime(ticket.slaDueAt)}`
  return { text, title, tone: left.tone, dueAt: Date.parse(ticket.slaDueAt) }
}

const toneOf = (from: number, dueAt: number, now: number): Tone =>
  now > dueAt ? 'over' : dueAt - now < soonShare * (dueAt - from) ? 'soon' : 'calm'

/** "25 min", "4h33", "27 h", "3 dias": a length of time where there is little room. */
const shortly = (milliseconds: number): string => {
  const minutes = Math.floor(Math.max(0, milliseconds) / 60_000)
  if (minutes < 60) return `${Math.max(1, minutes)} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 10) return `${hours}h${String(minutes % 60).padStart(2, '0')}`
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} dias`
}

/** "espera 25 min": how long the customer has been without an answer. */
export const waitingText = ({ waitingSince }: Pick<Ticket, 'waitingSince'>, now: number): string =>
  waitingSince ? `espera ${shortly(now - Date.parse(waitingSince))}` : ''

export type TimeLeft = { text: string; tone: Tone }
type Promised = Pick<Ticket, 'slaDueAt' | 'status' | 'pausedAt' | 'createdAt' | 'startedAt'>
/** What is left of the time that was promised; null where nothing is promised, or it rests. */
export const timeLeftOf = (
  { slaDueAt, status, pausedAt, createdAt, startedAt }: Promised,
  now: number,
): TimeLeft | null => {
  if (!slaDueAt || status === 'closed' || pausedAt) return null
  const dueAt = Date.parse(slaDueAt)
  const tone = toneOf(Date.parse(startedAt ?? createdAt), dueAt, now)
  return { text: tone === 'over' ? `atraso ${shortly(now - dueAt)}` : shortly(dueAt - now), tone }
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
