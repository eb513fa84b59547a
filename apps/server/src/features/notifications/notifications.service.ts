import type { Notification, notificationsQuery, notificationsRead } from '@balcao/contract/notifications.ts'
import type { z } from 'zod'
import { withTenant } from '../../db/database.ts'
import type { Actor } from '../../kit/actor.ts'
import { emit, emitAll } from '../../kit/outbox.ts'
import { findDirectory } from '../directory/directory.ts'
import { getVisibleTicket } from '../tickets/tickets.service.ts'
import type { Notice } from './notices-of.ts'
import {
  countUnread,
  findFacts,
  insertNotices,
  markRead,
  markTaken,
  pageOfNotifications,
} from './notifications.queries.ts'

/** GET /notifications: what I was told, newest first; nothing of a conversation I may no longer see. */
export const listNotifications = (actor: Actor, query: z.output<typeof notificationsQuery>) =>
  withTenant(actor.tenantId, (tx) => pageOfNotifications(tx, actor, query))

export const countNotifications = (actor: Actor) => withTenant(actor.tenantId, (tx) => countUnread(tx, actor))

/** I have read these, those of a conversation, or all of them; my other windows hear of it. */
export const readNotifications = (actor: Actor, which: z.output<typeof notificationsRead>): Promise<void> =>
  withTenant(actor.tenantId, async (tx) => {
    if (which.ticketId) await getVisibleTicket(tx, actor, which.ticketId)
    if (await markRead(tx, actor.userId, which))
      await emit(tx, 'notification.read', {}, { kind: 'user', userId: actor.userId })
  })

type Batch = { notices: Notice[]; taken: string[] }
/**
 * Puts what happened into the bells of a company, in one transaction whatever came together: more of the same is one
 * line until it is read, and a conversation that somebody took no longer waits for the others.
 */
export const storeNotices = async (tenantId: number, { notices, taken }: Batch): Promise<Notification[]> => {
  const directory = await findDirectory(tenantId)
  if (!directory) return []
  const wanted = notices.filter(({ userId }) => directory.people.get(userId)?.isBlocked === false)
  if (!wanted.length && !taken.length) return []
  return withTenant(tenantId, async (tx) => {
    const facts = await findFacts(tx, [...new Set(wanted.flatMap(({ ticketId }) => ticketId ?? []))])
    const lines = wanted.flatMap((notice) => {
      if (!notice.ticketId) return [{ ...notice, title: notice.title ?? '' }]
      const ticket = facts.get(notice.ticketId)
      if (!ticket) return []
      if (notice.kind === 'waiting' && (ticket.userId || ticket.status !== 'pending')) return []
      if (notice.kind === 'message' && ticket.userId !== notice.userId) return []
      return [{ ...notice, title: notice.title ?? ticket.name }]
    })
    const stored = await insertNotices(tx, together(lines))
    await emitAll(
      tx,
      stored.map(({ userId, ...payload }) => ({
        name: 'notification.created' as const,
        payload,
        audience: { kind: 'user' as const, userId },
      })),
    )
    const relieved = await markTaken(tx, taken)
    if (relieved.length) await emit(tx, 'notification.read', {}, { kind: 'users', userIds: [...new Set(relieved)] })
    return stored
  })
}

/** The latest of each line, with how often it came; in one order everywhere, so that two processes do not lock each other out. */
const together = (lines: (Notice & { title: string })[]) => {
  const kept = new Map<string, Notice & { title: string; times: number }>()
  for (const line of lines) {
    const key = `${line.userId} ${line.kind} ${line.subject}`
    kept.set(key, { ...line, times: (kept.get(key)?.times ?? 0) + 1 })
  }
  return [...kept.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line)
}
