import { identityKinds } from '@balcao/contract/channels/index.ts'
import { contactFieldTypes } from '@balcao/contract/contacts/contact-fields.ts'
import type { ContactAddress } from '@balcao/contract/contacts/contacts.ts'
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  date,
  doublePrecision,
  index,
  integer,
  jsonb,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { createdAt, moment, refers, tenantLink, tenantTable, updatedAt } from '../columns.ts'
import { users } from '../people/users.ts'
import { contactImports } from './imports.ts'
import { lanes } from './lanes.ts'
import { tags } from './tags.ts'

export const contacts = tenantTable(
  'contacts',
  {
    name: text('name').notNull(),
    /** A person typed the name: no push name overwrites it. */
    isNameFixed: boolean('is_name_fixed').notNull().default(false),
    /** When its provider said what a group is called; older notices change nothing. */
    nameToldAt: moment('name_told_at'),
    number: text('number'),
    email: text('email'),
    profilePicUrl: text('profile_pic_url'),
    businessName: text('business_name').notNull().default(''),
    /** CPF or CNPJ without its marks. */
    document: text('document'),
    address: jsonb('address').$type<ContactAddress>(),
    /** The stage of the board, and since when: the newest stand first. */
    laneId: uuid('lane_id'),
    laneAt: moment('lane_at'),
    notes: text('notes').notNull().default(''),
    isGroup: boolean('is_group').notNull().default(false),
    /** No flow, assistant or automatic answer speaks to them. */
    isBotBlocked: boolean('is_bot_blocked').notNull().default(false),
    extraInfo: jsonb('extra_info').$type<{ name: string; value: string }[]>().notNull().default([]),
    /** Day and month are what counts. */
    birthdayDate: date('birthday_date'),
    /** The contact this one became part of: it is nobody any more, until the merge is undone. */
    mergedIntoId: uuid('merged_into_id'),
    /** The import that made it. */
    importId: uuid('import_id'),
    version: integer('version').notNull().default(1),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    /** Name, number and e-mail without accents, in lower case; found by trigrams. */
    search: text('search').generatedAlwaysAs(
      sql`norm(name || ' ' || coalesce(number, '') || ' ' || coalesce(email, ''))`,
    ),
  },
  (t) => [
    uniqueIndex('contacts_number').on(t.tenantId, t.number).where(sql`${t.number} is not null`),
    // The search text begins with the name: lists by name read it without accents, and beginnings are found in it.
    index('contacts_by_name').on(t.tenantId, sql`${t.search} collate "C"`, t.id).where(sql`${t.mergedIntoId} is null`),
    // Groups are listed as a person counts.
    index('contacts_groups').on(t.tenantId, sql`${t.name} collate natural_order`, t.id).where(sql`${t.isGroup}`),
    // Numbers by their ends; by where they begin, they are in `contacts_number` and `contacts_same_phone`.
    index('contacts_number_end')
      .on(t.tenantId, sql`reverse(${t.number}) collate "C"`)
      .where(sql`${t.number} is not null and ${t.mergedIntoId} is null`),
    index('contacts_by_created').on(t.tenantId, t.createdAt, t.id),
    // What waits to be sorted in is read by every search, and sorted in by whoever fills it.
    index('contacts_search')
      .using('gin', t.tenantId, t.search.op('gin_trgm_ops'))
      .with({ gin_pending_list_limit: 1024 }),
    // What makes two contacts look like one: the finder of duplicates reads these in order.
    index('contacts_same_email')
      .on(t.tenantId, t.email)
      .where(sql`${t.email} is not null and ${t.mergedIntoId} is null`),
    index('contacts_same_phone')
      .on(t.tenantId, sql`right(${t.number}, 8)`)
      .where(sql`${t.number} is not null and ${t.mergedIntoId} is null`),
    index('contacts_same_birthday')
      .on(t.tenantId, sql`norm(${t.name})`, t.birthdayDate)
      .where(sql`${t.birthdayDate} is not null and not ${t.isGroup} and ${t.mergedIntoId} is null`),
    index('contacts_same_company')
      .on(t.tenantId, sql`norm(${t.name})`, sql`norm(${t.businessName})`)
      .where(sql`${t.businessName} <> '' and not ${t.isGroup} and ${t.mergedIntoId} is null`),
    // Also by its beginning.
    index('contacts_document').on(t.tenantId, sql`${t.document} collate "C"`).where(sql`${t.document} is not null`),
    index('contacts_lane').on(t.tenantId, t.laneId, t.laneAt, t.id).where(sql`${t.laneId} is not null`),
    refers(t, t.laneId, () => lanes),
    index('contacts_birthday')
      .on(t.tenantId, sql`(extract(month from ${t.birthdayDate}) * 100 + extract(day from ${t.birthdayDate}))`, t.id)
      .where(sql`${t.birthdayDate} is not null and ${t.mergedIntoId} is null`),
    index('contacts_import').on(t.tenantId, t.importId, t.id).where(sql`${t.importId} is not null`),
    refers(t, t.importId, () => contactImports),
    index('contacts_merged').on(t.tenantId, t.mergedIntoId).where(sql`${t.mergedIntoId} is not null`),
  ],
)

