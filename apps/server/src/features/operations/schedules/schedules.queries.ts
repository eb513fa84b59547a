import type { ChannelKind } from '@balcao/contract/channels/index.ts'
import type { Schedule, SchedulesQuery } from '@balcao/contract/operations/schedules.ts'
import { type SQL, sql } from 'drizzle-orm'
import type { Prepared, Tx } from '../../../db/database.ts'
import { likePattern } from '../../../kit/cursor.ts'
import { presentMedia, type StoredFile } from '../../core/media/media.present.ts'

export type ScheduleRow = {
  id: string
  contactId: string
  contactName: string
  number: string | null
  isGroup: boolean
  connectionId: string
  connectionName: string
  kind: ChannelKind
  body: string
  file: StoredFile | null
  dueAt: Date
  wallTime: string
  timeZone: string
  everyDays: number | null
  timesLeft: number | null
  state: Schedule['state']
  isLate: boolean
  doneAt: Date | null
  messageId: string | null
  ticketId: string | null
  error: string | null
  createdBy: string | null
  createdByName: string | null
  rule: string | null
  version: number
  createdAt: Date
  updatedAt: Date
}

/** What people see of `schedules s`, whose message, once it has one, is `m`. */
const state = `case when s.state <> 'written' then s.state when m.status in ('queued', 'sending') then 'sending'
  when m.status = 'failed' then 'failed' else 'sent' end`
const message = 'left join messages m on m.tenant_id = s.tenant_id and m.id = s.message_id'
const columns = `s.id, s.contact_id as "contactId", c.name as "contactName", c.number, c.is_group as "isGroup",
  s.connection_id as "connectionId", x.name as "connectionName", x.kind, s.body, s.due_at as "dueAt", s.wall_time as "wallTime",
  s.time_zone as "timeZone", s.every_days as "everyDays", s.times_left as "timesLeft", ${state} as state, s.is_late as "isLate",
  s.done_at as "doneAt", s.message_id as "messageId", m.ticket_id as "ticketId", coalesce(s.error, m.error) as error,
  s.created_by as "createdBy", u.name as "createdByName", s.rule, s.version, s.created_at as "createdAt", s.updated_at as "updatedAt",
  case when f.id is null then null else jsonb_build_object('id', f.id, 'kind', f.kind, 'name', f.name, 'mime', f.mime,
    'size', f.size, 'width', f.width, 'height', f.height, 'durationMs', f.duration_ms, 'thumbKey', f.thumb_key) end as file`
const byIds: Prepared = {
  name: 'schedules_by_ids',
  text: `select ${columns} from schedules s
    join contacts c on c.tenant_id = s.tenant_id and c.id = s.contact_id
    join connections x on x.tenant_id = s.tenant_id and x.id = s.connection_id
    left join users u on u.tenant_id = s.tenant_id and u.id = s.created_by
    left join files f on f.tenant_id = s.tenant_id and f.id = s.media_id ${message}
    where s.tenant_id = $1 and s.id = any($2::uuid[])`,
}

