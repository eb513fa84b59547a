import { connectionStates } from '@balcao/contract/channels/connections.ts'
import { channelKinds } from '@balcao/contract/channels/index.ts'
import {
  draftKinds,
  type location,
  type MessagePayload,
  messageStatuses,
  messageTypes,
  sendTypes,
  type vcard,
} from '@balcao/contract/conversations/messages.ts'
import {
  botNames,
  notSentStates,
  priorities,
  ticketLogTypes,
  ticketStatuses,
  undoableActs,
} from '@balcao/contract/conversations/tickets.ts'
import { bulkJobKinds, bulkJobStates } from '@balcao/contract/operations/bulk-jobs.ts'
import { ratingStatuses } from '@balcao/contract/service/ratings.ts'
import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, jsonb, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import { files, tags } from './catalog.ts'
import { createdAt, moment, refers, tenantLink, tenantTable, updatedAt } from './columns.ts'
import { contacts } from './contacts.ts'
import { queues, users } from './people.ts'
import { reasons } from './work.ts'

/** One account on one provider. Secret fields of `config` are stored sealed (kit/crypto). */
export const connections = tenantTable(
  'connections',
  {
    kind: text('kind', { enum: channelKinds }).notNull(),
    name: text('name').notNull(),
    status: text('status', { enum: connectionStates }).notNull().default('DISCONNECTED'),
    statusText: text('status_text'),
    isDefault: boolean('is_default').notNull().default(false),
    queueId: uuid('queue_id'),
    config: jsonb('config').$type<Record<string, unknown>>().notNull(),
    /** What the provider calls this account (phone number id, bot id): unique per kind, so one webhook finds one owner. */
    externalId: text('external_id'),
    /** Sent by itself when a conversation closes; empty: nothing. */
    farewellMessage: text('farewell_message').notNull().default(''),
    /** Closing asks the customer for a grade. */
    sendEvaluation: boolean('send_evaluation').notNull().default(false),
    /** Public key of a web chat. */
    channelKey: text('channel_key'),
    /** Secret part of the webhook, where the provider sends it back. */
    hookSecret: text('hook_secret').notNull(),
    retries: integer('retries').notNull().default(0),
    lastInboundAt: moment('last_inbound_at'),
    /** When the provider is asked for its message templates again. */
    templatesDueAt: moment('templates_due_at').notNull().defaultNow(),
    deletedAt: moment('deleted_at'),
    version: integer('version').notNull().default(1),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('connections_name').on(t.tenantId, sql`lower(${t.name})`).where(sql`${t.deletedAt} is null`),
    uniqueIndex('connections_default').on(t.tenantId, t.kind).where(sql`${t.isDefault} and ${t.deletedAt} is null`),
    // A provider's account and a public key name one connection of the whole installation.
    uniqueIndex('connections_external')
      .on(t.kind, t.externalId)
      .where(sql`${t.deletedAt} is null and ${t.externalId} is not null`),
    uniqueIndex('connections_channel_key').on(t.channelKey).where(sql`${t.channelKey} is not null`),
    refers(t, t.queueId, () => queues),
  ],
)

