import { mailKinds, mailStates } from '@balcao/contract/people/mails.ts'
import { sql } from 'drizzle-orm'
import { index, integer, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, moment, tenantTable } from '../columns.ts'

/** A mail of ours on its way: the row is the queue. */
export const mails = tenantTable(
  'mails',
  {
    kind: text('kind', { enum: mailKinds }).notNull(),
    to: text('to').notNull(),
    /** Whom it is for. It has no reference: the record outlives the person. */
    userId: uuid('user_id'),
    /** Subject, text and link, sealed: the link opens an account. Gone once it has been sent or given up. */
    content: text('content'),
    /** The same with every attempt: twice accepted is once read. */
    messageId: text('message_id').notNull(),
    state: text('state', { enum: mailStates }).notNull().default('queued'),
    attempts: integer('attempts').notNull().default(0),
    error: text('error'),
    attemptAt: moment('attempt_at').notNull().defaultNow(),
    /** After that it is of no use: its link has died. */
    expiresAt: moment('expires_at').notNull(),
    sentAt: moment('sent_at'),
    createdAt: createdAt(),
  },
  (t) => [
    index('mails_recent').on(t.tenantId, t.createdAt, t.id),
    // Whoever runs the platform reads those of all companies, the loop asks for them.
    index('mails_of_all').on(t.createdAt, t.id),
    index('mails_due').on(t.attemptAt).where(sql`${t.state} = 'queued'`),
  ],
)
