import type { ImportOutcome } from '@balcao/contract/contacts/imports.ts'
import type { Prepared, Tx } from '../../../db/database.ts'
import type { ImportedFields } from './interpret.ts'
import type { Given, Values } from './plan.ts'

/**
 * A step reads and writes its rows by their keys: tables that grow while an import runs look small to a planner who was
 * asked at its beginning, and would be read whole by each step. With `isLight` nobody waits for the disk: a step that is
 * lost with the machine is lost whole, and done again. A step that writes much has to wait, or whoever writes a message
 * meanwhile waits for all of its log (90 ms at the 95th percentile beside an import that did not wait, 30 beside one that did).
 */
export const byKeys = (tx: Tx, { isLight = false } = {}) => tx.rows(isLight ? lightPlans : plans, [])
const seqscanOff = `set_config('enable_seqscan', 'off', true)`
const plans: Prepared = { name: 'import_plans', text: `select ${seqscanOff}` }
const lightPlans: Prepared = {
  name: 'import_light_plans',
  text: `select ${seqscanOff}, set_config('synchronous_commit', 'off', true)`,
}
/** The row `x` with the line of another: looked up one by one, whatever the planner believes of how many there are. */
const rowOf = (other: string) => `cross join lateral (select y.ctid from contact_import_rows y
    where y.tenant_id = $1 and y.import_id = $2 and y.line = ${other}.line offset 0) k where x.ctid = k.ctid`

export type RawRow = { line: number; cells: string[] }

/** Rows as they were read. */
export const stageRows = (tx: Tx, importId: string, rows: [line: number, cells: string[]][]) =>
  tx.rows(stage, [tx.tenantId, importId, JSON.stringify(rows)])
const stage: Prepared = {
  name: 'import_stage',
  text: `insert into contact_import_rows (tenant_id, import_id, line, cells)
    select $1, $2, (r->>0)::int, array(select jsonb_array_elements_text(r->1)) from jsonb_array_elements($3::jsonb) r`,
}

export const readRaw = (tx: Tx, importId: string, after: number, limit: number): Promise<RawRow[]> =>
  tx.rows(raw, [tx.tenantId, importId, after, limit])
const raw: Prepared = {
  name: 'import_raw',
  text: `select line, cells from contact_import_rows
    where tenant_id = $1 and import_id = $2 and line > $3 order by line limit $4`,
}

export type CheckedRow = {
  line: number
  fields: ImportedFields
  keys: string[]
  outcome: ImportOutcome
  reason: string | null
  contactId: string | null
  before: object | null
  after: object | null
}
export const saveChecked = (tx: Tx, importId: string, rows: CheckedRow[]) =>
  tx.rows(checked, [tx.tenantId, importId, JSON.stringify(rows)])
const checked: Prepared = {
  name: 'import_checked',
  text: `update contact_import_rows x set fields = r.fields, keys = r.keys, outcome = r.outcome, reason = r.reason, contact_id = r."contactId",
      before = r.before, after = r.after
    from jsonb_to_recordset($3::jsonb) as r(line int, fields jsonb, keys text[], outcome text, reason text, "contactId" uuid,
      before jsonb, after jsonb)
      ${rowOf('r')}`,
}

/** Of rows about the same person the first counts. */
export const markRepeated = (tx: Tx, importId: string) => tx.rows(repeated, [tx.tenantId, importId])
const repeated: Prepared = {
  name: 'import_repeated',
  text: `with k as materialized (
      select line, min(line) over (partition by key) as first from contact_import_rows, unnest(keys) as key
        where tenant_id = $1 and import_id = $2 and outcome <> 'error'),
    d as materialized (select line, min(first) as first from k group by line having min(first) < line)
    update contact_import_rows x set outcome = 'skip', reason = 'Repete a linha ' || d.first || '.'
    from d ${rowOf('d')}`,
}

