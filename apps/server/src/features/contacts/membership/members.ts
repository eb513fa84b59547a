import { type Condition, mostOfSegment, readRules, type Segment } from '@balcao/contract/contacts/segments/segments.ts'
import { and, eq, or, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../../../db/database.ts'
import { segments } from '../../../db/schema/contacts/segments.ts'
import type { Actor } from '../../../kit/actor.ts'
import { fieldErrors } from '../../../kit/errors.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { depthOf, facetedOf, idsOf, isMany, type Part, positively, testOf, toldBy } from './parts.ts'
import { partOf } from './rules.ts'

type Who = Pick<Actor, 'tenantId' | 'userId'>
/** A segment by its id, or rules nobody has saved, and the filters that stand beside it. */
type Asked = {
  segmentId?: string | undefined
  segment?: Segment | undefined
  tagIds: string[]
  walletIds: string[]
  kanbanIds?: string[]
}

/** Whom a question about contacts is narrowed to, filters and all; undefined: nobody asked for a segment. */
export const findMembership = async (tx: Tx, who: Who, asked: Asked): Promise<Part | undefined> => {
  const { segmentId, segment, tagIds, walletIds, kanbanIds = [] } = asked
  if (!segmentId && !segment) return undefined
  const filters = Object.entries({ tags: tagIds, wallet: walletIds, lane: kanbanIds } as const).flatMap(
    ([field, value]): Condition[] =>
      value.length ? [{ field: field as 'tags' | 'wallet' | 'lane', op: 'any', value }] : [],
  )
  const rules = [...(segment ? [segment] : []), ...(segmentId ? [await rulesOf(tx, who, segmentId)] : []), ...filters]
  return membershipIn({ match: 'all', rules }, who)
}

/** The rules as they are asked now, by this person. */
export const membershipIn = async (rules: Segment, { tenantId, userId }: Who): Promise<Part> => {
  const { timezone } = await getDirectory(tenantId)
  return partOf(rules, tenantId, { now: new Date(), timezone, me: userId })
}

/** A question as it is asked now, for work that goes on after the segment was changed or deleted. */
export const withRules = async <Question extends { segmentId?: string | undefined; segment?: Segment | undefined }>(
  tx: Tx,
  who: Who,
  asked: Question,
): Promise<Question> =>
  asked.segmentId && !asked.segment
    ? { ...asked, segmentId: undefined, segment: await rulesOf(tx, who, asked.segmentId) }
    : asked

const rulesOf = async (tx: Tx, { userId }: Who, id: string): Promise<Segment> => {
  const [row] = await tx.db
    .select({ rules: segments.rules })
    .from(segments)
    .where(
      and(eq(segments.tenantId, tx.tenantId), eq(segments.id, id), or(segments.isShared, eq(segments.userId, userId))),
    )
  if (!row)
    throw fieldErrors({ path: 'segmentId', message: 'Este segmento não existe mais. Escolha outro ou tire o filtro.' })
  return readRules(row.rules)
}

/** Ids of the contacts that belong to it, in no order, of those `visible` (contacts as `c`) lets one see. */
const members = ({ tenantId }: Tx, part: Part, visible: SQL | undefined): SQL => {
  const { ids, isNot, isUnique } = positively(idsOf(part))
  if (isNot)
    return sql`select c.id from contacts c where ${and(
      sql`c.tenant_id = ${tenantId} and c.merged_into_id is null and not exists (select from (${ids}) o(id) where o.id = c.id)`,
      visible,
    )}`
  const merged = sql`select from contacts m where m.tenant_id = ${tenantId} and m.merged_into_id is not null and m.id = c.id`
  return sql`select ${isUnique ? sql`` : sql`distinct`} c.id from (${ids}) c(id) where ${and(sql`not exists (${merged})`, visible)}`
}

/**
 * Sets are joined in memory. Of sets within sets nobody can estimate the size, and loops within loops over them would
 * never end: those are hashed, each once.
 */
const prepare = (tx: Tx, part: Part) =>
  tx.db.execute(
    sql`select set_config('work_mem', '64MB', true), set_config('hash_mem_multiplier', '4', true), set_config('enable_nestloop', ${depthOf(part) > 2 ? 'off' : 'on'}, true),
      set_config('parallel_setup_cost', '100', true), set_config('parallel_tuple_cost', '0.01', true)`,
  )

/** How many there are, told up to `mostOfSegment`. Of everybody but some, those some are counted. */
export const countMembers = async (tx: Tx, part: Part, visible?: SQL): Promise<{ count: number; isMore: boolean }> => {
  await prepare(tx, part)
  const { isNot } = idsOf(part)
  const found = members(tx, isNot ? { not: part } : part, visible)
  const counted = isNot
    ? sql`${countAll(tx, visible)} - (select count(*)::int from (${found}) n)`
    : sql`(select count(*)::int from (${found}) n)`
  const { rows } = await tx.db.execute<{ count: number }>(sql`select ${counted} as count`)
  const count = rows[0]?.count ?? 0
  return { count: Math.min(count, mostOfSegment), isMore: count > mostOfSegment }
}
/** Nobody reads whole contacts to count them: those that are part of another stand in an index of their own. */
const countAll = ({ tenantId }: Tx, visible: SQL | undefined): SQL => {
  const all = sql`select count(*)::int from contacts c where c.tenant_id = ${tenantId}`
  return visible
    ? sql`(${all} and c.merged_into_id is null and ${visible})`
    : sql`((${all}) - (${all} and c.merged_into_id is not null))`
}

const fewest = 5_000
/** All of them where they are few; undefined: so many that one meets them soon by going down any list. */
export const findFew = async (
  tx: Tx,
  part: Part,
  visible: SQL | undefined,
  most = fewest,
): Promise<string[] | undefined> => {
  await prepare(tx, part)
  const asked = facetedOf(part)
  const isToldByFacets = !asked.rest.length && !visible
  const ids =
    (asked.groups.length && !isToldByFacets && (await amongFew(tx, asked, visible, most))) ||
    (await idsOfQuery(
      tx,
      isToldByFacets && isMany(asked) ? toldBy(asked, most + 1) : sql`${members(tx, part, visible)} limit ${most + 1}`,
    ))
  return ids.length > most ? undefined : ids
}
const idsOfQuery = async ({ db }: Tx, query: SQL): Promise<string[]> => {
  const { rows } = await db.execute<{ ids: string[] }>(sql`select array(${query}) as ids`)
  return rows[0]?.ids ?? []
}
/** Those whom facets tell, each asked for the rest, where they are few enough for that. */
const amongFew = async (
  { db, tenantId }: Tx,
  asked: ReturnType<typeof facetedOf>,
  visible: SQL | undefined,
  most: number,
): Promise<string[] | undefined> => {
  const belongs = and(sql`c.tenant_id = ${tenantId} and c.merged_into_id is null`, ...asked.rest.map(testOf), visible)
  const { rows } = await db.execute<{ isFew: boolean; ids: string[] }>(sql`with few as materialized (
      ${toldBy(asked, mostAsked + 1)}),
    told as (select count(*) <= ${mostAsked} as is_few from few)
    select (select is_few from told) as "isFew", array(select c.id from few f join contacts c on c.id = f.id
      where (select is_few from told) and ${belongs} limit ${most + 1}) as ids`)
  return rows[0]?.isFew ? rows[0].ids : undefined
}
/** So many are asked one after the other sooner than all whom the rest tells are read. */
const mostAsked = 10_000

const windowOf = 5_000
/**
 * The contacts of a segment for work that reaches all of them, in the order of their ids: those among the next of the
 * company's after `cursor`, and where to go on; null: that was all. A step costs the same however few there are.
 */
export const nextMembers = async (
  tx: Tx,
  part: Part,
  { cursor, visible, within = windowOf }: { cursor: string | null; visible?: SQL; within?: number },
): Promise<{ ids: string[]; cursor: string | null }> => {
  const after = cursor ? sql`and c.id > ${cursor}::uuid` : sql``
  const { rows } = await tx.db.execute<{
    ids: string[]
    last: string | null
    read: number
  }>(sql`with near as materialized (
      select c.* from contacts c where c.tenant_id = ${tx.tenantId} ${after} order by c.id limit ${within})
    select array(select c.id from near c where ${and(sql`c.merged_into_id is null`, visible, testOf(part))} order by c.id) as ids,
      (select max(c.id::text) from near c) as last, (select count(*)::int from near) as read`)
  const [row] = rows
  return { ids: row?.ids ?? [], cursor: row && row.read === within ? row.last : null }
}