// Words, moments and values of a contact are written by triggers on contacts and go with them by one: references, asked of
// each row, took a quarter of the processor time of an import's contacts.

/**
 * The words of a contact's name and of their address before the @, each with what follows it: one entry a word, kept by a
 * trigger. Whoever looks for a common name reads a page of it in the order of the list, and not every match.
 */
export const contactWords = tenantLink(
  'contact_words',
  {
    contactId: uuid('contact_id').notNull(),
    /** From this word to the end. */
    tail: text('tail').notNull(),
    /** Null where the contact has the word twice. */
    word: text('word'),
    /** What lists by name are ordered by. */
    search: text('search').notNull(),
    /** The month (`month_of`) in which a conversation of theirs last moved, or a later one. */
    heard: integer('heard').notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.contactId, t.tail] }),
    // In the order of the list: another collation than that of its query is another order.
    index('contact_words_word')
      .on(t.tenantId, t.word, sql`${t.search} collate "C"`, t.contactId)
      .where(sql`${t.word} is not null`),
    index('contact_words_tail').on(t.tenantId, t.tail, t.search, t.contactId, t.heard),
  ],
)

/**
 * When a contact last wrote and was last written to: a row of its own beside each contact, written with their messages,
 * so that what has more indexes stays as it is. Who never did has `epoch` there, before everybody else.
 */
export const contactActivity = tenantLink(
  'contact_activity',
  {
    contactId: uuid('contact_id').notNull(),
    lastMessageAt: moment('last_message_at').notNull().default(sql`'epoch'`),
    lastSentAt: moment('last_sent_at').notNull().default(sql`'epoch'`),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.contactId] }),
    index('contact_activity_last').on(t.tenantId, t.lastMessageAt, t.contactId),
    index('contact_activity_sent').on(t.tenantId, t.lastSentAt, t.contactId),
  ],
)

/** How many conversations a contact had and when one was last closed, whether they have a tag and an owner; by triggers. */
export const contactSummary = tenantLink(
  'contact_summary',
  {
    contactId: uuid('contact_id').notNull(),
    /** These two are kept by triggers on tickets; `epoch`: none was ever closed. */
    lastClosedAt: moment('last_closed_at').notNull().default(sql`'epoch'`),
    tickets: integer('tickets').notNull().default(0),
    /** Has a tag, has an owner: kept by the triggers that write a contact anew when one is given or taken. */
    isTagged: boolean('is_tagged').notNull().default(false),
    isOwned: boolean('is_owned').notNull().default(false),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.contactId] }),
    index('contact_summary_closed').on(t.tenantId, t.lastClosedAt, t.contactId),
    index('contact_summary_tickets').on(t.tenantId, t.tickets, t.contactId),
    index('contact_summary_untagged').on(t.tenantId, t.contactId).where(sql`not ${t.isTagged}`),
    index('contact_summary_unowned').on(t.tenantId, t.contactId).where(sql`not ${t.isOwned}`),
  ],
)

/**
 * What a contact has, by key, for segments to find them by: company, document, city, state, birthday (month and day as
 * one number) and the company's own fields (`extra.<key>`). Kept by triggers; row security lets no index of an
 * expression be read, so what is compared is a column.
 */
