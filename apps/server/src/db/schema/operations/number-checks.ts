import { boolean, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { connections } from '../channels/connections.ts'
import { moment, refers, tenantLink } from '../columns.ts'

/** What a network said of a phone when it was asked last: campaigns leave out who is not there. */
export const numberChecks = tenantLink(
  'number_checks',
  {
    network: text('network', { enum: ['whatsapp'] }).notNull(),
    /** As contacts have it. */
    number: text('number').notNull(),
    isThere: boolean('is_there').notNull(),
    /** Which asked. */
    connectionId: uuid('connection_id').notNull(),
    checkedAt: moment('checked_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.network, t.number] }),
    refers(t, t.connectionId, () => connections, 'cascade'),
  ],
)
