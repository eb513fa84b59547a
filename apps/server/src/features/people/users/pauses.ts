import { id as idSchema, moment } from '@balcao/contract/common.ts'
import type { AgentPause, AgentPauses, pausesQuery } from '@balcao/contract/people/users.ts'
import { z } from 'zod'
import { type Prepared, withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { beyondAll, readCursor, toPage } from '../../../kit/cursor.ts'
import { AppError } from '../../../kit/errors.ts'
import { getDirectory } from '../../core/directory/directory.ts'

type Row = Omit<AgentPause, 'startedAt' | 'endedAt'> & { startedAt: Date; endedAt: Date | null }
const pageSize = 100
const cursorKey = z.tuple([moment, idSchema])

/** When a person stepped away, newest first, and for how long in all. */
export const listPauses = async (
  actor: Actor,
  userId: string,
  { dateFrom, dateTo, cursor, limit = pageSize }: z.output<typeof pausesQuery>,
): Promise<AgentPauses> => {
  const { people, timezone } = await getDirectory(actor.tenantId)
  if (!people.has(userId)) throw new AppError('ERR_NO_USER_FOUND')
  const [startedAt = beyondAll.moment, id = beyondAll.id] = cursor === undefined ? [] : readCursor(cursor, cursorKey)
  const { rows, totals } = await withTenant(actor.tenantId, async (tx) => {
    const which = [tx.tenantId, userId, timezone, dateFrom ?? '-infinity', dateTo ?? 'infinity']
    return {
      rows: await tx.rows<Row>(list, [...which, startedAt, id, limit + 1]),
      totals: await tx.rows<AgentPauses['totals'][number]>(sums, which),
    }
  })
  const page = toPage(rows, limit, (row) => [row.startedAt.toISOString(), row.id])
  return {
    ...page,
    totals,
    items: page.items.map((row) => ({
      ...row,
      startedAt: row.startedAt.toISOString(),
      endedAt: row.endedAt?.toISOString() ?? null,
    })),
  }
}

const asked = `tenant_id = $1 and user_id = $2 and state = 'away'
      and started_at >= $4::date::timestamp at time zone $3
      and started_at < ($5::date + 1)::timestamp at time zone $3`

const list: Prepared = {
  name: 'agent_pauses',
  text: `select id, reason, started_at as "startedAt", ended_at as "endedAt" from agent_states
    where ${asked}
      and (started_at, id) < ($6::timestamptz, $7::uuid)
    order by started_at desc, id desc limit $8`,
}

const sums: Prepared = {
  name: 'agent_pauses_sums',
  text: `select reason, count(*)::int as times,
      sum(extract(epoch from coalesce(ended_at, now()) - started_at))::float8 as seconds
    from agent_states where ${asked} group by reason order by seconds desc, reason`,
}