export const contactValues = tenantLink(
  'contact_values',
  {
    contactId: uuid('contact_id').notNull(),
    key: text('key').notNull(),
    /** Without accents or case. */
    value: text('value').notNull(),
    /** Where it reads as one. */
    number: doublePrecision('number'),
    day: date('day'),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.contactId, t.key] }),
    index('contact_values_value').on(t.tenantId, t.key, sql`${t.value} collate "C"`, t.contactId),
    index('contact_values_number').on(t.tenantId, t.key, t.number, t.contactId).where(sql`${t.number} is not null`),
    index('contact_values_day').on(t.tenantId, t.key, t.day, t.contactId).where(sql`${t.day} is not null`),
  ],
)

/**
 * What a contact is by kinds of few values (tags, owners, stage, area code, import, state, choices), each as the number
 * `facet()` makes of it. Kept by triggers; one index of all of them tells who has several at once without reading whoever
 * has one. Who became part of somebody has none.
 */
export const contactFacets = tenantLink(
  'contact_facets',
  {
    contactId: uuid('contact_id').notNull(),
    facets: bigint('facets', { mode: 'bigint' }).array().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.contactId] }),
    // Each number is of one company. Little waits to be sorted in: every look reads it.
    index('contact_facets_all').using('gin', t.facets).with({ gin_pending_list_limit: 128 }),
  ],
)

/** All the ways a contact is known; the value is unique per kind, so two webhooks cannot make two contacts. */
export const contactIdentities = tenantLink(
  'contact_identities',
  {
    kind: text('kind', { enum: identityKinds }).notNull(),
    value: text('value').notNull(),
    contactId: uuid('contact_id').notNull(),
    createdAt: createdAt(),
    /** When the person last wrote from it, kept where they have several of the kind: the answer goes there. */
    usedAt: moment('used_at'),
    /** Why nothing reaches them here (blocked the bot, number gone), or null. */
    unreachableReason: text('unreachable_reason'),
    /** When that was last told, or found to be otherwise: older notices change nothing. */
    reachToldAt: moment('reach_told_at'),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.kind, t.value] }),
    index('contact_identities_contact').on(t.tenantId, t.contactId, t.kind),
    refers(t, t.contactId, () => contacts, 'cascade'),
  ],
)

export const contactTags = tenantLink(
  'contact_tags',
  { contactId: uuid('contact_id').notNull(), tagId: uuid('tag_id').notNull() },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.contactId, t.tagId] }),
    index('contact_tags_tag').on(t.tenantId, t.tagId, t.contactId),
    refers(t, t.contactId, () => contacts, 'cascade'),
    refers(t, t.tagId, () => tags),
  ],
)

/** Wallets: the users who own a contact. */
export const contactWallets = tenantLink(
  'contact_wallets',
  { contactId: uuid('contact_id').notNull(), userId: uuid('user_id').notNull() },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.contactId, t.userId] }),
    index('contact_wallets_user').on(t.tenantId, t.userId, t.contactId),
    refers(t, t.contactId, () => contacts, 'cascade'),
    refers(t, t.userId, () => users, 'cascade'),
  ],
)

/** Who was congratulated in which year: nobody twice, whoever asks and however often. */
export const birthdayGreetings = tenantLink(
  'birthday_greetings',
  {
    contactId: uuid('contact_id').notNull(),
    year: integer('year').notNull(),
    /** Who sent it by hand; null: the connection does so every day. */
    userId: uuid('user_id'),
    /** Over which connection; it has no reference: that one may go first. */
    connectionId: uuid('connection_id'),
    /** The row of the audience it became; it has no reference: that one may go first. */
    audienceId: uuid('audience_id'),
    /** Why nothing was sent; another connection, or a person, may still do so. */
    refusal: text('refusal'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.contactId, t.year] }),
    index('birthday_greetings_recent').on(t.tenantId, t.createdAt),
    refers(t, t.contactId, () => contacts, 'cascade'),
    refers(t, t.userId, () => users),
  ],
)

/** A field the company adds to its contacts; the values are in `contacts.extraInfo`, by its key. */
export const contactFields = tenantTable(
  'contact_fields',
  {
    name: text('name').notNull(),
    key: text('key').notNull(),
    type: text('type', { enum: contactFieldTypes }).notNull(),
    /** What a list offers. */
    options: jsonb('options').$type<string[]>().notNull().default([]),
    version: integer('version').notNull().default(1),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('contact_fields_key').on(t.tenantId, sql`lower(${t.key})`),
    uniqueIndex('contact_fields_name').on(t.tenantId, sql`lower(${t.name})`),
  ],
)
