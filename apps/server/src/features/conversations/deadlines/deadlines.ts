import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { addBusinessMinutes, businessMinutesBetween } from '@balcao/contract/core/business-time.ts'
import type { Prepared, Tx } from '../../../db/database.ts'
import { type Directory, getDirectory } from '../../core/directory/directory.ts'
import { calendarOf, type DeadlineSubject, type Deadlines, deadlinesOf } from './targets.ts'

export type DeadlineColumns = Deadlines & {
  slaPausedMs: number
  slaFirstBreachedAt: Date | null
  slaResolveBreachedAt: Date | null
}

/** The promise of a ticket that is about to be created. */
export const initialDeadlines = async (tx: Tx, ticket: DeadlineSubject, now: Date): Promise<Deadlines> =>
  deadlinesOf(await getDirectory(tx.tenantId), ticket, now)

/** A change as far as it decides about deadlines; `set` wins where it names them itself. */
type Changed = {
  before: Ticket
  isReopened?: boolean
  set?: Partial<Record<'slaResolveDueAt', unknown>> &
    Partial<Pick<Ticket, 'status' | 'userId' | 'queueId' | 'priority'>>
}

/**
 * What changes of locked tickets make of their deadlines, as columns to store with them, by ticket; none for one that
 * touches nothing that decides. Counted from the same beginning; a ticket reopened begins again.
 */
export const changedDeadlines = async (tx: Tx, changes: Changed[]): Promise<ReadonlyMap<string, DeadlineColumns>> => {
  const directory = await getDirectory(tx.tenantId)
  const { slaTargets } = directory.settings
  const touched = changes.filter(
    (change) => (slaTargets.length || change.before.slaDueAt) && isTouched(directory, change),
  )
  if (!touched.length) return new Map()
  const rows = await tx.rows<CurrentDeadlines & { id: string }>(readKept, [
    tx.tenantId,
    touched.map(({ before }) => before.id),
  ])
  const current = new Map(rows.map((row) => [row.id, row]))
  const now = new Date()
  return new Map(
    touched.flatMap((change) => {
      const { before, set } = change
      const kept = current.get(before.id)
      if (!kept) return []
      const begun = beginsAnew(change) ? { ...kept, start: now, pausedMs: 0, resolveBreachedAt: null } : kept
      return [[before.id, recomputed(directory, { ...before, ...definedOf(set) }, begun, now)]]
    }),
  )
}

const isTouched = ({ settings }: Directory, change: Changed) => {
  const { before, set = {} } = change
  if (set.slaResolveDueAt !== undefined) return false
  if (beginsAnew(change)) return true
  const { status, userId, queueId, priority } = { ...before, ...definedOf(set) }
  return (
    status !== 'closed' &&
    (queueId !== before.queueId ||
      priority !== before.priority ||
      (settings.useUserBusinessHours && userId !== before.userId))
  )
}
const beginsAnew = ({ before, set, isReopened }: Changed) =>
  isReopened || (before.status === 'closed' && set?.status !== undefined && set.status !== 'closed')
/** The part that decides, without what is left as it was. */
const definedOf = ({ status, userId, queueId, priority }: NonNullable<Changed['set']> = {}) => ({
  ...(status !== undefined && { status }),
  ...(userId !== undefined && { userId }),
  ...(queueId !== undefined && { queueId }),
  ...(priority !== undefined && { priority }),
})

/** A ticket's promise as it stands. */
export type CurrentDeadlines = {
  start: Date
  pausedMs: number
  firstAnsweredAt: Date | null
  firstDueAt: Date | null
  firstBreachedAt: Date | null
  resolveBreachedAt: Date | null
}
/** Columns of a `CurrentDeadlines` of `tickets t`. It counts from creation, or from when it was last reopened. */
export const currentDeadlineColumns = `coalesce((select max(l.created_at) from ticket_logs l
    where l.tenant_id = t.tenant_id and l.ticket_id = t.id and l.type = 'reopen'), t.created_at) as start,
  t.sla_paused_ms::float8 as "pausedMs", t.first_answered_at as "firstAnsweredAt", t.sla_first_due_at as "firstDueAt",
  t.sla_first_breached_at as "firstBreachedAt", t.sla_resolve_breached_at as "resolveBreachedAt"`
