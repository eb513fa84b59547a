import { wallTimeOf } from '@balcao/contract/core/wall-time.ts'
import { isToldBy, tagOf } from '@balcao/contract/operations/notices.ts'
import type { PushPayload } from '@balcao/contract/operations/push.ts'
import { userConfigs } from '@balcao/contract/people/users.ts'
import { platformRows, withTenant } from '../../../db/database.ts'
import { EgressError, http } from '../../../kit/egress.ts'
import { AppError } from '../../../kit/errors.ts'
import { log } from '../../../kit/log.ts'
import type { Round } from '../../../kit/workers.ts'
import { getVisibleTicket } from '../../conversations/tickets/tickets.service.ts'
import { findDirectory } from '../../core/directory/directory.ts'
import { claimDue, type Delivery, dropOne, dropSubscription, noteSent, putOff } from './push.queries.ts'
import { vapidKeys } from './vapid.ts'

const atOnce = 20
const maxAttempts = 5
/** How long a push service keeps it for a device that is off. */
const ttlS = 60 * 60
const timeoutMs = 10_000

/** What is due leaves, each to its browser. */
export const sendDuePushes = async (): Promise<Round> => {
  const due = await platformRows<Delivery>(claimDue, [atOnce])
  await Promise.all(due.map((one) => send(one).catch((error) => logFailure(one, error))))
  return { did: due.length, isMore: due.length === atOnce }
}

/** One that fails without an answer of ours keeps its lease and comes again. */
const logFailure = ({ tenantId, id }: Delivery, error: unknown) =>
  log.error({ err: error, tenantId, deliveryId: id }, 'push not sent')

const send = async (one: Delivery) => {
  const ours = [one.tenantId, one.id]
  const verdict = one.isSessionAlive ? await attempt(one) : 'unsubscribe'
  if (verdict === 'unsubscribe') await platformRows(dropSubscription, [one.tenantId, one.subscriptionId])
  else if (verdict === 'drop') await platformRows(dropOne, ours)
  else if (verdict === 'sent') await platformRows(noteSent, [...ours, one.subscriptionId])
  else await platformRows(putOff, [...ours, verdict.againInS])
}

type Verdict = 'sent' | 'drop' | 'unsubscribe' | { againInS: number }

const attempt = async (one: Delivery): Promise<Verdict> => {
  if (one.isExpired || !(await mayBeTold(one))) return 'drop'
  const { default: webPush } = await import('web-push') // encryption that a start need not wait for
  const { p256dh, auth, endpoint } = one
  try {
    const request = webPush.generateRequestDetails(
      { endpoint, keys: { p256dh, auth } },
      JSON.stringify(payloadOf(one)),
      {
        vapidDetails: vapidKeys(),
        TTL: ttlS,
        urgency: 'high',
        topic: one.topic,
      },
    )
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    const answer = await http(endpoint, { method: 'POST', headers, body: request.body, timeoutMs, maxBytes: 10_000 })
    return verdictOf(answer.status, answer.headers['retry-after'], one)
  } catch (error) {
    if (error instanceof EgressError) return again(one)
    if (error instanceof AppError) return 'unsubscribe' // an address we may not call
    log.error({ err: error, tenantId: one.tenantId, deliveryId: one.id }, 'push not made')
    return 'drop'
  }
}

const verdictOf = (status: number, retryAfter: string | undefined, one: Delivery): Verdict => {
  if (status >= 200 && status < 300) return 'sent'
  if (status === 404 || status === 410) return 'unsubscribe'
  if (status === 429 || status >= 500) return again(one, Number(retryAfter) || 0)
  log.error({ tenantId: one.tenantId, deliveryId: one.id, status }, 'push refused')
  return 'drop'
}

/** After 10, 40, 90, 160 s, or as long as the service asks; then never. */
const again = ({ attempts }: Delivery, askedS = 0): Verdict =>
  attempts >= maxAttempts ? 'drop' : { againInS: Math.min(ttlS, Math.max(askedS, 10 * attempts ** 2)) }

/** What was theirs to see when it happened may not be any more; nor may they want it now. */
const mayBeTold = async ({ tenantId, userId, kind, ticketId }: Delivery): Promise<boolean> => {
  const directory = await findDirectory(tenantId)
  const person = directory?.people.get(userId)
  if (!directory || !person || person.isBlocked || directory.status !== 'active') return false
  const clock = wallTimeOf(new Date(), directory.timezone).slice(11)
  if (!isToldBy('push', kind, userConfigs.parse(person.configs).notices, clock)) return false
  if (!ticketId) return true
  if (!person.permissions.has('tickets.read')) return false
  return withTenant(tenantId, (tx) => getVisibleTicket(tx, { tenantId, userId }, ticketId)).then(
    ({ status, userId: ownerId }) => {
      if (kind === 'waiting') return status === 'pending' && !ownerId
      return kind !== 'message' || ownerId === userId
    },
    (error) => {
      if (error instanceof AppError) return false
      throw error
    },
  )
}

const payloadOf = ({ userId, title, body, link, ticketId, kind }: Delivery): PushPayload => ({
  userId,
  title,
  body,
  url: link,
  tag: tagOf({ kind, ticketId, link }),
  replyTo: kind === 'message' ? ticketId : null,
})
