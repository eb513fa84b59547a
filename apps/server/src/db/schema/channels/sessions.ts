import { sql } from 'drizzle-orm'
import { index, jsonb, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, moment, refers, tenantLink, tenantTable } from '../columns.ts'
import { connections } from './connections.ts'

/** Which process has the session of a connection. Whoever has not renewed for a while has lost it. */
export const connectionLeases = tenantLink(
  'connection_leases',
  {
    connectionId: uuid('connection_id').notNull(),
    owner: text('owner').notNull(),
    renewedAt: moment('renewed_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.connectionId] }),
    index('connection_leases_owner').on(t.tenantId, t.owner),
    refers(t, t.connectionId, () => connections, 'cascade'),
  ],
)

/** What a provider has to find again after a restart: credentials, keys, offsets. Sealed, by name. */
export const sessionState = tenantLink(
  'session_state',
  {
    connectionId: uuid('connection_id').notNull(),
    name: text('name').notNull(),
    value: text('value').notNull(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.connectionId, t.name] }),
    refers(t, t.connectionId, () => connections, 'cascade'),
  ],
)

/** Something that only the owner of a session can do, asked by another process, which waits for the answer. */
export const sessionCalls = tenantTable(
  'session_calls',
  {
    connectionId: uuid('connection_id').notNull(),
    name: text('name').notNull(),
    target: jsonb('target').$type<unknown>().notNull(),
    state: text('state', { enum: ['waiting', 'taken', 'done', 'failed'] })
      .notNull()
      .default('waiting'),
    answer: jsonb('answer').$type<unknown>(),
    deadlineAt: moment('deadline_at').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    index('session_calls_waiting').on(t.tenantId, t.connectionId, t.createdAt).where(sql`${t.state} = 'waiting'`),
    index('session_calls_old').on(t.tenantId, t.deadlineAt),
    refers(t, t.connectionId, () => connections, 'cascade'),
  ],
)
