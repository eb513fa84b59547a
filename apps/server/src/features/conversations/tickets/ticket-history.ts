import type { Author, Cause } from '@balcao/contract/conversations/authors.ts'
import type { LoggedFacts, Ticket, ticketLogTypes } from '@balcao/contract/conversations/tickets.ts'
import type { Tx } from '../../../db/database.ts'
import { ticketLogs } from '../../../db/schema/conversations/ticket-history.ts'
import type { TicketChange } from './commit-ticket-changes.ts'

export type LogType = (typeof ticketLogTypes)[number]
/** An entry of a ticket's history. `userId` is whom it concerns: who accepted, who was handed it. */
export type NewLog = {
  type: LogType
  userId?: string | null
  queueId?: string | null
  /** In words, for people; `to` says it to machines. */
  note?: string | null
  from?: LoggedFacts
  to?: LoggedFacts
}

/** Adds what is no change of the ticket itself to its history. */
export const logTicket = async (
  tx: Tx,
  author: Author,
  ...entries: (NewLog & { ticketId: string; cause?: Cause; author?: Author })[]
) => {
  if (!entries.length) return
  await tx.db.insert(ticketLogs).values(entries.map((entry) => ({ tenantId: tx.tenantId, author, ...entry })))
}

/** The entries of changed tickets: each with what it tells of, as it was and as it is. */
export const logChanges = (tx: Tx, changes: (TicketChange & { after: Ticket })[], author: Author) =>
  logTicket(
    tx,
    author,
    ...changes.flatMap(({ before, after, logs = [], cause }) =>
      logs.map((entry) => ({ ticketId: after.id, cause, ...differenceOf(entry.type, before, after), ...entry })),
    ),
  )

type Fact = Exclude<keyof LoggedFacts, 'deadline' | 'grade'>
const place: Fact[] = ['status', 'userId', 'queueId']
const told: Partial<Record<LogType, Fact[]>> = {
  closed: [...place, 'reasonId'],
  reopen: [...place, 'reasonId'],
  undo: [...place, 'reasonId'],
  tags: ['tagIds'],
  note: [],
  priority: ['priority'],
  value: ['value'],
  bot: [...place, 'bot'],
  share: ['sharedWith'],
  pause: ['pausedUntil'],
  resume: ['pausedUntil'],
  channel: ['whatsappId'],
  merge: [...place, 'mergedIntoId'],
  slaBreach: [],
}

const differenceOf = (type: LogType, before: Ticket, after: Ticket): { from?: LoggedFacts; to?: LoggedFacts } => {
  const [was, is] = [loggedFactsOf(before), loggedFactsOf(after)]
  const changed = (told[type] ?? place).filter((fact) => JSON.stringify(was[fact]) !== JSON.stringify(is[fact]))
  if (!changed.length) return {}
  const only = (facts: LoggedFacts): LoggedFacts => Object.fromEntries(changed.map((fact) => [fact, facts[fact]]))
  return { from: only(was), to: only(is) }
}

/** A ticket as its history tells of it. */
export const loggedFactsOf = (ticket: Ticket): LoggedFacts => ({
  status: ticket.status,
  userId: ticket.userId,
  queueId: ticket.queueId,
  reasonId: ticket.reason?.id ?? null,
  priority: ticket.priority,
  value: ticket.value,
  bot: ticket.bot,
  tagIds: ticket.tags.map((tag) => tag.id).toSorted(),
  sharedWith: ticket.sharedWith,
  whatsappId: ticket.whatsappId,
  contactId: ticket.contactId,
  mergedIntoId: ticket.mergedIntoId,
  pausedUntil: ticket.pausedUntil,
})
