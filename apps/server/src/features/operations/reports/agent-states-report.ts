import { id, moment, type Page } from '@balcao/contract/common.ts'
import type { AgentStatesReportQuery, ReportAgentState } from '@balcao/contract/operations/reports/reports.ts'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { withReplica } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { readCursor, toPage } from '../../../kit/cursor.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { rowAsked } from './behind-row.ts'
import { dayOf, daysOf } from './report-filters.ts'

type Asking = Pick<Actor, 'tenantId' | 'userId'>
type Row = Omit<ReportAgentState, 'user' | 'startedAt' | 'endedAt'> & {
  userId: string
  startedAt: Date
  endedAt: Date | null
}
const pageSize = 40
const cursorKey = z.tuple([moment, id])

/** When people were there and away, newest first: what the numbers of the team's time are made of. */
export const listReportAgentStates = async (
  actor: Asking,
  query: AgentStatesReportQuery,
): Promise<Page<ReportAgentState>> => {
  const { people, ...directory } = await getDirectory(actor.tenantId)
  const period = daysOf(query, directory)
  const row = rowAsked(query)
  const { start, end } = row?.dimension === 'day' ? dayOf(row.within, period) : period
  const limit = query.limit ?? pageSize
  const after = query.cursor ? readCursor(query.cursor, cursorKey) : undefined
  const conditions = [
    sql`s.tenant_id = ${actor.tenantId} and s.state <> 'offline'`,
    sql`s.started_at < ${end}::timestamptz and coalesce(s.ended_at, now()) > ${start}::timestamptz`,
    ...(query.userIds.length ? [sql`s.user_id = any(${sql.param(query.userIds)}::uuid[])`] : []),
    ...(row?.dimension === 'agent' ? [sql`s.user_id::text = ${row.within}`] : []),
  ]
  const beyond = after ? sql`and (s.started_at, s.id) < (${after[0]}::timestamptz, ${after[1]}::uuid)` : sql``
  return withReplica(actor, async (tx) => {
    const where = sql.join(conditions, sql` and `)
    const count = query.count
      ? (await tx.db.execute<{ total: number }>(sql`select count(*)::int as total from agent_states s where ${where}`))
          .rows[0]?.total
      : undefined
    const { rows } = await tx.db.execute<Row>(
      sql`select s.id, s.user_id as "userId", s.state, s.reason, s.started_at as "startedAt", s.ended_at as "endedAt",
          round(extract(epoch from least(coalesce(s.ended_at, now()), ${end}::timestamptz, now())
            - greatest(s.started_at, ${start}::timestamptz)))::int as seconds
        from agent_states s where ${where} ${beyond}
        order by s.started_at desc, s.id desc limit ${limit + 1} offset ${after ? 0 : (query.pageNumber - 1) * limit}`,
    )
    const { items, ...page } = toPage(rows, limit, ({ startedAt, id: one }) => [new Date(startedAt).toISOString(), one])
    const present = ({ userId, startedAt, endedAt, ...rest }: Row): ReportAgentState => ({
      ...rest,
      user: people.get(userId)?.name ?? 'Usuário removido',
      startedAt: new Date(startedAt).toISOString(),
      endedAt: endedAt && new Date(endedAt).toISOString(),
    })
    return { ...page, items: items.map(present), ...(count === undefined ? {} : { count }) }
  })
}
