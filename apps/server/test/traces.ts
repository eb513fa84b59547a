import { sql } from 'drizzle-orm'
import { type Tx, withTenant } from '../src/db/database.ts'

/** Where of a company a text stands that matches this, in whatever column of whatever table: `table.column`. */
export const placesOf = (tenantId: number, pattern: string): Promise<string[]> =>
  withTenant(tenantId, async (tx) => {
    const places: string[] = []
    for (const { table, column } of await textsOf(tx)) {
      const found = await tx.db.execute(
        sql`select from ${sql.identifier(table)} where tenant_id = ${tenantId}
          and lower(${sql.identifier(column)}::text) ~ ${pattern.toLowerCase()} limit 1`,
      )
      if (found.rows.length) places.push(`${table}.${column}`)
    }
    return places
  })

const textsOf = async (tx: Tx) => {
  const { rows } = await tx.db.execute<{ table: string; column: string }>(
    sql`select c.relname as table, a.attname as column from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and a.attnum > 0 and not a.attisdropped
        and a.atttypid::regtype::text in ('text', 'text[]', 'jsonb', 'json', 'character varying', 'tsvector')
        and has_column_privilege(c.oid, a.attnum, 'select')
        and exists (select from pg_attribute t where t.attrelid = c.oid and t.attname = 'tenant_id')
      order by 1, 2`,
  )
  return rows
}
