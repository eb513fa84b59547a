import type { Prepared, Tx } from '../../../db/database.ts'
import type { Given, Values } from './plan.ts'

type Pair = { contactId: string; id: string }
type Phone = { contactId: string; phone: string }

const columns = `name text, "isNameFixed" boolean, number text, email text, "businessName" text, document text, "birthdayDate" date,
  notes text, address jsonb, "laneId" uuid, "extraInfo" jsonb`
/** The contact `c` of that id: looked up one by one, whatever the planner believes of how many a company has. */
export const contactOf = (id: string) =>
  `cross join lateral (select y.ctid from contacts y where y.tenant_id = $1 and y.id = ${id} offset 0) k where c.ctid = k.ctid`
/** JSON's null is no value of a column. */
const address = "nullif(r.address, 'null'::jsonb)"

/** A contact that is to be made, with all that comes with it. */
export type Made = Values & { id: string } & Given

/**
 * Makes these contacts, each with its phones, tags and owners; answers those it could make: somebody else may have made one
 * of them just now, and the unique number and identities decide who.
 */
export const insertContacts = async (tx: Tx, importId: string, made: Made[]): Promise<ReadonlySet<string>> => {
  if (!made.length) return new Set()
  const { tenantId } = tx
  const rows = await tx.rows<{ id: string; hasPhone: boolean }>(insert, [tenantId, importId, JSON.stringify(made)])
  const lost = rows.filter(({ hasPhone }) => !hasPhone).map(({ id }) => id)
  if (lost.length) await tx.rows(remove, [tenantId, lost])
  const ids = new Set(rows.flatMap(({ id, hasPhone }) => (hasPhone ? [id] : [])))
  await insertPhones(
    tx,
    made.flatMap(({ id, phones }) => (ids.has(id) ? phones.map((phone) => ({ contactId: id, phone })) : [])),
  )
  return ids
}
/** What went meanwhile is not given: nobody's import fails for a tag. */
const givenNew = (name: string, table: string, column: string, target: string) => `"${name}" as (
    insert into ${table} (tenant_id, contact_id, ${column}) select $1, made.id, t.id
      from made join r on r.id = made.id, unnest(r."${name}") as g(id) join ${target} t on t.tenant_id = $1 and t.id = g.id
    on conflict do nothing)`
/** In one statement, so that what triggers keep beside a contact is written once, when all it has is there. */
const insert: Prepared = {
  name: 'import_insert',
  text: `with r as materialized (
      select * from jsonb_to_recordset($3::jsonb) as r(id uuid, "tagIds" uuid[], "walletIds" uuid[], ${columns})),
    made as (insert into contacts (tenant_id, id, import_id, name, is_name_fixed, number, email, business_name, document, birthday_date,
        notes, address, lane_id, lane_at, extra_info)
      select $1, r.id, $2, r.name, r."isNameFixed", r.number, r.email, r."businessName", r.document, r."birthdayDate", r.notes,
        ${address}, r."laneId", case when r."laneId" is not null then now() end, r."extraInfo"
      from r order by r.number on conflict do nothing returning id, number),
    ${givenNew('tagIds', 'contact_tags', 'tag_id', 'tags')},
    ${givenNew('walletIds', 'contact_wallets', 'user_id', 'users')},
    phones as (insert into contact_identities (tenant_id, kind, value, contact_id)
      select $1, 'phone', number, id from made where number is not null order by number
      on conflict do nothing returning contact_id)
    select made.id, made.number is null or phones.contact_id is not null as "hasPhone"
    from made left join phones on phones.contact_id = made.id`,
}
const remove: Prepared = {
  name: 'import_remove',
  text: 'delete from contacts where tenant_id = $1 and id = any($2::uuid[])',
}

/** Those that were free, or theirs. */
export const insertPhones = (tx: Tx, phones: Phone[]): Promise<Phone[]> =>
  phones.length ? tx.rows(insertPhone, [tx.tenantId, JSON.stringify(phones)]) : Promise.resolve([])
const insertPhone: Prepared = {
  name: 'import_phones',
  text: `insert into contact_identities (tenant_id, kind, value, contact_id)
    select $1, 'phone', r.phone, r."contactId" from jsonb_to_recordset($2::jsonb) as r("contactId" uuid, phone text) order by r.phone
    on conflict do nothing returning contact_id as "contactId", value as phone`,
}

/** Contacts that are locked become these. */
export const updateContacts = (tx: Tx, changed: (Values & { id: string })[]) =>
  changed.length ? tx.rows(update, [tx.tenantId, JSON.stringify(changed)]) : Promise.resolve([])
const update: Prepared = {
  name: 'import_update',
  text: `update contacts c set name = r.name, is_name_fixed = r."isNameFixed", number = r.number, email = r.email,
      business_name = r."businessName", document = r.document, birthday_date = r."birthdayDate", notes = r.notes, address = ${address},
      lane_at = case when c.lane_id is distinct from r."laneId" then now() else c.lane_at end, lane_id = r."laneId",
      extra_info = r."extraInfo", version = c.version + 1, updated_at = now()
    from jsonb_to_recordset($2::jsonb) as r(id uuid, ${columns}) ${contactOf('r.id')}`,
}

export const giveTags = (tx: Tx, pairs: Pair[]) => give(tx, insertTags, pairs)
export const giveWallets = (tx: Tx, pairs: Pair[]) => give(tx, insertWallets, pairs)
const give = (tx: Tx, statement: Prepared, pairs: Pair[]) =>
  pairs.length ? tx.rows(statement, [tx.tenantId, JSON.stringify(pairs)]) : Promise.resolve([])
const pairsInto = (name: string, table: string, column: string, target: string): Prepared => ({
  name,
  text: `insert into ${table} (tenant_id, contact_id, ${column})
    select $1, r."contactId", t.id from jsonb_to_recordset($2::jsonb) as r("contactId" uuid, id uuid)
      join ${target} t on t.tenant_id = $1 and t.id = r.id
    on conflict do nothing`,
})
const insertTags = pairsInto('import_tags', 'contact_tags', 'tag_id', 'tags')
const insertWallets = pairsInto('import_wallets', 'contact_wallets', 'user_id', 'users')

/** One import of a company writes at a time; others wait for its step, so that nobody who has no phone is made twice. */
export const lockImports = (tx: Tx) => tx.rows(lock, [tx.tenantId])
const lock: Prepared = {
  name: 'import_lock',
  text: `select pg_advisory_xact_lock(hashtextextended('contact imports', $1))`,
}
