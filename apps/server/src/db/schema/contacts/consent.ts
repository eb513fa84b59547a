import { channelKinds, identityKinds } from '@balcao/contract/channels/index.ts'
import { consentSources, purposes } from '@balcao/contract/contacts/consent.ts'
import type { Author } from '@balcao/contract/conversations/authors.ts'
import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, moment, refers, tenantLink, tenantTable } from '../columns.ts'
import { users } from '../people/users.ts'

/**
 * Who may be written to for what: a ledger that only grows (a trigger refuses everything else). It belongs to
 * identities, so that it outlives the contact that has them.
 */
export const consents = tenantTable(
  'consents',
  {
    identityKind: text('identity_kind', { enum: identityKinds }).notNull(),
    identityValue: text('identity_value').notNull(),
    channel: text('channel', { enum: channelKinds }).notNull(),
    purpose: text('purpose', { enum: purposes }).notNull(),
    /** Null: what was said before was taken back, and nothing is known. */
    isGiven: boolean('is_given'),
    source: text('source', { enum: consentSources }).notNull(),
    /** What shows it: the words, a document, an address. */
    proof: text('proof').notNull(),
    author: jsonb('author').$type<Author>().notNull(),
    at: moment('at').notNull().defaultNow(),
    /** The list it came with. */
    listId: uuid('list_id'),
  },
  (t) => [
    index('consents_list').on(t.tenantId, t.listId, t.id).where(sql`${t.listId} is not null`),
    index('consents_current').on(t.tenantId, t.identityKind, t.identityValue, t.channel, t.purpose, t.at, t.id),
  ],
)

/** What holds now, of each identity, channel and purpose: the newest entry of the ledger, kept by a trigger. */
export const consentStates = tenantLink(
  'consent_states',
  {
    identityKind: text('identity_kind', { enum: identityKinds }).notNull(),
    identityValue: text('identity_value').notNull(),
    channel: text('channel', { enum: channelKinds }).notNull(),
    purpose: text('purpose', { enum: purposes }).notNull(),
    isGiven: boolean('is_given'),
    source: text('source', { enum: consentSources }).notNull(),
    at: moment('at').notNull(),
    entryId: uuid('entry_id').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.identityKind, t.identityValue, t.channel, t.purpose] }),
    // Who refuses, the newest first: all of them, and those of one channel.
    index('consent_states_refused').on(t.tenantId, t.at, t.entryId).where(sql`not ${t.isGiven}`),
    index('consent_states_channel').on(t.tenantId, t.channel, t.at, t.entryId).where(sql`not ${t.isGiven}`),
    index('consent_states_value')
      .using('gin', t.tenantId, t.identityValue.op('gin_trgm_ops'))
      .where(sql`not ${t.isGiven}`),
  ],
)

/** A list of phones and e-mails that are not to be written to, as somebody brought it in. */
export const suppressionLists = tenantTable(
  'suppression_lists',
  {
    proof: text('proof').notNull(),
    channels: jsonb('channels').$type<(typeof channelKinds)[number][]>().notNull(),
    purposes: jsonb('purposes').$type<('marketing' | 'research')[]>().notNull(),
    total: integer('total').notNull(),
    accepted: integer('accepted').notNull().default(0),
    jobId: uuid('job_id'),
    userId: uuid('user_id').notNull(),
    createdAt: createdAt(),
    undoneAt: moment('undone_at'),
  },
  (t) => [index('suppression_lists_recent').on(t.tenantId, t.createdAt, t.id), refers(t, t.userId, () => users)],
)

/** Its lines, until they have been taken in. */
export const suppressionLines = tenantLink(
  'suppression_lines',
  { listId: uuid('list_id').notNull(), place: integer('place').notNull(), body: text('body').notNull() },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.listId, t.place] }),
    refers(t, t.listId, () => suppressionLists, 'cascade'),
  ],
)
