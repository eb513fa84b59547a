import { momentAt } from '@balcao/contract/core/wall-time.ts'
import { type DimensionKey, usualDays } from '@balcao/contract/operations/reports/definitions.ts'
import type { ReportFilters } from '@balcao/contract/operations/reports/reports.ts'
import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Tx } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { fieldErrors } from '../../../kit/errors.ts'
import { findMembership } from '../../contacts/membership/members.ts'
import { lookupOf } from '../../contacts/membership/parts.ts'
import type { Directory } from '../../core/directory/directory.ts'

export type Asking = Pick<Actor, 'tenantId' | 'userId'>
/** Days, both included, and the moments they begin and end at: the end is the first that is no longer in it. */
export type Days = { from: string; to: string; timezone: string; start: string; end: string; count: number }

const dayMs = 86_400_000
const mostDays = 3_700
const [firstDay, lastDay] = ['1990-01-01', '2099-12-31']

/** The days asked for: without a beginning as many as usual up to the end, without an end up to today. */
export const daysOf = (
  { dateFrom, dateTo, timezone: asked }: Pick<ReportFilters, 'dateFrom' | 'dateTo' | 'timezone'>,
  { timezone: own }: Pick<Directory, 'timezone'>,
  usual = usualDays,
): Days => {
  const timezone = asked ?? own
  const to = dateTo ?? dayAt(new Date(), timezone)
  const from = dateFrom ?? (to < firstDay ? to : addDays(to, 1 - usual))
  if (from < firstDay || to > lastDay)
    throw fieldErrors({ path: 'dateFrom', message: 'Escolha datas entre 1990 e 2099.' })
  if (from > to) throw fieldErrors({ path: 'dateTo', message: 'O fim do período vem antes do começo.' })
  const days = stretch(from, to, timezone)
  if (days.count > mostDays) throw fieldErrors({ path: 'dateFrom', message: 'Escolha um período de até dez anos.' })
  return days
}

/** The day a row is named by. */
export const dayOf = (within: string, { timezone }: Days): Days => {
  const day = z.iso.date().safeParse(within)
  if (!day.success) throw fieldErrors({ path: 'within', message: 'Este dia não existe.' })
  return daysOf({ dateFrom: day.data, dateTo: day.data }, { timezone })
}

/** As many days right before. */
export const daysBefore = ({ from, count, timezone }: Days): Days =>
  stretch(addDays(from, -count), addDays(from, -1), timezone)

const stretch = (from: string, to: string, timezone: string): Days => ({
  ...{ from, to, timezone },
  start: momentAt(`${from}T00:00`, timezone),
  end: momentAt(`${addDays(to, 1)}T00:00`, timezone),
  count: Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1,
})
export const addDays = (day: string, count: number) =>
  new Date(Date.parse(day) + count * dayMs).toISOString().slice(0, 10)
export const dayAt = (now: Date, timeZone: string) => new Intl.DateTimeFormat('sv-SE', { timeZone }).format(now)

const among = (column: string, ids: readonly string[], type = 'uuid[]') =>
  ids.length ? [sql`${sql.raw(column)} = any(${sql.param(ids)}::${sql.raw(type)})`] : []

/** Whether each of the days begins and ends with an hour of the clock of the world, as in most zones. */
export const isOnTheHour = ({ from, to, timezone, start, end }: Days): boolean => {
  const starts = [start, end]
  for (let day = `${from.slice(0, 7)}-01`; day <= to; day = `${addDays(day, 31).slice(0, 7)}-01`)
    starts.push(momentAt(`${day}T00:00`, timezone))
  return starts.every((one) => Date.parse(one) % 3_600_000 === 0)
}

/** What narrows episodes. */
export type Filters = Pick<
  ReportFilters,
  | 'moment'
  | 'queuesIds'
  | 'userIds'
  | 'whatsappIds'
  | 'channels'
  | 'reasonIds'
  | 'status'
  | 'valueMin'
  | 'valueMax'
  | 'tagIds'
  | 'segmentId'
