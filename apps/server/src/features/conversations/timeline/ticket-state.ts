import type { Abilities } from '@balcao/contract/channels/abilities.ts'
import type { ChannelKind } from '@balcao/contract/channels/index.ts'
import type { BotName, NotSent } from '@balcao/contract/conversations/tickets.ts'
import type { TicketDelta } from '@balcao/contract/events.ts'
import type { Audience, TicketFacts } from '../../../kit/outbox.ts'
import { factsOf } from './ticket-facts.ts'

/** Who of the team wrote; null: the customer, a bot, the company by itself. */
type Author = TicketDelta['lastAuthor']
type Moments = `${string}At` | 'pausedUntil' | 'waitingSince'
type InMemory<T> = { [K in keyof T]: K extends Moments ? Date | Extract<T[K], null> : T[K] }

/**
 * What the message pipes hold of a ticket: its facts for the policy, and the face that changes with each message, with
 * moments as moments. What it looks like outside is `factsOf` and `deltaOf`, as of every ticket.
 */
export type TicketState = TicketFacts &
  InMemory<Omit<TicketDelta, 'slaDueAt'>> & {
    contactId: string
    connectionId: string
    kind: ChannelKind
    /** What its connection can do. */
    abilities: Abilities
    slaFirstDueAt: Date | null
    slaResolveDueAt: Date | null
    wakesOnReply: boolean
    pausedMs: number
    notSent: NotSent | null
    /** The automatic answer given last, and when. */
    autoReplyId: string | null
    autoRepliedAt: Date | null
    /** When a flow last began to lead it. */
    chatFlowAt: Date | null
    /** The kind of assistant that answers, and when one last began to. */
    bot: BotName | null
    assistantAt: Date | null
    /** Nothing is to answer this contact by itself. */
    isBotBlocked: boolean
    /** Holds what was sent to many: nobody has it before them. */
    isHidden: boolean
  }

/** Columns of a `TicketState` from `tickets t`, its `connections n`. */
export const ticketStateColumns = `t.id, t.contact_id as "contactId", t.connection_id as "connectionId", t.status,
  (select n.kind from connections n where n.tenant_id = t.tenant_id and n.id = t.connection_id) as kind,
  (select n.abilities from connections n where n.tenant_id = t.tenant_id and n.id = t.connection_id) as abilities,
  t.user_id as "userId", t.queue_id as "queueId", t.chat_flow_id as "chatFlowId", t.is_group as "isGroup",
  array(select w.user_id from contact_wallets w where w.tenant_id = t.tenant_id and w.contact_id = t.contact_id) as wallets,
  t.shared_with as "sharedWith", t.first_answered_at as "firstAnsweredAt", t.sla_first_due_at as "slaFirstDueAt",
  t.sla_resolve_due_at as "slaResolveDueAt", t.paused_at as "pausedAt", t.paused_until as "pausedUntil",
  t.pause_reason as "pauseReason", t.wakes_on_reply as "wakesOnReply", t.paused_ms::float8 as "pausedMs",
  t.unread_messages as "unreadMessages", t.answered, t.last_message as "lastMessage", t.last_message_type as "lastMessageType",
  (select jsonb_build_object('id', a.id, 'name', a.name) from users a where a.tenant_id = t.tenant_id and a.id = t.last_author_id)
    as "lastAuthor",
  t.last_message_at as "lastMessageAt", t.not_sent as "notSent", t.last_inbound_at as "lastInboundAt", t.waiting_since as "waitingSince",
  t.updated_at as "updatedAt", t.version,
  t.auto_reply_id as "autoReplyId", t.auto_replied_at as "autoRepliedAt",
  t.chat_flow_at as "chatFlowAt", t.bot, t.assistant_at as "assistantAt",
  (select c.is_bot_blocked from contacts c where c.tenant_id = t.tenant_id and c.id = t.contact_id) as "isBotBlocked",
  t.is_hidden as "isHidden"`

