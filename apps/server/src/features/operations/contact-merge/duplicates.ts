import { id, moment, type Page } from '@balcao/contract/common.ts'
import type { DuplicatePair, DuplicateReason, DuplicatesQuery } from '@balcao/contract/contacts/duplicates.ts'
import { and, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Prepared, type Tx, withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { readCursor, toPage } from '../../../kit/cursor.ts'
import { emit } from '../../../kit/outbox.ts'
import { readContacts } from '../../contacts/contacts/contact-rows.ts'
import { visibleContacts } from '../../contacts/contacts/contacts.policy.ts'
import { presentContact } from '../../contacts/contacts/contacts.service.ts'

const pageSize = 30
/** So many are counted. */
const mostCounted = 10_000

export type Pair = { aId: string; bId: string }
type Asking = Parameters<typeof visibleContacts>[0]
type Filter = Pick<DuplicatesQuery, 'state' | 'reasons'>

/** Two contacts each that may be one person, of those this person may see: the newest found first. */
export const listDuplicates = async (actor: Asking, query: DuplicatesQuery): Promise<Page<DuplicatePair>> => {
  const limit = query.limit ?? pageSize
  const where = await suggested(actor, query)
  return withTenant(actor.tenantId, async (tx) => {
    const [at, a, b] = query.cursor ? readCursor(query.cursor, z.tuple([moment, id, id])) : []
    const after = at ? sql`(p.at, p.a_id, p.b_id) < (${at}::timestamptz, ${a}::uuid, ${b}::uuid)` : undefined
    const { rows } = await tx.db.execute<Row>(sql`select p.a_id as "aId", p.b_id as "bId", p.reasons, p.at,
        (select jsonb_build_object('id', u.id, 'name', u.name) from users u where u.tenant_id = p.tenant_id and u.id = p.user_id) as user
      from duplicate_pairs p where ${and(where, after)} order by p.at desc, p.a_id desc, p.b_id desc limit ${limit + 1}`)
    const found = rows.map((row) => ({ ...row, at: new Date(row.at).toISOString() }))
    const { items, ...more } = toPage(found, limit, (row) => [row.at, row.aId, row.bId])
    const people = await readContacts(tx, [...new Set(items.flatMap(({ aId, bId }) => [aId, bId]))])
    const contacts = new Map(people.map((row) => [row.id, presentContact(row)]))
    const count = query.count ? await countIn(tx, where) : undefined
    const shown = items.flatMap(({ aId, bId, ...row }) => {
      const [a, b] = [contacts.get(aId), contacts.get(bId)]
      return a && b ? [{ ...row, id: `${aId}:${bId}`, a, b }] : []
    })
    return { items: shown, ...more, ...(count === undefined ? {} : { count }) }
  })
}
type Row = Pair & { reasons: DuplicateReason[]; at: string; user: { id: string; name: string } | null }

export const countDuplicates = async (actor: Asking, filter: Filter): Promise<number> => {
  const where = await suggested(actor, filter)
  return withTenant(actor.tenantId, (tx) => countIn(tx, where))
}
const countIn = async (tx: Tx, where: SQL | undefined): Promise<number> => {
  const { rows } = await tx.db.execute<{ count: number }>(
    sql`select count(*)::int as count from (select from duplicate_pairs p where ${where} limit ${mostCounted}) f`,
  )
  return rows[0]?.count ?? 0
}

/** Pairs `p` of people who are both still somebody. */
export const suggested = async (actor: Asking, { state, reasons }: Filter): Promise<SQL | undefined> => {
  const visible = await visibleContacts(actor)
  const isSomebody = (which: SQL) =>
    sql`exists (select from contacts c where ${and(sql`c.tenant_id = p.tenant_id and c.id = ${which} and c.merged_into_id is null`, visible)})`
  return and(
    sql`p.tenant_id = ${actor.tenantId} and p.state = ${state}`,
    reasons.length ? sql`p.reasons && ${sql.param(reasons)}::text[]` : undefined,
    isSomebody(sql`p.a_id`),
    isSomebody(sql`p.b_id`),
  )
}

/** They are two; nobody is asked again until somebody says otherwise. */
export const keepApart = (actor: Actor, pairs: Pair[]): Promise<void> => decide(actor, pairs, 'apart')
/** They may be one after all. */
export const suggestAgain = (actor: Actor, pairs: Pair[]): Promise<void> => decide(actor, pairs, 'open')

const decide = async (actor: Actor, pairs: Pair[], state: 'apart' | 'open') => {
  const where = await suggested(actor, { state: state === 'apart' ? 'open' : 'apart', reasons: [] })
  await withTenant(actor.tenantId, async (tx) => {
    const { rows } = await tx.db.execute<Pair & { names: string[] }>(sql`
      update duplicate_pairs p set state = ${state}, at = now(), user_id = ${state === 'apart' ? actor.userId : null}
      from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as r("aId" uuid, "bId" uuid)
      where p.a_id = least(r."aId", r."bId") and p.b_id = greatest(r."aId", r."bId") and ${where}
      returning p.a_id as "aId", p.b_id as "bId"`)
    if (!rows.length) return
    await writeAudit(tx, actor, {
      action: state === 'apart' ? 'contact.keptApart' : 'contact.suggestedAgain',
      entity: 'contact',
      entityId: rows[0]?.aId ?? '',
      after: { pairs: rows.length },
    })
    // What made them alike may be gone by now.
    if (state === 'open') await tx.rows(checkAgain, [tx.tenantId, rows.map(({ aId }) => aId)])
    await tellDuplicates(tx)
  })
}

/** Their provider says that they are one, and they could not be united by themselves. */
export const suggestByProvider = async (tx: Tx, one: string, other: string) => {
  await tx.rows(suggest, [tx.tenantId, one, other])
  await tellDuplicates(tx)
}
/** Made two again by somebody. */
export const markApart = (tx: Tx, { userId }: Pick<Actor, 'userId'>, one: string, other: string) =>
  tx.rows(apart, [tx.tenantId, one, other, userId])

export const tellDuplicates = (tx: Tx) =>
  emit(tx, 'duplicates.changed', {}, { kind: 'permission', can: 'contacts.merge' })

const inOrder = '$1, least($2::uuid, $3::uuid), greatest($2::uuid, $3::uuid)'
const suggest: Prepared = {
  name: 'duplicates_suggest',
  text: `insert into duplicate_pairs as p (tenant_id, a_id, b_id, reasons) values (${inOrder}, '{provider}')
    on conflict (tenant_id, a_id, b_id) do update set reasons = array(select distinct unnest(p.reasons || '{provider}'))
    where p.state = 'open'`,
}
const apart: Prepared = {
  name: 'duplicates_apart',
  text: `insert into duplicate_pairs (tenant_id, a_id, b_id, reasons, state, user_id) values (${inOrder}, '{}', 'apart', $4)
    on conflict (tenant_id, a_id, b_id) do update set state = 'apart', at = now(), user_id = excluded.user_id`,
}
const checkAgain: Prepared = {
  name: 'duplicates_check_again',
  text: 'insert into duplicate_checks (tenant_id, id, contact_id) select $1, gen_random_uuid(), unnest($2::uuid[])',
}
