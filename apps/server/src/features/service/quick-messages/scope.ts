import type { quickMessageScopes } from '@balcao/contract/service/quick-messages.ts'
import { and, eq, inArray, or, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Actor } from '../../../kit/actor.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import type { Audience } from '../../../kit/outbox.ts'

export type Scope = (typeof quickMessageScopes)[number]
export type Scoped = { scope: Scope; userId: string; queueId: string | null }

export const scopeLabels: Record<Scope, string> = { mine: 'Só para mim', queue: 'Fila', everyone: 'Todos' }

/** Mine, my queues' and everyone's; who administers knows every queue's, and nobody another person's own. */
export const readableBy = (
  actor: Actor,
  { scope, userId, queueId }: { scope: PgColumn; userId: PgColumn; queueId: PgColumn },
): SQL | undefined =>
  or(
    eq(scope, 'everyone'),
    and(eq(scope, 'mine'), eq(userId, actor.userId)),
    actor.permissions.has('quick-messages.share')
      ? eq(scope, 'queue')
      : and(eq(scope, 'queue'), inArray(queueId, actor.queueIds)),
  )

/** `readableBy` has already hidden other people's own. */
export const mayWrite = (actor: Actor, scope: Scope) =>
  scope === 'mine' || actor.permissions.has('quick-messages.share')
export const requireWrite = (actor: Actor, { scope }: { scope: Scope }) => {
  if (!mayWrite(actor, scope)) throw new AppError('ERR_NO_PERMISSION')
}

/** Whose it is after a write; throws where this person may not make it so. `many`: "mensagens", "pastas". */
export const scopeAfter = (
  actor: Actor,
  before: Scoped | undefined,
  input: { scope?: Scope; queueId?: string | null },
  many: string,
): Scoped => {
  if (before) requireWrite(actor, before)
  const scope = input.scope ?? before?.scope ?? 'mine'
  const queueId = input.queueId === undefined ? (before?.queueId ?? null) : input.queueId
  if (!mayWrite(actor, scope))
    throw fieldErrors({ path: 'scope', message: `Seu perfil só pode criar ${many} para uso próprio.` })
  if (scope === 'queue' && !queueId) throw fieldErrors({ path: 'queueId', message: 'Escolha a fila.' })
  // What becomes personal belongs to whoever made it so.
  const userId = before && scope !== 'mine' ? before.userId : actor.userId
  return { scope, userId, queueId: scope === 'queue' ? queueId : null }
}

/** Who hears of it. */
export const audienceOf = ({ scope, userId, queueId }: Scoped): Audience => {
  if (scope === 'mine') return { kind: 'user', userId }
  return scope === 'queue' && queueId ? { kind: 'queue', queueId } : { kind: 'permission', can: 'quick-messages.read' }
}
