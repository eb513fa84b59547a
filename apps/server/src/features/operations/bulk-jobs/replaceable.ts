import { tagResource } from '@balcao/contract/contacts/tags.ts'
import { reasonResource } from '@balcao/contract/conversations/reasons.ts'
import type { RowUses, replaceKinds } from '@balcao/contract/operations/bulk-jobs.ts'
import { queueResource } from '@balcao/contract/service/queues.ts'
import type { Prepared, Tx } from '../../../db/database.ts'
import { tags } from '../../../db/schema/contacts/tags.ts'
import { reasons } from '../../../db/schema/conversations/lists.ts'
import { queues } from '../../../db/schema/service/queues.ts'
import { countInSetUp } from './replace-set-up.ts'

export type ReplaceKind = (typeof replaceKinds)[number]
export const isReplacing = (kind: string): kind is ReplaceKind => kind in replaceable

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

/** Replaces the next of one reference's uses; the rows it changed. */
export const replaceSome = (
  tx: Tx,
  { table, column, pairedWith }: Reference,
  { id, replacementId, limit }: { id: string; replacementId: string | null; limit: number },
) => {
  const values = [tx.tenantId, id, replacementId, limit]
  if (!pairedWith) {
    const versioned = 'version = version + 1'
    return once<{ id: string }>(
      tx,
      `update ${table} set ${column} = $3, ${versioned} where tenant_id = $1 and id in (
        select id from ${table} where tenant_id = $1 and ${column} = $2 order by id limit $4 for no key update)
      returning id`,
      values,
    )
  }
  return once<{ id: string }>(
    tx,
    `with batch as (select ${pairedWith} as id from ${table} where tenant_id = $1 and ${column} = $2
        order by ${pairedWith} limit $4 for update),
      added as (insert into ${table} (tenant_id, ${pairedWith}, ${column})
        select $1, id, $3::uuid from batch where $3::uuid is not null on conflict do nothing)
    delete from ${table} t using batch where t.tenant_id = $1 and t.${column} = $2 and t.${pairedWith} = batch.id
    returning batch.id`,
    values,
  )
}

const once = <Row extends object>(tx: Tx, text: string, values: unknown[]) =>
  tx.rows<Row>({ name: '', text } satisfies Prepared, values)
