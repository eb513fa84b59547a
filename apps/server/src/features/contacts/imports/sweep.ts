import { type Prepared, platformRows } from '../../../db/database.ts'

/** Rows that can no longer be taken back go, some at a time; so does an import that nobody ran. */
export const sweepImports = async () => {
  for (let gone = rowsAtOnce; gone === rowsAtOnce; )
    [{ gone } = { gone: 0 }] = await platformRows<{ gone: number }>(oldRows, [rowsAtOnce])
  await platformRows(oldImports, [])
}
const rowsAtOnce = 5_000

const oldRows: Prepared = {
  name: 'old_import_rows',
  text: `with d as (delete from contact_import_rows where (tenant_id, import_id, line) in (
      select r.tenant_id, r.import_id, r.line from contact_imports i
        join contact_import_rows r on r.tenant_id = i.tenant_id and r.import_id = i.id where i.rows_until < now() limit $1) returning 1)
    select count(*)::int as gone from d`,
}
const oldImports: Prepared = {
  name: 'old_imports',
  text: `with kept as (update contact_imports set rows_until = null where rows_until < now() and started_at is not null)
    delete from contact_imports where rows_until < now() and started_at is null`,
}
