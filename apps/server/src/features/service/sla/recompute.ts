import { type Prepared, platformRows, withTenant } from '../../../db/database.ts'
import { byRule } from '../../../kit/actor.ts'
import {
  type CurrentDeadlines,
  currentDeadlineColumns,
  type DeadlineColumns,
  recomputed,
} from '../../conversations/deadlines/deadlines.ts'
import type { DeadlineSubject } from '../../conversations/deadlines/targets.ts'
import { commitTicketChanges } from '../../conversations/tickets/commit-ticket-changes.ts'
import { findTickets } from '../../conversations/tickets/ticket-rows.ts'
import { type Directory, getDirectory, invalidateDirectory } from '../../core/directory/directory.ts'

/** Every company whose promises are stale. A crash in between begins again: reckoning twice changes nothing. */
export const recomputeStaleDeadlines = async (): Promise<void> => {
  const stale = await platformRows<{ tenantId: number; staleAt: Date }>(findStale, [])
  for (const { tenantId, staleAt } of stale) {
    invalidateDirectory(tenantId) // another process may have made the change
    let after: string | undefined = '00000000-0000-0000-0000-000000000000'
    while (after) after = await renewBatch(tenantId, after)
    // Changed once more meanwhile: the mark stays.
    await platformRows(settle, [tenantId, staleAt])
  }
}

const batch = 200

/** The next tickets by id; answers where to go on. */
const renewBatch = async (tenantId: number, after: string): Promise<string | undefined> => {
  const directory = await getDirectory(tenantId)
  return withTenant(tenantId, async (tx) => {
    const rows = await tx.rows<Row>(nextActive, [tenantId, after, batch])
    const changed = renewed(directory, rows)
    const before = changed.size ? await findTickets(tx, [...changed.keys()]) : []
    await commitTicketChanges(
      tx,
      before.map((ticket) => ({ before: ticket, set: changed.get(ticket.id) })),
      byRule('Prazo'),
    )
    return rows.length === batch ? rows.at(-1)?.id : undefined
  })
}

/** Those that are promised something else now, with what it is. */
const renewed = (directory: Directory, rows: Row[]): Map<string, DeadlineColumns> => {
  const now = new Date()
  return new Map(
    rows.flatMap((row): [string, DeadlineColumns][] => {
      const next = recomputed(directory, row, row, now)
      const isSame = same(next.slaFirstDueAt, row.firstDueAt) && same(next.slaResolveDueAt, row.resolveDueAt)
      return isSame ? [] : [[row.id, { ...next, ...lateFromTheStart(next, row, now) }]]
    }),
  )
}

/** What is over the moment it is promised is late, but no news: nobody is called for what was not promised then. */
const lateFromTheStart = (next: DeadlineColumns, { firstAnsweredAt }: CurrentDeadlines, now: Date) => {
  const isOver = (dueAt: Date | null) => dueAt !== null && dueAt <= now
  return {
    slaFirstBreachedAt: next.slaFirstBreachedAt ?? (!firstAnsweredAt && isOver(next.slaFirstDueAt) ? now : null),
    slaResolveBreachedAt: next.slaResolveBreachedAt ?? (isOver(next.slaResolveDueAt) ? now : null),
  }
}

type Row = CurrentDeadlines & DeadlineSubject & { id: string; resolveDueAt: Date | null }
const same = (one: Date | null, other: Date | null) => one?.getTime() === other?.getTime()

const findStale: Prepared = {
  name: 'sla_stale',
  text: `select id as "tenantId", sla_stale_at as "staleAt" from tenants where sla_stale_at is not null`,
}
const settle: Prepared = {
  name: 'sla_settled',
  text: 'update tenants set sla_stale_at = null where id = $1 and sla_stale_at = $2',
}
const columns = `t.id, t.status, t.user_id as "userId", t.queue_id as "queueId", t.priority, t.is_group as "isGroup",
  t.sla_resolve_due_at as "resolveDueAt", ${currentDeadlineColumns}`
const nextActive: Prepared = {
  name: 'sla_next_active',
  text: `select ${columns} from tickets t where t.tenant_id = $1 and t.id > $2 and t.status in ('open', 'pending') and not t.is_group
    order by t.id limit $3 for no key update of t`,
}
