import { z } from 'zod'
import { id, moment, pageOf, queryFlag, queryList } from '../common.ts'
import { ticket } from './tickets.ts'

export const wallGroups = ['user', 'queue', 'status'] as const
export type WallGroup = (typeof wallGroups)[number]
export const wallStates = ['pending', 'open', 'paused', 'bot'] as const

/** A ticket as the wall shows it. */
export const wallCard = ticket.pick({
  id: true,
  protocol: true,
  status: true,
  channel: true,
  isGroup: true,
  userId: true,
  queueId: true,
  whatsappId: true,
  whatsapp: true,
  contactId: true,
  name: true,
  profilePicUrl: true,
  username: true,
  queue: true,
  chatFlowId: true,
  bot: true,
  priority: true,
  pausedAt: true,
  pauseReason: true,
  slaDueAt: true,
  unreadMessages: true,
  answered: true,
  lastMessage: true,
  lastMessageType: true,
  lastAuthor: true,
  notSent: true,
  notSentMessage: true,
  notSentMessageType: true,
  waitingSince: true,
  startedAt: true,
  createdAt: true,
  updatedAt: true,
  version: true,
})
export type WallCard = z.output<typeof wallCard>

/**
 * A column: `user:<id>` by agent, where what nobody has stands under `queue:<id>` or `queue:none`; the same by queue;
 * `status:<state>` by state.
 */
export const wallColumn = z.object({
  key: z.string(),
  open: z.int(),
  pending: z.int(),
  late: z.int(),
  /** Who waits longest, since then. */
  waitingSince: moment.nullable(),
})
export type WallColumn = z.output<typeof wallColumn>

export const wallAgent = z.object({
  id,
  name: z.string(),
  isOnline: z.boolean(),
  awaySince: moment.nullable(),
  awayReason: z.string().nullable(),
  capacity: z.int().nullable(),
})
export type WallAgent = z.output<typeof wallAgent>

/** The heads: who works, and the figures of every column that holds something. */
export const wallHeads = z.object({ agents: z.array(wallAgent), columns: z.array(wallColumn) })
export type WallHeads = z.output<typeof wallHeads>
/** GET /wall: the heads and the first cards of each column, who waits longest first. */
export const wall = wallHeads.extend({ cards: z.record(z.string(), pageOf(wallCard)) })
export type Wall = z.output<typeof wall>

export const wallQuery = z.object({
  group: z.enum(wallGroups).default('user'),
  queuesIds: queryList(id),
  whatsappIds: queryList(id),
})
export type WallQuery = z.output<typeof wallQuery>
const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
export const wallColumnKey = z
  .string()
  .regex(new RegExp(`^(?:user:${uuid}|queue:(?:none|${uuid})|status:(?:${wallStates.join('|')}))$`), 'Coluna inválida.')
/** GET /wall/cards: more of one column. */
export const wallCardsQuery = wallQuery.extend({ column: wallColumnKey, cursor: z.string().max(300).optional() })

/** GET /dash-tickets-queues: active tickets that came in these days. `showAll`: of others too, for who may see them. */
export const dashTicketsQuery = z.object({
  group: z.enum(wallGroups).default('user'),
  dateStart: z.iso.date().optional(),
  dateEnd: z.iso.date().optional(),
  status: queryList(z.enum(['open', 'pending'])),
  queuesIds: queryList(id),
  showAll: queryFlag.default(false),
})
export type DashTicketsQuery = z.output<typeof dashTicketsQuery>
/** Each group with its name, how many it holds, and the first of them, who waits longest first; more by /wall/cards. */
export const dashTickets = z.array(
  z.object({
    key: z.string(),
    label: z.string(),
    qtd: z.int(),
    open: z.int(),
    pending: z.int(),
    tickets: z.array(wallCard),
  }),
)
export type DashTickets = z.output<typeof dashTickets>
