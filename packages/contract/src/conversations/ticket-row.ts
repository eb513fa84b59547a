import type { ChannelKind } from '../channels/index.ts'
import type { BotName, NotSent, Ticket, TicketStatus } from './tickets.ts'
import type { Priority } from './urgency.ts'

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
  notSentMessage: string | null
  notSentMessageType: string | null
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
  connectionName: (id: string) => string | undefined
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
    whatsapp: { id: row.whatsappId, name: names.connectionName(row.whatsappId) ?? '' },
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
    notSentMessage: row.notSentMessage,
    notSentMessageType: row.notSentMessageType,
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

/**
 * The columns of a row in the short form of the list (`view=inbox`), in their order: what people wrote first, then what
 * only we write, the seldom set last. Nulls at the end of a row are left out.
 */
export const inboxTexts = [
  'contactName',
  'number',
  'profilePicUrl',
  'lastMessage',
  'pauseReason',
] as const satisfies (keyof TicketRow)[]
export const inboxFixed = [
  'id',
  'contactId',
  'protocol',
  'status',
  'channel',
  'isGroup',
  'userId',
  'queueId',
  'whatsappId',
  'walletIds',
  'contactTagIds',
  'tagIds',
  'priority',
  'sharedWith',
  'wakesOnReply',
  'unreadMessages',
  'answered',
  'lastMessageType',
  'createdAt',
  'updatedAt',
  'version',
  'lastMessageAt',
  'lastInboundAt',
  'startedAt',
  'lastAuthorId',
  'waitingSince',
  'slaDueAt',
  'firstAnsweredAt',
  'closedAt',
  'reasonId',
  'slaBreachedAt',
  'kanban',
  'chatFlowId',
  'bot',
  'value',
  'pausedAt',
  'pausedUntil',
  'mergedIntoId',
  'notSent',
  'notSentMessage',
  'notSentMessageType',
] as const satisfies (keyof TicketRow)[]
/** Those that name rows by id: a number is the place of the id in `refs`, a text several places. */
export const referring: readonly (keyof TicketRow)[] = [
  'userId',
  'queueId',
  'whatsappId',
  'walletIds',
  'contactTagIds',
  'tagIds',
  'sharedWith',
  'lastAuthorId',
  'reasonId',
  'kanban',
  'chatFlowId',
  'mergedIntoId',
]

export const inboxColumns = [...inboxTexts, ...inboxFixed]

/** What the rows of a page refer to, once each: the id, and for what has them its name and colour. */
export type InboxRef = [id: string] | [id: string, name: string] | [id: string, name: string, color: string]

/** The tickets of a short page, as GET /tickets answers them in full. */
export const ticketsOfInbox = ({ rows, refs }: { rows: unknown[][]; refs: InboxRef[] }): Ticket[] => {
  const names = lookup(refs)
  const idAt = (place: unknown) => refs[Number(place)]?.[0]
  const idsAt = (value: unknown) => {
    if (typeof value === 'string') return value.split(',').map(idAt).join(',')
    if (Array.isArray(value)) return value.map(idAt)
    return value === null ? null : idAt(value)
  }
  return rows.map((values) => {
    const row = Object.fromEntries(
      inboxColumns.map((column, at) => {
        const value = values[at] ?? null
        return [column, referring.includes(column) ? idsAt(value) : value]
      }),
    )
    return presentTicket(row as TicketRow, names) // the server wrote them in this order
  })
}

export const lookup = (refs: Iterable<InboxRef>): Names => {
  const known = new Map([...refs].map((ref) => [ref[0], ref]))
  const card = (cardId: string) => {
    const [, name, color = ''] = known.get(cardId) ?? []
    return name === undefined ? undefined : { id: cardId, name, color }
  }
  const name = (ofId: string) => known.get(ofId)?.[1]
  return { tag: card, queue: card, userName: name, reasonName: name, connectionName: name }
}
