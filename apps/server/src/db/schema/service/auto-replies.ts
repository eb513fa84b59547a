import type { Action } from '@balcao/contract/conversations/actions/index.ts'
import { autoReplyHours, autoReplyStarts, type Keyword, keywordModes } from '@balcao/contract/service/auto-replies.ts'
import { sql } from 'drizzle-orm'
import { boolean, foreignKey, index, integer, jsonb, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { connections } from '../channels/connections.ts'
import { createdAt, refers, tenantTable, versioned } from '../columns.ts'
import { partColumns } from '../conversations/parts.ts'
import { tickets } from '../conversations/tickets.ts'
import { files } from '../core/files.ts'
import { users } from '../people/users.ts'

/** What answers by itself when a customer writes certain words; the first of the list that fits. */
export const autoReplies = tenantTable(
  'auto_replies',
  {
    name: text('name').notNull(),
    isActive: boolean('is_active').notNull().default(true),
    position: integer('position').notNull().default(0),
    starts: text('starts', { enum: autoReplyStarts }).notNull(),
    keywords: jsonb('keywords').$type<Keyword[]>().notNull().default([]),
    isFirstOnly: boolean('is_first_only').notNull().default(false),
    /** It is a choice of this one: it answers only right after it. */
    afterId: uuid('after_id'),
    /** This one follows by itself. */
    nextId: uuid('next_id'),
    connectionIds: uuid('connection_ids').array().notNull().default(sql`'{}'`),
    hours: text('hours', { enum: autoReplyHours }).notNull().default('always'),
    actions: jsonb('actions').$type<Action[]>().notNull().default([]),
    cooldownSeconds: integer('cooldown_seconds').notNull().default(60),
    /** The one phone it answers, while it is tried. */
    celularTeste: text('celular_teste'),
    userId: uuid('user_id'),
    ...versioned(),
  },
  (t) => [
    index('auto_replies_order').on(t.tenantId, t.position, t.id),
    index('auto_replies_after').on(t.tenantId, t.afterId).where(sql`${t.afterId} is not null`),
    index('auto_replies_next').on(t.tenantId, t.nextId).where(sql`${t.nextId} is not null`),
    foreignKey({ columns: [t.tenantId, t.afterId], foreignColumns: [t.tenantId, t.id] }),
    foreignKey({ columns: [t.tenantId, t.nextId], foreignColumns: [t.tenantId, t.id] }),
    refers(t, t.userId, () => users),
  ],
)

/** What an answer says, one message after the other. */
export const autoReplyParts = tenantTable(
  'auto_reply_parts',
  { autoReplyId: uuid('auto_reply_id').notNull(), ...partColumns() },
  (t) => [
    uniqueIndex('auto_reply_parts_order').on(t.tenantId, t.autoReplyId, t.position),
    index('auto_reply_parts_media').on(t.tenantId, t.mediaId).where(sql`${t.mediaId} is not null`),
    refers(t, t.autoReplyId, () => autoReplies, 'cascade'),
    refers(t, t.mediaId, () => files),
  ],
)

/** What was answered by itself, to what; kept for 90 days. */
export const autoReplyChoices = tenantTable(
  'auto_reply_choices',
  {
    autoReplyId: uuid('auto_reply_id').notNull(),
    ticketId: uuid('ticket_id').notNull(),
    connectionId: uuid('connection_id').notNull(),
    said: text('said').notNull(),
    keyword: text('keyword'),
    mode: text('mode', { enum: keywordModes }),
    /** What could not be done. */
    problem: text('problem'),
    createdAt: createdAt(),
  },
  (t) => [
    index('auto_reply_choices_recent').on(t.tenantId, t.createdAt, t.id),
    index('auto_reply_choices_rule').on(t.tenantId, t.autoReplyId, t.createdAt, t.id),
    // How much was answered by itself in a conversation lately.
    index('auto_reply_choices_ticket').on(t.tenantId, t.ticketId, t.createdAt),
    index('auto_reply_choices_connection').on(t.tenantId, t.connectionId),
    refers(t, t.autoReplyId, () => autoReplies),
    refers(t, t.ticketId, () => tickets, 'cascade'),
    refers(t, t.connectionId, () => connections),
  ],
)
