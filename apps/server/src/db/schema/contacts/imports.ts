import type {
  ContactImportCounts,
  ContactImportMapping,
  ContactImportOptions,
  ContactImportReading,
} from '@balcao/contract/contacts/imports.ts'
import { importOutcomes, importSources, importStates } from '@balcao/contract/contacts/imports.ts'
import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, jsonb, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, moment, refers, tenantLink, tenantTable } from '../columns.ts'
import { users } from '../people/users.ts'

/** Contacts that were brought together: from a file, a phone book or a caller of the API. */
export const contactImports = tenantTable(
  'contact_imports',
  {
    source: text('source', { enum: importSources }).notNull(),
    /** Of the file, or of the connection whose phone book it is. */
    name: text('name').notNull(),
    size: bigint('size', { mode: 'number' }),
    sha256: text('sha256'),
    /** How the file was read. */
    reading: jsonb('reading').$type<ContactImportReading>(),
    headings: text('headings').array().notNull().default([]),
    /** The headings as one text: where they come again, they mean the same. */
    headingsKey: text('headings_key').notNull().default(''),
    mapping: jsonb('mapping').$type<ContactImportMapping>().notNull(),
    options: jsonb('options').$type<ContactImportOptions>().notNull(),
    state: text('state', { enum: importStates }).notNull().default('reading'),
    /** It goes on by itself once it was checked: nobody looks at it. */
    isAutomatic: boolean('is_automatic').notNull().default(false),
    /** Rows of the file. */
    total: integer('total').notNull().default(0),
    counts: jsonb('counts').$type<ContactImportCounts>().notNull(),
    error: text('error'),
    /** The work under way, or the last; it has no reference: jobs go first. */
    jobId: uuid('job_id'),
    userId: uuid('user_id').notNull(),
    startedAt: moment('started_at'),
    finishedAt: moment('finished_at'),
    /** Until when its rows are kept, and it can be taken back; null: they are gone. */
    rowsUntil: moment('rows_until'),
    undoneAt: moment('undone_at'),
    createdAt: createdAt(),
  },
  (t) => [
    index('contact_imports_recent').on(t.tenantId, t.createdAt, t.id),
    index('contact_imports_headings').on(t.tenantId, t.headingsKey, t.createdAt),
    // The sweeper asks for all companies at once.
    index('contact_imports_old').on(t.rowsUntil).where(sql`${t.rowsUntil} is not null`),
    refers(t, t.userId, () => users),
  ],
)

/** A row of an import: as it came, what it says, what is to become of it and what became of it. */
export const contactImportRows = tenantLink(
  'contact_import_rows',
  {
    importId: uuid('import_id').notNull(),
    /** As its program numbers them: the headings stand in the first. */
    line: integer('line').notNull(),
    cells: text('cells').array().notNull(),
    /** What the cells say by the mapping, in the form contacts have it. */
    fields: jsonb('fields'),
    /** What it is known by, as `kind:value`: rows that share one are the same person. */
    keys: text('keys').array(),
    outcome: text('outcome', { enum: importOutcomes }),
    /** Why it is not imported, or what of it is left out. */
    reason: text('reason'),
    /** It was written; what is not yet, is taken up by the next step. */
    isWritten: boolean('is_written').notNull().default(false),
    /** Whom it became or changed; it has no reference: the contact may go first. */
    contactId: uuid('contact_id'),
    /** What it changed of a contact that was there: as it was, and as it is since. */
    before: jsonb('before').$type<Record<string, unknown>>(),
    after: jsonb('after').$type<Record<string, unknown>>(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.importId, t.line] }),
    // Who is forgotten is forgotten here, too.
    index('contact_import_rows_contact').on(t.tenantId, t.contactId).where(sql`${t.contactId} is not null`),
    refers(t, t.importId, () => contactImports, 'cascade'),
  ],
)