const readKept: Prepared = {
  name: 'sla_kept',
  text: `select t.id, ${currentDeadlineColumns} from tickets t where t.tenant_id = $1 and t.id = any($2::uuid[])`,
}

/** The promise reckoned anew. What was answered stays as it was promised; who has time again is no longer late. */
export const recomputed = (
  directory: Directory,
  ticket: DeadlineSubject,
  kept: CurrentDeadlines,
  now: Date,
): DeadlineColumns => {
  const due = deadlinesOf(directory, ticket, kept.start, kept.pausedMs)
  const slaFirstDueAt = kept.firstAnsweredAt ? kept.firstDueAt : due.slaFirstDueAt
  const stillLate = (dueAt: Date | null, breachedAt: Date | null) => (dueAt && dueAt <= now ? breachedAt : null)
  return {
    slaFirstDueAt,
    slaResolveDueAt: due.slaResolveDueAt,
    slaPausedMs: kept.pausedMs,
    slaFirstBreachedAt: kept.firstAnsweredAt ? kept.firstBreachedAt : stillLate(slaFirstDueAt, kept.firstBreachedAt),
    slaResolveBreachedAt: stillLate(due.slaResolveDueAt, kept.resolveBreachedAt),
  }
}

/**
 * Call for locked tickets whose pause ends, before it is taken from their rows: what was still ahead is promised later
 * by the business time they rested. Answers the new times by ticket.
 */
export const extendAfterPause = async (
  tx: Tx,
  ticketIds: string[],
  now = new Date(),
): Promise<ReadonlyMap<string, Deadlines>> => {
  const directory = await getDirectory(tx.tenantId)
  if (!ticketIds.length || !directory.settings.slaTargets.length) return new Map()
  const rested = await tx.rows<Rested>(readRested, [tx.tenantId, ticketIds])
  const shifted = rested.map((ticket) => {
    const calendar = calendarOf(directory, ticket)
    const later = (dueAt: Date | null) =>
      dueAt && dueAt > ticket.pausedAt
        ? (addBusinessMinutes(calendar, now, businessMinutesBetween(calendar, ticket.pausedAt, dueAt)) ?? null)
        : dueAt
    const pausedMs = Math.round(Math.max(0, businessMinutesBetween(calendar, ticket.pausedAt, now)) * 60_000)
    const slaFirstDueAt = ticket.firstAnsweredAt ? ticket.slaFirstDueAt : later(ticket.slaFirstDueAt)
    return { id: ticket.id, pausedMs, slaFirstDueAt, slaResolveDueAt: later(ticket.slaResolveDueAt) }
  })
  if (shifted.length) await tx.rows(saveShifted, [tx.tenantId, JSON.stringify(shifted)])
  return new Map(shifted.map(({ id, slaFirstDueAt, slaResolveDueAt }) => [id, { slaFirstDueAt, slaResolveDueAt }]))
}

type Rested = Deadlines & {
  id: string
  queueId: string | null
  userId: string | null
  pausedAt: Date
  firstAnsweredAt: Date | null
}
const readRested: Prepared = {
  name: 'sla_rested',
  text: `select id, queue_id as "queueId", user_id as "userId", paused_at as "pausedAt", first_answered_at as "firstAnsweredAt",
      sla_first_due_at as "slaFirstDueAt", sla_resolve_due_at as "slaResolveDueAt"
    from tickets where tenant_id = $1 and id = any($2::uuid[]) and paused_at is not null and not is_group`,
}
const saveShifted: Prepared = {
  name: 'sla_shift',
  text: `update tickets t set sla_first_due_at = n."slaFirstDueAt", sla_resolve_due_at = n."slaResolveDueAt",
      sla_paused_ms = t.sla_paused_ms + n."pausedMs"
    from jsonb_to_recordset($2::jsonb) as n(id uuid, "pausedMs" bigint, "slaFirstDueAt" timestamptz, "slaResolveDueAt" timestamptz)
    where t.tenant_id = $1 and t.id = n.id`,
}
