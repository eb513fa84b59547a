import type { PushSubscriptionKeys } from '@balcao/contract/operations/push.ts'
import { v7 } from 'uuid'
import type { Prepared, Tx } from '../../../db/database.ts'

/** Time to read it elsewhere, and for a burst to become one. */
const calmS = 2
/** A browser more than this many of one person takes the place of the oldest. */
const mostPerPerson = 20

type Owner = { tenantId: number; userId: string; sessionId: string }
/** One browser tells one person, in one company: whoever had it before loses it. */
export const insertSubscription = async (tx: Tx, owner: Owner, { endpoint, keys }: PushSubscriptionKeys) => {
  const { tenantId, userId, sessionId } = owner
  await tx.rows(forgetEndpoint, [endpoint])
  await tx.rows(subscribe, [tenantId, v7(), userId, JSON.stringify({ endpoint, ...keys, sessionId })])
  await tx.rows(forgetOldest, [tenantId, userId, mostPerPerson])
}
const forgetEndpoint: Prepared = {
  name: 'push_forget_endpoint',
  text: `delete from consumers where kind = 'push' and target ->> 'endpoint' = $1`,
}
const subscribe: Prepared = {
  name: 'push_subscribe',
  text: `insert into consumers (tenant_id, id, kind, topics, user_id, target, calm_s, is_latest_only)
    values ($1, $2, 'push', '{notification.created}', $3, $4, ${calmS}, true)
    on conflict ((target ->> 'endpoint')) where kind = 'push' do nothing`,
}
const forgetOldest: Prepared = {
  name: 'push_forget_oldest',
  text: `delete from consumers where tenant_id = $1 and id in (
    select id from consumers where tenant_id = $1 and user_id = $2 and kind = 'push'
    order by created_at desc, id desc offset $3)`,
}

export const deleteSubscription = async (tx: Tx, userId: string, endpoint: string) => {
  await tx.rows(unsubscribe, [tx.tenantId, userId, endpoint])
}
const unsubscribe: Prepared = {
  name: 'push_unsubscribe',
  text: `delete from consumers where tenant_id = $1 and user_id = $2 and kind = 'push' and target ->> 'endpoint' = $3`,
}

/** Which of them have a browser that could be told. */
export const findSubscribed = async (tx: Tx, userIds: string[]): Promise<string[]> => {
  if (!userIds.length) return []
  const rows = await tx.rows<{ userId: string }>(subscribed, [tx.tenantId, userIds])
  return rows.map(({ userId }) => userId)
}
const subscribed: Prepared = {
  name: 'push_subscribed',
  text: `select distinct user_id as "userId" from consumers
    where tenant_id = $1 and user_id = any($2::uuid[]) and kind = 'push'`,
}

/** They have seen it: all of it, or what is of one conversation. */
export const dropPushes = async (tx: Tx, userIds: string[], ticketId: string | null = null) => {
  await tx.rows(drop, [tx.tenantId, userIds, ticketId])
}
const drop: Prepared = {
  name: 'push_drop',
  text: `delete from deliveries d using consumers c where d.tenant_id = $1 and c.tenant_id = $1 and c.kind = 'push'
    and c.user_id = any($2::uuid[]) and d.consumer_id = c.id and ($3::text is null or d.payload ->> 'ticketId' = $3)`,
}

/** Where its session ended, nobody is told any more. */
export const isSessionAlive = async (tx: Tx, sessionId: string): Promise<boolean> =>
  (await tx.rows(alive, [tx.tenantId, sessionId])).length > 0
const alive: Prepared = {
  name: 'push_session_alive',
  text: `select from refresh_tokens where tenant_id = $1 and family_id = $2 and revoked_at is null and rotated_at is null
    and expires_at > now() limit 1`,
}
