import type { MessagePayload } from '@balcao/contract/conversations/messages.ts'
import type { Prepared, Tx } from '../../../db/database.ts'
import { emit } from '../../../kit/outbox.ts'
import type { Directory } from '../../core/directory/directory.ts'
import { refreshLastMessages } from '../tickets/last-message.ts'
import { type MessageRow, presentMessage } from '../timeline/messages.present.ts'
import { type TicketState, ticketAudience, ticketStateColumns } from '../timeline/ticket-state.ts'
import { messageById } from './messages.queries.ts'

/** What was said in an audio, as the words of its message; or why it could not be written down. */
export const writeTranscript = async (
  tx: Tx,
  { people }: Pick<Directory, 'people'>,
  id: string,
  { text, ...transcript }: { text?: string } & NonNullable<MessagePayload['transcript']>,
) => {
  await tx.rows(write, [tx.tenantId, id, text ?? null, JSON.stringify({ transcript })])
  const [row] = await tx.rows<MessageRow>(messageById, [tx.tenantId, id])
  const [ticket] = row ? await tx.rows<TicketState>(ticketById, [tx.tenantId, row.ticketId]) : []
  if (!row || !ticket) return
  await emit(tx, 'message.updated', presentMessage(row, tx.tenantId, people), ticketAudience(ticket, true))
  if (text !== undefined) await refreshLastMessages(tx, [row.ticketId])
}

const write: Prepared = {
  name: 'message_transcript',
  text: `update messages set body = coalesce($3, body), payload = coalesce(payload, '{}'::jsonb) || $4::jsonb, version = version + 1
    where tenant_id = $1 and id = $2 and type = 'audio' and not is_deleted`,
}
const ticketById: Prepared = {
  name: 'ticket_state',
  text: `select ${ticketStateColumns} from tickets t where t.tenant_id = $1 and t.id = $2`,
}