export const tickets = tenantTable(
  'tickets',
  {
    protocol: text('protocol').notNull(),
    status: text('status', { enum: ticketStatuses }).notNull(),
    contactId: uuid('contact_id').notNull(),
    connectionId: uuid('connection_id').notNull(),
    queueId: uuid('queue_id'),
    userId: uuid('user_id'),
    kanbanId: uuid('kanban_id'),
    /** Why it was closed. */
    reasonId: uuid('reason_id'),
    chatFlowId: uuid('chat_flow_id'),
    /** The assistant that answers until a person accepts. */
    bot: text('bot', { enum: botNames }),
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
    unreadMessages: integer('unread_messages').notNull().default(0),
    answered: boolean('answered').notNull().default(true),
    lastMessage: text('last_message').notNull().default(''),
    lastMessageType: text('last_message_type').notNull().default('text'),
    /** Who of the team wrote it; null: the customer, a bot, the company by itself. */
    lastAuthorId: uuid('last_author_id'),
    lastMessageAt: moment('last_message_at'),
    /** The worst of its messages that failed or may not have arrived; null: there is none. */
    notSent: text('not_sent', { enum: notSentStates }),
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
    index('tickets_inbox').on(t.tenantId, t.status, sql`coalesce(${t.lastMessageAt}, ${t.createdAt})`, t.id),
    index('tickets_waiting').on(t.tenantId, t.status, sql`coalesce(${t.waitingSince}, 'infinity'::timestamptz)`, t.id),
    index('tickets_sla').on(t.tenantId, t.status, sql`coalesce(${t.slaDueAt}, 'infinity'::timestamptz)`, t.id),
    // Asked of all companies at once, so they do not begin with the tenant: what wakes, and what is late.
    index('tickets_to_wake').on(t.pausedUntil).where(sql`${t.pausedUntil} is not null`),
    index('tickets_of_user').on(t.tenantId, t.userId, t.status),
    index('tickets_of_queue').on(t.tenantId, t.queueId, t.status),
    index('tickets_of_contact').on(t.tenantId, t.contactId, t.createdAt),
    index('tickets_not_sent').on(t.tenantId, t.status, t.id).where(sql`${t.notSent} is not null`),
    index('tickets_distributed').on(t.tenantId, t.userId).where(sql`${t.distributedAt} is not null`),
    index('tickets_created').on(t.tenantId, t.createdAt),
    index('tickets_of_reason').on(t.tenantId, t.reasonId).where(sql`${t.reasonId} is not null`),
    index('tickets_closed').on(t.tenantId, t.closedAt).where(sql`${t.closedAt} is not null`),
    refers(t, t.contactId, () => contacts),
    refers(t, t.connectionId, () => connections),
    refers(t, t.queueId, () => queues),
    refers(t, t.userId, () => users),
    refers(t, t.lastAuthorId, () => users),
    refers(t, t.reasonId, () => reasons),
  ],
)

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

export const ticketLogs = tenantTable(
  'ticket_logs',
  {
    ticketId: uuid('ticket_id').notNull(),
    type: text('type', { enum: ticketLogTypes }).notNull(),
    userId: uuid('user_id'),
    queueId: uuid('queue_id'),
    note: text('note'),
    createdAt: createdAt(),
  },
  (t) => [
    index('ticket_logs_ticket').on(t.tenantId, t.ticketId, t.id),
    refers(t, t.ticketId, () => tickets, 'cascade'),
    refers(t, t.userId, () => users),
  ],
)

export type StoredReaction = { emoji: string; fromMe: boolean; userId: string | null }

