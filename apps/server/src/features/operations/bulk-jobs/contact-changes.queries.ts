import type { ContactAction } from '@balcao/contract/operations/bulk-jobs.ts'
import { and, type SQL, sql } from 'drizzle-orm'
import type { Prepared, Tx } from '../../../db/database.ts'

/** Of one contact: the tags or people that came or went, or the stage it was in. */
export type Changed = { contactId: string; ids: string[] }

/** Those of these that are there and `visible`, locked in the order of their ids. */
export const lockContacts = async (tx: Tx, ids: string[], visible: SQL | undefined): Promise<string[]> => {
  const { rows } = await tx.db.execute<{ id: string }>(
    sql`select c.id from contacts c where ${and(
      sql`c.tenant_id = ${tx.tenantId} and c.id = any(${sql.param(ids)}::uuid[]) and c.merged_into_id is null`,
      visible,
    )} order by c.id for no key update`,
  )
  return rows.map(({ id }) => id)
}

/** Does it to contacts that are locked, in a few statements however many they are; answers those that were otherwise. */
export const changeContacts = async (tx: Tx, action: ContactAction, ids: string[]): Promise<Changed[]> => {
  switch (action.kind) {
    case 'addContactTags':
      return touched(tx, await tx.rows(addTags, [tx.tenantId, ids, action.tagIds]))
    case 'removeContactTags':
      return touched(tx, await tx.rows(removeTags, [tx.tenantId, ids, action.tagIds]))
    case 'wallet':
      return touched(tx, await tx.rows(addOwner, [tx.tenantId, ids, [action.userId]]))
    case 'removeWallet':
      return touched(tx, await tx.rows(removeOwner, [tx.tenantId, ids, [action.userId]]))
    case 'lane':
      return tx.rows<Changed>(move, [tx.tenantId, ids, action.laneId])
  }
}

/** The same backwards: what is as it was left becomes what it was. */
export const restoreContacts = async (tx: Tx, action: ContactAction, changed: Changed[]): Promise<void> => {
  const values = [tx.tenantId, JSON.stringify(changed)]
  switch (action.kind) {
    case 'addContactTags':
      return void (await touched(tx, await tx.rows(takeTags, values)))
    case 'removeContactTags':
      return void (await touched(tx, await tx.rows(giveTags, values)))
    case 'wallet':
      return void (await touched(tx, await tx.rows(takeOwners, values)))
    case 'removeWallet':
      return void (await touched(tx, await tx.rows(giveOwners, values)))
    case 'lane':
      await tx.rows(moveBack, [...values, action.laneId])
  }
}

type Pair = { contactId: string; id: string }
/** Whoever has such a contact open in a form is told that it is not what they read. */
const touched = async (tx: Tx, pairs: Pair[]): Promise<Changed[]> => {
  const byContact = Map.groupBy(pairs, ({ contactId }) => contactId)
  if (byContact.size) await tx.rows(touch, [tx.tenantId, [...byContact.keys()]])
  return [...byContact].map(([contactId, own]) => ({ contactId, ids: own.map(({ id }) => id) }))
}
const touch: Prepared = {
  name: 'contacts_touch',
  text: 'update contacts set version = version + 1, updated_at = now() where tenant_id = $1 and id = any($2::uuid[])',
}

type Table = { table: string; column: string; target: string; isThere: string }
const tagged: Table = { table: 'contact_tags', column: 'tag_id', target: 'tags', isThere: 'true' }
const owned: Table = { table: 'contact_wallets', column: 'user_id', target: 'users', isThere: 't.deleted_at is null' }

/** What went meanwhile is not given: nobody's work fails for a tag. */
const adding = (name: string, { table, column, target, isThere }: Table): Prepared => ({
  name,
  text: `insert into ${table} (tenant_id, contact_id, ${column}) select $1, c.id, t.id from unnest($2::uuid[]) c(id)
      join ${target} t on t.tenant_id = $1 and t.id = any($3::uuid[]) and ${isThere}
    on conflict do nothing returning contact_id as "contactId", ${column} as id`,
})
const removing = (name: string, { table, column }: Table): Prepared => ({
  name,
  text: `delete from ${table} where tenant_id = $1 and contact_id = any($2::uuid[]) and ${column} = any($3::uuid[])
    returning contact_id as "contactId", ${column} as id`,
})
const [addTags, removeTags] = [adding('contacts_add_tags', tagged), removing('contacts_remove_tags', tagged)]
const [addOwner, removeOwner] = [adding('contacts_add_owner', owned), removing('contacts_remove_owner', owned)]

const move: Prepared = {
  name: 'contacts_move',
  text: `with before as (
      select b.id, b.lane_id from contacts b where b.tenant_id = $1 and b.id = any($2::uuid[]) and b.lane_id is distinct from $3::uuid)
    update contacts c set lane_id = l.id, lane_at = now(), version = c.version + 1, updated_at = now()
      from before b, lanes l where l.tenant_id = $1 and l.id = $3::uuid and c.tenant_id = $1 and c.id = b.id
    returning c.id as "contactId", array_remove(array[b.lane_id], null) as ids`,
}

/** Pairs as they were kept, of contacts that are still there. */
const kept = `jsonb_to_recordset($2::jsonb) as r("contactId" uuid, ids uuid[])
      join contacts c on c.tenant_id = $1 and c.id = r."contactId" and c.merged_into_id is null`
const taking = (name: string, { table, column }: Table): Prepared => ({
  name,
  text: `delete from ${table} x using ${kept} where x.tenant_id = $1 and x.contact_id = c.id and x.${column} = any(r.ids)
    returning x.contact_id as "contactId", x.${column} as id`,
})
const giving = (name: string, { table, column, target, isThere }: Table): Prepared => ({
  name,
  text: `insert into ${table} (tenant_id, contact_id, ${column}) select $1, c.id, t.id from ${kept}
      join ${target} t on t.tenant_id = $1 and t.id = any(r.ids) and ${isThere}
    on conflict do nothing returning contact_id as "contactId", ${column} as id`,
})
const [takeTags, giveTags] = [taking('contacts_take_tags', tagged), giving('contacts_give_tags', tagged)]
const [takeOwners, giveOwners] = [taking('contacts_take_owners', owned), giving('contacts_give_owners', owned)]
const moveBack: Prepared = {
  name: 'contacts_move_back',
  text: `update contacts x set lane_id = l.id, lane_at = case when l.id is not null then now() end, version = x.version + 1, updated_at = now()
    from ${kept} left join lanes l on l.tenant_id = $1 and l.id = r.ids[1]
    where x.tenant_id = $1 and x.id = c.id and x.lane_id = $3::uuid`,
}
