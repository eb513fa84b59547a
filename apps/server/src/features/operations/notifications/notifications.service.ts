import { wallTimeOf } from '@balcao/contract/core/wall-time.ts'
import { isToldBy } from '@balcao/contract/operations/notices.ts'
import type { notificationsQuery, notificationsRead } from '@balcao/contract/operations/notifications.ts'
import { userConfigs } from '@balcao/contract/people/users.ts'
import { v7 } from 'uuid'
import type { z } from 'zod'
import { withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { emit, emitAll } from '../../../kit/outbox.ts'
import { getVisibleTicket } from '../../conversations/tickets/tickets.service.ts'
import { findDirectory } from '../../core/directory/directory.ts'
import type { Notice } from './notices-of.ts'
import {
  countUnread,
  findFacts,
  insertNotices,
  markRead,
  markTaken,
  pageOfNotifications,
} from './notifications.queries.ts'
import { dropPushes, findSubscribed } from './push.queries.ts'

/** GET /notifications: what I was told, newest first; nothing of a conversation I may no longer see. */
export const listNotifications = (actor: Actor, query: z.output<typeof notificationsQuery>) =>
  withTenant(actor.tenantId, (tx) => pageOfNotifications(tx, actor, query))

export const countNotifications = (actor: Actor) => withTenant(actor.tenantId, (tx) => countUnread(tx, actor))

/** I have read these, those of a conversation, or all of them; my other windows hear of it. */
export const readNotifications = (actor: Actor, which: z.output<typeof notificationsRead>): Promise<void> =>
  withTenant(actor.tenantId, async (tx) => {
    if (which.ticketId) await getVisibleTicket(tx, actor, which.ticketId)
    if (!which.ids) await dropPushes(tx, [actor.userId], which.ticketId)
    if (await markRead(tx, actor.userId, which))
      await emit(tx, 'notification.read', {}, { kind: 'user', userId: actor.userId })
  })

type Batch = { notices: Notice[]; taken: string[] }
/**
 * Puts what happened into the bells of a company, in one transaction whatever came together: more of the same is one
 * line until it is read, and a conversation that somebody took no longer waits for the others. Answers who also has a
 * browser that is told a moment later.
 */
export const storeNotices = async (tenantId: number, { notices, taken }: Batch): Promise<string[]> => {
  const directory = await findDirectory(tenantId)
  if (!directory) return []
  const wanted = notices.filter(({ userId }) => directory.people.get(userId)?.isBlocked === false)
  if (!wanted.length && !taken.length) return []
  const clock = wallTimeOf(new Date(), directory.timezone).slice(11)
  const isInBell = ({ userId, kind }: Notice) =>
    isToldBy('bell', kind, userConfigs.parse(directory.people.get(userId)?.configs ?? {}).notices, clock)
  return withTenant(tenantId, async (tx) => {
    const facts = await findFacts(tx, [...new Set(wanted.flatMap(({ ticketId }) => ticketId ?? []))])
    const lines = together(
      wanted.flatMap((notice) => {
        if (!notice.ticketId) return [{ ...notice, title: notice.title ?? '' }]
        const ticket = facts.get(notice.ticketId)
        if (!ticket) return []
        if (notice.kind === 'waiting' && (ticket.userId || ticket.status !== 'pending')) return []
        if (notice.kind === 'message' && ticket.userId !== notice.userId) return []
        return [{ ...notice, title: notice.title ?? ticket.name }]
      }),
    )
    const kept = await insertNotices(tx, lines.filter(isInBell))
    const isQuiet = (row: Pick<Line, 'userId' | 'kind' | 'ticketId'>) =>
      lines.some((line) => line.isQuiet && lineKeys.every((key) => line[key] === row[key]))
    const told = kept.map((row) => (isQuiet(row) ? { ...row, isQuiet: true } : row))
    const loud = lines.filter((line) => !line.isQuiet)
    const passing = loud.filter((line) => !isInBell(line)).map(passingOf)
    await emitAll(
      tx,
      [...told, ...passing].map(({ userId, ...payload }) => ({
        name: 'notification.created' as const,
        payload,
        audience: { kind: 'user' as const, userId },
      })),
    )
    const pushed = await findSubscribed(tx, [...new Set(loud.map(({ userId }) => userId))])
    const relieved = await markTaken(tx, taken)
    if (relieved.length) await emit(tx, 'notification.read', {}, { kind: 'users', userIds: [...new Set(relieved)] })
    return pushed
  })
}

/** Not for the bell: windows may still sound or show it, and nothing of it stays. */
const passingOf = ({ userId, kind, title, body, link, ticketId, times }: Line) => {
  const now = new Date().toISOString()
  return { userId, id: v7(), kind, title, body, link, ticketId, times, at: now, readAt: now }
}

type Line = Notice & { title: string; times: number }
const lineKeys = ['userId', 'kind', 'ticketId'] as const
/** The latest of each line, with how often it came; in one order everywhere, so that two processes do not lock each other out. */
const together = (lines: (Notice & { title: string })[]) => {
  const kept = new Map<string, Line>()
  for (const line of lines) {
    const key = `${line.userId} ${line.kind} ${line.subject}`
    kept.set(key, { ...line, times: (kept.get(key)?.times ?? 0) + 1 })
  }
  return [...kept.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line)
}