/** The schedules whole, in the order of the ids. */
export const readSchedules = async (tx: Tx, ids: string[]): Promise<Schedule[]> => {
  if (!ids.length) return []
  const rows = await tx.rows<ScheduleRow>(byIds, [tx.tenantId, ids])
  const byId = new Map(rows.map((row) => [row.id, presentSchedule(row, tx.tenantId)]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

export type PageKey = { dueAt: string; id: string }
type Asked = SchedulesQuery & { limit: number; after: PageKey | undefined; timeZone: string }

/** Ids of a page in order of their time, one more than the page, and the count of all when asked for. */
export const findPage = async (tx: Tx, visible: SQL | undefined, asked: Asked) => {
  const matching = sql`from schedules s join contacts c on c.tenant_id = s.tenant_id and c.id = s.contact_id
    ${sql.raw(message)} where ${sql.join([sql`s.tenant_id = ${tx.tenantId}`, ...filtersOf(visible, asked)], sql` and `)}`
  const direction = sql.raw(asked.direction)
  const beyond = asked.after
    ? sql`and (s.due_at, s.id) ${sql.raw(asked.direction === 'asc' ? '>' : '<')}
        (${asked.after.dueAt}::timestamptz, ${asked.after.id}::uuid)`
    : sql``
  const page = await tx.db.execute<{ id: string }>(sql`select s.id ${matching} ${beyond}
    order by s.due_at ${direction}, s.id ${direction} limit ${asked.limit + 1}
    offset ${asked.after ? 0 : (asked.pageNumber - 1) * asked.limit}`)
  const ids = page.rows.map((row) => row.id)
  if (!asked.count) return { ids, count: undefined }
  const counted = await tx.db.execute<{ count: number }>(sql`select count(*)::int as count ${matching}`)
  return { ids, count: counted.rows[0]?.count ?? 0 }
}

/** Null where nothing follows. A day more: clocks change between two repeats, and a calendar shows whole days. */
const lastRepeat = sql`case when s.state = 'pending' then s.due_at + make_interval(days => s.every_days * s.times_left + 1) end`

const filtersOf = (visible: SQL | undefined, asked: Asked): SQL[] => {
  const { state: states, contactId, connectionId, dateFrom, dateTo, withRepeats, timeZone } = asked
  const words = asked.searchParam.replaceAll('\0', '').trim()
  const start = dateFrom && sql`${dateFrom}::date::timestamp at time zone ${timeZone}`
  const list = (items: string[]) =>
    sql.join(
      items.map((item) => sql`${item}`),
      sql`, `,
    )
  const all = [
    visible,
    states.length > 0 && sql`${sql.raw(state)} in (${list(states)})`,
    contactId && sql`s.contact_id = ${contactId}`,
    connectionId.length > 0 && sql`s.connection_id in (${list(connectionId)})`,
    start && sql`(s.due_at >= ${start} ${withRepeats ? sql`or (${lastRepeat} >= ${start})` : sql``})`,
    dateTo && sql`s.due_at < (${dateTo}::date + 1)::timestamp at time zone ${timeZone}`,
    words && sql`(c.search like norm(${likePattern(words)}) or norm(s.body) like norm(${likePattern(words)}))`,
  ]
  return all.filter((one) => typeof one === 'object')
}

/** The schedule, where this person may know of it; `lock` holds it until the transaction ends. */
export const findSchedule = async (
  tx: Tx,
  visible: SQL | undefined,
  id: string,
  lock = false,
): Promise<Schedule | undefined> => {
  const { rows } = await tx.db.execute<{ id: string }>(sql`select s.id from schedules s
    join contacts c on c.tenant_id = s.tenant_id and c.id = s.contact_id ${sql.raw(message)}
    where s.tenant_id = ${tx.tenantId} and s.id = ${id} and ${visible ?? sql`true`} ${lock ? sql`for update of s` : sql``}`)
  // Read after the lock is ours, so that what another transaction just did to it is seen.
  return (await readSchedules(tx, rows[0] ? [id] : []))[0]
}

const presentSchedule = (row: ScheduleRow, tenantId: number): Schedule => ({
  id: row.id,
  contact: { id: row.contactId, name: row.contactName, number: row.number, isGroup: row.isGroup },
  connection: { id: row.connectionId, name: row.connectionName, kind: row.kind },
  body: row.body,
  media: row.file && presentMedia(row.file, { tenantId }),
  scheduleDate: row.dueAt.toISOString(),
  wallTime: row.wallTime,
  timeZone: row.timeZone,
  recurrence: row.everyDays && row.timesLeft ? { everyDays: row.everyDays, times: row.timesLeft } : null,
  state: row.state,
  isLate: row.isLate,
  error: row.error,
  sentAt: row.messageId ? (row.doneAt?.toISOString() ?? null) : null,
  messageId: row.messageId,
  ticketId: row.ticketId,
  createdBy: row.createdBy === null ? null : { id: row.createdBy, name: row.createdByName ?? '' },
  rule: row.rule,
  version: row.version,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})
