import type { Author } from '@balcao/contract/conversations/authors.ts'
import {
  draftKinds,
  type location,
  type MessagePayload,
  messageStatuses,
  messageTypes,
  sendTypes,
  type vcard,
} from '@balcao/contract/conversations/messages.ts'
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import { connections } from '../channels/connections.ts'
import { createdAt, moment, refers, tenantLink, tenantTable, updatedAt } from '../columns.ts'
import { contacts } from '../contacts/contacts.ts'
import { files } from '../core/files.ts'
import { users } from '../people/users.ts'
import { tickets } from './tickets.ts'

/** One per person; what was taken back stays without an emoji, so that an older notice does not bring it again. */
export type StoredReaction = {
  emoji: string
  fromMe: boolean
  userId: string | null
  author?: Author
  /** When it was given or taken back, by the provider's clock. */
  at?: string
}

export const messages = tenantTable(
  'messages',
  {
    /**
     * Order of arrival: order inside the conversation and cursor of its pages. What was said before the channel came to us
     * is below zero, in the order of its time.
     */
    seq: bigint('seq', { mode: 'number' }).generatedByDefaultAsIdentity().notNull(),
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
    /** What the provider calls a poll in its votes, where that is not the id of its message. */
    pollKey: text('poll_key'),
    userId: uuid('user_id'),
    /** Who wrote it, where neither `user_id` nor the contact of the conversation says so. */
    author: jsonb('author').$type<Author>(),
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
    index('messages_poll').on(t.tenantId, t.connectionId, t.pollKey).where(sql`${t.pollKey} is not null`),
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
    // The next of each connection, however many wait behind it: what people say before what goes to many.
    index('messages_to_send')
      .on(t.tenantId, t.connectionId, sql`(${t.sendType} = 'campaign')`, t.seq)
      .where(sql`${t.status} = 'queued'`),
    // What is being sent, longest first: asked of all companies at once.
    index('messages_sending').on(t.claimedAt).where(sql`${t.status} = 'sending'`),
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
    // By the pieces of time it lies in, so that a search goes back through them and ends where its page is full. What is
    // not sorted in yet is read by every search: a worker sorts it in every second, and whoever fills this much, too.
    index('messages_search')
      .using('gin', t.tenantId, sql`message_slices(${t.createdAt})`, sql`norm(${t.body}) gin_trgm_ops`)
      .with({ gin_pending_list_limit: 1024 }),
    // Its contact is that of its ticket, which cannot go before it: asked again, each message would write the contact's row.
    refers(t, t.ticketId, () => tickets, 'cascade'),
    refers(t, t.connectionId, () => connections),
    refers(t, t.mediaId, () => files),
  ],
)

/**
 * An e-mail as it was written, apart from its message: lists and events do without. It is cleaned when it is shown, so
 * what we learn to refuse tomorrow is refused in what came yesterday.
 */
export const mailBodies = tenantLink(
  'mail_bodies',
  {
    messageId: uuid('message_id').notNull(),
    html: text('html').notNull(),
    /** Small pictures it draws, by their Content-ID. */
    pictures: jsonb('pictures').$type<{ cid: string; mime: string; base64: string }[]>().notNull().default([]),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.messageId] }), refers(t, t.messageId, () => messages, 'cascade')],
)

/**
 * A message that is shown while it is still being written: what its text becomes is told to its provider later. The row goes
 * once the whole has been told.
 */
export const messageStreams = tenantLink(
  'message_streams',
  {
    messageId: uuid('message_id').notNull(),
    ticketId: uuid('ticket_id').notNull(),
    /** What the customer has of it. */
    told: text('told').notNull(),
    /** More may be written yet. */
    isOpen: boolean('is_open').notNull().default(true),
    /** When its provider is told next; null: it knows all there is. */
    dueAt: moment('due_at'),
    attempts: integer('attempts').notNull().default(0),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.messageId] }),
    index('message_streams_ticket').on(t.tenantId, t.ticketId),
    index('message_streams_due').on(t.dueAt).where(sql`${t.dueAt} is not null`),
    refers(t, t.messageId, () => messages, 'cascade'),
  ],
)

/**
 * What somebody chose in a poll: one row each, however often they change their mind. A vote taken back stays without
 * options, so that an older notice does not bring it again.
 */
export const pollVotes = tenantLink(
  'poll_votes',
  {
    messageId: uuid('message_id').notNull(),
    /** On our own phone. */
    fromMe: boolean('from_me').notNull(),
    /** A member of a group; else it is the contact of the conversation. */
    contactId: uuid('contact_id'),
    /** Places of the options. */
    chosen: integer('chosen').array().notNull(),
    /** By the provider's clock. */
    votedAt: moment('voted_at').notNull(),
  },
  (t) => [
    unique('poll_votes_voter').on(t.tenantId, t.messageId, t.fromMe, t.contactId).nullsNotDistinct(),
    index('poll_votes_contact').on(t.tenantId, t.contactId).where(sql`${t.contactId} is not null`),
    refers(t, t.messageId, () => messages, 'cascade'),
    refers(t, t.contactId, () => contacts, 'cascade'),
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
