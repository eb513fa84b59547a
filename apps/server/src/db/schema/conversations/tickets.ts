import { botNames, notSentStates, ticketStatuses } from '@balcao/contract/conversations/tickets.ts'
import { priorities } from '@balcao/contract/conversations/urgency.ts'
import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { connections } from '../channels/connections.ts'
import { createdAt, moment, refers, tenantLink, tenantTable, updatedAt } from '../columns.ts'
import { contacts } from '../contacts/contacts.ts'
import { tags } from '../contacts/tags.ts'
import { users } from '../people/users.ts'
import { queues } from '../service/queues.ts'
import { reasons } from './lists.ts'

export const tickets = tenantTable(
  'tickets',
  {
    protocol: text('protocol').notNull(),
    status: text('status', { enum: ticketStatuses }).notNull(),
    contactId: uuid('contact_id').notNull(),
    connectionId: uuid('connection_id').notNull(),
    queueId: uuid('queue_id'),
    userId: uuid('user_id'),
    /** Why it was closed. */
    reasonId: uuid('reason_id'),
    /** The flow that leads it, and when one last began to. */
    chatFlowId: uuid('chat_flow_id'),
    chatFlowAt: moment('chat_flow_at'),
    /** The automatic answer given last, and when; it has no reference: that one may go first. */
    autoReplyId: uuid('auto_reply_id'),
    autoRepliedAt: moment('auto_replied_at'),
    /** The assistant that answers until a person accepts. */
    bot: text('bot', { enum: botNames }),
    /** When one last began to. */
    assistantAt: moment('assistant_at'),
    priority: text('priority', { enum: priorities }).notNull().default('normal'),
    /** Negotiated value, in cents. */
    value: bigint('value', { mode: 'number' }),
    /** Colleagues who take part in it, whatever the queue. */
    sharedWith: uuid('shared_with').array().notNull().default(sql`'{}'`),
    /** Put away: until a moment, until the customer writes, or until somebody takes it up again. */
    pausedAt: moment('paused_at'),
    pausedUntil: moment('paused_until'),
    pauseReason: text('pause_reason'),
    wakesOnReply: boolean('wakes_on_reply').notNull().default(true),
    /** Time spent in ended pauses, in milliseconds: not handling time. */
    pausedMs: bigint('paused_ms', { mode: 'number' }).notNull().default(0),
    /** The ticket that took in this one's messages. */
    mergedIntoId: uuid('merged_into_id'),
    isGroup: boolean('is_group').notNull().default(false),
    /** Holds what was sent to many and nobody has to work on: always closed, in no list, count or report. */
    isHidden: boolean('is_hidden').notNull().default(false),
    unreadMessages: integer('unread_messages').notNull().default(0),
    answered: boolean('answered').notNull().default(true),
    lastMessage: text('last_message').notNull().default(''),
    lastMessageType: text('last_message_type').notNull().default('text'),
    /** Who of the team wrote it; null: the customer, a bot, the company by itself. */
    lastAuthorId: uuid('last_author_id'),
    lastMessageAt: moment('last_message_at'),
    /** The worst of its messages that failed or may not have arrived; null: there is none. */
    notSent: text('not_sent', { enum: notSentStates }),
    /** What the latest of those says, in one line, and its kind. */
    notSentMessage: text('not_sent_message'),
    notSentMessageType: text('not_sent_message_type'),
    lastInboundAt: moment('last_inbound_at'),
    waitingSince: moment('waiting_since'),
    /** A person accepted it. */
    startedAt: moment('started_at'),
    closedAt: moment('closed_at'),
    firstAnsweredAt: moment('first_answered_at'),
    /** Until when the first answer, and the end, are promised (settings.slaTargets); null: nothing is. */
    slaFirstDueAt: moment('sla_first_due_at'),
    slaResolveDueAt: moment('sla_resolve_due_at'),
    /** What is promised next. */
    slaDueAt: moment('sla_due_at').generatedAlwaysAs(
      sql`least(case when first_answered_at is null then sla_first_due_at end, sla_resolve_due_at)`,
    ),
    slaFirstBreachedAt: moment('sla_first_breached_at'),
    slaResolveBreachedAt: moment('sla_resolve_breached_at'),
    /** Business time that pauses took of the promise, in milliseconds: it is promised that much later. */
    slaPausedMs: bigint('sla_paused_ms', { mode: 'number' }).notNull().default(0),
    /** Distribution handed it to `userId` then, who has not accepted it yet. */
    distributedAt: moment('distributed_at'),
    version: integer('version').notNull().default(1),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    // Ruling 18: one active ticket per contact and connection.
    uniqueIndex('tickets_active').on(t.tenantId, t.connectionId, t.contactId).where(sql`${t.status} <> 'closed'`),
    uniqueIndex('tickets_protocol').on(t.tenantId, t.protocol),
    // A million of what was sent to many does not stand before the closed ones of a list.
    index('tickets_inbox')
      .on(t.tenantId, t.status, sql`coalesce(${t.lastMessageAt}, ${t.createdAt})`, t.id)
      .where(sql`${t.status} <> 'closed' or not ${t.isHidden}`),
    index('tickets_waiting')
      .on(t.tenantId, t.status, sql`coalesce(${t.waitingSince}, 'infinity'::timestamptz)`, t.id)
      .where(sql`${t.status} <> 'closed' or not ${t.isHidden}`),
    index('tickets_sla')
      .on(t.tenantId, t.status, sql`coalesce(${t.slaDueAt}, 'infinity'::timestamptz)`, t.id)
      .where(sql`${t.status} <> 'closed' or not ${t.isHidden}`),
    // Asked of all companies at once, so they do not begin with the tenant: what wakes, and what is late.
    index('tickets_to_wake').on(t.pausedUntil).where(sql`${t.pausedUntil} is not null`),
    index('tickets_of_user').on(t.tenantId, t.userId, t.status),
    index('tickets_of_queue').on(t.tenantId, t.queueId, t.status),
    index('tickets_of_contact').on(t.tenantId, t.contactId, t.createdAt),
    index('tickets_not_sent').on(t.tenantId, t.status, t.id).where(sql`${t.notSent} is not null`),
    index('tickets_distributed').on(t.tenantId, t.userId).where(sql`${t.distributedAt} is not null`),
    index('tickets_created').on(t.tenantId, t.createdAt).where(sql`not ${t.isHidden}`),
    index('tickets_of_reason').on(t.tenantId, t.reasonId, t.contactId).where(sql`${t.reasonId} is not null`),
    // Whom a channel has spoken with.
    index('tickets_of_connection').on(t.tenantId, t.connectionId, t.contactId),
    index('tickets_closed')
      .on(t.tenantId, t.closedAt, t.contactId)
      .where(sql`${t.closedAt} is not null and not ${t.isHidden}`),
    // Nobody works on what is hidden: it stays closed.
    check('tickets_hidden_closed', sql`not ${t.isHidden} or ${t.status} = 'closed'`),
    refers(t, t.contactId, () => contacts),
    refers(t, t.connectionId, () => connections),
    refers(t, t.queueId, () => queues),
    refers(t, t.userId, () => users),
    refers(t, t.lastAuthorId, () => users),
    refers(t, t.reasonId, () => reasons),
  ],
)

/** Tags of the conversation; they stay as they were when it closed. */
export const ticketTags = tenantLink(
  'ticket_tags',
  { ticketId: uuid('ticket_id').notNull(), tagId: uuid('tag_id').notNull() },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.ticketId, t.tagId] }),
    index('ticket_tags_tag').on(t.tenantId, t.tagId, t.ticketId),
    refers(t, t.ticketId, () => tickets, 'cascade'),
    refers(t, t.tagId, () => tags),
  ],
)

/** What one person keeps at hand: pinned on top of their list, followed wherever it goes. */
export const ticketMarks = tenantLink(
  'ticket_marks',
  {
    userId: uuid('user_id').notNull(),
    ticketId: uuid('ticket_id').notNull(),
    isPinned: boolean('is_pinned').notNull().default(false),
    isFollowed: boolean('is_followed').notNull().default(false),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.userId, t.ticketId] }),
    index('ticket_marks_ticket').on(t.tenantId, t.ticketId),
    refers(t, t.userId, () => users, 'cascade'),
    refers(t, t.ticketId, () => tickets, 'cascade'),
  ],
)
