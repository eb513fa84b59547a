import { log } from '../../../kit/log.ts'
import type { OutboxEvent } from '../../../kit/outbox.ts'
import { findDirectory } from '../../core/directory/directory.ts'
import { type Notice, noticesOf, takenBy } from './notices-of.ts'
import { storeNotices } from './notifications.service.ts'
import { cancelPushes } from './push.service.ts'

/** What comes within this time is stored together: a burst of messages is one statement. */
const calmMs = 250

type Presence = {
  isLooking: (tenantId: number, ticketId: string, userId: string) => Promise<boolean>
  isAtDesk: (tenantId: number, userId: string) => Promise<boolean>
}
type Gathered = { notices: Notice[]; taken: Set<string>; stored: Promise<void> }

/**
 * Turns committed events into the bells of those they concern, after the change, so that no message waits for it.
 * Answers, per event, when what it told is stored; until then its row stays in the outbox.
 */
export const gatherNotices = ({ isLooking, isAtDesk }: Presence) => {
  const gathered = new Map<number, Gathered>()

  const store = async (tenantId: number) => {
    const { notices, taken } = gathered.get(tenantId) ?? { notices: [], taken: [] }
    gathered.delete(tenantId)
    // Whoever has the conversation before their eyes needs no bell; a colleague who calls is heard all the same.
    const isSeen = await Promise.all(
      notices.map(({ ticketId, userId, kind }) => ticketId && kind !== 'call' && isLooking(tenantId, ticketId, userId)),
    )
    const unseen = notices.filter((_, n) => !isSeen[n])
    const pushed = await storeNotices(tenantId, { notices: unseen, taken: [...taken] })
    // Whoever has a window before their eyes is told there, and their pocket stays quiet.
    const atDesk = await Promise.all(pushed.map((userId) => isAtDesk(tenantId, userId)))
    await cancelPushes(
      tenantId,
      pushed.filter((_, n) => atDesk[n]),
    )
  }
  const gather = (tenantId: number): Gathered => {
    const known = gathered.get(tenantId)
    if (known) return known
    const stored = new Promise<void>((resolve) => setTimeout(resolve, calmMs)).then(() => store(tenantId))
    const fresh = { notices: [], taken: new Set<string>(), stored }
    gathered.set(tenantId, fresh)
    return fresh
  }

  return async (event: OutboxEvent): Promise<void> => {
    const directory = await findDirectory(event.tenantId)
    if (!directory) return
    const notices = noticesOf(event, directory)
    const takenId = takenBy(event)
    if (!notices.length && !takenId) return
    const batch = gather(event.tenantId)
    batch.notices.push(...notices)
    if (takenId) batch.taken.add(takenId)
    await batch.stored.catch((error) => {
      log.error({ err: error, tenantId: event.tenantId, event: event.name }, 'notices not stored')
      throw error
    })
  }
}
