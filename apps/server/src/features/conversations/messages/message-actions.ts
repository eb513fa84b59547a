import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import { longestNote, type Message, tooLong } from '@balcao/contract/conversations/messages.ts'
import { ChannelError } from '../../../channels/adapter.ts'
import { type Prepared, type Tx, withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { log } from '../../../kit/log.ts'
import { announce } from '../../../kit/signals/signals.ts'
import { findConnection, type OpenConnection } from '../../channels/connections/context.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { updateTicket } from '../tickets/tickets.service.ts'
import { type MessageRow, presentMessage } from '../timeline/messages.present.ts'
import { type TicketState, ticketStateColumns } from '../timeline/ticket-state.ts'
import { changeMessage } from './change-message.ts'
import { wakeMediaFetcher } from './media-fetcher.ts'
import { identitiesOf, lastInbound, messageById } from './messages.queries.ts'
import { isNotSent } from './not-sent.ts'
import { identitiesFor, requireFit, requireSupport, sendableNow } from './reach.ts'
import { wakeSender } from './sender.ts'
import { saveStatuses } from './statuses.ts'
import { requireMessage, requireVisible } from './visible.ts'

/** A person decided to send a failed or uncertain message once more. */
export const resendMessage = async (actor: Actor, messageId: string): Promise<Message> => {
  const directory = await getDirectory(actor.tenantId)
  return withTenant(actor.tenantId, async (tx) => {
    const { ticket } = await requireMessage(tx, actor, directory, messageId)
    if (ticket.status !== 'open')
      throw new AppError(ticket.status === 'closed' ? 'ERR_TICKET_CLOSED' : 'ERR_INVALID_TRANSITION')
    const [kept] = await tx.rows<object>(lockStranded, [tx.tenantId, messageId])
    if (!kept) throw new AppError('ERR_MESSAGE_NOT_RESENDABLE')
    const [queued] = await tx.rows<{ version: number }>(requeue, [tx.tenantId, messageId])
    if (!queued) throw new AppError('ERR_WINDOW_CLOSED')
    const change = {
      id: messageId,
      status: 'queued' as const,
      error: null,
      providerId: null,
      ticket,
      isChanged: true,
      isUnreachable: false,
    }
    await saveStatuses(tx, [{ ...change, version: queued.version + 1 }])
    await tx.rows(askAddressAnew, [tx.tenantId, ticket.contactId, identitiesFor(ticket.kind)])
    tx.afterCommit(wakeSender)
    return presentAgain(tx, actor, messageId)
  })
}
/** Whoever tries again knows that it was mended; a new refusal marks it again. */
const askAddressAnew: Prepared = {
  name: 'message_ask_address_anew',
  text: `update contact_identities set unreachable_reason = null
    where tenant_id = $1 and contact_id = $2 and kind = any($3::text[]) and unreachable_reason is not null`,
}
/** The file of a message could not be had; it is asked for once more. */
export const fetchFileAgain = async (actor: Actor, messageId: string): Promise<Message> => {
  const directory = await getDirectory(actor.tenantId)
  return withTenant(actor.tenantId, async (tx) => {
    await requireMessage(tx, actor, directory, messageId)
    const [wanted] = await tx.rows(wantFile, [tx.tenantId, messageId])
    if (!wanted) return presentAgain(tx, actor, messageId)
    tx.afterCommit(wakeMediaFetcher)
    return changeMessage(tx, directory.people, messageId, { mediaState: 'fetching' })
  })
}
const wantFile: Prepared = {
  name: 'message_want_file',
  text: `update messages set attempts = 0, next_attempt_at = null
    where tenant_id = $1 and id = $2 and media_state = 'failed' and media_source is not null and not is_deleted returning id`,
}

/** Not on its way, not there, not taken back. */
const lockStranded: Prepared = {
  name: 'message_lock_stranded',
  text: `select from messages m
    where m.tenant_id = $1 and m.id = $2 and m.from_me and m.status in ('failed', 'uncertain') and not m.is_deleted
    for no key update of m`,
}
/** A status of the former attempt finds no message any more. */
const requeue: Prepared = {
  name: 'message_requeue',
  text: `update messages m set status = 'queued', provider_id = null, attempts = 0, next_attempt_at = null, claimed_by = null, claimed_at = null
    from connections n where m.tenant_id = $1 and m.id = $2 and n.tenant_id = m.tenant_id and n.id = m.connection_id
      and ${sendableNow} returning m.version`,
}

/** Our reaction to a message; an empty one takes it back. The provider first: what it refuses is not shown. */
export const reactToMessage = async (
  actor: Actor,
  { messageId, emoji }: { messageId: string; emoji: string },
): Promise<Message> => {
  const { message, ticket, to, author } = await target(actor, messageId)
  requireSupport(ticket, 'reaction')
  if (emoji && ticket.abilities.reactions && !ticket.abilities.reactions.includes(emoji))
    throw new AppError('ERR_CHANNEL_UNSUPPORTED')
  const { providerId, fromMe } = message
  if (!providerId) throw new AppError('ERR_FETCH_WAPP_MSG')
  const connection = await requireConnection(ticket)
  await asked(async () => connection.adapter.react?.({ providerId, to, emoji, fromMe, author }, connection.context))
  return change(actor, messageId, (before) => {
    const others = (before.reactions ?? []).filter((one) => !one.fromMe)
    return { reactions: emoji ? [...others, { emoji, fromMe: true, userId: actor.userId }] : others }
  })
}

/** Takes back a message of ours for everyone, where the channel can; a note, for the team. */
export const deleteMessage = async (actor: Actor, messageId: string): Promise<Message> => {
  const { message, ticket, to } = await target(actor, messageId)
  requireOwn(message, actor, 'ERR_DELETE_WAPP_MSG')
  if (message.type !== 'note') {
    // What was not sent is given up, on any channel.
    if (!isNotSent(message.status)) requireSupport(ticket, 'delete')
    const { providerId } = message
    const connection = providerId || !isNotSent(message.status) ? await requireConnection(ticket) : undefined
    if (providerId) await asked(async () => connection?.adapter.remove?.({ providerId, to }, connection.context))
  }
  return change(actor, messageId, (before) => {
    // Somebody may have sent it once more meanwhile.
    requireOwn(before, actor, 'ERR_DELETE_WAPP_MSG')
    return { isDeleted: true }
  })
}

/** Corrects the text of a message of ours, where the channel can; what it said before is kept. */
export const editMessage = async (actor: Actor, messageId: string, body: string): Promise<Message> => {
  const { message, ticket, to } = await target(actor, messageId)
  requireOwn(message, actor, 'ERR_NO_PERMISSION')
  if (message.type === 'note') {
    if (body.length > longestNote) throw fieldErrors({ path: 'body', message: tooLong(longestNote) })
  } else {
    if (message.type !== 'text') throw new AppError('ERR_CHANNEL_UNSUPPORTED')
    requireSupport(ticket, 'edit')
    requireFit(ticket.abilities, body)
    const { providerId } = message
    const connection = await requireConnection(ticket)
    if (providerId) await asked(async () => connection.adapter.edit?.({ providerId, to, body }, connection.context))
  }
  return change(actor, messageId, (before) => {
    requireOwn(before, actor, 'ERR_NO_PERMISSION')
    return { body, editedAt: new Date() }
  })
}

/** The person has read the conversation: the counter goes to zero and the customer's channel hears of it. */
export const markTicketRead = async (actor: Actor, ticketId: string): Promise<void> => {
  const { ticket, connection, to, last } = await conversation(actor, ticketId)
  if (ticket.unreadMessages === 0) return
  await updateTicket(actor, ticketId, { unreadMessages: 0 })
  if (!last || !connection) return
  const read = { providerId: last.providerId, to, author: last.author ?? undefined }
  await quietly(actor, async () => connection.adapter.markRead?.(read, connection.context))
}

/** Shows the customer that somebody is writing, or recording. */
export const showTyping = async (actor: Actor, ticketId: string): Promise<void> => {
  const { ticket, connection, to, last } = await conversation(actor, ticketId)
  if (ticket.status !== 'open' || !connection) return
  const lastInboundProviderId = last?.providerId ?? null
  await quietly(actor, async () => connection.adapter.typing?.({ to, lastInboundProviderId }, connection.context))
}

type Answering = { name: string; isTyping: boolean }
/** The same where nobody of the team writes: what answers by itself is at it. Providers end the sign by themselves. */
export const showAnswering = async (
  tenantId: number,
  ticketId: string,
  { name, isTyping }: Answering,
): Promise<void> => {
  try {
    const found = await withTenant(tenantId, async (tx) => {
      const [ticket] = await tx.rows<TicketState>(ticketStateById, [tenantId, ticketId])
      const [last] = await tx.rows<{ providerId: string }>(lastInbound, [tenantId, ticketId])
      return ticket && { ticket, last, to: await addressesOf(tx, ticket) }
    })
    if (found?.ticket.kind === 'webchat') {
      const { connectionId, contactId } = found.ticket
      announce('contact.answering', { tenantId, connectionId, contactId, name, isTyping })
      return
    }
    if (!isTyping) return
    const connection = found && (await findConnection(found.ticket.connectionId))
    if (!connection?.adapter.typing || !connection.abilities.supports.includes('typing')) return
    const lastInboundProviderId = found?.last?.providerId ?? null
    await connection.adapter.typing({ to: found?.to ?? [], lastInboundProviderId }, connection.context)
  } catch (error) {
    // A courtesy: the answer comes all the same.
    log.info({ err: error, tenantId, ticketId }, 'typing not shown')
  }
}
const ticketStateById: Prepared = {
  name: 'ticket_state_of_answering',
  text: `select ${ticketStateColumns} from tickets t where t.tenant_id = $1 and t.id = $2`,
}

/** Refuses whoever may not see the ticket. */
export const requireTicket = async (actor: Actor, ticketId: string): Promise<void> => {
  const directory = await getDirectory(actor.tenantId)
  await withTenant(actor.tenantId, (tx) => requireVisible(tx, actor, directory, ticketId))
}

const conversation = async (actor: Actor, ticketId: string) => {
  const directory = await getDirectory(actor.tenantId)
  const found = await withTenant(actor.tenantId, async (tx) => {
    const ticket = await requireVisible(tx, actor, directory, ticketId)
    const [last] = await tx.rows<{ providerId: string; author: Identity[] | null }>(lastInbound, [
      tx.tenantId,
      ticketId,
    ])
    return { ticket, last, to: await addressesOf(tx, ticket) }
  })
  // Reading does not need the channel: it may have been deleted.
  return { ...found, connection: await findConnection(found.ticket.connectionId) }
}

const target = async (actor: Actor, messageId: string) => {
  const directory = await getDirectory(actor.tenantId)
  return withTenant(actor.tenantId, async (tx) => {
    const { message, ticket } = await requireMessage(tx, actor, directory, messageId)
    if (message.isDeleted) throw new AppError('ERR_FETCH_WAPP_MSG')
    const speaker = message.author?.kind === 'contact' ? message.author.id : null
    const author = speaker ? await tx.rows<Identity>(identitiesOf, [tx.tenantId, speaker]) : undefined
    return { message, ticket, to: await addressesOf(tx, ticket), author }
  })
}

const addressesOf = (tx: Tx, ticket: TicketState) => tx.rows<Identity>(identitiesOf, [tx.tenantId, ticket.contactId])

const requireConnection = async (ticket: TicketState): Promise<OpenConnection> => {
  const connection = await findConnection(ticket.connectionId)
  if (!connection) throw new AppError('ERR_NO_WAPP_FOUND')
  return connection
}

/** Only the author, or who may moderate, and only once it has left or failed: what is on its way is not ours to change. */
const requireOwn = (message: MessageRow, actor: Actor, code: 'ERR_DELETE_WAPP_MSG' | 'ERR_NO_PERMISSION') => {
  const isAuthor = message.fromMe && (message.userId === actor.userId || actor.permissions.has('messages.moderate'))
  if (!isAuthor || message.type === 'system' || ['queued', 'sending'].includes(message.status)) throw new AppError(code)
}

const change = async (
  actor: Actor,
  messageId: string,
  patchOf: (before: MessageRow) => Parameters<typeof changeMessage>[3],
): Promise<Message> => {
  const directory = await getDirectory(actor.tenantId)
  return withTenant(actor.tenantId, async (tx) => {
    await tx.rows(lockMessage, [tx.tenantId, messageId])
    const { message } = await requireMessage(tx, actor, directory, messageId)
    if (message.isDeleted) throw new AppError('ERR_FETCH_WAPP_MSG')
    return changeMessage(tx, directory.people, messageId, patchOf(message))
  })
}
const lockMessage: Prepared = {
  name: 'message_lock',
  text: 'select id from messages where tenant_id = $1 and id = $2 for no key update',
}

const presentAgain = async (tx: Tx, actor: Actor, messageId: string): Promise<Message> => {
  const { people } = await getDirectory(actor.tenantId)
  const [row] = await tx.rows<MessageRow>(messageById, [tx.tenantId, messageId])
  if (!row) throw new AppError('ERR_FETCH_WAPP_MSG')
  return presentMessage(row, tx.tenantId, people)
}

/** The provider's refusal in its own words. */
const asked = async (work: () => Promise<void>) => {
  try {
    await work()
  } catch (error) {
    if (error instanceof ChannelError) throw new AppError('ERR_SENDING_WAPP_MSG', { message: error.textForCaller })
    throw error
  }
}

/** A courtesy: nobody waits for it and nobody is told when it fails. */
const quietly = async (actor: Actor, work: () => Promise<void>) => {
  try {
    await work()
  } catch (error) {
    log.info({ err: error, tenantId: actor.tenantId }, 'provider did not take a courtesy')
  }
}
