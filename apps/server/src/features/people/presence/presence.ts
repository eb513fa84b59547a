import type { Availability, availability, availabilityBody } from '@balcao/contract/people/users.ts'
import { and, eq, isNull } from 'drizzle-orm'
import { v7 } from 'uuid'
import type { z } from 'zod'
import { type Prepared, type Tx, withTenant } from '../../../db/database.ts'
import { users } from '../../../db/schema/people/users.ts'
import type { Actor } from '../../../kit/actor.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { emit } from '../../../kit/outbox.ts'
import { wakeDistribution } from '../../conversations/tickets/wake-distribution.ts'
import { getDirectory, invalidateDirectory } from '../../core/directory/directory.ts'

type Now = z.output<typeof availability>

/** Whether a person takes part in the work now. Coming back does not end a pause; leaving does. */
export const setOnline = (tenantId: number, userId: string, isOnline: boolean) =>
  withTenant(tenantId, async (tx) => {
    const before = await lockPerson(tx, userId)
    if (!before || before.isOnline === isOnline) return
    await store(tx, userId, before, { isOnline, awayReason: isOnline ? before.awayReason : null })
  })

/**
 * PUT /users/{id}/availability: what somebody does now, by their own word or by whoever leads the team. Whoever is away
 * keeps their conversations and is handed no others.
 */
export const setAvailability = async (
  actor: Actor,
  userId: string,
  { state, reason }: z.output<typeof availabilityBody>,
): Promise<Now> => {
  const { people, settings } = await getDirectory(actor.tenantId)
  if (!people.has(userId)) throw new AppError('ERR_NO_USER_FOUND')
  if (userId !== actor.userId && !actor.permissions.has('users.supervise')) throw new AppError('ERR_NO_PERMISSION')
  const awayReason = state === 'away' ? reasonOf(settings.pauseReasons, reason?.replaceAll('\0', '')) : null
  return withTenant(actor.tenantId, async (tx) => {
    const before = await lockPerson(tx, userId)
    if (!before) throw new AppError('ERR_NO_USER_FOUND')
    return store(tx, userId, before, { isOnline: isPresent[state], awayReason })
  })
}

const isPresent: Record<Availability, boolean> = { online: true, away: true, offline: false }

const reasonOf = (known: string[], reason: string | undefined): string => {
  if (!known.length) return reason || 'Pausa'
  if (!reason || !known.includes(reason)) throw fieldErrors({ path: 'reason', message: 'Escolha o motivo da pausa.' })
  return reason
}

type Stored = { isOnline: boolean; awaySince: Date | null; awayReason: string | null }

const lockPerson = async (tx: Tx, userId: string): Promise<Stored | undefined> => {
  const [row] = await tx.db
    .select({ isOnline: users.isOnline, awaySince: users.awaySince, awayReason: users.awayReason })
    .from(users)
    .where(and(eq(users.tenantId, tx.tenantId), eq(users.id, userId), isNull(users.deletedAt)))
    .for('no key update')
  return row
}

/** Stores the state, with when it began and ended, and tells colleagues when it is another. */
const store = async (
  tx: Tx,
  userId: string,
  before: Stored,
  { isOnline, awayReason }: Pick<Stored, 'isOnline' | 'awayReason'>,
): Promise<Now> => {
  const isSameAway = before.awayReason === awayReason && (before.awaySince !== null) === (awayReason !== null)
  const awaySince = awayReason === null ? null : isSameAway ? before.awaySince : new Date()
  const now = { isOnline, isAway: awaySince !== null, awayReason, awaySince: awaySince?.toISOString() ?? null }
  if (isSameAway && before.isOnline === isOnline) return now

  await tx.db
    .update(users)
    .set({ isOnline, awaySince, awayReason })
    .where(and(eq(users.tenantId, tx.tenantId), eq(users.id, userId)))
  const state = awayReason !== null ? 'away' : isOnline ? 'online' : 'offline'
  const since = awaySince ?? new Date()
  await tx.rows(leaveState, [tx.tenantId, userId, state, awayReason, since])
  await tx.rows(enterState, [tx.tenantId, v7(), userId, state, awayReason, since])
  tx.afterCommit(() => invalidateDirectory(tx.tenantId))
  await emit(tx, 'presence.user', { userId, ...now }, { kind: 'permission', can: 'users.read' })
  wakeDistribution(tx)
  return now
}

const leaveState: Prepared = {
  name: 'agent_state_leave',
  text: `update agent_states set ended_at = $5 where tenant_id = $1 and user_id = $2 and ended_at is null
    and (state, reason) is distinct from ($3, $4)`,
}
/** The same state for the same reason goes on. */
const enterState: Prepared = {
  name: 'agent_state_enter',
  text: `insert into agent_states (tenant_id, id, user_id, state, reason, started_at) values ($1, $2, $3, $4, $5, $6)
    on conflict (tenant_id, user_id) where ended_at is null do nothing`,
}
