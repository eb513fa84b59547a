import type { EventName } from '@balcao/contract/events.ts'
import { bigserial, index, jsonb, primaryKey, text } from 'drizzle-orm/pg-core'
import { createdAt, tenantLink } from '../columns.ts'
import type { Audience } from './audience.ts'

/** Events that commit with the change they tell of. Relayed by their writer right after commit, rescued by a poll. */
export const outbox = tenantLink(
  'outbox',
  {
    seq: bigserial('seq', { mode: 'number' }).notNull(),
    name: text('name').$type<EventName>().notNull(),
    payload: jsonb('payload').$type<unknown>().notNull(),
    audience: jsonb('audience').$type<Audience>().notNull(),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.seq] }), index('outbox_waiting').on(t.tenantId, t.createdAt)],
)
