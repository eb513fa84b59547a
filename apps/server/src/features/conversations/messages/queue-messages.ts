import type { Message, MessagePayload } from '@balcao/contract/conversations/messages.ts'
import type { Tx } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import type { Directory } from '../../core/directory/directory.ts'
import type { StoredFile } from '../../core/media/media.present.ts'
import { previewOf } from '../tickets/preview.ts'
import { presentMessage } from './messages.present.ts'
import { wakeSender } from './sender.ts'
import { storeMessages } from './store.ts'
import { type TicketState, ticketAudience, withMessage } from './ticket-state.ts'

export type MessageDraft = {
  id: string
  type: Message['type']
  body: string
  file?: StoredFile | null
  location?: Message['location']
  contacts?: Message['contacts']
  payload?: MessagePayload | null
  isForwarded?: boolean
}

/** Writes what a person sends to a conversation the caller holds locked, in this order, and queues it for its channel. */
export const queueMessages = async (
  tx: Tx,
  {
    ticket,
    actor,
    directory,
    drafts,
  }: { ticket: TicketState; actor: Actor; directory: Directory; drafts: MessageDraft[] },
): Promise<Message[]> => {
  const now = new Date()
  let state = ticket
  const messages = drafts.map((draft) => {
    const message = presentMessage(
      {
        id: draft.id,
        seq: 0,
        ticketId: ticket.id,
        contactId: ticket.contactId,
        connectionId: ticket.connectionId,
        fromMe: true,
        type: draft.type,
        body: draft.body,
        file: draft.file ?? null,
        mediaState: draft.file ? 'ready' : 'none',
        location: draft.location ?? null,
        contacts: draft.contacts ?? null,
        payload: draft.payload ?? null,
        isForwarded: draft.isForwarded ?? false,
        quoted: null,
        reactions: null,
        status: 'queued',
        error: null,
        providerId: null,
        userId: actor.userId,
        isDeleted: false,
        editedAt: null,
        timestamp: now,
        createdAt: now,
        version: 1,
      },
      tx.tenantId,
      directory.people,
    )
    const preview = previewOf({ ...message, mediaName: draft.file?.name })
    state = withMessage(state, { ...message, isByPerson: true, preview, timestamp: now }, now)
    return { message, ticket: state, mediaId: draft.file?.id ?? null }
  })
  const stored = await storeMessages(tx, {
    messages: messages.map((one) => ({
      ...one,
      connectionId: ticket.connectionId,
      audience: ticketAudience(one.ticket, true),
    })),
    tickets: [state],
  })
  tx.afterCommit(wakeSender)
  return messages.map(({ message }, at) => ({ ...message, seq: stored[at]?.seq ?? 0 }))
}