export const messages = tenantTable(
  'messages',
  {
    /** Order of arrival: order inside the conversation and cursor of its pages. */
    seq: bigint('seq', { mode: 'number' }).generatedAlwaysAsIdentity().notNull(),
    ticketId: uuid('ticket_id').notNull(),
    contactId: uuid('contact_id').notNull(),
    connectionId: uuid('connection_id').notNull(),
    fromMe: boolean('from_me').notNull(),
    type: text('type', { enum: messageTypes }).notNull(),
    body: text('body').notNull().default(''),
    mediaId: uuid('media_id'),
    mediaState: text('media_state', { enum: ['none', 'fetching', 'ready', 'failed'] })
      .notNull()
      .default('none'),
    /** Where the provider keeps the file until we have fetched it. */
    mediaSource: jsonb('media_source').$type<Record<string, unknown>>(),
    location: jsonb('location').$type<z.output<typeof location>>(),
    contacts: jsonb('contacts').$type<z.output<typeof vcard>[]>(),
    /** What a template or a message with buttons consists of. */
    payload: jsonb('payload').$type<MessagePayload>(),
    sendType: text('send_type', { enum: sendTypes }).notNull().default('chat'),
    isForwarded: boolean('is_forwarded').notNull().default(false),
    quotedId: uuid('quoted_id'),
    reactions: jsonb('reactions').$type<StoredReaction[]>(),
    status: text('status', { enum: messageStatuses }).notNull(),
    error: text('error'),
    /** The provider's id, unique per connection: twice delivered is once seen. */
    providerId: text('provider_id'),
    userId: uuid('user_id'),
    isDeleted: boolean('is_deleted').notNull().default(false),
    editedAt: moment('edited_at'),
    /** What the text was before each edit. */
    edits: jsonb('edits').$type<{ body: string; at: string }[]>(),
    /** When it was written, by the provider's clock. */
    timestamp: moment('timestamp').notNull(),
    // The send queue is the row itself.
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: moment('next_attempt_at'),
    claimedBy: text('claimed_by'),
    claimedAt: moment('claimed_at'),
    version: integer('version').notNull().default(1),
    createdAt: createdAt(),
  },
  (t) => [
    // What the team writes to itself never enters the queue of any sender, whichever path wrote it.
    check('messages_note_stays', sql`${t.type} <> 'note' or ${t.status} not in ('queued', 'sending')`),
    uniqueIndex('messages_provider')
      .on(t.tenantId, t.connectionId, t.providerId)
      .where(sql`${t.providerId} is not null`),
    index('messages_page').on(t.tenantId, t.ticketId, t.seq),
    index('messages_of_contact').on(t.tenantId, t.contactId, t.seq),
    // The files of a contact, newest first.
    index('messages_gallery').on(t.tenantId, t.contactId, t.seq).where(sql`${t.mediaId} is not null`),
    // The addresses exchanged with a contact, newest first; the query says the same condition, word for word.
    index('messages_links')
      .on(t.tenantId, t.contactId, t.seq)
      .where(sql`${t.body} ~* 'https?://' and ${t.type} not in ('note', 'system')`),
    index('messages_day').on(t.tenantId, t.createdAt),
    index('messages_notes').on(t.tenantId, t.seq).where(sql`${t.type} = 'note'`),
    index('messages_queue').on(t.tenantId, t.ticketId, t.seq).where(sql`${t.status} in ('queued', 'sending')`),
    // A file's messages: what may be swept away, and what a contact has sent.
    index('messages_media').on(t.tenantId, t.mediaId).where(sql`${t.mediaId} is not null`),
    // What failed or may not have arrived, for whoever sends it again or gives it up.
    index('messages_stuck')
      .on(t.tenantId, t.connectionId, t.seq)
      .where(sql`${t.status} in ('failed', 'uncertain') and not ${t.isDeleted}`),
    // The same of one conversation: whether it still has any.
    index('messages_not_sent')
      .on(t.tenantId, t.ticketId)
      .where(sql`${t.status} in ('failed', 'uncertain') and not ${t.isDeleted}`),
    index('messages_media_queue').on(t.tenantId, t.id).where(sql`${t.mediaState} = 'fetching'`),
    index('messages_search').using('gin', t.tenantId, sql`norm(${t.body}) gin_trgm_ops`),
    refers(t, t.ticketId, () => tickets, 'cascade'),
    refers(t, t.contactId, () => contacts),
    refers(t, t.connectionId, () => connections),
    refers(t, t.mediaId, () => files),
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

export const messageStars = tenantLink(
  'message_stars',
  {
    userId: uuid('user_id').notNull(),
    messageId: uuid('message_id').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.userId, t.messageId] }),
    index('message_stars_message').on(t.tenantId, t.messageId),
    index('message_stars_recent').on(t.tenantId, t.userId, t.createdAt),
    refers(t, t.userId, () => users, 'cascade'),
    refers(t, t.messageId, () => messages, 'cascade'),
  ],
)

