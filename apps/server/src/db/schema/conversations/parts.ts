import type { Interactive } from '@balcao/contract/conversations/messages.ts'
import { partKinds } from '@balcao/contract/conversations/parts.ts'
import { jsonb, smallint, text, uuid } from 'drizzle-orm/pg-core'

/** A message of an answer that is kept ready, as a row of its owner's: `mediaId` refers to `files`. */
export const partColumns = () => ({
  /** From 0, in the order they are sent. */
  position: smallint('position').notNull(),
  kind: text('kind', { enum: partKinds }).notNull(),
  body: text('body').notNull().default(''),
  mediaId: uuid('media_id'),
  interactive: jsonb('interactive').$type<Interactive>(),
})
