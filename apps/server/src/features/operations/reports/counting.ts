import { type DimensionKey, dimensions } from '@balcao/contract/operations/reports/definitions.ts'
import { reportStates } from '@balcao/contract/operations/reports/reports.ts'
import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../../../db/database.ts'
import { episodeSums } from '../../../db/schema/operations/reports.ts'
import { AppError } from '../../../kit/errors.ts'
import {
  type Asking,
  type Days,
  dimensionSql,
  type Filters,
  filtersOf,
  isOnTheHour,
  momentColumn,
  withinPeriod,
} from './report-filters.ts'

/**
 * What is counted: `from … where …` has `p`, which the measures add up, and `key` says of what. `isAll`: of everything,
 * in a row of its own where a conversation is counted under more than one key.
 */
export type Counting = { from: SQL; where: SQL; key: SQL; isManyTimes: boolean; isAll?: SQL }
type Question = { tx: Tx; actor: Asking; query: Filters; days: Days }
type More = { moment?: Filters['moment']; period?: (column: SQL) => SQL }

/**
 * Episodes to be added up by a dimension: the sums of their hours where these tell what is asked, else the episodes
 * themselves. Both say the same.
 */
export const countingOf = async (
  { tx, actor, query, days }: Question,
  dimension: DimensionKey,
  { moment = query.moment, period = (column) => withinPeriod(column, days) }: More = {},
): Promise<Counting> => {
  const asked = { ...query, moment }
  const kept = keptUnder(asked, dimension, days) ?? (await keptUnderFewer(tx, asked, dimension, days, period))
  if (!kept) {
    const column = momentColumn(moment)
    return ofEpisodes(dimension, column, days, [...(await filtersOf(tx, actor, query)), period(column)])
  }
  const only = kept.keys.length ? sql` and p.key = any(${sql.param(kept.keys)}::text[])` : sql``
  const where = sql`p.tenant_id = ${actor.tenantId} and p.moment = ${moment} and p.dimension = ${kept.dimension}${only} and ${period(sql.raw('p.hour'))}`
  const kind = {
    key: isOfTime(dimension) ? keyOf(dimension, sql.raw('p.hour'), days) : sql`nullif(p.key, '')`,
    isManyTimes: dimension === 'tag',
  }
  if (!kept.without?.length) return { ...kind, from: sql.raw('episode_sums p'), where }
  const opened = momentColumn('opened')
  const left = [...(await filtersOf(tx, actor, { ...query, status: kept.without })), period(opened)]
  const of = kept.dimension === 'all' ? sql`''` : sql`coalesce(${keyOf(kept.dimension, opened, days)}::text, '')`
  return {
    ...kind,
    from: sql`(select p.hour, p.key, ${sql.raw(sumNames.map((name) => `p.${name}`).join(', '))} from episode_sums p where ${where}
      union all select ${hourSql(opened, days)}, ${of}, ${sql.raw(sumNames.map((name) => `-p.${name}`).join(', '))}
      from ticket_episodes e cross join lateral episode_parts(e) p where ${sql.join(left, sql` and `)}) p`,
    where: sql.raw('true'),
  }
}

const sumNames = Object.values(getTableColumns(episodeSums))
  .map(({ name }) => name)
  .filter((name) => !['tenant_id', 'moment', 'dimension', 'hour', 'key'].includes(name))
/** Every sum of an episode; the database leaves out those that are not asked for. */
export const allSums = sql.raw(sumNames.map((name) => `sum(p.${name}) as ${name}`).join(', '))
/** The hour of a moment, or its quarter where days of a zone begin between hours: much cheaper than the day of a zone. */
export const hourSql = (column: SQL, days: Days) =>
  sql`date_bin(${sql.raw(isOnTheHour(days) ? `'1 hour'` : `'15 minutes'`)}, ${column}, '2000-01-01T00:00Z')`

/** The episodes themselves, added up first by what costs little: hours instead of days, and all tags of one together. */
const ofEpisodes = (dimension: DimensionKey, column: SQL, days: Days, where: SQL[]): Counting => {
  const isTag = dimension === 'tag'
  const isTime = isOfTime(dimension)
  const raw = isTime ? hourSql(column, days) : isTag ? sql.raw('e.tag_ids') : keyOf(dimension, column, days)
  const fine = sql`(select ${raw} as raw, ${allSums} from ticket_episodes e cross join lateral episode_parts(e) p
    where ${sql.join(where, sql` and `)} group by 1) p`
  if (!isTag)
    return {
      from: fine,
      where: sql.raw('true'),
      key: isTime ? keyOf(dimension, sql.raw('p.raw'), days) : sql.raw('p.raw'),
      isManyTimes: false,
    }
  const tags =
    sql.raw(`cross join lateral (select id, false as is_all from unnest(case when p.raw = '{}' then '{null}' else p.raw end) id
    union all select null, true) g`)
  return {
    from: sql`${fine} ${tags}`,
    where: sql.raw('true'),
    key: sql.raw('g.id'),
    isManyTimes: true,
    isAll: sql.raw('g.is_all'),
  }
}

