import type { Author, Cause } from '@balcao/contract/conversations/authors.ts'
import type { Ticket, ticketNotice } from '@balcao/contract/conversations/tickets.ts'
import type { z } from 'zod'
import type { Tx } from '../../../db/database.ts'
import { AppError } from '../../../kit/errors.ts'
import { emitAll, type NewEvent } from '../../../kit/outbox.ts'
import { changedDeadlines, extendAfterPause } from '../deadlines/deadlines.ts'
import { type ChatLine, writeLines } from '../timeline/lines.ts'
import { factsOf } from '../timeline/ticket-facts.ts'
import { newsForFollowers } from './followers.ts'
import { replaceTags, saveColumns, type TicketColumns } from './ticket-columns.ts'
import { logChanges, type NewLog } from './ticket-history.ts'
import { findTickets } from './ticket-rows.ts'
import { wakeDistribution } from './wake-distribution.ts'

/** What a locked ticket becomes, and what is told of it. */
export type TicketChange = {
  before: Ticket
  /** Columns to store; without them (and without tags) the ticket is told of as it stands. */
  set?: TicketColumns
  /** Its new set of tags. */
  tagIds?: string[]
  /** A pause ends with it. Whoever gets it from now on decides anew when to look at it: changing hands says so by itself. */
  isResumed?: boolean
  /** What is promised begins again; of what was closed by itself. */
  isReopened?: boolean
  /** It goes up in the list. Changing hands says so by itself; reading or tagging a conversation is no news. */
  isNews?: boolean
  /** Entries of its history. */
  logs?: NewLog[]
  /** Lines of its conversation that only the team reads. */
  lines?: ChatLine[]
  /** Who is called, and what they are told. */
  notices?: (Pick<z.output<typeof ticketNotice>, 'kind' | 'text' | 'isQuiet'> & { userIds: string[] })[]
  /** What brought it about, where it was not simply asked for. */
  cause?: Cause
}

/**
 * The one author of a ticket's changes: stores them, of one ticket or many, and lets follow what follows from any of
 * them, always the same and in this order: pause and deadlines, columns, tags, history, event, lines, followers,
 * notices, distribution. The caller holds the locks and has read `before` under them.
 */
export const commitTicketChanges = async (tx: Tx, given: TicketChange[], author: Author): Promise<Ticket[]> => {
  if (!given.length) return []
  const changes = given.map((change) => ({ ...change, ...consequencesOf(change, author) }))
  await extendAfterPause(
    tx,
    changes.filter(({ before, isResumed }) => isResumed && before.pausedAt).map(({ before }) => before.id),
  )
  const deadlines = await changedDeadlines(tx, changes)
  await saveColumns(
    tx,
    changes
      .filter(isStored)
      .map((change) => ({ ...change, set: { ...deadlines.get(change.before.id), ...change.set } })),
  )
  await replaceTags(tx, changes)
  const found = new Map(
    (
      await findTickets(
        tx,
        changes.map(({ before }) => before.id),
      )
    ).map((one) => [one.id, one]),
  )
  const told = changes.map((change) => {
    const after = found.get(change.before.id)
    if (!after) throw new AppError('ERR_NO_TICKET_FOUND')
    return { ...change, after }
  })
  await logChanges(tx, told, author)
  await emitAll(
    tx,
    told.map(({ before, after }) => ({
      name: 'ticket.updated' as const,
      payload: after,
      audience: { kind: 'ticket' as const, facts: factsOf(after), before: factsOf(before) },
    })),
  )
  await writeLines(
    tx,
    author,
    told.map(({ after, lines }) => ({ ticket: after, lines })),
  )
  await emitAll(tx, [...(await newsForFollowers(tx, told, author)), ...told.flatMap(noticesOf)])
  if (changes.some(({ isHandedOver, isResumed }) => isHandedOver || isResumed)) wakeDistribution(tx)
  return told.map(({ after }) => after)
}

/** The same for one ticket. */
export const commitTicketChange = async (tx: Tx, change: TicketChange, author: Author): Promise<Ticket> => {
  const [after] = await commitTicketChanges(tx, [change], author)
  if (!after) throw new AppError('ERR_NO_TICKET_FOUND')
  return after
}

const isStored = ({ set, tagIds, isResumed }: TicketChange) => set !== undefined || tagIds !== undefined || isResumed

const consequencesOf = ({ before, set = {}, isResumed, isNews }: TicketChange, author: Author) => {
  const { status = before.status, userId = before.userId, queueId = before.queueId } = set
  const isHandedOver = status !== before.status || userId !== before.userId || queueId !== before.queueId
  const isTaken = isHandedOver && (author.kind === 'user' || status === 'closed')
  return {
    isHandedOver,
    // A person decided, or it is over: whatever would have answered by itself is too late.
    isTaken,
    ...(isTaken && { set: { chatFlowId: null, ...set } }),
    // Whoever says how it is put away, or where it stands in the list, is not second-guessed.
    isResumed: (isResumed ?? isHandedOver) && set.pausedAt === undefined,
    isNews: (isNews ?? isHandedOver) && set.updatedAt === undefined,
  }
}

const noticesOf = ({ after, notices = [] }: TicketChange & { after: Ticket }): NewEvent[] =>
  notices
    .filter(({ userIds }) => userIds.length > 0)
    .map(({ userIds, ...notice }) => ({
      name: 'ticket.notice',
      payload: { ticketId: after.id, messageId: null, ...notice },
      audience: { kind: 'users', userIds },
    }))
