import { type Prepared, platformRows } from '../db/database.ts'
import { setOnline } from '../features/people/presence/presence.ts'
import { log } from '../kit/log.ts'
import { socketsIn } from '../kit/sockets.ts'
import { userRoom } from './rooms.ts'
import type { StaffNamespace, StaffSocket } from './staff-data.ts'

/** A reload or a short loss of network is not going home. */
const graceMs = 15_000
/** By session: whose last window closed moments ago. */
const leaving = new Map<string, { userId: string; timer: NodeJS.Timeout }>()
const isLeaving = (userId: string) => [...leaving.values()].some((one) => one.userId === userId)

/**
 * A window opened. The first of a session puts its person online; the others, and a return within the grace, leave
 * things as the person last chose.
 */
export const noteConnected = async (staff: StaffNamespace, { id, data }: StaffSocket) => {
  const { tenantId, userId, sessionId } = data.claims
  const isBack = leaving.has(sessionId)
  clearTimeout(leaving.get(sessionId)?.timer)
  leaving.delete(sessionId)
  const windows = await socketsIn(staff, userRoom(tenantId, userId))
  const isFirst = !windows.some((other) => other.id !== id && other.data.claims.sessionId === sessionId)
  if (isFirst && !isBack) await store(tenantId, userId, true)
}

export const noteDisconnected = (staff: StaffNamespace, { data }: StaffSocket) => {
  const { tenantId, userId, sessionId } = data.claims
  clearTimeout(leaving.get(sessionId)?.timer)
  const timer = setTimeout(async () => {
    leaving.delete(sessionId)
    const windows = await socketsIn(staff, userRoom(tenantId, userId))
    if (!windows.length) await store(tenantId, userId, false)
  }, graceMs)
  leaving.set(sessionId, { userId, timer: timer.unref() })
}

/**
 * After a crash nobody noticed who went home: whoever is marked online and has not come back is not. Who left a moment
 * ago has their grace.
 */
export const forgetAbsent = async (staff: StaffNamespace) => {
  for (const { tenantId, userId } of await platformRows<{ tenantId: number; userId: string }>(online, []))
    if (!isLeaving(userId) && !(await socketsIn(staff, userRoom(tenantId, userId))).length)
      await store(tenantId, userId, false)
}
const online: Prepared = {
  name: 'users_online',
  text: 'select tenant_id as "tenantId", id as "userId" from users where is_online and deleted_at is null',
}

const store = async (tenantId: number, userId: string, isOnline: boolean) => {
  try {
    await setOnline(tenantId, userId, isOnline)
  } catch (error) {
    log.warn({ err: error, tenantId, userId }, 'presence not stored')
  }
}

/** The process stops: who comes back comes to another one, and who does not is forgotten there. */
export const stopNoting = () => {
  for (const { timer } of leaving.values()) clearTimeout(timer)
  leaving.clear()
}
