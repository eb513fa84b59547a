import type { EventName } from '@balcao/contract/events.ts'
import { sql } from 'drizzle-orm'
import { bigserial, index, jsonb, primaryKey, text } from 'drizzle-orm/pg-core'
import { moment, tenantLink } from '../columns.ts'
import type { Audience } from './audience.ts'

/** Events that commit with the change they tell of. Relayed by their writer right after commit, rescued by a poll. */
export const outbox = tenantLink(
  'outbox',
  {
    seq: bigserial('seq', { mode: 'number' }).notNull(),
    name: text('name').$type<EventName>().notNull(),
    payload: jsonb('payload').$type<unknown>().notNull(),
    audience: jsonb('audience').$type<Audience>().notNull(),
    /** From then on any relay may take it: its writer, or who took it before, has not finished. */
    dueAt: moment('due_at').notNull().default(sql`now() + interval '2 seconds'`),
  },
  // Asked of all companies at once.
  (t) => [primaryKey({ columns: [t.tenantId, t.seq] }), index('outbox_due').on(t.dueAt)],
)
