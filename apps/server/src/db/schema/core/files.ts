import { mediaKinds } from '@balcao/contract/core/media.ts'
import { sql } from 'drizzle-orm'
import { bigint, index, integer, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, moment, refers, tenantLink, tenantTable } from '../columns.ts'

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
  (t) => [
    index('files_user').on(t.tenantId, t.userId),
    // What a company's files take together, where its plan limits it.
    index('files_size').on(t.tenantId, t.size),
  ],
)

/**
 * Why a stored file stays: a row per row that names it, written by triggers that every reference to `files` gets by
 * itself (db/file-uses.ts), and holds, which end. A file with neither is swept away.
 */
export const fileUses = tenantLink(
  'file_uses',
  {
    fileId: uuid('file_id').notNull(),
    /** `messages.media_id`: table and column; `hold`: until `expiresAt`, used or not. */
    entity: text('entity').notNull(),
    entityId: text('entity_id').notNull(),
    expiresAt: moment('expires_at'),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.fileId, t.entity, t.entityId] }),
    // The sweeper asks for all companies at once.
    index('file_uses_ending').on(t.expiresAt).where(sql`${t.expiresAt} is not null`),
    refers(t, t.fileId, () => files),
  ],
)
