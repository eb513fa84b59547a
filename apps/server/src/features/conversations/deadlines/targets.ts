import type { TicketStatus } from '@balcao/contract/conversations/tickets.ts'
import type { Priority } from '@balcao/contract/conversations/urgency.ts'
import { addBusinessMinutes, type BusinessCalendar } from '@balcao/contract/core/business-time.ts'
import type { TenantSettings } from '@balcao/contract/people/settings.ts'
import { fieldErrors } from '../../../kit/errors.ts'
import type { Directory } from '../../core/directory/directory.ts'

/** What decides about the promise of a ticket. */
export type DeadlineSubject = {
  status: TicketStatus
  userId: string | null
  queueId: string | null
  priority: Priority
  isGroup: boolean
}
export type Deadlines = { slaFirstDueAt: Date | null; slaResolveDueAt: Date | null }

/** Until when the first answer and the end are promised, counted from `start` and later by what pauses took. */
export const deadlinesOf = (directory: Directory, ticket: DeadlineSubject, start: Date, pausedMs = 0): Deadlines => {
  const target = targetOf(directory.settings, ticket)
  const calendar = calendarOf(directory, ticket)
  const due = (minutes: number | null | undefined) =>
    minutes ? (addBusinessMinutes(calendar, start, minutes + pausedMs / 60_000) ?? null) : null
  return { slaFirstDueAt: due(target?.firstAnswer), slaResolveDueAt: due(target?.resolution) }
}

/**
 * The most exact promise: of queue and priority, of the queue, of the priority, of any. None to groups, which never end,
 * and to a customer who has not answered yet what we began.
 */
const targetOf = ({ slaTargets }: TenantSettings, { status, userId, queueId, priority, isGroup }: DeadlineSubject) => {
  if (isGroup || (status === 'open' && !userId)) return undefined
  const fitting = slaTargets.filter(
    (one) => (one.queueId === null || one.queueId === queueId) && (one.priority === null || one.priority === priority),
  )
  const exactness = (one: (typeof fitting)[number]) => (one.queueId ? 2 : 0) + (one.priority ? 1 : 0)
  return fitting.toSorted((a, b) => exactness(b) - exactness(a))[0]
}

/** A promise is for a queue of the company; one of a queue deleted since may stay. */
export const checkSlaTargets = (
  { queues }: Directory,
  targets: TenantSettings['slaTargets'],
  before: TenantSettings['slaTargets'],
) => {
  const at = targets.findIndex(
    ({ queueId }) => queueId && !queues.has(queueId) && !before.some((one) => one.queueId === queueId),
  )
  if (at >= 0) throw fieldErrors({ path: `slaTargets.${at}.queueId`, message: 'Fila não encontrada.' })
}

/** Whose time counts: the person's where the company says so and they have hours, the queue's, the company's. */
export const calendarOf = (
  { settings, people, queues, timezone }: Directory,
  { userId, queueId }: Pick<DeadlineSubject, 'userId' | 'queueId'>,
): BusinessCalendar => {
  const ofPerson = settings.useUserBusinessHours && userId ? (people.get(userId)?.allowedHours ?? []) : []
  const ofQueue = queueId ? (queues.get(queueId)?.businessHours ?? []) : []
  const hours = ofPerson.length ? ofPerson : ofQueue.length ? ofQueue : settings.businessHours
  return { hours, holidays: settings.holidays, timeZone: timezone }
}
