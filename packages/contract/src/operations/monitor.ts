import { z } from 'zod'
import { id, moment, queryList } from '../common.ts'

const count = z.int().nonnegative()

/** GET /monitor: the queues one looks at; none named: all of them. */
export const monitorQuery = z.object({ queuesIds: queryList(id) })
export type MonitorQuery = z.output<typeof monitorQuery>

const load = z.object({
  /** Conversations that nobody has accepted yet. */
  waiting: count,
  open: count,
  /** Past the customer's patience or a promised time. */
  late: count,
  /** A quarter of that time is left, or less. */
  atRisk: count,
  /** Who waits longest for an answer, since then. */
  waitingSince: moment.nullable(),
})

/** What goes on in a company now, for a screen on the wall. No customer is named. */
export const monitor = z.object({
  asOf: moment,
  now: load,
  queues: z.array(
    load.extend({
      id: id.nullable(),
      name: z.string(),
      color: z.string().nullable(),
      /** Its people who are online and not away. */
      available: count,
    }),
  ),
  agents: z.array(
    z.object({
      id,
      name: z.string(),
      isOnline: z.boolean(),
      awaySince: moment.nullable(),
      awayReason: z.string().nullable(),
      capacity: z.int().nullable(),
      open: count,
      pending: count,
      late: count,
    }),
  ),
  /** Since midnight where the company is. */
  today: z.object({
    created: count,
    closed: count,
    byHour: z.array(z.object({ hour: z.int(), created: count, closed: count })),
  }),
  /** Promises (first answers, ends) kept today, and those whose time passed today, whenever the conversation began. */
  deadlines: z.object({ met: count, missed: count }),
})
export type Monitor = z.output<typeof monitor>
