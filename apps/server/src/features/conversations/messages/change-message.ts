import type { Message } from '@balcao/contract/conversations/messages.ts'
import type { Prepared, Tx } from '../../../db/database.ts'
import type { StoredReaction } from '../../../db/schema/conversations/messages.ts'
import { emit } from '../../../kit/outbox.ts'
import type { Person } from '../../core/directory/directory.ts'
import { refreshLastMessages } from '../tickets/last-message.ts'
import { type MessageRow, presentMessage } from '../timeline/messages.present.ts'
import { type TicketState, ticketAudience, ticketStateColumns } from '../timeline/ticket-state.ts'
import { messageById } from './messages.queries.ts'

type Patch = {
  body?: string
  editedAt?: Date
  isDeleted?: boolean
  reactions?: StoredReaction[]
  mediaId?: string
  mediaState?: Message['mediaState']
  /** Why its file is not here, with a `mediaState`. */
  mediaError?: string
}

/** Changes a stored message and tells whoever sees it. An edit keeps what was written before. */
export const changeMessage = async (
  tx: Tx,
  people: ReadonlyMap<string, Pick<Person, 'name'>>,
  id: string,
  patch: Patch,
): Promise<Message> => {
  await tx.rows(update, [
    tx.tenantId,
    id,
    patch.body ?? null,
    patch.editedAt ?? null,
    patch.isDeleted ?? null,
    patch.reactions ? JSON.stringify(patch.reactions) : null,
    patch.mediaId ?? null,
    patch.mediaState ?? null,
    patch.mediaError ?? null,
  ])
  const [row] = await tx.rows<MessageRow>(messageById, [tx.tenantId, id])
  const [ticket] = row ? await tx.rows<TicketState>(ticketById, [tx.tenantId, row.ticketId]) : []
  if (!row || !ticket) throw new Error('The changed message is gone')
  const message = presentMessage(row, tx.tenantId, people)
  await emit(tx, 'message.updated', message, ticketAudience(ticket, row.type !== 'note'))
  if (patch.body !== undefined || patch.isDeleted) await refreshLastMessages(tx, [row.ticketId])
  return message
}

const update: Prepared = {
  name: 'message_change',
  text: `update messages set
      edits = case when $3::text is null or body = $3 then edits
        else coalesce(edits, '[]') || jsonb_build_object('body', body, 'at', coalesce(edited_at, timestamp)) end,
      body = coalesce($3, body), edited_at = coalesce($4::timestamptz, edited_at), is_deleted = coalesce($5::boolean, is_deleted),
      reactions = coalesce($6::jsonb, reactions), media_id = coalesce($7::uuid, media_id), media_state = coalesce($8, media_state),
      error = case when $8::text is null then error else $9 end,
      version = version + 1
    where tenant_id = $1 and id = $2`,
}
const ticketById: Prepared = {
  name: 'ticket_state',
  text: `select ${ticketStateColumns} from tickets t where t.tenant_id = $1 and t.id = $2`,
}
