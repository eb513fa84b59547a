import { mediaKinds } from '@balcao/contract/core/media.ts'
import { bigint, index, integer, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, tenantTable } from '../columns.ts'

/** A stored file; the bytes live in the storage under `key`. */
export const files = tenantTable(
  'files',
  {
    kind: text('kind', { enum: mediaKinds }).notNull(),
    name: text('name').notNull(),
    mime: text('mime').notNull(),
    size: bigint('size', { mode: 'number' }).notNull(),
    sha256: text('sha256').notNull(),
    key: text('key').notNull(),
    thumbKey: text('thumb_key'),
    width: integer('width'),
    height: integer('height'),
    durationMs: integer('duration_ms'),
    /** Who put it here: a user, or a web chat visitor's contact; null for the provider. */
    userId: uuid('user_id'),
    contactId: uuid('contact_id'),
    createdAt: createdAt(),
  },
  (t) => [index('files_user').on(t.tenantId, t.userId)],
)
