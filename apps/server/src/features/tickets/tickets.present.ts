import type { ChannelKind } from '@balcao/contract/channels/index.ts'
import type { TicketDelta } from '@balcao/contract/events.ts'
import type { BotName, NotSent, Priority, Ticket, TicketStatus } from '@balcao/contract/tickets.ts'
import type { TicketFacts } from '../../kit/outbox.ts'

/** A ticket as `ticketColumns` reads it: moments in milliseconds, lists of ids joined by commas, null when empty. */
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

/** What the visibility policy needs of a ticket. */
export const factsOf = (ticket: Ticket): TicketFacts => ({
  id: ticket.id,
  status: ticket.status,
  userId: ticket.userId,
  queueId: ticket.queueId,
  chatFlowId: ticket.chatFlowId,
  isGroup: ticket.isGroup,
  wallets: ticket.contact.wallets,
  sharedWith: ticket.sharedWith,
})

/** The changing face of a ticket that travels with each of its messages. */
export const deltaOf = (ticket: Ticket): TicketDelta => ({
  id: ticket.id,
  status: ticket.status,
  isGroup: ticket.isGroup,
  userId: ticket.userId,
  queueId: ticket.queueId,
  unreadMessages: ticket.unreadMessages,
  answered: ticket.answered,
  lastMessage: ticket.lastMessage,
  lastMessageType: ticket.lastMessageType,
  lastAuthor: ticket.lastAuthor,
  lastMessageAt: ticket.lastMessageAt,
  lastInboundAt: ticket.lastInboundAt,
  waitingSince: ticket.waitingSince,
  firstAnsweredAt: ticket.firstAnsweredAt,
  slaDueAt: ticket.slaDueAt,
  pausedAt: ticket.pausedAt,
  pausedUntil: ticket.pausedUntil,
  pauseReason: ticket.pauseReason,
  updatedAt: ticket.updatedAt,
  version: ticket.version,
})

export const idsOf = (joined: string | null) => (joined ? joined.split(',') : [])
const tagsOf = (joined: string | null, names: Names): Card[] =>
  idsOf(joined)
    .flatMap((id) => names.tag(id) ?? [])
    .sort((a, b) => a.name.localeCompare(b.name, 'pt-BR'))
const toIso = (ms: number) => new Date(ms).toISOString()
const isoOf = (ms: number | null) => (ms === null ? null : toIso(ms))
