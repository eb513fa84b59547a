import type { Page } from '@balcao/contract/common.ts'
import { id, moment } from '@balcao/contract/common.ts'
import type { ConsentEntry, OptOut, OptOutsQuery, Purpose } from '@balcao/contract/contacts/consent.ts'
import { and, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Tx, withSearch, withTenant } from '../../../db/database.ts'
import { type Actor, byUser } from '../../../kit/actor.ts'
import { writeAudits } from '../../../kit/audit.ts'
import { isIndexed, likePattern, readCursor, toPage } from '../../../kit/cursor.ts'
import { AppError } from '../../../kit/errors.ts'
import { visibleContacts } from '../contacts/contacts.policy.ts'
import { recordConsent } from './consent.ts'

const pageSize = 50
/** So many are counted; of more it is said that there are more. */
const mostCounted = 10_000

type Asking = Parameters<typeof visibleContacts>[0]
/**
 * Who refuses something on a channel, the newest first: each person once for each channel, by what they said last,
 * whatever they are known by.
 */
export const listOptOuts = async (actor: Asking, query: OptOutsQuery): Promise<Page<OptOut>> => {
  const limit = query.limit ?? pageSize
  const where = and(refused(query), await allowed(actor), matching(query.searchParam))
  const read = async (tx: Tx) => {
    const count = query.count ? await countOf(tx, where) : undefined
    const { items, hasMore, nextCursor } = toPage(await readPage(tx, query, where, limit), limit, (row) => [
      row.at.toISOString(),
      row.id,
    ])
    const shown = items.map((row) => ({ ...row, at: row.at.toISOString() }))
    return { items: shown, hasMore, nextCursor, ...(count === undefined ? {} : { count }) }
  }
  return query.searchParam ? withSearch(actor, read) : withTenant(actor.tenantId, read)
}

export const countOptOuts = async (actor: Asking, query: OptOutsQuery): Promise<number> =>
  (await listOptOuts(actor, { ...query, limit: 1, count: true })).count ?? 0

/** Each state `s` with whom it is of, `c`: nobody yet, perhaps. Each row by itself, so that the order of the index holds. */
const states = (tx: Tx) => sql`(select * from consent_states where tenant_id = ${tx.tenantId} and not is_given) s
  left join lateral (
    select f.contact_id from (
      select i.contact_id from contact_identities i where i.tenant_id = s.tenant_id and i.kind = s.identity_kind and i.value = s.identity_value
      union all
      (select e.id from contacts e where s.identity_kind = 'email' and e.tenant_id = s.tenant_id and e.email = s.identity_value
        and e.merged_into_id is null order by e.id limit 1)) f limit 1) k on true
  left join contacts c on c.tenant_id = s.tenant_id and c.id = k.contact_id`

const chosen = ({ channels, purposes, sources }: OptOutsQuery, s: SQL) =>
  and(
    channels.length ? sql`${s}.channel = any(${sql.param(channels)}::text[])` : undefined,
    purposes.length ? sql`${s}.purpose = any(${sql.param(purposes)}::text[])` : undefined,
    sources.length ? sql`${s}.source = any(${sql.param(sources)}::text[])` : undefined,
  )
/** The last of what is asked for that this person said on this channel. */
const refused = (query: OptOutsQuery) => {
  const later = and(
    sql`n.tenant_id = s.tenant_id and n.channel = s.channel and not n.is_given and (n.at, n.entry_id) > (s.at, s.entry_id)`,
    chosen(query, sql`n`),
  )
  // Each asked of the row at hand, on the way down the index: as joins they would read all of it first.
  return and(
    chosen(query, sql`s`),
    sql`(select true from consent_states n where n.identity_kind = s.identity_kind and n.identity_value = s.identity_value and ${later} limit 1) is not true`,
    sql`(select true from contact_identities o join consent_states n on n.tenant_id = o.tenant_id and n.identity_kind = o.kind
      and n.identity_value = o.value where o.tenant_id = s.tenant_id and o.contact_id = c.id and ${later} limit 1) is not true`,
    sql`(select true from consent_states n where n.identity_kind = 'email' and n.identity_value = c.email and ${later} limit 1) is not true`,
  )
}
const allowed = async (actor: Asking) => {
  const visible = await visibleContacts(actor)
  return visible && sql`(c.id is null or ${visible})`
}

