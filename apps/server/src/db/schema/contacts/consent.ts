import { channelKinds, identityKinds } from '@balcao/contract/channels/index.ts'
import { consentSources, purposes } from '@balcao/contract/contacts/consent.ts'
import type { Author } from '@balcao/contract/conversations/authors.ts'
import { boolean, index, jsonb, text } from 'drizzle-orm/pg-core'
import { moment, tenantTable } from '../columns.ts'

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
    isGiven: boolean('is_given').notNull(),
    source: text('source', { enum: consentSources }).notNull(),
    /** What shows it: the words, a document, an address. */
    proof: text('proof').notNull(),
    author: jsonb('author').$type<Author>().notNull(),
    at: moment('at').notNull().defaultNow(),
  },
  (t) => [index('consents_current').on(t.tenantId, t.identityKind, t.identityValue, t.channel, t.purpose, t.at, t.id)],
)
