import type { PushSubscriptionKeys } from '@balcao/contract/operations/push.ts'
import { withPlatform, withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { checkEgressUrl } from '../../../kit/egress.ts'
import { AppError } from '../../../kit/errors.ts'
import { deleteSubscription, dropPushes, insertSubscription } from './push.queries.ts'

/** This browser tells me from now on, until my session ends. The address is the browser's word: it is checked as any. */
export const subscribe = async (actor: Actor, subscription: PushSubscriptionKeys): Promise<void> => {
  checkEgressUrl(subscription.endpoint)
  // A visitor from the platform reads with somebody else's eyes: nothing of it follows them out.
  if (actor.impersonatorId) throw new AppError('ERR_NO_PERMISSION')
  await withPlatform('push subscription', (tx) => insertSubscription(tx, actor, subscription))
}

export const unsubscribe = (actor: Actor, endpoint: string): Promise<void> =>
  withTenant(actor.tenantId, (tx) => deleteSubscription(tx, actor.userId, endpoint))

/** They were told where they are looking. */
export const cancelPushes = async (tenantId: number, userIds: string[]): Promise<void> => {
  if (userIds.length) await withTenant(tenantId, (tx) => dropPushes(tx, userIds))
}
