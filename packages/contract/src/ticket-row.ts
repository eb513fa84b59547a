import { z } from 'zod'
import type { ChannelKind } from './channels/index.ts'
import { id } from './common.ts'
import type { BotName, NotSent, Priority, Ticket, TicketStatus } from './tickets.ts'

/** A ticket as the database gives it: moments in milliseconds, lists of ids joined by commas, null when empty. */
export type TicketRow = {
  id: string
  protocol: string
  status: TicketStatus
  channel: ChannelKind
  isGroup: boolean
  userId: string | null
  queueId: string | null
  whatsappId: string
  whatsappName: string
  contactId: string
  contactName: string
  number: string | null
  profilePicUrl: string | null
  walletIds: string | null
  contactTagIds: string | null
  tagIds: string | null
  kanban: string | null
  reasonId: string | null
  chatFlowId: string | null
  bot: BotName | null
  priority: Priority
  value: number | null
  sharedWith: string[]
  pausedAt: number | null
  pausedUntil: number | null
  pauseReason: string | null
  wakesOnReply: boolean
  mergedIntoId: string | null
  firstAnsweredAt: number | null
  slaDueAt: number | null
  slaBreachedAt: number | null
  unreadMessages: number
  answered: boolean
  lastMessage: string
  lastMessageType: string
  lastAuthorId: string | null
  lastMessageAt: number | null
  notSent: NotSent | null
  lastInboundAt: number | null
  waitingSince: number | null
  startedAt: number | null
  closedAt: number | null
  createdAt: number
  updatedAt: number
  version: number
}
type Card = { id: string; name: string; color: string }
/** What the ids of a row are called. */
export type Names = {
  tag: (id: string) => Card | undefined
  queue: (id: string) => Card | undefined
  userName: (id: string) => string | undefined
  reasonName: (id: string) => string | undefined
}

export const presentTicket = (row: TicketRow, names: Names): Ticket => {
  const queue = row.queueId ? names.queue(row.queueId) : undefined
  return {
    id: row.id,
    protocol: row.protocol,
    status: row.status,
    channel: row.channel,
    isGroup: row.isGroup,
    userId: row.userId,
    queueId: row.queueId,
    whatsappId: row.whatsappId,
    contactId: row.contactId,
    contact: {
      id: row.contactId,
      name: row.contactName,
      number: row.number,
      profilePicUrl: row.profilePicUrl,
      wallets: idsOf(row.walletIds),
      tags: tagsOf(row.contactTagIds, names),
    },
    name: row.contactName,
    profilePicUrl: row.profilePicUrl,
    username: row.userId ? (names.userName(row.userId) ?? null) : null,
    queue: queue ? { id: queue.id, name: queue.name, color: queue.color } : null,
    whatsapp: { id: row.whatsappId, name: row.whatsappName },
    tags: tagsOf(row.tagIds, names),
    kanban: row.kanban,
    reason: row.reasonId ? { id: row.reasonId, name: names.reasonName(row.reasonId) ?? '' } : null,
    chatFlowId: row.chatFlowId,
    bot: row.bot,
    priority: row.priority,
    value: row.value,
    sharedWith: row.sharedWith,
    pausedAt: isoOf(row.pausedAt),
    pausedUntil: isoOf(row.pausedUntil),
    pauseReason: row.pauseReason,
    wakesOnReply: row.wakesOnReply,
    mergedIntoId: row.mergedIntoId,
    firstAnsweredAt: isoOf(row.firstAnsweredAt),
    slaDueAt: isoOf(row.slaDueAt),
    slaBreachedAt: isoOf(row.slaBreachedAt),
    unreadMessages: row.unreadMessages,
    answered: row.answered,
    lastMessage: row.lastMessage,
    lastMessageType: row.lastMessageType,
    lastAuthor: row.lastAuthorId ? { id: row.lastAuthorId, name: names.userName(row.lastAuthorId) ?? '' } : null,
    lastMessageAt: isoOf(row.lastMessageAt),
    notSent: row.notSent,
    lastInboundAt: isoOf(row.lastInboundAt),
    waitingSince: isoOf(row.waitingSince),
    startedAt: isoOf(row.startedAt),
    closedAt: isoOf(row.closedAt),
    createdAt: toIso(row.createdAt),
    updatedAt: toIso(row.updatedAt),
    version: row.version,
  }
}

export const idsOf = (joined: string | null) => (joined ? joined.split(',') : [])
const tagsOf = (joined: string | null, names: Names): Card[] =>
  idsOf(joined)
    .flatMap((id) => names.tag(id) ?? [])
    .sort((a, b) => a.name.localeCompare(b.name, 'pt-BR'))
const toIso = (ms: number) => new Date(ms).toISOString()
const isoOf = (ms: number | null) => (ms === null ? null : toIso(ms))

/** The columns of a row in the short form of the list (`view=inbox`), in their order. */
export const inboxColumns = [
  'id',
  'protocol',
  'status',
  'channel',
  'isGroup',
  'userId',
  'queueId',
  'whatsappId',
  'whatsappName',
  'contactId',
  'contactName',
  'number',
  'profilePicUrl',
  'walletIds',
  'contactTagIds',
  'tagIds',
  'kanban',
  'reasonId',
  'chatFlowId',
  'bot',
  'priority',
  'value',
  'sharedWith',
  'pausedAt',
  'pausedUntil',
  'pauseReason',
  'wakesOnReply',
  'mergedIntoId',
  'firstAnsweredAt',
  'slaDueAt',
  'slaBreachedAt',
  'unreadMessages',
  'answered',
  'lastMessage',
  'lastMessageType',
  'lastAuthorId',
  'lastMessageAt',
  'notSent',
  'lastInboundAt',
  'waitingSince',
  'startedAt',
  'closedAt',
  'createdAt',
  'updatedAt',
  'version',
] as const satisfies (keyof TicketRow)[]

const name = z.string()
/** A tag, a queue: name and colour. */
const card = z.tuple([name, name])
/** The names of a page, by id, once each. */
export const inboxNames = z.object({
  tags: z.record(id, card),
  queues: z.record(id, card),
  people: z.record(id, name),
  reasons: z.record(id, name),
})
export type InboxNames = z.output<typeof inboxNames>
export const inboxPage = z.object({
  rows: z.array(z.array(z.unknown()).length(inboxColumns.length)),
  names: inboxNames,
  hasMore: z.boolean(),
  nextCursor: z.string().nullable(),
  count: z.int().optional(),
})
export type InboxPage = z.output<typeof inboxPage>

/** A row of the short form with its columns by name. */
export const rowOfInbox = (values: readonly unknown[]): TicketRow =>
  Object.fromEntries(inboxColumns.map((column, at) => [column, values[at]])) as TicketRow // the server wrote them in this order

/** The tickets of a short page, as GET /tickets answers them in full. */
export const ticketsOfInbox = ({ rows, names }: Pick<InboxPage, 'rows' | 'names'>): Ticket[] => {
  const looked = lookup(names)
  return rows.map((row) => presentTicket(rowOfInbox(row), looked))
}

export const lookup = (names: InboxNames): Names => {
  const cardOf = (cards: Record<string, [string, string]>) => (cardId: string) => {
    const found = cards[cardId]
    return found && { id: cardId, name: found[0], color: found[1] }
  }
  return {
    tag: cardOf(names.tags),
    queue: cardOf(names.queues),
    userName: (userId) => names.people[userId],
    reasonName: (reasonId) => names.reasons[reasonId],
  }
}
