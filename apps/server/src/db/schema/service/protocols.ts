import { index, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, moment, refers, tenantTable } from '../columns.ts'
import { tickets } from '../conversations/tickets.ts'

/** A public, expiring address where the customer follows a protocol. The secret part is stored hashed. */
export const protocolLinks = tenantTable(
  'protocol_links',
  {
    ticketId: uuid('ticket_id').notNull(),
    hash: text('hash').notNull(),
    userId: uuid('user_id'),
    expiresAt: moment('expires_at').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('protocol_links_hash').on(t.tenantId, t.hash),
    index('protocol_links_ticket').on(t.tenantId, t.ticketId),
    refers(t, t.ticketId, () => tickets, 'cascade'),
  ],
)

/** Fingerprint of a transcript we handed out: a copy that has it is genuine. */
export const transcripts = tenantTable(
  'transcripts',
  {
    ticketId: uuid('ticket_id').notNull(),
    sha256: text('sha256').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('transcripts_hash').on(t.tenantId, t.ticketId, t.sha256),
    refers(t, t.ticketId, () => tickets, 'cascade'),
  ],
)
