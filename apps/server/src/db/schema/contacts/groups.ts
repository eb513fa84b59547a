import { memberRoles } from '@balcao/contract/conversations/groups.ts'
import { sql } from 'drizzle-orm'
import { index, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { moment, refers, tenantLink } from '../columns.ts'
import { contacts } from './contacts.ts'

/** What a group says of itself beside its name and picture, which are its contact's. */
export const groups = tenantLink(
  'groups',
  {
    contactId: uuid('contact_id').notNull(),
    description: text('description'),
    /** When its channel last told who is in it. */
    readAt: moment('read_at'),
    /** It is to be asked: nobody has looked at this group yet. */
    askAt: moment('ask_at'),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.contactId] }),
    // Asked of all companies at once.
    index('groups_to_ask').on(t.askAt).where(sql`${t.askAt} is not null`),
    refers(t, t.contactId, () => contacts, 'cascade'),
  ],
)

/** Who is in a group: told by its channel, or seen there. Only who spoke, or is to be written to, has a contact. */
export const groupMembers = tenantLink(
  'group_members',
  {
    /** The group. */
    contactId: uuid('contact_id').notNull(),
    /** How a message calls them. */
    memberId: text('member_id').notNull(),
    /** Everything they are known by, as `kind:value`. */
    keys: text('keys').array().notNull(),
    name: text('name'),
    role: text('role', { enum: memberRoles }).notNull().default('member'),
    /** When this was told; older notices change nothing. */
    toldAt: moment('told_at').notNull().default(sql`now()`),
    /** Of who is no longer there: an older notice does not bring them back. */
    leftAt: moment('left_at'),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.contactId, t.memberId] }),
    refers(t, t.contactId, () => contacts, 'cascade'),
  ],
)
