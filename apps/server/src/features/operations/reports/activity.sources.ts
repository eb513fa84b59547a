import type { Activity, DimensionKey } from '@balcao/contract/operations/reports/definitions.ts'
import { type SQL, sql } from 'drizzle-orm'
import { AppError } from '../../../kit/errors.ts'
import { type Days, dimensionSql, filtersOf, momentColumn, withinPeriod } from './report-filters.ts'
import { type Asked, mostRows, type Source } from './source.ts'

/** Where what goes on inside conversations is written (`u`), and which of a report's keys are its own. */
const activities: Record<
  Activity,
  { table: string; only?: string; keys: Partial<Record<DimensionKey, string>>; isByItsMoment?: true }
> = {
  ai: { table: 'ai_usage', keys: {} },
  assistants: {
    table: 'assistant_runs',
    only: "u.state = 'done' and u.outcome in ('answered', 'handedOver')",
    keys: { assistant: 'u.assistant_id' },
  },
  // A call may be of no conversation: it belongs to the period by itself.
  voiceCalls: { table: 'voice_calls', keys: { callStatus: 'u.status', agent: 'u.user_id' }, isByItsMoment: true },
}

/** It counts where it happened: in the episode that stood open at that moment. */
const whileOpen = `u.tenant_id = e.tenant_id and u.ticket_id = e.ticket_id and u.created_at >= e.opened_at
  and (e.closed_at is null or u.created_at <= e.closed_at)`
const onlyOf = (activity: Activity) => {
  const { only } = activities[activity]
  return only ? sql.raw(`and ${only}`) : sql``
}

const keyOf = (activity: Activity, dimension: DimensionKey, column: SQL, { timezone }: Days): SQL => {
  const own = activities[activity].keys[dimension]
  if (own) return sql.raw(own)
  const by = dimensionSql(dimension, column, timezone)
  if (!by || by.alsoFrom) throw new AppError('ERR_NOT_FOUND')
  return by.key
}

/** The conversations behind a row of such a report, and whether their own period says nothing of it. */
export const behindActivity = (
  activity: Activity,
  row: { dimension: DimensionKey; within: string } | undefined,
  { column: ofEpisode, days }: { column: SQL; days: Days },
): { where: SQL; isByItsMoment: boolean } => {
  const { table, isByItsMoment = false } = activities[activity]
  const column = isByItsMoment ? sql.raw('u.created_at') : ofEpisode
  const key = row && keyOf(activity, row.dimension, column, days)
  const ofRow = key ? (row.within === '' ? sql`and ${key} is null` : sql`and (${key})::text = ${row.within}`) : sql``
  const period = isByItsMoment ? sql`and ${withinPeriod(column, days)}` : sql``
  return {
    where: sql`exists (select from ${sql.raw(table)} u where ${sql.raw(whileOpen)} ${onlyOf(activity)} ${period} ${ofRow})`,
    isByItsMoment,
  }
}

/** What of an activity stands in the conversations asked for, by the report's dimension, and all of it together. */
const readInside = async <Row extends Record<string, unknown>>(
  { tx, actor, dimension, query, days }: Asked,
  { activity, columns, order }: { activity: Activity; columns: string; order: string },
) => {
  const column = momentColumn(query.moment)
  const where = sql.join([...(await filtersOf(tx, actor, query)), withinPeriod(column, days)], sql` and `)
  const read = async (key: SQL) =>
    (
      await tx.db.execute<Row & { id: string | null }>(sql`select g.*, g.key::text as id from (
        select o.key, ${sql.raw(columns)} from (
          select ${key} as key, e.id, e.closed_at, e.first_answered_at, count(*)::int as times, sum(u.cost_micros)::float8 as micros, sum(u.ms)::float8 as ms
            ${activity === 'assistants' ? sql.raw(`, count(*) filter (where u.outcome = 'answered')::int as answers, bool_or(u.outcome = 'handedOver') as is_handed_over`) : sql``}
          from ticket_episodes e join ${sql.raw(activities[activity].table)} u on ${sql.raw(whileOpen)} ${onlyOf(activity)}
          where ${where} group by 1, 2, 3, 4) o
        group by 1) g order by ${sql.raw(order)} desc`)
    ).rows
  const rows = await read(keyOf(activity, dimension, column, days))
  // Two assistants may have worked in one conversation.
  const [all] = await read(sql`null::text`)
  return { rows, all }
}
const microsOfCent = 10_000

