import { priceCategories } from '@balcao/contract/channels/message-prices.ts'
import { boolean, index, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { connections } from '../channels/connections.ts'
import { moment, refers, tenantLink } from '../columns.ts'
import { messages } from './messages.ts'

/** What a provider said it charges for a delivered message of ours; the price itself is looked up when it is shown. */
export const messageCosts = tenantLink(
  'message_costs',
  {
    messageId: uuid('message_id').notNull(),
    connectionId: uuid('connection_id').notNull(),
    at: moment('at').notNull().defaultNow(),
    category: text('category', { enum: priceCategories }).notNull(),
    /** The provider's word for why it is free, or regular. */
    kind: text('kind'),
    isBillable: boolean('is_billable').notNull(),
    /** Of who got it. */
    country: text('country'),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.messageId] }),
    index('message_costs_month').on(t.tenantId, t.at),
    refers(t, t.messageId, () => messages, 'cascade'),
    refers(t, t.connectionId, () => connections, 'cascade'),
  ],
)
