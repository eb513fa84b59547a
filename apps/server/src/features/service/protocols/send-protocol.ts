import { cutText } from '@balcao/contract/core/cut-text.ts'
import type { protocolSent } from '@balcao/contract/service/protocols.ts'
import type { z } from 'zod'
import { withTenant } from '../../../db/database.ts'
import { type Actor, byUser } from '../../../kit/actor.ts'
import { AppError } from '../../../kit/errors.ts'
import { filledFor, lockConversation, sendSystemMessage } from '../../conversations/messages/system-messages.ts'
import { logTicket } from '../../conversations/tickets/ticket-history.ts'
import { lockVisibleTicket } from '../../conversations/tickets/tickets.service.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { makeLink } from './protocol-links.ts'

/** Tells the customer the protocol and where to follow it, and records that it was told. */
export const sendProtocol = async (actor: Actor, ticketId: string): Promise<z.output<typeof protocolSent>> => {
  const directory = await getDirectory(actor.tenantId)
  const { protocolMessage, protocolLinkDays } = directory.settings
  return withTenant(actor.tenantId, async (tx) => {
    const ticket = await lockVisibleTicket(tx, actor, ticketId)
    if (ticket.status === 'closed') throw new AppError('ERR_TICKET_CLOSED')
    if (ticket.status === 'pending')
      throw new AppError('ERR_INVALID_TRANSITION', { message: 'Aceite o atendimento antes de responder.' })
    const conversation = await lockConversation(tx, ticketId)
    if (!conversation) throw new AppError('ERR_NO_TICKET_FOUND')
    const link = await makeLink(tx, { ticketId, actor, days: protocolLinkDays })
    const withLink = (protocolMessage || fallback).replace(/\{\{\s*link\s*\}\}/g, () => link.url)
    const body = cutText(filledFor(conversation, directory, withLink, actor), conversation.abilities.textLimits.text)
    const words = { body, sendType: 'chat' as const }
    const { messageId } = await sendSystemMessage(tx, directory, conversation, words, { author: byUser(actor) })
    await logTicket(tx, byUser(actor), { ticketId, type: 'protocol', userId: actor.userId, note: 'Enviado ao cliente' })
    return {
      id: ticket.id,
      protocol: ticket.protocol,
      status: ticket.status,
      contact: { id: ticket.contactId, name: ticket.contact.name },
      user: ticket.userId ? { id: ticket.userId, name: ticket.username ?? '' } : null,
      queue: ticket.queue && { id: ticket.queue.id, name: ticket.queue.name },
      createdAt: ticket.createdAt,
      closedAt: ticket.closedAt,
      link,
      messageId: messageId ?? '',
    }
  })
}

const fallback = 'Seu protocolo é {{protocol}}. Acompanhe em {{link}}'
