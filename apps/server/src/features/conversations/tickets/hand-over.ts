import type { Abilities } from '@balcao/contract/channels/abilities.ts'
import { channels, knownAs, unreachableBecause } from '@balcao/contract/channels/index.ts'
import type { Ticket, ticketChannelBody, ticketChatBotBody } from '@balcao/contract/conversations/tickets.ts'
import { and, eq, isNull } from 'drizzle-orm'
import type { z } from 'zod'
import { type Prepared, type Tx, withTenant } from '../../../db/database.ts'
import { connections } from '../../../db/schema/channels/connections.ts'
import { contactIdentities, contacts } from '../../../db/schema/contacts/contacts.ts'
import { type Actor, byUser } from '../../../kit/actor.ts'
import { databaseProblem } from '../../../kit/database-problem.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { getDirectory, requireAssistant, requireFlow } from '../../core/directory/directory.ts'
import { leaveTurn } from '../timeline/leave-turn.ts'
import { commitTicketChange, type TicketChange } from './commit-ticket-changes.ts'
import type { Doer } from './ticket-changes.ts'
import { findActiveTicket } from './ticket-rows.ts'
import { constraintOf, getVisibleTicket, lockVisibleTicket, otherOpenTicket } from './tickets.service.ts'
import { hasVisited } from './visited.ts'
import { takeWrittenEmail } from './written-email.ts'

/**
 * PUT /ticketsChatBot/{id}: a flow or an assistant answers from now on, so nobody of the team does; with
 * neither, whatever answered by itself stops.
 */
export const handToBot = (
  actor: Actor,
  ticketId: string,
  { chatFlowId, bot, assistantId }: z.output<typeof ticketChatBotBody>,
): Promise<Ticket> =>
  withTenant(actor.tenantId, async (tx) => {
    const before = await lockVisibleTicket(tx, actor, ticketId)
    if (before.status === 'closed') throw closed('Reabra para devolver ao robô.')
    if (chatFlowId) return handToFlow(tx, actor, before, chatFlowId)
    if (!bot) {
      if (!before.bot && !before.chatFlowId) return before
      const line = `${actor.name} desligou o robô.`
      const logs = [{ type: 'bot' as const, userId: actor.userId, queueId: before.queueId }]
      const lines = [{ type: 'system' as const, body: line }]
      return commitTicketChange(tx, { before, set: { bot: null, chatFlowId: null }, logs, lines }, byUser(actor))
    }
    const isSame = before.bot === bot && before.status === 'pending' && !before.userId
    if (isSame && !assistantId) return before
    const { whatsappId: connectionId, queueId } = before
    const wanted = { bot, connectionId, queueId, assistantId, wallets: before.contact.wallets }
    const assistant = requireAssistant(await getDirectory(tx.tenantId), wanted, 'bot')
    const after = await commitTicketChange(
      tx,
      {
        before,
        set: { bot, chatFlowId: null, status: 'pending', userId: null },
        logs: [{ type: 'bot', userId: actor.userId, queueId, note: assistant.name }],
        lines: [{ type: 'system', body: `${actor.name} passou o atendimento para o assistente ${assistant.name}.` }],
      },
      byUser(actor),
    )
    await leaveTurn(tx, before.id, { owner: 'assistant', ownerId: assistant.id, payload: { start: 'hand' } })
    return after
  })

/** It begins right after, and leads until it is through or somebody of the team takes the conversation. */
const handToFlow = async (tx: Tx, actor: Actor, before: Ticket, chatFlowId: string): Promise<Ticket> => {
  const directory = await getDirectory(tx.tenantId)
  requireFlow(directory, chatFlowId)
  const flow = directory.flows.get(chatFlowId)
  const refuse = (message: string) => fieldErrors({ path: 'chatFlowId', message })
  if (before.isGroup) throw refuse('Um fluxo não conduz grupos.')
  if (!flow?.publishedId) throw refuse('Este fluxo ainda não foi publicado.')
  if (!flow.isActive) throw refuse('Este fluxo está inativo.')
  const after = await commitTicketChange(
    tx,
    {
      before,
      set: { chatFlowId, bot: null, status: 'pending', userId: null },
      logs: [{ type: 'bot', userId: actor.userId, queueId: before.queueId, note: flow.name }],
      lines: [{ type: 'system', body: `${actor.name} passou o atendimento para o fluxo ${flow.name}.` }],
    },
    byUser(actor),
  )
  const payload = { start: 'hand', userId: actor.userId }
  await leaveTurn(tx, before.id, { owner: 'flow', ownerId: chatFlowId, payload })
  return after
}

type Target = { id: string; name: string; kind: keyof typeof channels; abilities: Abilities }