const matching = (term: string): SQL | undefined => {
  const bare = /^(?=.*\d)[\d\s()+.-]{3,}$/.test(term) ? term.replace(/\D/g, '') : term
  if (!bare) return undefined
  if (!isIndexed(bare)) return sql`c.search collate "C" like norm(${likePattern(bare).slice(1)})`
  const pattern = likePattern(bare)
  const found = sql`array(select f.id from find_contacts(${bare}, ${pattern}, ${mostFound}) f)`
  return sql`(s.identity_kind, s.identity_value) in (
    select i.kind, i.value from contact_identities i where i.contact_id = any(${found})
    union all select 'email', e.email from contacts e where e.id = any(${found}) and e.email is not null
    union all select v.identity_kind, v.identity_value from consent_states v where v.identity_value like ${pattern.toLowerCase()} and not v.is_given)`
}
/** Contacts of one name that are looked through. */
const mostFound = sql.raw('50000')

type Row = Omit<OptOut, 'at'> & { at: Date }
const readPage = async (tx: Tx, { cursor }: OptOutsQuery, where: SQL | undefined, limit: number): Promise<Row[]> => {
  const [at, last] = cursor ? readCursor(cursor, z.tuple([moment, id])) : []
  const after = at ? sql`(s.at, s.entry_id) < (${at}::timestamptz, ${last}::uuid)` : undefined
  const { rows } = await tx.db.execute<Row & { at: string }>(sql`
    select e.id, jsonb_build_object('kind', s.identity_kind, 'value', s.identity_value) as identity,
      case when c.id is not null then jsonb_build_object('id', c.id, 'name', c.name, 'number', c.number) end as contact, s.channel, e.source, e.proof,
      e.author, s.at, array(select p.purpose from consent_states p where p.tenant_id = s.tenant_id and p.identity_kind = s.identity_kind
        and p.identity_value = s.identity_value and p.channel = s.channel and not p.is_given order by p.purpose) as purposes
    from ${states(tx)} join consents e on e.tenant_id = s.tenant_id and e.id = s.entry_id
    where ${and(where, after) ?? sql`true`} order by s.at desc, s.entry_id desc limit ${limit + 1}`)
  return rows.map((row) => ({ ...row, at: new Date(row.at) }))
}
const countOf = async (tx: Tx, where: SQL | undefined): Promise<number> => {
  const { rows } = await tx.db.execute<{ count: number }>(
    sql`select count(*)::int as count from (select from ${states(tx)} where ${where ?? sql`true`} limit ${mostCounted}) f`,
  )
  return rows[0]?.count ?? 0
}

/** They want to receive it again: of everything they are known by, on the channels of these entries. */
export const giveBack = async (actor: Actor, { ids, proof }: { ids: string[]; proof: string }): Promise<void> => {
  const visible = await allowed(actor)
  await withTenant(actor.tenantId, async (tx) => {
    const { rows } = await tx.db.execute<Told>(sql`
      select s.identity_kind as kind, s.identity_value as value, s.channel, s.purpose, c.id as "contactId", c.name
      from consents e join ${states(tx)} on s.tenant_id = e.tenant_id and s.identity_kind = e.identity_kind
        and s.identity_value = e.identity_value and s.channel = e.channel
      where ${and(sql`e.tenant_id = ${tx.tenantId} and e.id = any(${sql.param(ids)}::uuid[])`, visible)}`)
    if (!rows.length) throw new AppError('ERR_NOT_FOUND')
    for (const same of Map.groupBy(rows, ({ channel, purpose }) => `${channel}:${purpose}`).values()) {
      const [{ channel, purpose } = rows[0] as Told] = same
      const said = { channel, purposes: [purpose], isGiven: true, source: 'person' as const, proof }
      await recordConsent(tx, { ...said, identities: same, author: byUser(actor) })
    }
    // Of each by themself: whoever is forgotten takes no other's record along, and stands in nobody's.
    const people = new Map(rows.map((row) => [row.contactId ?? `${row.kind}:${row.value}`, row]))
    const entries = [...people.values()].map(({ contactId, name, value }) => ({
      ...{ action: 'optOut.givenBack', entity: 'contact', entityId: contactId ?? '' },
      after: { name: name ?? value, proof },
    }))
    await writeAudits(tx, actor, entries)
  })
}
type Told = {
  kind: ConsentEntry['identity']['kind']
  value: string
  channel: ConsentEntry['channel']
  purpose: Purpose
  contactId: string | null
  name: string | null
}
