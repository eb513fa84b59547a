import { type SQL, sql } from 'drizzle-orm'
import type { Prepared, Tx } from '../../../db/database.ts'
import type { ImportedFields } from './interpret.ts'
import type { Existing } from './plan.ts'

type Asked = { line: number; fields: ImportedFields }
type Candidate = { line: number; id: string; by: 'phone' | 'document' | 'email'; place: number; phone: string | null }
export type Matched = { existing: Existing | undefined; takenPhones: ReadonlySet<string> }

/**
 * Who each row is about: whoever has one of its phones, else its CPF, else, where one of the two has no phone, alone its
 * e-mail. `lock` keeps them as they are until the transaction ends.
 */
export const matchRows = async (
  tx: Tx,
  rows: Asked[],
  visible: SQL | undefined,
  lock?: 'lock',
): Promise<Map<number, Matched>> => {
  const asked = rows.map(({ line, fields: { phones, document, email } }) => ({
    line,
    phones: phones ?? [],
    document: document?.length === 11 ? document : null,
    email: email ?? null,
  }))
  const candidates = await tx.rows<Candidate>(find, [tx.tenantId, JSON.stringify(asked)])
  const known = await readExisting(tx, [...new Set(candidates.map(({ id }) => id))].sort(), visible, lock)
  const byLine = Map.groupBy(candidates, ({ line }) => line)
  return new Map(
    asked.map(({ line, phones }): [number, Matched] => {
      const mine = (byLine.get(line) ?? []).filter(({ id }) => known.has(id))
      const existing = known.get(personOf(mine, phones.length > 0, known) ?? '')
      const takenPhones = mine.flatMap(({ phone, id }) => (phone && id !== existing?.id ? [phone] : []))
      return [line, { existing, takenPhones: new Set(takenPhones) }]
    }),
  )
}

const personOf = (candidates: Candidate[], hasPhone: boolean, known: ReadonlyMap<string, Existing>) => {
  const by = (wanted: Candidate['by']) => candidates.filter((one) => one.by === wanted)
  const [first] = by('phone').sort((a, b) => a.place - b.place)
  if (first) return first.id
  const [byDocument, ...others] = new Set(by('document').map(({ id }) => id))
  if (byDocument && !others.length) return byDocument
  const mails = [...new Set(by('email').map(({ id }) => id))].filter((id) => !hasPhone || !known.get(id)?.number)
  return mails.length === 1 ? mails[0] : undefined
}

/**
 * Looked up for each row by itself, whatever the planner believes of how many a company has. Of a merged contact nothing is
 * asked here: that would lead it to an index of all who are not, and those are left out when they are read.
 */
const each = (table: string, condition: string) =>
  `cross join lateral (select * from ${table} y where y.tenant_id = $1 and y.${condition} offset 0) i`
const find: Prepared = {
  name: 'import_match',
  text: `with r as materialized (select * from jsonb_to_recordset($2::jsonb) as r(line int, phones text[], document text, email text)),
      p as materialized (select r.line, p.phone, p.place from r, unnest(r.phones) with ordinality as p(phone, place))
    select p.line, i.contact_id as id, 'phone' as by, p.place::int, p.phone from p ${each('contact_identities', "kind = 'phone' and y.value = p.phone")}
    union all
    select p.line, i.id, 'phone', p.place::int, p.phone from p ${each('contacts', 'number = p.phone')}
    union all
    select r.line, i.id, 'document', 0, null from r ${each('contacts', 'document = r.document')} where r.document is not null
    union all
    select r.line, i.id, 'email', 0, null from r ${each('contacts', 'email = r.email and y.merged_into_id is null')}
    union all
    select r.line, i.contact_id, 'email', 0, null from r ${each('contact_identities', "kind = 'email' and y.value = r.email")}`,
}

const readExisting = async (tx: Tx, ids: string[], visible: SQL | undefined, lock?: 'lock') => {
  if (!ids.length) return new Map<string, Existing>()
  const { rows } = await tx.db.execute<Existing>(sql`
    select c.id, c.name, c.is_name_fixed as "isNameFixed", c.number, c.email, c.business_name as "businessName", c.document,
      c.birthday_date::text as "birthdayDate", c.notes, c.address, c.lane_id as "laneId", c.extra_info as "extraInfo",
      array(select i.value from contact_identities i where i.tenant_id = c.tenant_id and i.contact_id = c.id and i.kind = 'phone') as phones,
      array(select t.tag_id from contact_tags t where t.tenant_id = c.tenant_id and t.contact_id = c.id) as "tagIds",
      array(select w.user_id from contact_wallets w where w.tenant_id = c.tenant_id and w.contact_id = c.id) as "walletIds",
      ${visible ?? sql`true`} as "isVisible"
    from contacts c where c.tenant_id = ${tx.tenantId} and c.id = any(${sql.param(ids)}::uuid[]) and c.merged_into_id is null
    order by c.id ${lock ? sql`for update of c` : sql``}`)
  return new Map(rows.map((row) => [row.id, row]))
}
