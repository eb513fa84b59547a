import { z } from 'zod'
import { id, moment } from '../common.ts'

const load = z.object({
  id: id.nullable(),
  name: z.string(),
  color: z.string().nullable(),
  open: z.int(),
  pending: z.int(),
  closedToday: z.int(),
})
/** What a new company has done of its set-up, and its first channel and web chat: a chat of its own to write to. */
export const firstSteps = z.object({
  channel: z.boolean(),
  queue: z.boolean(),
  team: z.boolean(),
  answered: z.boolean(),
  channelId: id.nullable(),
  webchat: z.object({ id, channelKey: z.string() }).nullable(),
})
export type FirstSteps = z.output<typeof firstSteps>

/** Today in the tenant's time zone. How long things take is told by the statistics of a period. */
export const dashboard = z.object({
  open: z.int(),
  pending: z.int(),
  closedToday: z.int(),
  createdToday: z.int(),
  receivedToday: z.int(),
  sentToday: z.int(),
  newContactsToday: z.int(),
  /** Longest customer waiting now, in seconds; null: nobody waits. */
  longestWaitS: z.number().nullable(),
  byQueue: z.array(load),
  byUser: z.array(
    load.extend({ isOnline: z.boolean(), awaySince: moment.nullable(), awayReason: z.string().nullable() }),
  ),
  byHour: z.array(z.object({ hour: z.int(), received: z.int(), sent: z.int() })),
})
export type Dashboard = z.output<typeof dashboard>