>
/** What `ticket_episodes e` is narrowed to besides the period. */
export const filtersOf = async (tx: Tx, asking: Asking, asked: Filters): Promise<SQL[]> => [
  sql`e.tenant_id = ${asking.tenantId}`,
  sql.raw('not e.is_merged'),
  ...among('e.queue_id', asked.queuesIds),
  ...among('e.user_id', asked.userIds),
  ...among('e.connection_id', asked.whatsappIds),
  ...among('e.channel', asked.channels, 'text[]'),
  ...among('e.reason_id', asked.reasonIds),
  ...(asked.status.length ? [sql.raw(`(${asked.status.map((state) => inState[state]).join(' or ')})`)] : []),
  ...(asked.valueMin === undefined ? [] : [sql`e.value >= ${asked.valueMin}`]),
  ...(asked.valueMax === undefined ? [] : [sql`e.value <= ${asked.valueMax}`]),
  ...(asked.tagIds.length ? [sql`e.tag_ids && ${sql.param(asked.tagIds)}::uuid[]`] : []),
  ...(await inSegment(tx, asking, asked)),
]

/** Said so that the database knows from its statistics how many these are. */
const inState: Record<ReportFilters['status'][number], string> = {
  closed: 'e.closed_at is not null',
  open: 'e.closed_at is null and e.accepted_at is not null',
  pending: 'e.closed_at is null and e.accepted_at is null',
}

export const inSegment = async (
  tx: Tx,
  asking: Asking,
  { segmentId }: Pick<ReportFilters, 'segmentId'>,
  contact = sql.raw('e.contact_id'),
): Promise<SQL[]> => {
  const part = await findMembership(tx, asking, { segmentId, tagIds: [], walletIds: [] })
  // Only what is a contact still has rules that hold for it.
  return part
    ? [
        sql`exists (select from contacts c where c.tenant_id = ${asking.tenantId} and c.id = ${contact}
          and c.merged_into_id is null and ${lookupOf(part)})`,
      ]
    : []
}

export const momentColumn = (moment: ReportFilters['moment']) =>
  sql.raw(moment === 'closed' ? 'e.closed_at' : 'e.opened_at')
export const withinPeriod = (column: SQL, { start, end }: Days) =>
  sql`${column} >= ${start}::timestamptz and ${column} < ${end}::timestamptz`

/**
 * The part of a period from a cursor's moment backwards. Of two upper bounds the index may begin at the wrong one, and
 * pass over all pages read so far: so both are the same.
 */
export const upToCursor = (days: Days, after: readonly [string, ...unknown[]] | undefined): Days =>
  after && Date.parse(after[0]) < Date.parse(days.end)
    ? { ...days, end: new Date(Date.parse(after[0]) + 1).toISOString() }
    : days

const local = (column: SQL, timezone: string) => sql`(${column} at time zone ${timezone})`
/** What an episode is put together by, as text; null: of none. Of tags each has its row (`alsoFrom`). */
export const dimensionSql = (
  dimension: DimensionKey,
  column: SQL,
  timezone: string,
): { key: SQL; alsoFrom?: SQL } | undefined => {
  const at = local(column, timezone)
  switch (dimension) {
    case 'day':
      return { key: sql`${at}::date` }
    case 'week':
      return { key: sql`date_trunc('week', ${at})::date` }
    case 'month':
      return { key: sql`date_trunc('month', ${at})::date` }
    case 'hour':
      return { key: sql`date_part('hour', ${at})::int` }
    case 'weekday':
      return { key: sql`date_part('isodow', ${at})::int` }
    case 'weekdayHour':
      return { key: sql`(date_part('isodow', ${at}) * 100 + date_part('hour', ${at}))::int` }
    case 'queue':
      return { key: sql.raw('e.queue_id') }
    case 'agent':
      return { key: sql.raw('e.user_id') }
    case 'reason':
      return { key: sql.raw('e.reason_id') }
    case 'channel':
      return { key: sql.raw('e.channel') }
    case 'connection':
      return { key: sql.raw('e.connection_id') }
    case 'grade':
      return { key: sql.raw('e.grade') }
    case 'tag':
      return {
        key: sql.raw('g.id'),
        alsoFrom: sql.raw(`left join lateral unnest(e.tag_ids) as g(id) on true`),
      }
    default:
      return undefined
  }
}
