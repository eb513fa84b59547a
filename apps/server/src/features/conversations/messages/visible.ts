import type { Prepared, Tx } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { AppError } from '../../../kit/errors.ts'
import type { Directory } from '../../core/directory/directory.ts'
import { canSee, viewerOf } from '../tickets/tickets.policy.ts'
import type { MessageRow } from '../timeline/messages.present.ts'
import { factsOf } from '../timeline/ticket-facts.ts'
import { type TicketState, ticketStateColumns } from '../timeline/ticket-state.ts'
import { messageById } from './messages.queries.ts'

const byId: Prepared = {
  name: 'ticket_state_by_id',
  text: `select ${ticketStateColumns} from tickets t where t.tenant_id = $1 and t.id = $2`,
}

/** The ticket, for somebody who may see it; for everybody else there is none. */
export const requireVisible = async (
  tx: Tx,
  actor: Actor,
  directory: Directory,
  ticketId: string,
): Promise<TicketState> => {
  const [ticket] = await tx.rows<TicketState>(byId, [tx.tenantId, ticketId])
  if (!ticket || !canSee(viewerOf(directory, actor.userId), factsOf(ticket))) throw new AppError('ERR_NO_TICKET_FOUND')
  return ticket
}

/** A message of a ticket this person may see, with the ticket. */
export const requireMessage = async (
  tx: Tx,
  actor: Actor,
  directory: Directory,
  messageId: string,
): Promise<{ message: MessageRow; ticket: TicketState }> => {
  const [message] = await tx.rows<MessageRow>(messageById, [tx.tenantId, messageId])
  if (!message) throw new AppError('ERR_FETCH_WAPP_MSG')
  return { message, ticket: await requireVisible(tx, actor, directory, message.ticketId) }
}