/** A note that calls somebody, until they have read it. */
export const mentions = tenantLink(
  'mentions',
  {
    userId: uuid('user_id').notNull(),
    messageId: uuid('message_id').notNull(),
    ticketId: uuid('ticket_id').notNull(),
    readAt: moment('read_at'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.userId, t.messageId] }),
    index('mentions_recent').on(t.tenantId, t.userId, t.createdAt, t.messageId),
    index('mentions_message').on(t.tenantId, t.messageId),
    index('mentions_ticket').on(t.tenantId, t.ticketId, t.userId),
    refers(t, t.userId, () => users, 'cascade'),
    refers(t, t.messageId, () => messages, 'cascade'),
    refers(t, t.ticketId, () => tickets, 'cascade'),
  ],
)

/** A message template of the provider, as it last told us of it. */
export const messageTemplates = tenantTable(
  'message_templates',
  {
    connectionId: uuid('connection_id').notNull(),
    externalId: text('external_id').notNull(),
    name: text('name').notNull(),
    language: text('language').notNull(),
    category: text('category').notNull(),
    status: text('status').notNull(),
    components: jsonb('components').$type<Record<string, unknown>[]>().notNull(),
    syncedAt: moment('synced_at').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('message_templates_name').on(t.tenantId, t.connectionId, t.name, t.language),
    refers(t, t.connectionId, () => connections),
  ],
)

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
    refers(t, t.ticketId, () => tickets, 'cascade'),
    refers(t, t.contactId, () => contacts),
    refers(t, t.connectionId, () => connections),
    refers(t, t.userId, () => users),
  ],
)

/** A public, expiring address where the customer follows a protocol. The secret part is stored hashed. */
export const protocolLinks = tenantTable(
  'protocol_links',
  {
    ticketId: uuid('ticket_id').notNull(),
    hash: text('hash').notNull(),
    userId: uuid('user_id'),
    expiresAt: moment('expires_at').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('protocol_links_hash').on(t.tenantId, t.hash),
    index('protocol_links_ticket').on(t.tenantId, t.ticketId),
    refers(t, t.ticketId, () => tickets, 'cascade'),
  ],
)

/** Fingerprint of a transcript we handed out: a copy that has it is genuine. */
export const transcripts = tenantTable(
  'transcripts',
  {
    ticketId: uuid('ticket_id').notNull(),
    sha256: text('sha256').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('transcripts_hash').on(t.tenantId, t.ticketId, t.sha256),
    refers(t, t.ticketId, () => tickets, 'cascade'),
  ],
)

/** Work over many rows that somebody asked for and watches. */
export const bulkJobs = tenantTable(
  'bulk_jobs',
  {
    kind: text('kind', { enum: bulkJobKinds }).notNull(),
    params: jsonb('params').$type<Record<string, unknown>>().notNull(),
    state: text('state', { enum: bulkJobStates }).notNull().default('pending'),
    total: integer('total').notNull().default(0),
    done: integer('done').notNull().default(0),
    failed: integer('failed').notNull().default(0),
    error: text('error'),
    /** The last row handled: work goes on after it. */
    cursor: text('cursor'),
    userId: uuid('user_id').notNull(),
    claimedAt: moment('claimed_at'),
    finishedAt: moment('finished_at'),
    createdAt: createdAt(),
  },
  (t) => [
    index('bulk_jobs_recent').on(t.tenantId, t.createdAt, t.id),
    index('bulk_jobs_todo').on(t.createdAt).where(sql`${t.state} in ('pending', 'running')`),
    refers(t, t.userId, () => users),
  ],
)

/** What an agent has begun to write, on every device. */
export const drafts = tenantLink(
  'drafts',
  {
    userId: uuid('user_id').notNull(),
    ticketId: uuid('ticket_id').notNull(),
    kind: text('kind', { enum: draftKinds }).notNull().default('message'),
    body: text('body').notNull(),
    updatedAt: updatedAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.userId, t.ticketId, t.kind] }),
    refers(t, t.userId, () => users, 'cascade'),
    refers(t, t.ticketId, () => tickets, 'cascade'),
  ],
)
