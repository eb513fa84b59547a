import { id, moment, type Page } from '@balcao/contract/common.ts'
import { findReport } from '@balcao/contract/operations/reports/definitions.ts'
import type { ReportFilters, ReportTicket, TicketsReportQuery } from '@balcao/contract/operations/reports/reports.ts'
import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Tx, withReplica } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { readCursor, toPage } from '../../../kit/cursor.ts'
import { boundSql } from '../../../kit/sql.ts'
import { viewerOf, visibleTickets } from '../../conversations/tickets/tickets.policy.ts'
import { type Directory, getDirectory } from '../../core/directory/directory.ts'
import { type Behind, episodesBehind, rowAsked } from './behind-row.ts'
import { daysOf, filtersOf, momentColumn, upToCursor, withinPeriod } from './report-filters.ts'

type Asking = Pick<Actor, 'tenantId' | 'userId'>
const pageSize = 40

/** The filters of a report by all of their names. */
export const byOurNames = <Query extends Partial<TicketsReportQuery> & ReportFilters>(query: Query): Query => ({
  ...query,
  dateFrom: query.dateFrom ?? query.startDate,
  dateTo: query.dateTo ?? query.endDate,
  channels: [...query.channels, ...(query.channel ?? [])],
  whatsappIds: [...query.whatsappIds, ...(query.whatsappId ?? [])],
  queuesIds: [...query.queuesIds, ...(query.queues ?? [])],
  userIds: [...query.userIds, ...(query.userId ?? [])],
  reasonIds: [...query.reasonIds, ...(query.reasons ?? [])],
})

type Row = Omit<ReportTicket, 'openedAt' | 'closedAt' | 'queue' | 'user' | 'whatsapp' | 'reason' | 'tags'> & {
  openedAt: Date
  closedAt: Date | null
  queueId: string | null
  userId: string | null
  connectionId: string
  reasonId: string | null
  tagIds: string[]
  at: Date
}

/**
 * The conversations behind a number, newest first: those of them that this person may see. Notes cost a look at all of a
 * conversation's messages: files do without.
 */
export const listReportTickets = async (
  actor: Asking,
  asked: TicketsReportQuery,
  { hasNotes = true } = {},
): Promise<Page<ReportTicket>> => {
  const query = byOurNames(asked)
  const directory = await getDirectory(actor.tenantId)
  const limit = query.limit ?? pageSize
  return withReplica(actor, async (tx) => {
    const report = query.report === undefined ? undefined : findReport(query.report)
    const days = daysOf(query, directory, report?.days)
    const column = momentColumn(query.moment)
    const behind = episodesBehind({ source: report?.source, row: rowAsked(query), column, days })
    const where = await whereOf(tx, actor, directory, query, behind)
    const period = behind.isByItsMoment ? { ...days, start: new Date(0).toISOString() } : days
    const count = query.count
      ? (
          await tx.db.execute<{ total: number }>(
            sql`select count(*)::int as total ${from} where ${where} and ${withinPeriod(column, period)}`,
          )
        ).rows[0]?.total
      : undefined
    const after = query.cursor ? readCursor(query.cursor, cursorKey) : undefined
    const beyond = after ? sql`and (${column}, e.id) < (${after[0]}::timestamptz, ${after[1]}::uuid)` : sql``
    const skip = after ? 0 : (query.pageNumber - 1) * limit
    const { rows } = await tx.db.execute<Row>(
      sql`select ${columns}, ${hasNotes ? notes : sql`'{}'::text[]`} as "ticketNotes", ${column} as at ${from} where ${where}
          and ${withinPeriod(column, upToCursor(period, after))} ${beyond}
        order by ${column} desc, e.id desc limit ${limit + 1} offset ${skip}`,
    )
    const { items, ...page } = toPage(rows, limit, (row) => [new Date(row.at).toISOString(), row.id])
    return { ...page, items: items.map((row) => present(row, directory)), ...(count === undefined ? {} : { count }) }
  })
}
const cursorKey = z.tuple([moment, id])

export const countReportTickets = async (actor: Asking, query: TicketsReportQuery): Promise<number> =>
  (await listReportTickets(actor, { ...query, cursor: undefined, limit: 1, pageNumber: 1, count: true })).count ?? 0

const whereOf = async (
  tx: Tx,
  actor: Asking,
  directory: Directory,
  query: TicketsReportQuery,
  behind: Behind,
): Promise<SQL> => {
  const viewer = viewerOf(directory, actor.userId)
  return sql.join(
    [
      ...(await filtersOf(tx, actor, query)),
      ...behind.where,
      boundSql((bind) => visibleTickets(viewer, { showAll: true }, bind)),
    ],
    sql` and `,
  )
}

const from = sql.raw(`from ticket_episodes e join tickets t on t.tenant_id = e.tenant_id and t.id = e.ticket_id
  join contacts c on c.tenant_id = e.tenant_id and c.id = e.contact_id`)
const columns =
  sql.raw(`e.id, e.ticket_id as "ticketId", t.protocol as ticket, c.name as "contactName", c.number as "contactNumber", e.channel,
  e.queue_id as "queueId", e.user_id as "userId", e.connection_id as "connectionId", e.reason_id as "reasonId", e.tag_ids as "tagIds",
  case when e.closed_at is not null then 'closed' when e.accepted_at is not null then 'open' else 'pending' end as status,
  e.opened_at as "openedAt", e.closed_at as "closedAt", e.wait_s as "waitS", e.first_answer_s as "firstAnswerS", e.handling_s as "handlingS",
  e.resolution_s as "resolutionS", e.transfers, e.grade, e.value::float8 as value,
  coalesce((select sum(u.cost_micros) from ai_usage u where u.tenant_id = e.tenant_id and u.ticket_id = e.ticket_id and u.created_at >= e.opened_at
    and (e.closed_at is null or u.created_at <= e.closed_at)), 0)::float8 as "aiCostMicros"`)
const notes =
  sql.raw(`array(select m.body from messages m where m.tenant_id = e.tenant_id and m.ticket_id = e.ticket_id and m.type = 'note'
  order by m.seq desc limit 5)`)

const present = (
  { queueId, userId, connectionId, reasonId, tagIds, at: _at, ...row }: Row,
  directory: Directory,
): ReportTicket => {
  const { queues, people, connections, reasons, tags } = directory
  const nameIn = (known: ReadonlyMap<string, { name: string }>, one: string | null, gone: string) =>
    one === null ? null : (known.get(one)?.name ?? gone)
  return {
    ...row,
    queue: nameIn(queues, queueId, 'Fila excluída'),
    user: nameIn(people, userId, 'Usuário removido'),
    whatsapp: nameIn(connections, connectionId, 'Canal excluído'),
    reason: nameIn(reasons, reasonId, 'Motivo excluído'),
    tags: tagIds.flatMap((one) => tags.get(one)?.name ?? []),
    openedAt: new Date(row.openedAt).toISOString(),
    closedAt: row.closedAt && new Date(row.closedAt).toISOString(),
  }
}
