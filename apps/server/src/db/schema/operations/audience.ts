import type { TemplateUse } from '@balcao/contract/channels/templates.ts'
import { purposes } from '@balcao/contract/contacts/consent.ts'
import { sql } from 'drizzle-orm'
import { index, integer, jsonb, text, uuid } from 'drizzle-orm/pg-core'
import { connections } from '../channels/connections.ts'
import { createdAt, moment, refers, tenantTable } from '../columns.ts'
import { contacts } from '../contacts/contacts.ts'
import { files } from '../core/files.ts'
import { users } from '../people/users.ts'

/**
 * What goes to many: each waits here for its turn and becomes a message only when its connection is about to send it, so
 * that an answer of the team never stands behind thousands.
 */
export const audience = tenantTable(
  'audience',
  {
    connectionId: uuid('connection_id').notNull(),
    contactId: uuid('contact_id').notNull(),
    body: text('body').notNull(),
    mediaId: uuid('media_id'),
    /** In the place of the words, where the channel takes nothing else by then. */
    template: jsonb('template').$type<TemplateUse>(),
    purpose: text('purpose', { enum: purposes }).notNull(),
    /** `written`: it is in the conversation, and how it fares on its way is told by that message. */
    state: text('state', { enum: ['waiting', 'written', 'failed'] })
      .notNull()
      .default('waiting'),
    messageId: uuid('message_id'),
    error: text('error'),
    /** When it may be looked at: from the beginning, or later after a slip of ours. */
    attemptAt: moment('attempt_at').notNull().defaultNow(),
    attempts: integer('attempts').notNull().default(0),
    /** Null: what the company set up does so by itself, by this name. */
    createdBy: uuid('created_by'),
    /** It is worth nothing any more from then on. */
    expiresAt: moment('expires_at'),
    rule: text('rule').notNull().default('Envio em massa'),
    createdAt: createdAt(),
    doneAt: moment('done_at'),
  },
  (t) => [
    // The next of each connection, however many wait behind it.
    index('audience_waiting').on(t.tenantId, t.connectionId, t.attemptAt, t.id).where(sql`${t.state} = 'waiting'`),
    index('audience_of_contact').on(t.tenantId, t.contactId),
    refers(t, t.connectionId, () => connections),
    refers(t, t.contactId, () => contacts, 'cascade'),
    refers(t, t.mediaId, () => files),
    refers(t, t.createdBy, () => users),
  ],
)