const keyOf = (dimension: DimensionKey | 'status', column: SQL, { timezone }: Days): SQL => {
  const by = dimension === 'status' ? undefined : dimensionSql(dimension, column, timezone)
  if (!by) throw new AppError('ERR_NOT_FOUND')
  return by.key
}

const isOfTime = (dimension: DimensionKey) => dimensions[dimension].kind === 'time'

/** What the sums know: nothing of a segment or a value, and days that begin where hours do. */
const isSummed = ({ segmentId, valueMin, valueMax }: Filters, days: Days) =>
  !segmentId && valueMin === undefined && valueMax === undefined && isOnTheHour(days)

const filterOf = {
  queue: 'queuesIds',
  agent: 'userIds',
  connection: 'whatsappIds',
  channel: 'channels',
  reason: 'reasonIds',
  status: 'status',
  tag: 'tagIds',
} as const satisfies Partial<Record<DimensionKey | 'status', keyof Filters>>
const narrowedBy = (query: Filters) =>
  Object.entries(filterOf).flatMap(([by, filter]): [keyof typeof filterOf, string[]][] =>
    query[filter].length ? [[by as keyof typeof filterOf, query[filter]]] : [],
  )

/**
 * The same filters but those that leave out nothing, as one kind of channel does where there is no other: a row of sums for
 * each hour tells it, and saves reading the episodes.
 */
export const withoutIdleFilters = async <Asked extends Filters>(
  tx: Tx,
  query: Asked,
  days: Days,
  period = (column: SQL) => withinPeriod(column, days),
): Promise<Asked> => {
  // A conversation with two tags is in the sums of both.
  const narrowed = narrowedBy(query).filter(([by]) => by !== 'tag')
  if (!narrowed.length || !isSummed(query, days)) return query
  const counted = [['all', ['']] as const, ...narrowed].map(
    ([by, keys]) => sql`select ${by} as by, coalesce(sum(p.tickets), 0)::float8 as tickets from episode_sums p
      where p.tenant_id = ${tx.tenantId} and p.moment = ${query.moment} and p.dimension = ${by}
        and p.key = any(${sql.param(keys)}::text[]) and ${period(sql.raw('p.hour'))}`,
  )
  const { rows } = await tx.db.execute<{ by: string; tickets: number }>(sql.join(counted, sql` union all `))
  const tickets = new Map(rows.map((row) => [row.by, row.tickets]))
  const idle = narrowed.filter(([by]) => tickets.get(by) === tickets.get('all'))
  return { ...query, ...Object.fromEntries(idle.map(([by]) => [filterOf[by], []])) }
}

const keptUnderFewer = async (
  tx: Tx,
  query: Filters,
  dimension: DimensionKey,
  days: Days,
  period: (column: SQL) => SQL,
): Promise<Kept | undefined> => {
  const fewer = await withoutIdleFilters(tx, query, days, period)
  return fewer === query ? undefined : keptUnder(fewer, dimension, days)
}

type Kept = {
  dimension: DimensionKey | 'all' | 'status'
  /** Those of its keys that are asked for; none: all. */
  keys: string[]
  /** What stands so is in the sums, and is taken away from them: what is not over is little. */
  without?: Filters['status']
}
/**
 * The dimension whose sums tell what is asked: nothing is narrowed by more than one, and days begin where hours do. States
 * may be asked for besides, if what is over is among them.
 */
const keptUnder = (query: Filters, dimension: DimensionKey, days: Days): Kept | undefined => {
  if (!isSummed(query, days)) return
  const { status } = query
  const kept = keptUnderOne(query, dimension)
  if (kept || !status.includes('closed')) return kept
  const ofAnyState = keptUnderOne({ ...query, status: [] }, dimension)
  if (!ofAnyState || ofAnyState.dimension === 'tag') return
  // What belongs to a period by its end is over.
  return {
    ...ofAnyState,
    without: query.moment === 'closed' ? [] : reportStates.filter((one) => !status.includes(one)),
  }
}

const keptUnderOne = (query: Filters, dimension: DimensionKey): Kept | undefined => {
  const [narrowed, ...more] = narrowedBy(query)
  if (more.length) return
  const [by, keys] = narrowed ?? [undefined, []]
  if (by === 'tag' && (keys.length > 1 || !isOfTime(dimension))) return
  if (isOfTime(dimension)) return { dimension: by ?? 'all', keys }
  return !by || by === dimension ? { dimension, keys } : undefined
}
