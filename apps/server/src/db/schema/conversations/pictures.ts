import { sql } from 'drizzle-orm'
import { index, integer, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { connections } from '../channels/connections.ts'
import { moment, refers, tenantTable } from '../columns.ts'
import { contacts } from '../contacts/contacts.ts'
import { files } from '../core/files.ts'

/** How contacts, and the accounts of our channels, show themselves: fetched, since a provider's own address dies in days. */
export const pictures = tenantTable(
  'pictures',
  {
    /** By whom it is asked. */
    connectionId: uuid('connection_id').notNull(),
    /** Null: the connection's own account. */
    contactId: uuid('contact_id'),
    fileId: uuid('file_id'),
    /** The provider's address of an account's picture, as it was last told. */
    source: text('source'),
    askedAt: moment('asked_at'),
    /** Null: nothing is to be asked. */
    dueAt: moment('due_at'),
    attempts: integer('attempts').notNull().default(0),
  },
  (t) => [
    uniqueIndex('pictures_contact').on(t.tenantId, t.contactId).where(sql`${t.contactId} is not null`),
    uniqueIndex('pictures_account').on(t.tenantId, t.connectionId).where(sql`${t.contactId} is null`),
    // The last place in the line of a connection.
    index('pictures_line').on(t.tenantId, t.connectionId, t.dueAt).where(sql`${t.dueAt} is not null`),
    index('pictures_due').on(t.dueAt).where(sql`${t.dueAt} is not null`),
    refers(t, t.connectionId, () => connections, 'cascade'),
    refers(t, t.contactId, () => contacts, 'cascade'),
    refers(t, t.fileId, () => files),
  ],
)
