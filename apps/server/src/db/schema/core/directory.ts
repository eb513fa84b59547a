import { integer, primaryKey, text } from 'drizzle-orm/pg-core'
import { tenantLink } from '../columns.ts'

/**
 * How often each part of a company's directory changed, counted by triggers on the tables it is read from: whoever keeps
 * a copy reads the parts again whose number is another.
 */
export const directoryVersions = tenantLink(
  'directory_versions',
  { part: text('part').notNull(), version: integer('version').notNull() },
  (t) => [primaryKey({ columns: [t.tenantId, t.part] })],
)
