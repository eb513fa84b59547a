import { createHash } from 'node:crypto'
import { cutText } from '@balcao/contract/core/cut-text.ts'
import { wallTimeOf } from '@balcao/contract/core/wall-time.ts'
import { isToldBy, tagOf } from '@balcao/contract/operations/notices.ts'
import { type Notification, notification } from '@balcao/contract/operations/notifications.ts'
import type { PushPayload } from '@balcao/contract/operations/push.ts'
import { userConfigs } from '@balcao/contract/people/users.ts'
import { z } from 'zod'
import { withTenant } from '../../../db/database.ts'
import { EgressError, http } from '../../../kit/egress.ts'
import { AppError } from '../../../kit/errors.ts'
import { log } from '../../../kit/log.ts'
import { getVisibleTicket } from '../../conversations/tickets/tickets.service.ts'
import type { ConsumerKind, Delivery, Outcome } from '../../core/deliveries/consumer-kinds.ts'
import { findDirectory } from '../../core/directory/directory.ts'
import { isSessionAlive } from './push.queries.ts'
import { vapidKeys } from './vapid.ts'

const timeoutMs = 10_000
/** How long a push service keeps it for a device that is off, and we for a service that is busy. */
const livesS = 60 * 60

/** A browser that agreed to be told while no window is open: it hears of the lines of one person's bell. */
export const pushConsumer: ConsumerKind = {
  kind: 'push',
  pausesS: [10, 40, 90, 160],
  livesS,
  isKept: false,
  deliver: async (delivery) => {
    const { tenantId, userId, target } = delivery
    if (!userId) return { is: 'gone' }
    const browser = pushTarget.parse(target)
    if (!(await withTenant(tenantId, (tx) => isSessionAlive(tx, browser.sessionId)))) return { is: 'gone' }
    const line = notification.parse(delivery.payload)
    if (!(await mayBeTold(tenantId, userId, line))) return { is: 'dropped' }
    return send(delivery, browser, payloadOf(userId, line))
  },
}

export const pushTarget = z.object({
  endpoint: z.string(),
  p256dh: z.string(),
  auth: z.string(),
  /** Family of the session's refresh tokens: where that ends, nothing is sent any more. */
  sessionId: z.string(),
})
type PushTarget = z.output<typeof pushTarget>

const send = async (
  delivery: Delivery,
  { endpoint, p256dh, auth }: PushTarget,
  payload: PushPayload,
): Promise<Outcome> => {
  const { default: webPush } = await import('web-push') // encryption that a start need not wait for
  try {
    const details = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, JSON.stringify(payload), {
      vapidDetails: vapidKeys(),
      TTL: livesS,
      urgency: 'high',
      topic: topicOf(payload.tag),
    })
    const headers = Object.fromEntries(Object.entries(details.headers).map(([name, value]) => [name, String(value)]))
    const answer = await http(endpoint, { method: 'POST', headers, body: details.body, timeoutMs, maxBytes: 10_000 })
    return outcomeOf(delivery, answer.status, answer.headers['retry-after'])
  } catch (error) {
    if (error instanceof EgressError) return { is: 'failed', error: 'O serviço de avisos não respondeu.' }
    if (error instanceof AppError) return { is: 'gone' } // an address we may not call
    log.error({ err: error, tenantId: delivery.tenantId, deliveryId: delivery.id }, 'push not made')
    return { is: 'dropped' }
  }
}

const outcomeOf = ({ tenantId, id }: Delivery, status: number, retryAfter: string | undefined): Outcome => {
  if (status >= 200 && status < 300) return { is: 'delivered' }
  if (status === 404 || status === 410) return { is: 'gone' }
  if (status === 429 || status >= 500)
    return { is: 'failed', error: `O serviço de avisos respondeu ${status}.`, againInS: Number(retryAfter) || 0 }
  log.error({ tenantId, deliveryId: id, status }, 'push refused')
  return { is: 'dropped' }
}

/** What was theirs to see when it happened may not be any more; nor may they want it now. */
const mayBeTold = async (tenantId: number, userId: string, { kind, ticketId }: Notification): Promise<boolean> => {
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

const payloadOf = (userId: string, line: Notification): PushPayload => ({
  userId,
  title: cutText(line.title, 80),
  body: cutText(line.body, 120),
  url: line.link,
  tag: tagOf(line),
  replyTo: line.kind === 'message' ? line.ticketId : null,
})

/** As a push service takes it: 32 letters at most. */
const topicOf = (tag: string) => createHash('sha256').update(tag).digest('base64url').slice(0, 32)