export type ReadyRow = { line: number; fields: ImportedFields; keys: string[]; reason: string | null }
/** What is to be written and is not yet; of those that are complete already, where there is more to give them. */
export const readReady = (
  tx: Tx,
  importId: string,
  after: number,
  limit: number,
  withSame: boolean,
): Promise<ReadyRow[]> =>
  tx.rows(ready, [tx.tenantId, importId, after, limit, withSame ? ['create', 'update', 'same'] : ['create', 'update']])
const ready: Prepared = {
  name: 'import_ready',
  text: `select line, fields, keys, reason from contact_import_rows
    where tenant_id = $1 and import_id = $2 and line > $3 and outcome = any($5) and not is_written order by line limit $4`,
}

export type WrittenRow = {
  line: number
  outcome: ImportOutcome
  reason: string | null
  isWritten: boolean
  contactId: string | null
  before: object | null
  after: object | null
}
export const saveWritten = (tx: Tx, importId: string, rows: WrittenRow[]) =>
  tx.rows(written, [tx.tenantId, importId, JSON.stringify(rows)])
const written: Prepared = {
  name: 'import_written',
  text: `update contact_import_rows x set outcome = r.outcome, reason = r.reason, is_written = r."isWritten",
      contact_id = coalesce(r."contactId", x.contact_id), before = r.before, after = r.after
    from jsonb_to_recordset($3::jsonb)
      as r(line int, outcome text, reason text, "isWritten" boolean, "contactId" uuid, before jsonb, after jsonb)
      ${rowOf('r')}`,
}

/** What the database refused, each row by itself. */
export const markUnwritten = (tx: Tx, importId: string) => tx.rows(unwritten, [tx.tenantId, importId])
const unwritten: Prepared = {
  name: 'import_unwritten',
  text: `update contact_import_rows set outcome = 'error', reason = 'Não foi possível gravar esta linha.'
    where tenant_id = $1 and import_id = $2 and outcome in ('create', 'update') and not is_written`,
}

/** How many of each there are, and of how many something is left out. */
export const countRows = (
  tx: Tx,
  importId: string,
): Promise<{ outcome: ImportOutcome; many: number; partial: number }[]> => tx.rows(count, [tx.tenantId, importId])
const count: Prepared = {
  name: 'import_count',
  text: `select outcome, count(*)::int as many,
      count(*) filter (where reason is not null and outcome in ('create', 'update', 'same'))::int as partial
    from contact_import_rows where tenant_id = $1 and import_id = $2 and outcome is not null group by outcome`,
}

export type DoneRow = {
  line: number
  outcome: 'create' | 'update' | 'same'
  contactId: string
  before: (Partial<Values> & Partial<Given>) | null
  after: Record<string, unknown> | null
}
export const readDone = (tx: Tx, importId: string, after: number, limit: number): Promise<DoneRow[]> =>
  tx.rows(done, [tx.tenantId, importId, after, limit])
const done: Prepared = {
  name: 'import_done',
  text: `select line, outcome, contact_id as "contactId", before, after from contact_import_rows
    where tenant_id = $1 and import_id = $2 and line > $3 and is_written order by line limit $4`,
}

export type ShownRow = {
  line: number
  cells: string[]
  outcome: ImportOutcome | null
  reason: string | null
  contactId: string | null
  before: Partial<Values> | null
  after: Partial<Values & Given> | null
}
export type Shown = ImportOutcome | 'partial' | 'problem'
/** As they came, or of one outcome; `problem`: all with a reason why something is not as the file says. */
export const readShown = (
  tx: Tx,
  importId: string,
  { outcome = null, after, limit }: { outcome?: Shown | null; after: number; limit: number },
): Promise<ShownRow[]> => tx.rows(shown, [tx.tenantId, importId, after, limit, outcome])
const shown: Prepared = {
  name: 'import_shown',
  text: `select line, cells, outcome, reason, contact_id as "contactId", before, after from contact_import_rows
    where tenant_id = $1 and import_id = $2 and line > $3 and ($5::text is null or outcome = $5
      or ($5 = 'partial' and reason is not null and outcome in ('create', 'update', 'same')) or ($5 = 'problem' and reason is not null))
    order by line limit $4`,
}
