import { bigint, index, jsonb, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { connections } from '../channels/connections.ts'
import { createdAt, moment, refers, tenantTable } from '../columns.ts'

/** A browser of a web chat visitor: the rotating resume token, hashed, in its family. */
export const webchatSessions = tenantTable(
  'webchat_sessions',
  {
    connectionId: uuid('connection_id').notNull(),
    visitorId: text('visitor_id').notNull(),
    familyId: uuid('family_id').notNull(),
    hash: text('hash').notNull(),
    verifiedAs: text('verified_as'),
    page: jsonb('page').$type<{ url: string; title: string; referrer?: string; device?: string }>(),
    deliveredSeq: bigint('delivered_seq', { mode: 'number' }).notNull().default(0),
    readSeq: bigint('read_seq', { mode: 'number' }).notNull().default(0),
    rotatedAt: moment('rotated_at'),
    revokedAt: moment('revoked_at'),
    expiresAt: moment('expires_at').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('webchat_sessions_hash').on(t.tenantId, t.hash),
    index('webchat_sessions_family').on(t.tenantId, t.familyId),
    index('webchat_sessions_visitor').on(t.tenantId, t.visitorId),
    refers(t, t.connectionId, () => connections, 'cascade'),
  ],
)
