import { type DimensionKey, dimensions } from '@balcao/contract/operations/reports/reports.ts'
import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../../../db/database.ts'
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

/** What is counted: `from … where …` has `p`, which the measures add up, and `key` says of what. */
export type Counting = { from: SQL; where: SQL; key: SQL; isManyTimes: boolean }
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
  const kept = keptUnder(query, dimension, days)
  const column = kept ? sql.raw('p.hour') : momentColumn(moment)
  const by = dimensionSql(dimension, column, days.timezone)
  if (!by) throw new AppError('ERR_NOT_FOUND')
  const isManyTimes = by.alsoFrom !== undefined
  if (!kept) {
    const where = sql.join([...(await filtersOf(tx, actor, query)), period(column)], sql` and `)
    const from = sql`ticket_episodes e cross join lateral episode_parts(e) p ${by.alsoFrom ?? sql``}`
    return { from, where, key: by.key, isManyTimes }
  }
  const only = kept.keys.length ? sql` and p.key = any(${sql.param(kept.keys)}::text[])` : sql``
  return {
    from: sql.raw('episode_sums p'),
    where: sql`p.tenant_id = ${actor.tenantId} and p.moment = ${moment} and p.dimension = ${kept.dimension}${only} and ${period(column)}`,
    key: isOfTime(dimension) ? by.key : sql`nullif(p.key, '')`,
    isManyTimes,
  }
}

const isOfTime = (dimension: DimensionKey) => dimensions[dimension].kind === 'time'

/**
 * The dimension whose sums tell what is asked, and those of its keys that are: nothing is narrowed by more than one, and
 * days begin where hours do.
 */
const keptUnder = (
  query: Filters,
  dimension: DimensionKey,
  days: Days,
): { dimension: string; keys: string[] } | undefined => {
  if (query.segmentId || query.valueMin !== undefined || query.valueMax !== undefined || !isOnTheHour(days)) return
  const filters = {
    queue: query.queuesIds,
    agent: query.userIds,
    connection: query.whatsappIds,
    channel: query.channels,
    reason: query.reasonIds,
    status: query.status,
    tag: query.tagIds,
  }
  const [narrowed, ...more] = Object.entries(filters).filter(([, keys]) => keys.length > 0)
  if (more.length) return
  const [by, keys] = narrowed ?? [undefined, []]
  if (by === 'tag' && (keys.length > 1 || !isOfTime(dimension))) return
  if (isOfTime(dimension)) return { dimension: by ?? 'all', keys }
  return !by || by === dimension ? { dimension, keys } : undefined
}
