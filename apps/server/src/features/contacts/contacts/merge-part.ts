import type { Prepared, Tx } from '../../../db/database.ts'
import type { ContactMergeMoved } from '../../../db/schema/contacts/merges.ts'

/** From whom to whom; an undo goes the other way. */
export type MergeWay = { from: string; to: string }
/** What a merge has moved, so that it can be undone: each feature under names of its own. */
export type MergeMoved = Omit<ContactMergeMoved, 'before' | 'after' | 'number'>
/** What a feature that holds contacts does when two become one, and when they become two again. */
export type ContactMergePart = {
  /** Its tables that name a contact. */
  tables: readonly string[]
  merge: (tx: Tx, way: MergeWay) => Promise<Partial<MergeMoved>>
  undo: (tx: Tx, way: MergeWay, moved: MergeMoved) => Promise<void>
}
type IdsKey = Extract<keyof MergeMoved, `${string}Ids`>

/** Of rows that simply name another contact from then on. */
export const movesRows = (key: IdsKey, table: string): ContactMergePart => {
  const text = (which: string) =>
    `update ${table} set contact_id = $3, version = version + 1 where tenant_id = $1 and contact_id = $2 ${which} returning id`
  const move = async (tx: Tx, statement: Prepared, values: unknown[]) =>
    (await tx.rows<{ id: string }>(statement, [tx.tenantId, ...values])).map(({ id }) => id)
  return {
    tables: [table],
    merge: async (tx, { from, to }) => ({
      [key]: await move(tx, { name: `merge_${table}`, text: text('') }, [from, to]),
    }),
    undo: async (tx, { from, to }, { [key]: ids }) => {
      await move(tx, { name: `unmerge_${table}`, text: text('and id = any($4::uuid[])') }, [from, to, ids])
    },
  }
}

/**
 * Of pairs of a contact and something: the kept one gets what it did not have; the other keeps its own, for the day it
 * is itself again.
 */
export const copiesPairs = (key: IdsKey, table: string, column: string): ContactMergePart => ({
  tables: [table],
  merge: async (tx, { from, to }) => {
    const copied: Prepared = {
      name: `merge_${table}`,
      text: `insert into ${table} (tenant_id, contact_id, ${column}) select $1, $3, ${column} from ${table}
        where tenant_id = $1 and contact_id = $2 on conflict do nothing returning ${column} as id`,
    }
    return { [key]: (await tx.rows<{ id: string }>(copied, [tx.tenantId, from, to])).map(({ id }) => id) }
  },
  undo: async (tx, { from }, { [key]: ids }) => {
    const dropped: Prepared = {
      name: `unmerge_${table}`,
      text: `delete from ${table} where tenant_id = $1 and contact_id = $2 and ${column} = any($3::uuid[])`,
    }
    await tx.rows(dropped, [tx.tenantId, from, ids])
  },
})
