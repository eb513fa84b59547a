import type { Author, Cause } from '@balcao/contract/conversations/authors.ts'
import { type LoggedFacts, ticketLogTypes, undoableActs } from '@balcao/contract/conversations/tickets.ts'
import { boolean, index, jsonb, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, moment, refers, tenantTable } from '../columns.ts'
import { users } from '../people/users.ts'
import { tickets } from './tickets.ts'

/**
 * A closing or transfer that can still be taken back: how the ticket stood, and what its customer gets when the time is
 * over.
 */
export const ticketUndos = tenantTable(
  'ticket_undos',
  {
    ticketId: uuid('ticket_id').notNull(),
    /** Who did it, and may take it back. */
    userId: uuid('user_id').notNull(),
    kind: text('kind', { enum: undoableActs }).notNull(),
    before: jsonb('before').$type<Record<string, unknown>>().notNull(),
    /** As it stood right after; another state means that somebody went on with it. */
    after: jsonb('after').$type<{ status: string; userId: string | null; queueId: string | null }>().notNull(),
    /** The last words, ready to be sent; null: none. */
    farewell: jsonb('farewell').$type<{ body: string; userId: string | null }>(),
    /** The customer is asked for a grade. */
    asksRating: boolean('asks_rating').notNull().default(false),
    dueAt: moment('due_at').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('ticket_undos_ticket').on(t.tenantId, t.ticketId),
    // Asked of all companies at once.
    index('ticket_undos_due').on(t.dueAt),
    refers(t, t.ticketId, () => tickets, 'cascade'),
    refers(t, t.userId, () => users, 'cascade'),
  ],
)

export const ticketLogs = tenantTable(
  'ticket_logs',
  {
    ticketId: uuid('ticket_id').notNull(),
    type: text('type', { enum: ticketLogTypes }).notNull(),
    /** Whom it concerns: who accepted, who was handed it. */
    userId: uuid('user_id'),
    queueId: uuid('queue_id'),
    note: text('note'),
    author: jsonb('author').$type<Author>(),
    /** What changed, as it was and as it is. */
    from: jsonb('from').$type<LoggedFacts>(),
    to: jsonb('to').$type<LoggedFacts>(),
    cause: jsonb('cause').$type<Cause>(),
    createdAt: createdAt(),
  },
  (t) => [
    index('ticket_logs_ticket').on(t.tenantId, t.ticketId, t.id),
    refers(t, t.ticketId, () => tickets, 'cascade'),
    refers(t, t.userId, () => users),
  ],
)