type AiRow = { micros: number; tickets: number; calls: number }
/** What models cost in conversations. */
export const ai: Source = async (asked) => {
  const columns = 'sum(o.micros) as micros, count(*)::int as tickets, sum(o.times)::int as calls'
  const { rows, all } = await readInside<AiRow>(asked, { activity: 'ai', columns, order: 'g.micros' })
  const valuesOf = ({ micros, tickets, calls }: AiRow) => [
    micros / microsOfCent,
    tickets ? micros / microsOfCent / tickets : null,
    tickets,
    calls,
  ]
  return {
    rows: rows.slice(0, mostRows).map((row) => ({ id: row.id, values: valuesOf(row) })),
    total: valuesOf(all ?? { micros: 0, tickets: 0, calls: 0 }),
    isCut: rows.length > mostRows,
  }
}

type AssistantRow = {
  tickets: number
  times: number
  answers: number
  resolved: number
  handedOver: number
  ms: number
  micros: number
}
/** What assistants did in conversations, and what became of these. */
export const assistants: Source = async (asked) => {
  const columns = `count(*)::int as tickets, sum(o.times)::int as times, sum(o.answers)::int as answers,
    count(*) filter (where o.answers > 0 and not o.is_handed_over and o.closed_at is not null and o.first_answered_at is null)::int as resolved,
    count(*) filter (where o.is_handed_over)::int as "handedOver", sum(o.ms) as ms, sum(o.micros) as micros`
  const { rows, all } = await readInside<AssistantRow>(asked, { activity: 'assistants', columns, order: 'g.tickets' })
  const valuesOf = ({ tickets, times, answers, resolved, handedOver, ms, micros }: AssistantRow) => [
    tickets,
    answers,
    resolved,
    handedOver,
    tickets ? (100 * handedOver) / tickets : null,
    times ? ms / times / 1_000 : null,
    micros / microsOfCent,
  ]
  const none = { tickets: 0, times: 0, answers: 0, resolved: 0, handedOver: 0, ms: 0, micros: 0 }
  return {
    rows: rows.slice(0, mostRows).map((row) => ({ id: row.id, values: valuesOf(row) })),
    total: valuesOf(all ?? none),
    isCut: rows.length > mostRows,
  }
}

/** Somebody answered and was no machine: how it ended says so. */
const talked = `u.started_at is not null and u.ended_at is not null
  and coalesce(u.ended_reason, '') !~ '^(customer-did-not-answer|customer-busy|voicemail|manually-canceled|call\\.start\\.error)'`
type CallRow = { id: string | null; calls: number; talked: number; seconds: number; dollars: number }
/** Phone calls of voice assistants, by when they were asked for. */
export const voiceCalls: Source = async ({ tx, actor, dimension, query, days }) => {
  const column = sql.raw('u.created_at')
  const { userIds, ...ofEpisode } = query
  const asksOfEpisode =
    ofEpisode.queuesIds.length + ofEpisode.whatsappIds.length + ofEpisode.channels.length + ofEpisode.reasonIds.length >
      0 ||
    ofEpisode.tagIds.length > 0 ||
    ofEpisode.segmentId !== undefined
  const conditions = [
    sql`u.tenant_id = ${actor.tenantId}`,
    withinPeriod(column, days),
    ...(userIds.length ? [sql`u.user_id = any(${sql.param(userIds)}::uuid[])`] : []),
    ...(asksOfEpisode ? await filtersOf(tx, actor, { ...query, userIds: [] }) : []),
  ]
  const { rows } = await tx.db.execute<CallRow>(sql`select g.*, g.key::text as id from (
      select ${keyOf('voiceCalls', dimension, column, days)} as key, count(*)::int as calls, count(*) filter (where ${sql.raw(talked)})::int as talked,
        coalesce(sum(extract(epoch from u.ended_at - u.started_at)) filter (where ${sql.raw(talked)}), 0)::float8 as seconds,
        coalesce(sum(u.cost_usd), 0)::float8 as dollars
      from voice_calls u left join ticket_episodes e on ${sql.raw(whileOpen)}
      where ${sql.join(conditions, sql` and `)} group by 1) g order by g.calls desc`)
  const valuesOf = ({ calls, talked: answered, seconds, dollars }: Omit<CallRow, 'id'>) => [
    calls,
    answered,
    calls ? (100 * answered) / calls : null,
    answered ? seconds / answered : null,
    seconds,
    dollars,
  ]
  const sum = (of: 'calls' | 'talked' | 'seconds' | 'dollars') => rows.reduce((total, row) => total + row[of], 0)
  return {
    rows: rows.slice(0, mostRows).map((row) => ({ id: row.id, values: valuesOf(row) })),
    total: valuesOf({ calls: sum('calls'), talked: sum('talked'), seconds: sum('seconds'), dollars: sum('dollars') }),
    isCut: rows.length > mostRows,
  }
}
