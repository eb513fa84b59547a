import type { Ticket, ticketNotificationBody, ticketNotified } from '@balcao/contract/conversations/tickets.ts'
import type { z } from 'zod'
import { withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { AppError } from '../../../kit/errors.ts'
import { emit } from '../../../kit/outbox.ts'
import { type Directory, getDirectory } from '../../core/directory/directory.ts'
import { factsOf } from '../timeline/ticket-facts.ts'
import { viewersOf } from './tickets.policy.ts'
import { getVisibleTicket } from './tickets.service.ts'

/**
 * POST /ticketsNotification/{id}: calls who has the conversation and who takes part in it; where nobody does, or when
 * asked for, the members of its queue. Nobody is called to what they may not see.
 */
export const callResponsible = async (
  actor: Actor,
  ticketId: string,
  { type }: z.output<typeof ticketNotificationBody>,
): Promise<z.output<typeof ticketNotified>> => {
  const directory = await getDirectory(actor.tenantId)
  return withTenant(actor.tenantId, async (tx) => {
    const ticket = await getVisibleTicket(tx, actor, ticketId)
    const ids = meant(directory, ticket, type).filter((id) => id !== actor.userId)
    if (!ids.length)
      throw new AppError('ERR_NO_USER_FOUND', { message: 'Não há outra pessoa para chamar neste atendimento.' })
    const text = `${actor.name} chama você na conversa com ${ticket.name}.`
    const notice = { ticketId, kind: 'call' as const, text, messageId: null }
    await emit(tx, 'ticket.notice', notice, { kind: 'users', userIds: ids })
    return { notified: ids.map((id) => ({ id, name: directory.people.get(id)?.name ?? '' })) }
  })
}

const meant = (directory: Directory, ticket: Ticket, type: 'responsible' | 'queue'): string[] => {
  const viewers = viewersOf(directory, factsOf(ticket))
  const own = viewers.filter((id) => id === ticket.userId || ticket.sharedWith.includes(id))
  if (type === 'responsible' && own.length) return own
  const { queueId } = ticket
  return queueId ? viewers.filter((id) => directory.people.get(id)?.queueIds.includes(queueId)) : []
}
