import { memberRoles } from '@balcao/contract/conversations/groups.ts'
import { boolean, index, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { connections } from '../channels/connections.ts'
import { createdAt, moment, refers, tenantTable } from '../columns.ts'
import { contacts } from '../contacts/contacts.ts'

/** A group as one of our connections is in it: what that number is there, and what its channel told of it. */
export const connectionGroups = tenantTable(
  'connection_groups',
  {
    connectionId: uuid('connection_id').notNull(),
    /** The group. */
    groupId: uuid('group_id').notNull(),
    /** What we are there; null: not told yet. */
    ourRole: text('our_role', { enum: memberRoles }),
    isAdminsOnly: boolean('is_admins_only'),
    inviteUrl: text('invite_url'),
    /** When we left it, were taken out, or it was found to be gone. */
    leftAt: moment('left_at'),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('connection_groups_one').on(t.tenantId, t.connectionId, t.groupId),
    index('connection_groups_of_group').on(t.tenantId, t.groupId),
    refers(t, t.connectionId, () => connections, 'cascade'),
    refers(t, t.groupId, () => contacts, 'cascade'),
  ],
)
