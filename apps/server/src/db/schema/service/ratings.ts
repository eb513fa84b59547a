import { ratingStatuses } from '@balcao/contract/service/ratings.ts'
import { sql } from 'drizzle-orm'
import { index, integer, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { connections } from '../channels/connections.ts'
import { createdAt, moment, refers, tenantTable } from '../columns.ts'
import { contacts } from '../contacts/contacts.ts'
import { tickets } from '../conversations/tickets.ts'
import { users } from '../people/users.ts'

/** The customer's opinion of one closed conversation. */
export const ratings = tenantTable(
  'ratings',
  {
    ticketId: uuid('ticket_id').notNull(),
    contactId: uuid('contact_id').notNull(),
    connectionId: uuid('connection_id').notNull(),
    /** Who had served it, and where. */
    userId: uuid('user_id'),
    queueId: uuid('queue_id'),
    status: text('status', { enum: ratingStatuses }).notNull().default('pending'),
    grade: integer('grade'),
    comment: text('comment').notNull().default(''),
    /** Answers that were no grade. */
    attempts: integer('attempts').notNull().default(0),
    expiresAt: moment('expires_at').notNull(),
    answeredAt: moment('answered_at'),
    createdAt: createdAt(),
  },
  (t) => [
    // One question at a time: a grade needs no guess about what it answers.
    uniqueIndex('ratings_pending').on(t.tenantId, t.connectionId, t.contactId).where(sql`${t.status} = 'pending'`),
    index('ratings_recent').on(t.tenantId, t.createdAt, t.id),
    index('ratings_of_ticket').on(t.tenantId, t.ticketId),
    index('ratings_of_user').on(t.tenantId, t.userId, t.createdAt),
    // The grades a contact gave, in their order.
    index('ratings_of_contact')
      .on(t.tenantId, t.contactId, t.answeredAt, t.id, t.grade)
      .where(sql`${t.grade} is not null`),
    refers(t, t.ticketId, () => tickets, 'cascade'),
    refers(t, t.contactId, () => contacts),
    refers(t, t.connectionId, () => connections),
    refers(t, t.userId, () => users),
  ],
)
