import { identityKinds } from '@balcao/contract/channels/index.ts'
import { contactFieldTypes } from '@balcao/contract/contacts/contact-fields.ts'
import { sql } from 'drizzle-orm'
import { boolean, date, index, integer, jsonb, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, moment, refers, tenantLink, tenantTable, updatedAt } from '../columns.ts'
import { users } from '../people/users.ts'
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
    notes: text('notes').notNull().default(''),
    isGroup: boolean('is_group').notNull().default(false),
    extraInfo: jsonb('extra_info').$type<{ name: string; value: string }[]>().notNull().default([]),
    /** Day and month are what counts. */
    birthdayDate: date('birthday_date'),
    /** The contact this one became part of: it is nobody any more, until the merge is undone. */
    mergedIntoId: uuid('merged_into_id'),
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
    index('contacts_by_created').on(t.tenantId, t.createdAt, t.id),
    index('contacts_search').using('gin', t.tenantId, t.search.op('gin_trgm_ops')),
    // What makes two contacts look like one: the finder of duplicates reads these in order.
    index('contacts_same_email')
      .on(t.tenantId, t.email)
      .where(sql`${t.email} is not null and ${t.mergedIntoId} is null`),
    index('contacts_same_phone')
      .on(t.tenantId, sql`right(${t.number}, 8)`)
      .where(sql`${t.number} is not null and ${t.mergedIntoId} is null`),
    index('contacts_same_name')
      .on(t.tenantId, sql`norm(${t.name})`)
      .where(sql`not ${t.isGroup} and ${t.mergedIntoId} is null`),
    index('contacts_birthday')
      .on(t.tenantId, sql`(extract(month from ${t.birthdayDate}) * 100 + extract(day from ${t.birthdayDate}))`, t.id)
      .where(sql`${t.birthdayDate} is not null and ${t.mergedIntoId} is null`),
    index('contacts_merged').on(t.tenantId, t.mergedIntoId).where(sql`${t.mergedIntoId} is not null`),
  ],
)

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
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.contactId, t.tail] }),
    index('contact_words_word').on(t.tenantId, t.word, t.search, t.contactId).where(sql`${t.word} is not null`),
    index('contact_words_tail').on(t.tenantId, t.tail, t.search, t.contactId),
    refers(t, t.contactId, () => contacts, 'cascade'),
  ],
)

/**
 * When a contact last wrote: a row of its own beside each contact, written with their messages, so that the contact with
 * its many indexes stays as it is. Who never wrote has `epoch` there, before everybody else.
 */
export const contactActivity = tenantLink(
  'contact_activity',
  { contactId: uuid('contact_id').notNull(), lastMessageAt: moment('last_message_at').notNull().default(sql`'epoch'`) },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.contactId] }),
    index('contact_activity_last').on(t.tenantId, t.lastMessageAt, t.contactId),
    refers(t, t.contactId, () => contacts, 'cascade'),
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
    index('contact_identities_contact').on(t.tenantId, t.contactId),
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
    userId: uuid('user_id').notNull(),
    /** The row of the audience it became; it has no reference: that one may go first. */
    audienceId: uuid('audience_id'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.contactId, t.year] }),
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
