import { sql } from 'drizzle-orm'
import type { Prepared, Tx } from '../../../db/database.ts'
import type { DoneRow } from './rows.queries.ts'
import { contactOf } from './write.queries.ts'

/** What belongs to a contact alone, and goes with it. */
const ownParts = ['contacts', 'contact_identities', 'contact_tags', 'contact_wallets', 'duplicate_pairs']

/** Every table that refers to a contact, by the catalogue: a new one is asked, too, whoever makes it. */
const users: Prepared = {
  name: 'contact_users',
  text: `select c.conrelid::regclass::text as "table", a.attname as "column" from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[2]
    where c.contype = 'f' and c.confrelid = 'contacts'::regclass and c.conparentid = 0 and c.conrelid::regclass::text <> all($1::text[])`,
}

/**
 * Deletes those that the import made and that are as it left them, and nothing of ours names: no conversation, no task,
 * no schedule. Answers who went.
 */
export const deleteUnused = async (tx: Tx, importId: string, ids: string[]): Promise<string[]> => {
  if (!ids.length) return []
  const tables = await tx.rows<{ table: string; column: string }>(users, [ownParts])
  const unused = tables.map(
    ({ table, column }) =>
      sql`not exists (select from ${sql.raw(table)} u where u.tenant_id = c.tenant_id and u.${sql.identifier(column)} = c.id)`,
  )
  const { rows } = await tx.db.execute<{ id: string }>(sql`delete from contacts c
    where c.tenant_id = ${tx.tenantId} and c.id = any(${sql.param(ids)}::uuid[]) and c.import_id = ${importId}::uuid
      and c.version = 1 and c.merged_into_id is null
      and not exists (select from contacts m where m.tenant_id = c.tenant_id and m.merged_into_id = c.id)
      and ${sql.join(unused, sql` and `)} returning c.id`)
  return rows.map(({ id }) => id)
}

const texts = {
  name: 'name',
  number: 'number',
  email: 'email',
  businessName: 'business_name',
  document: 'document',
  notes: 'notes',
}
const others = {
  isNameFixed: ['is_name_fixed', 'boolean'],
  birthdayDate: ['birthday_date', 'date'],
  laneId: ['lane_id', 'uuid'],
}
const jsons = { address: 'address', extraInfo: 'extra_info' }
/** A value that is as the import left it becomes what it was; what somebody changed since stays. */
const back = [
  ...Object.entries(texts).map(([key, column]) => [key, column, `r.before->>'${key}'`]),
  ...Object.entries(others).map(([key, [column = '', type]]) => [key, column, `(r.before->>'${key}')::${type}`]),
  ...Object.entries(jsons).map(([key, column]) => [key, column, `nullif(r.before->'${key}', 'null'::jsonb)`]),
].map(
  ([key, column, before]) =>
    `${column} = case when r.after ? '${key}' and coalesce(to_jsonb(c.${column}), 'null') = r.after->'${key}' then ${before} else c.${column} end`,
)
const restore: Prepared = {
  name: 'import_restore',
  text: `update contacts c set ${back.join(', ')}, version = c.version + 1, updated_at = now()
    from jsonb_to_recordset($2::jsonb) as r("contactId" uuid, before jsonb, after jsonb)
    ${contactOf('r."contactId"')} and c.merged_into_id is null returning c.id`,
}
const take = (name: string, table: string, column: string, key: string): Prepared => ({
  name,
  text: `delete from ${table} x using jsonb_to_recordset($2::jsonb) as r("contactId" uuid, after jsonb), jsonb_array_elements_text(r.after->'${key}') v
    where x.tenant_id = $1 and x.contact_id = r."contactId" and x.${column} = v::uuid`,
})
const takeTags = take('import_take_tags', 'contact_tags', 'tag_id', 'tagIds')
const takeWallets = take('import_take_wallets', 'contact_wallets', 'user_id', 'walletIds')
const takePhones: Prepared = {
  name: 'import_take_phones',
  text: `delete from contact_identities x using jsonb_to_recordset($2::jsonb) as r("contactId" uuid, after jsonb), contacts c,
      lateral (select jsonb_array_elements_text(r.after->'phones') union select r.after->>'number') as v(phone)
    where x.tenant_id = $1 and x.contact_id = r."contactId" and x.kind = 'phone' and x.value = v.phone
      and c.tenant_id = $1 and c.id = x.contact_id and c.number is distinct from v.phone`,
}

/** Contacts it changed are as they were, but for what somebody changed since. Answers which. */
export const restoreChanged = async (tx: Tx, rows: DoneRow[]): Promise<string[]> => {
  if (!rows.length) return []
  const values = [tx.tenantId, JSON.stringify(rows)]
  const restored = await tx.rows<{ id: string }>(restore, values)
  for (const statement of [takeTags, takeWallets, takePhones]) await tx.rows(statement, values)
  return restored.map(({ id }) => id)
}

export const forgetWritten = (tx: Tx, importId: string, lines: number[]) =>
  tx.rows(forget, [tx.tenantId, importId, lines])
const forget: Prepared = {
  name: 'import_forget_written',
  text: `update contact_import_rows set is_written = false where tenant_id = $1 and import_id = $2 and line = any($3::int[])`,
}
