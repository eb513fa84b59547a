import { type Prepared, platformRows, withPlatform, withTenant } from '../../../db/database.ts'
import type { Round } from '../../../kit/workers.ts'
import { tellDuplicates } from './duplicates.ts'

/** Contacts compared in one transaction, and companies in one round. */
const batch = 500
const companies = 4

export const isContactUnchecked = 'select from duplicate_checks'

/**
 * Compares new contacts, and those with something new to compare, with the others: each along an index, so that a million
 * contacts cost nothing until one of them changes. Several processes may do so.
 */
export const findDuplicates = async (): Promise<Round> => {
  const waiting = await platformRows<{ tenantId: number }>(companiesWaiting, [companies])
  const done = await Promise.all(waiting.map(({ tenantId }) => compare(tenantId)))
  const did = done.reduce((sum, one) => sum + one, 0)
  return { did, isMore: did > 0 }
}

/** As the platform: what row security guards finds nobody by an index on a phone's end or a name without its accents. */
const compare = async (tenantId: number): Promise<number> => {
  const { taken, changed } = await withPlatform('duplicates', async (tx) => {
    const taken = await tx.rows<{ id: string }>(take, [tenantId, batch])
    const ids = [...new Set(taken.map((row) => row.id))].toSorted()
    if (!ids.length) return { taken: 0, changed: 0 }
    const added = await tx.rows(addPairs, [tenantId, ids])
    const dropped = await tx.rows(dropPairs, [tenantId, ids])
    return { taken: taken.length, changed: added.length + dropped.length }
  })
  if (changed) await withTenant(tenantId, tellDuplicates)
  return taken
}

/** Who comes with an import is compared once all are there: meanwhile the machine belongs to its steps. */
const companiesWaiting: Prepared = {
  name: 'duplicates_waiting',
  text: `with recursive w as (
      (select tenant_id from duplicate_checks order by tenant_id limit 1)
      union all
      select (select d.tenant_id from duplicate_checks d where d.tenant_id > w.tenant_id order by d.tenant_id limit 1) from w where w.tenant_id is not null)
    select tenant_id as "tenantId" from w where tenant_id is not null and not exists (select from bulk_jobs j
      where j.tenant_id = w.tenant_id and j.kind = 'importContacts' and j.state in ('pending', 'running')) limit $1`,
}
const take: Prepared = {
  name: 'duplicates_take',
  text: `delete from duplicate_checks d using (
      select tenant_id, id from duplicate_checks where tenant_id = $1 limit $2 for update skip locked) t
    where d.tenant_id = t.tenant_id and d.id = t.id returning d.contact_id as id`,
}

/** So many share one value as a whole; of more, each is compared with the first alone. */
const small = 7
/** Of one value; thousands share the e-mail of somebody who has none. */
const most = 50

const alive = 'c.tenant_id = $1 and c.merged_into_id is null and not c.is_group'
/** A phone without its country's sign of a mobile: the ninth digit of Brazil, the 9 of Argentina, the 1 of Mexico. */
const plainPhone = (number: string) =>
  `regexp_replace(${number}, '^(55[1-9]{2})9(?=[0-9]{8}$)|^(54)9|^(52)1(?=[0-9]{10}$)', '\\1\\2\\3')`
/** Who is like `x`, by what they have in common. */
const likenesses = `
    select 'document' as reason, c.id from contacts c where ${alive} and c.document collate "C" = x.document collate "C"
    union all
    select 'email', m.id from (
      select x.email as value where x.email is not null
      union select i.value from contact_identities i where i.tenant_id = $1 and i.contact_id = x.id and i.kind = 'email') e
      cross join lateral (
        select c.id from contacts c where ${alive} and c.email = e.value
        union select c.id from contact_identities i join contacts c on ${alive} and c.id = i.contact_id
          where i.tenant_id = $1 and i.kind = 'email' and i.value = e.value) m
    union all
    -- The same number, or the same end of it and the same first name.
    select 'phone', c.id from contacts c where ${alive} and c.number is not null and right(c.number, 8) = right(x.number, 8)
      and (${plainPhone('c.number')} = ${plainPhone('x.number')} or split_part(norm(c.name), ' ', 1) = split_part(norm(x.name), ' ', 1) and x.name ~ '[[:alpha:]]{2}')
    union all
    select 'birthday', c.id from contacts c where ${alive} and c.birthday_date is not null and norm(c.name) = norm(x.name) and c.birthday_date = x.birthday_date
    union all
    select 'company', c.id from contacts c where ${alive} and c.business_name <> '' and norm(c.name) = norm(x.name) and norm(c.business_name) = norm(x.business_name)`

/** A reason of one's own, for those that are asked about: the pairs there are now. */
const pairsNow = `found as (
      select x.id, l.reason, l.other, first_value(l.other) over (w order by l.other) as first, count(*) over w as n,
        bool_or(l.other = x.id) over w as is_among from contacts x
        cross join lateral (
          select r.reason, o.id as other from (values ('document'), ('email'), ('phone'), ('birthday'), ('company')) r(reason)
            cross join lateral (select s.id from (${likenesses}) s where s.reason = r.reason order by s.id limit ${most}) o) l
      where x.tenant_id = $1 and x.id = any($2::uuid[]) and x.merged_into_id is null and not x.is_group
      window w as (partition by x.id, l.reason)),
    pairs as (
      select least(id, other) as a_id, greatest(id, other) as b_id, array_agg(distinct reason order by reason) as reasons from found
      where other <> id and (n <= ${small} or id = first or other = first and is_among) group by 1, 2)`

const addPairs: Prepared = {
  name: 'duplicates_add',
  text: `with ${pairsNow}
    insert into duplicate_pairs as p (tenant_id, a_id, b_id, reasons) select $1, a_id, b_id, reasons from pairs order by a_id, b_id
    on conflict (tenant_id, a_id, b_id) do update set reasons = excluded.reasons || array(select unnest(p.reasons) intersect select 'provider')
      where p.state = 'open' and not (p.reasons @> excluded.reasons and excluded.reasons @> array_remove(p.reasons, 'provider'))
    returning a_id`,
}
/** What nothing speaks for any more; who was compared with somebody that is nobody now is compared anew. */
const dropPairs: Prepared = {
  name: 'duplicates_drop',
  text: `with ${pairsNow},
    gone as (
      delete from duplicate_pairs p where p.tenant_id = $1 and p.state = 'open' and (p.a_id = any($2::uuid[]) or p.b_id = any($2::uuid[]))
        and not exists (select from pairs n where n.a_id = p.a_id and n.b_id = p.b_id)
        and (not p.reasons @> '{provider}' or exists (
          select from contacts c where c.tenant_id = $1 and c.id in (p.a_id, p.b_id) and c.merged_into_id is not null))
      returning p.a_id, p.b_id),
    again as (
      insert into duplicate_checks (tenant_id, id, contact_id)
      select $1, gen_random_uuid(), o.id from (
        select distinct case when c.id = g.a_id then g.b_id else g.a_id end as id from gone g
          join contacts c on c.tenant_id = $1 and c.id in (g.a_id, g.b_id) and c.merged_into_id is not null) o
        where o.id <> all($2::uuid[]) returning id)
    select a_id from gone`,
}