/** PUT /ticketsChannelId/{id}: the conversation goes on over another connection on which the customer can be reached. */
export const changeConnection = async (
  actor: Actor,
  ticketId: string,
  { whatsappId, channel }: z.output<typeof ticketChannelBody>,
): Promise<Ticket> => {
  const move = withTenant(actor.tenantId, async (tx) => {
    const before = await lockVisibleTicket(tx, actor, ticketId)
    const target = await getTarget(tx, whatsappId)
    if (channel && channel !== target.kind)
      throw fieldErrors({ path: 'channel', message: `Este canal é de ${channels[target.kind].label}.` })
    const change = await planMove(tx, before, target, actor)
    return change ? commitTicketChange(tx, change, byUser(actor)) : before
  })
  return move.catch((error) => explainMove(error, { actor, ticketId, whatsappId }))
}

type Move = { actor: Actor; ticketId: string; whatsappId: string }
/** The customer wrote there while we moved: their new ticket came first. */
export const explainMove = (error: unknown, { actor, ticketId, whatsappId }: Move): Promise<never> => {
  if (constraintOf(error) !== 'tickets_active') throw databaseProblem(error)
  return withTenant(actor.tenantId, async (tx) => {
    const ticket = await getVisibleTicket(tx, actor, ticketId)
    throw otherOpenTicket(await findActiveTicket(tx, whatsappId, ticket.contactId))
  })
}

/** The connection a conversation may be moved to. */
export const getTarget = async (tx: Tx, connectionId: string): Promise<Target> => {
  const [target] = await tx.db
    .select({ id: connections.id, name: connections.name, kind: connections.kind, abilities: connections.abilities })
    .from(connections)
    .where(and(eq(connections.tenantId, tx.tenantId), eq(connections.id, connectionId), isNull(connections.deletedAt)))
  if (!target) throw new AppError('ERR_NO_WAPP_FOUND')
  return target
}

/**
 * The move of a locked ticket; none where it is there already. Messages keep the connection they went over; what is
 * still being sent goes out over it.
 */
export const planMove = async (
  tx: Tx,
  before: Ticket,
  target: Target,
  actor: Doer,
): Promise<TicketChange | undefined> => {
  if (before.status === 'closed') throw closed('Reabra para mudar de canal.')
  if (before.whatsappId === target.id) return undefined
  await takeWrittenEmail(tx, before.contactId, target.id)
  if (!(await isReachable(tx, before, target))) throw new AppError('ERR_CONTACT_UNREACHABLE')
  const other = await findActiveTicket(tx, target.id, before.contactId)
  if (other) throw otherOpenTicket(other)
  const note = `${before.whatsapp.name} → ${target.name}`
  const [heard] = await tx.rows<{ at: Date | null }>(lastHeardOn, [tx.tenantId, before.contactId, target.id, before.id])
  return {
    before,
    set: { connectionId: target.id, lastInboundAt: heard?.at ?? null },
    logs: [{ type: 'channel', userId: actor.userId, queueId: before.queueId, note }],
    lines: [{ type: 'system', body: `${actor.name} mudou o canal do atendimento para ${target.name}.` }],
  }
}

/** When the contact last wrote over this connection: the 24 h window is that connection's, and does not move along. */
const lastHeardOn: Prepared = {
  name: 'ticket_last_heard_on',
  text: `select greatest(
    (select max(o.last_inbound_at) from tickets o where o.tenant_id = $1 and o.contact_id = $2 and o.connection_id = $3),
    (select least(h.timestamp, h.created_at) from messages h where h.tenant_id = $1 and h.ticket_id = $4
      and not h.from_me and h.connection_id = $3 order by h.seq desc limit 1)) as at`,
}

/** A phone is reached on any WhatsApp number; a visitor only in the web chat they opened. */
const isReachable = async (tx: Tx, ticket: Ticket, target: Target): Promise<boolean> => {
  if (target.kind === 'webchat') {
    const [found] = await tx.rows<{ isVisited: boolean }>(visitedBefore, [tx.tenantId, target.id, ticket.contactId])
    return found?.isVisited === true
  }
  const known = await tx.db
    .select({ kind: contactIdentities.kind, value: contactIdentities.value, number: contacts.number })
    .from(contacts)
    .leftJoin(
      contactIdentities,
      and(eq(contactIdentities.tenantId, contacts.tenantId), eq(contactIdentities.contactId, contacts.id)),
    )
    .where(and(eq(contacts.tenantId, tx.tenantId), eq(contacts.id, ticket.contactId)))
  const identities = known.flatMap(({ kind, value }) =>
    kind && value && (kind === 'group') === ticket.isGroup ? [knownAs({ kind, value })] : [],
  )
  const number = ticket.isGroup ? null : (known[0]?.number ?? null)
  return unreachableBecause({ number, identities }, target.kind, target.abilities) === null
}

const visitedBefore: Prepared = {
  name: 'ticket_visited_before',
  text: `select ${hasVisited({ tenant: '$1', connection: '$2::uuid', contact: '$3' })} as "isVisited"`,
}

const closed = (todo: string) =>
  new AppError('ERR_TICKET_CLOSED', { message: `Este atendimento está encerrado. ${todo}` })
