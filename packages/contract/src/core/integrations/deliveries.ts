import { z } from 'zod'
import { id, moment, pageOf, pageQuery, queryList } from '../../common.ts'

/** `dead`: no further attempt is made until somebody asks for one. */
export const deliveryStates = ['waiting', 'delivered', 'dead'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** One event on its way to a system of the company, or told to it in the last seven days. */
export const delivery = z.object({
  /** Its place in the list. */
  id: z.int(),
  /** What the system finds in the header `webhook-id`, the same at every attempt. */
  deliveryId: id,
  topic: z.string(),
  state: z.enum(deliveryStates),
  attempts: z.int(),
  /** Why the last attempt failed. */
  error: z.string().nullable(),
  /** What the system answered last. */
  status: z.int().nullable(),
  triedAt: moment.nullable(),
  /** When it is tried next. */
  dueAt: moment.nullable(),
  createdAt: moment,
})
export type Delivery = z.output<typeof delivery>

/** With what was sent and what came back; a long answer is kept to its beginning. */
export const wholeDelivery = delivery.extend({
  url: z.string(),
  body: z.string(),
  answer: z.object({ status: z.int(), body: z.string(), ms: z.int() }).nullable(),
})
export type WholeDelivery = z.output<typeof wholeDelivery>

export const deliveriesQuery = pageQuery
  .pick({ cursor: true, limit: true })
  .extend({ state: queryList(z.enum(deliveryStates)) })
export const deliveriesPage = pageOf(delivery)

/** What an integration was not told yet, and what it could not be told. Nobody counts beyond a thousand. */
export const undelivered = z.object({
  waiting: z.int(),
  /** The oldest of them. */
  waitsSince: moment.nullable(),
  dead: z.int(),
  /** Why the newest of the dead is one. */
  lastError: z.string().nullable(),
})
export type Undelivered = z.output<typeof undelivered>
