import { getTableColumns } from 'drizzle-orm'
import type { Prepared, Tx } from '../../../db/database.ts'
import { tickets } from '../../../db/schema/conversations/tickets.ts'
import { fieldErrors } from '../../../kit/errors.ts'
import type { TicketChange } from './commit-ticket-changes.ts'

type Row = typeof tickets.$inferSelect
type Fixed = 'tenantId' | 'id' | 'protocol' | 'isGroup' | 'slaDueAt' | 'version' | 'createdAt'
/** Moments as ISO text too, or as 'now': the moment of the transaction. */
type Stored<V> = Date extends V ? V | string : V
/** What a change stores. */
export type TicketColumns = { [K in Exclude<keyof Row, Fixed>]?: Stored<Row[K]> }

const fixed: readonly string[] = [
  'tenantId',
  'id',
  'protocol',
  'isGroup',
  'slaDueAt',
  'version',
  'createdAt',
] satisfies Fixed[]
const nameOf = new Map(
  Object.entries(getTableColumns(tickets)).flatMap(([key, column]) =>
    fixed.includes(key) ? [] : [[key, column.name]],
  ),
)

/**
 * Writes the columns of many locked tickets in one statement, each its own. What was left to be done by itself goes with
 * a conversation that somebody takes.
 */
export const saveColumns = async (tx: Tx, changes: (TicketChange & { isTaken: boolean })[]) => {
  if (!changes.length) return
  const rows = changes.map(({ before, set = {}, isResumed, isNews }) => ({
    id: before.id,
    set: Object.fromEntries(
      Object.entries(set).flatMap(([key, value]) => (value === undefined ? [] : [[nameOf.get(key), value]])),
    ),
    resumed: isResumed ?? false,
    news: isNews ?? false,
  }))
  const overtaken = changes.filter(({ isTaken }) => isTaken).map(({ before }) => before.id)
  await tx.rows(save, [tx.tenantId, JSON.stringify(rows), rows.map(({ id }) => id), overtaken])
}

/** What is no longer put away keeps the time it rested, for it was not handling time. */
const special: Record<string, string> = {
  paused_ms: `case when n.resumed and t.paused_at is not null
    then t.paused_ms + round(date_part('epoch', now() - t.paused_at) * 1000) else r.paused_ms end`,
  paused_at: 'case when not n.resumed then r.paused_at end',
  paused_until: 'case when not n.resumed then r.paused_until end',
  pause_reason: 'case when not n.resumed then r.pause_reason end',
  updated_at: 'case when n.news then greatest(now(), t.updated_at) else r.updated_at end',
}
const names = [...nameOf.values()]
const save: Prepared = {
  name: 'ticket_changes_save',
  text: `with overtaken as (delete from turns where tenant_id = $1 and ticket_id = any($4::uuid[]))
    update tickets t set (${names.join(', ')}, version) = (
      select ${names.map((name) => special[name] ?? `r.${name}`).join(', ')}, t.version + 1 from jsonb_populate_record(t, n.set) r)
    from jsonb_to_recordset($2::jsonb) as n(id uuid, set jsonb, resumed boolean, news boolean)
    where t.tenant_id = $1 and t.id = any($3::uuid[]) and t.id = n.id`,
}

/** Tags that are to be others; ones that do not exist refuse the whole. */
export const replaceTags = async (tx: Tx, changes: TicketChange[]) => {
  const tagged = changes.flatMap(({ before, tagIds }) => (tagIds ? [{ id: before.id, tagIds }] : []))
  if (!tagged.length) return
  const wanted = [...new Set(tagged.flatMap(({ tagIds }) => tagIds))]
  const [known] = await tx.rows<{ count: number }>(tagsThere, [tx.tenantId, wanted])
  if (known?.count !== wanted.length) throw fieldErrors({ path: 'tagIds', message: 'Etiqueta não encontrada.' })
  await tx.rows(saveTags, [tx.tenantId, tagged.map(({ id }) => id), JSON.stringify(tagged)])
}
const tagsThere: Prepared = {
  name: 'ticket_tags_there',
  text: 'select count(*)::int as count from tags where tenant_id = $1 and id = any($2::uuid[])',
}
const saveTags: Prepared = {
  name: 'ticket_tags_save',
  text: `with wanted as (
      select g.id as ticket_id, tag_id::uuid from jsonb_to_recordset($3::jsonb) as g(id uuid, "tagIds" jsonb)
        cross join lateral jsonb_array_elements_text(g."tagIds") as tag_id
    ), gone as (
      delete from ticket_tags o where o.tenant_id = $1 and o.ticket_id = any($2::uuid[])
        and not exists (select from wanted w where w.ticket_id = o.ticket_id and w.tag_id = o.tag_id)
    )
    insert into ticket_tags (tenant_id, ticket_id, tag_id) select $1, ticket_id, tag_id from wanted on conflict do nothing`,
}
