import { createHash } from 'node:crypto'
import { tagOf } from '@balcao/contract/operations/notices.ts'
import type { NotificationKind } from '@balcao/contract/operations/notifications.ts'
import type { PushSubscriptionKeys } from '@balcao/contract/operations/push.ts'
import { v7 } from 'uuid'
import type { Prepared, Tx } from '../../../db/database.ts'
import type { Notice } from './notices-of.ts'

/** Time to read it elsewhere, and for a burst to become one. */
const waitS = 2
/** Told an hour late it helps nobody. */
const lifeS = 60 * 60
/** One that was taken and not finished is taken again after this long. */
const leaseS = 60
/** A browser more than this many of one person takes the place of the oldest. */
const mostPerPerson = 20

/** Where its session ended, nobody is told any more. */
const isSessionAlive = `exists (select from refresh_tokens r where r.tenant_id = s.tenant_id and r.family_id = s.session_id
  and r.revoked_at is null and r.rotated_at is null and r.expires_at > now())`

type Owner = { tenantId: number; userId: string; sessionId: string }
/** One browser tells one person, in one company: whoever had it before loses it. */
export const insertSubscription = async (tx: Tx, owner: Owner, { endpoint, keys }: PushSubscriptionKeys) => {
  const { tenantId, userId, sessionId } = owner
  await tx.rows(forgetEndpoint, [endpoint])
  await tx.rows(subscribe, [tenantId, v7(), userId, sessionId, endpoint, keys.p256dh, keys.auth])
  await tx.rows(forgetOldest, [tenantId, userId, mostPerPerson])
}
const forgetEndpoint: Prepared = {
  name: 'push_forget_endpoint',
  text: 'delete from push_subscriptions where endpoint = $1',
}
const subscribe: Prepared = {
  name: 'push_subscribe',
  text: `insert into push_subscriptions (tenant_id, id, user_id, session_id, endpoint, p256dh, auth)
    values ($1, $2, $3, $4, $5, $6, $7)
    on conflict (endpoint) do nothing`,
}
const forgetOldest: Prepared = {
  name: 'push_forget_oldest',
  text: `delete from push_subscriptions where tenant_id = $1 and id in (
    select id from push_subscriptions where tenant_id = $1 and user_id = $2 order by created_at desc, id desc offset $3)`,
}

export const deleteSubscription = async (tx: Tx, userId: string, endpoint: string) => {
  await tx.rows(unsubscribe, [tx.tenantId, userId, endpoint])
}
const unsubscribe: Prepared = {
  name: 'push_unsubscribe',
  text: 'delete from push_subscriptions where tenant_id = $1 and user_id = $2 and endpoint = $3',
}

/** For every living browser of those concerned; whose they are. */
export const insertDeliveries = async (tx: Tx, lines: (Notice & { title: string })[]): Promise<string[]> => {
  if (!lines.length) return []
  const given = lines.map(({ userId, kind, ticketId, title, body, link }) => ({
    userId,
    kind,
    topic: topicOf(tagOf({ kind, ticketId, link })),
    ticketId,
    title: title.slice(0, 80),
    body: body.slice(0, 120),
    link,
  }))
  const rows = await tx.rows<{ userId: string }>(insert, [tx.tenantId, JSON.stringify(given)])
  return [...new Set(rows.map(({ userId }) => userId))]
}
/** As a push service takes it: 32 letters at most. */
const topicOf = (tag: string) => createHash('sha256').update(tag).digest('base64url').slice(0, 32)
const insert: Prepared = {
  name: 'push_insert',
  text: `with told as (
      insert into push_deliveries (tenant_id, id, subscription_id, kind, topic, ticket_id, title, body, link, due_at, expires_at)
      select $1, gen_random_uuid(), s.id, g.kind, g.topic, g."ticketId", g.title, g.body, g.link,
        now() + interval '${waitS} seconds', now() + interval '${lifeS} seconds'
      from jsonb_to_recordset($2::jsonb) g("userId" uuid, kind text, topic text, "ticketId" uuid, title text, body text, link text)
      join push_subscriptions s on s.tenant_id = $1 and s.user_id = g."userId" and ${isSessionAlive}
      order by s.id, g.topic
      on conflict (tenant_id, subscription_id, topic) do update set id = excluded.id, title = excluded.title,
        body = excluded.body, link = excluded.link, attempts = 0, due_at = excluded.due_at, expires_at = excluded.expires_at
      returning subscription_id)
    select distinct s.user_id as "userId" from told join push_subscriptions s on s.tenant_id = $1 and s.id = told.subscription_id`,
}

/** They have seen it: all of it, or what is of one conversation. */
export const dropDeliveries = async (tx: Tx, userIds: string[], ticketId: string | null = null) => {
  await tx.rows(drop, [tx.tenantId, userIds, ticketId])
}
const drop: Prepared = {
  name: 'push_drop',
  text: `delete from push_deliveries d using push_subscriptions s where d.tenant_id = $1 and s.tenant_id = $1
    and s.user_id = any($2::uuid[]) and d.subscription_id = s.id and ($3::uuid is null or d.ticket_id = $3)`,
}

/** A push in a sender's hands, with the browser it is for. */
export type Delivery = {
  tenantId: number
  id: string
  subscriptionId: string
  userId: string
  sessionId: string
  isSessionAlive: boolean
  endpoint: string
  p256dh: string
  auth: string
  kind: NotificationKind
  topic: string
  ticketId: string | null
  title: string
  body: string
  link: string
  attempts: number
  isExpired: boolean
}
export const isPushDue = 'select from push_deliveries where due_at <= now()'
export const claimDue: Prepared = {
  name: 'push_claim',
  text: `update push_deliveries d set attempts = d.attempts + 1, due_at = now() + interval '${leaseS} seconds'
    from push_subscriptions s
    where (d.tenant_id, d.id) in (select tenant_id, id from push_deliveries where due_at <= now() order by due_at limit $1
        for update skip locked)
      and s.tenant_id = d.tenant_id and s.id = d.subscription_id
    returning d.tenant_id as "tenantId", d.id, d.subscription_id as "subscriptionId", s.user_id as "userId",
      s.session_id as "sessionId", ${isSessionAlive} as "isSessionAlive", s.endpoint, s.p256dh, s.auth, d.kind, d.topic,
      d.ticket_id as "ticketId", d.title, d.body, d.link, d.attempts, d.expires_at <= now() as "isExpired"`,
}
/** Only the one that was sent: a newer one in its place has another id. */
export const dropOne: Prepared = {
  name: 'push_drop_one',
  text: 'delete from push_deliveries where tenant_id = $1 and id = $2',
}
export const noteSent: Prepared = {
  name: 'push_sent',
  text: `with gone as (delete from push_deliveries where tenant_id = $1 and id = $2)
    update push_subscriptions set last_sent_at = now() where tenant_id = $1 and id = $3`,
}
export const putOff: Prepared = {
  name: 'push_put_off',
  text: `update push_deliveries set due_at = now() + make_interval(secs => $3) where tenant_id = $1 and id = $2`,
}
export const dropSubscription: Prepared = {
  name: 'push_drop_subscription',
  text: 'delete from push_subscriptions where tenant_id = $1 and id = $2',
}
