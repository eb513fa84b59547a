import { channels } from '@balcao/contract/channels/index.ts'
import type { Interactive, SendType } from '@balcao/contract/conversations/messages.ts'
import { fillVariables } from '@balcao/contract/variables.ts'
import { v7 } from 'uuid'
import type { Prepared, Tx } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import type { Directory } from '../../core/directory/directory.ts'
import { previewOf } from '../tickets/preview.ts'
import { authorOf, presentMessage } from './messages.present.ts'
import { wakeSender } from './sender.ts'
import { type NewMessage, storeMessages } from './store.ts'
import { type TicketState, ticketAudience, ticketStateColumns, withMessage } from './ticket-state.ts'

/** A conversation as the words around its end need it, locked until the transaction ends. */
export type Conversation = TicketState & {
  protocol: string
  startedAt: Date | null
  /** The 24 h window is the contact's on this connection: it outlives a closed ticket. */
  windowFrom: Date | null
  farewellMessage: string
  sendEvaluation: boolean
  contact: {
    name: string
    email: string | null
    number: string | null
    extraInfo: { name: string; value: string }[]
  }
}
export const lockConversation = async (tx: Tx, ticketId: string): Promise<Conversation | undefined> =>
  (await tx.rows<Conversation>(lockStatement, [tx.tenantId, ticketId]))[0]

/** Free text reaches the customer now. */
export const isReachable = ({ kind, windowFrom }: Pick<Conversation, 'kind' | 'windowFrom'>, now = Date.now()) => {
  const channel: { windowHours?: number } = channels[kind]
  return !channel.windowHours || (windowFrom?.getTime() ?? 0) + channel.windowHours * 3_600_000 > now
}

/** A text of the company, its variables filled in for this conversation. */
export const filledFor = (
  { contact, protocol }: Conversation,
  { timezone, people }: Directory,
  text: string,
  actor: Pick<Actor, 'userId' | 'name'> | null,
) =>
  fillVariables(text, {
    name: contact.name,
    email: contact.email,
    phoneNumber: contact.number,
    extra: contact.extraInfo,
    protocol,
    user: actor?.name,
    userEmail: actor && people.get(actor.userId)?.email,
    timeZone: timezone,
  }).trim()

/** What a message may hold. */
export const longestBody = 4_096

export type SystemMessage = {
  body: string
  sendType: SendType
  /** Who of the team says it; null: the company by itself. */
  userId?: string | null
  interactive?: Interactive
}

/** Queues words for the customer, in this order, and tells how the ticket stands with them in it. */
export const enqueueSystemMessages = async <T extends TicketState>(
  tx: Tx,
  directory: Directory,
  ticket: T,
  words: SystemMessage[],
): Promise<T & { messageIds: string[] }> => {
  const now = new Date()
  let after: TicketState = ticket
  const messages = words.map((one) => {
    const type = one.interactive ? 'buttons' : 'text'
    const preview = previewOf({ type, body: one.body })
    const user = authorOf(one.userId ?? null, directory.people)
    after = withMessage(after, { fromMe: true, isByPerson: Boolean(user), user, type, preview, timestamp: now }, now)
    return ourMessage(tx.tenantId, directory, after, one, now)
  })
  if (messages.length) {
    await storeMessages(tx, { messages, tickets: [after] })
    tx.afterCommit(wakeSender)
  }
  return { ...ticket, ...after, messageIds: messages.map(({ message }) => message.id) }
}

/** A message of ours, ready to be stored; as a `line` only the team reads it. */
export const ourMessage = (
  tenantId: number,
  directory: Pick<Directory, 'people'>,
  ticket: TicketState,
  words: SystemMessage | { line: string },
  now: Date,
): NewMessage => {
  const isLine = 'line' in words
  const message = presentMessage(
    {
      id: v7(),
      seq: 0,
      ticketId: ticket.id,
      contactId: ticket.contactId,
      connectionId: ticket.connectionId,
      fromMe: true,
      type: isLine ? 'system' : words.interactive ? 'buttons' : 'text',
      body: isLine ? words.line : words.body,
      payload: !isLine && words.interactive ? { interactive: words.interactive } : null,
      sendType: isLine ? 'chat' : words.sendType,
      file: null,
      mediaState: 'none',
      location: null,
      contacts: null,
      quoted: null,
      reactions: null,
      status: isLine ? 'received' : 'queued',
      error: null,
      providerId: null,
      userId: isLine ? null : (words.userId ?? null),
      isDeleted: false,
      editedAt: null,
      timestamp: now,
      createdAt: now,
      version: 1,
    },
    tenantId,
    directory.people,
  )
  return { message, ticket, connectionId: ticket.connectionId, audience: ticketAudience(ticket, !isLine) }
}

const lockStatement: Prepared = {
  name: 'closing_conversation',
  text: `select ${ticketStateColumns}, t.protocol, t.started_at as "startedAt",
      (select max(o.last_inbound_at) from tickets o where o.tenant_id = t.tenant_id
        and o.contact_id = t.contact_id and o.connection_id = t.connection_id) as "windowFrom",
      x.farewell_message as "farewellMessage", x.send_evaluation as "sendEvaluation",
      jsonb_build_object('name', c.name, 'email', c.email, 'number', c.number, 'extraInfo', c.extra_info) as contact
    from tickets t join contacts c on c.tenant_id = t.tenant_id and c.id = t.contact_id
      join connections x on x.tenant_id = t.tenant_id and x.id = t.connection_id
    where t.tenant_id = $1 and t.id = $2 for no key update of t`,
}