/** With when its contact last wrote on its connection: that is what a 24 h window counts from, and it outlives a closed ticket. */
export type ReachedTicket = TicketState & { windowFrom: Date | null }
export const reachedTicketColumns = `${ticketStateColumns}, (select max(o.last_inbound_at) from tickets o
  where o.tenant_id = t.tenant_id and o.contact_id = t.contact_id and o.connection_id = t.connection_id) as "windowFrom"`

/** Whoever may read the ticket, unless it is hidden; with `isForVisitor` also the web chat window of its contact. */
export const ticketAudience = (ticket: TicketState, isForVisitor: boolean): Audience =>
  ticket.isHidden
    ? { kind: 'users', userIds: [] }
    : {
        kind: 'ticket',
        facts: factsOf(ticket),
        ...(isForVisitor && ticket.kind === 'webchat'
          ? { visitor: { connectionId: ticket.connectionId, contactId: ticket.contactId } }
          : {}),
      }

/**
 * The ticket after one more message: what the customer writes waits for an answer, and wakes what was put away until
 * then; what we write is an answer, and `isByPerson` the one that was promised.
 */
export const withMessage = (ticket: TicketState, message: Told, now: Date): TicketState =>
  ticket.status === 'closed' ? withAfterword(ticket, message, now) : withLiveMessage(ticket, message, now)

type Told = {
  fromMe: boolean
  isByPerson?: boolean
  isAside?: boolean
  user: Author
  type: string
  preview: string
  timestamp: Date
}
/** The members of a group among themselves, where only what is meant for us counts: nobody waits for an answer. */
const withAside = (ticket: TicketState, message: Told, now: Date): TicketState => ({
  ...ticket,
  lastMessage: message.preview,
  lastMessageType: message.type,
  lastAuthor: message.user,
  lastMessageAt: now,
  updatedAt: now,
  version: ticket.version + 1,
  lastInboundAt: latest(ticket.lastInboundAt, message.timestamp, now),
})

/** A grade, or our thanks for it: what is over stays over, waits for nobody and keeps its place in the list. */
const withAfterword = (ticket: TicketState, message: Told, now: Date): TicketState => ({
  ...ticket,
  lastMessage: message.preview,
  lastMessageType: message.type,
  lastAuthor: message.user,
  lastMessageAt: now,
  lastInboundAt: message.fromMe ? ticket.lastInboundAt : latest(ticket.lastInboundAt, message.timestamp, now),
  version: ticket.version + 1,
})

const withLiveMessage = (ticket: TicketState, message: Told, now: Date): TicketState =>
  message.isAside ? withAside(ticket, message, now) : withHeard(ticket, message, now)

const withHeard = (ticket: TicketState, message: Told, now: Date): TicketState => ({
  ...ticket,
  ...(!message.fromMe && ticket.wakesOnReply && awake(ticket, now)),
  firstAnsweredAt: ticket.firstAnsweredAt ?? (message.fromMe && message.isByPerson ? now : null),
  lastMessage: message.preview,
  lastMessageType: message.type,
  lastAuthor: message.user,
  lastMessageAt: now,
  updatedAt: now,
  version: ticket.version + 1,
  answered: message.fromMe,
  // What goes by itself is no answer: who waits for a person goes on waiting.
  waitingSince: message.fromMe ? (message.isByPerson ? null : ticket.waitingSince) : (ticket.waitingSince ?? now),
  unreadMessages: message.fromMe ? ticket.unreadMessages : ticket.unreadMessages + 1,
  lastInboundAt: message.fromMe ? ticket.lastInboundAt : latest(ticket.lastInboundAt, message.timestamp, now),
})

/** The provider's clock decides the 24 h window, but never from the future. */
const latest = (before: Date | null, told: Date, now: Date) =>
  new Date(Math.max(before?.getTime() ?? 0, Math.min(told.getTime(), now.getTime())))

/** Taken up again: the time it rested is kept, for it was not handling time. */
const awake = ({ pausedAt, pausedMs }: TicketState, now: Date) =>
  pausedAt && {
    pausedAt: null,
    pausedUntil: null,
    pauseReason: null,
    pausedMs: pausedMs + Math.max(0, now.getTime() - pausedAt.getTime()),
  }
