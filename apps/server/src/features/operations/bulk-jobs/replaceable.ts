import { laneResource } from '@balcao/contract/contacts/lanes.ts'
import { tagResource } from '@balcao/contract/contacts/tags.ts'
import { reasonResource } from '@balcao/contract/conversations/reasons.ts'
import type { RowUses } from '@balcao/contract/operations/bulk-jobs.ts'
import type { replaceKinds } from '@balcao/contract/operations/replace-kinds.ts'
import { queueResource } from '@balcao/contract/service/queues.ts'
import type { Prepared, Tx } from '../../../db/database.ts'
import { lanes } from '../../../db/schema/contacts/lanes.ts'
import { tags } from '../../../db/schema/contacts/tags.ts'
import { reasons } from '../../../db/schema/conversations/lists.ts'
import { queues } from '../../../db/schema/service/queues.ts'
import { countInSetUp } from './replace-set-up.ts'

export type ReplaceKind = (typeof replaceKinds)[number]

type Place = 'contacts' | 'tickets' | 'connections'
/** Where a row is used: a column that names it, or a table of pairs. */
type Reference = { place: Place; table: string; column: string; pairedWith?: string }

const tagged: Reference[] = [
  { place: 'contacts', table: 'contact_tags', column: 'tag_id', pairedWith: 'contact_id' },
  { place: 'tickets', table: 'ticket_tags', column: 'tag_id', pairedWith: 'ticket_id' },
]

/** What can give way to another of its kind, and where it is used. */
export const replaceable = {
  replaceTag: { resource: tagResource, table: tags, references: tagged },
  replaceQueue: {
    resource: queueResource,
    table: queues,
    references: [
      { place: 'connections', table: 'connections', column: 'queue_id' },
      { place: 'tickets', table: 'tickets', column: 'queue_id' },
    ] satisfies Reference[],
  },
  replaceReason: {
    resource: reasonResource,
    table: reasons,
    references: [{ place: 'tickets', table: 'tickets', column: 'reason_id' }] satisfies Reference[],
  },
  replaceLane: {
    resource: laneResource,
    table: lanes,
    references: [{ place: 'contacts', table: 'contacts', column: 'lane_id' }] satisfies Reference[],
  },
} as const

export const countUses = async (tx: Tx, kind: ReplaceKind, id: string): Promise<RowUses> => {
  const uses = { contacts: 0, tickets: 0, connections: 0 }
  for (const { place, table, column } of replaceable[kind].references) {
    const text = `select count(*)::int as count from ${table} where tenant_id = $1 and ${column} = $2`
    const [row] = await once<{ count: number }>(tx, text, [tx.tenantId, id])
    uses[place] = row?.count ?? 0
  }
  return { ...uses, ...(await countInSetUp(tx, id)) }
}

/** The next rows that name it at this place, locked. */
export const nextUses = async (tx: Tx, { table, column, pairedWith }: Reference, id: string, limit: number) => {
  const key = pairedWith ?? 'id'
  const text = `select ${key} as id from ${table} where tenant_id = $1 and ${column} = $2 order by ${key} limit $3 for no key update`
  return (await once<{ id: string }>(tx, text, [tx.tenantId, id, limit])).map((row) => row.id)
}

/** Gives these uses to the other row, or to none. */
export const replaceUses = (
  tx: Tx,
  { table, column, pairedWith }: Reference,
  { id, replacementId, uses }: { id: string; replacementId: string | null; uses: string[] },
) =>
  once(
    tx,
    pairedWith
      ? `with added as (insert into ${table} (tenant_id, ${pairedWith}, ${column})
          select $1, use, $3::uuid from unnest($4::uuid[]) use where $3::uuid is not null on conflict do nothing)
        delete from ${table} where tenant_id = $1 and ${column} = $2 and ${pairedWith} = any($4::uuid[])`
      : `update ${table} set ${column} = $3, version = version + 1
        where tenant_id = $1 and ${column} = $2 and id = any($4::uuid[])`,
    [tx.tenantId, id, replacementId, uses],
  )

const once = <Row extends object>(tx: Tx, text: string, values: unknown[]) =>
  tx.rows<Row>({ name: '', text } satisfies Prepared, values)
