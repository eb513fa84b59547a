import { index, jsonb, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, tenantTable } from '../columns.ts'

/** Who changed what: one row per write of an administrable thing. */
export const audit = tenantTable(
  'audit',
  {
    at: createdAt(),
    userId: uuid('user_id'),
    impersonatorId: uuid('impersonator_id'),
    action: text('action').notNull(),
    entity: text('entity').notNull(),
    entityId: text('entity_id').notNull(),
    before: jsonb('before').$type<unknown>(),
    after: jsonb('after').$type<unknown>(),
  },
  (t) => [
    index('audit_recent').on(t.tenantId, t.at, t.id),
    index('audit_user').on(t.tenantId, t.userId, t.at, t.id),
    index('audit_entity').on(t.tenantId, t.entity, t.entityId, t.at),
  ],
)
