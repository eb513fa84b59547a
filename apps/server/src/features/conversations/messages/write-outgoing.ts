import { isWindowOpen } from '@balcao/contract/channels/abilities.ts'
import type { Purpose } from '@balcao/contract/contacts/consent.ts'
import type { Author } from '@balcao/contract/conversations/authors.ts'
import type { Message, MessagePayload, SendType } from '@balcao/contract/conversations/messages.ts'
import type { Tx } from '../../../db/database.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { hasConsent } from '../../contacts/consent/consent.ts'
import type { Directory } from '../../core/directory/directory.ts'
import type { StoredFile } from '../../core/media/media.present.ts'
import { type Draft, newMessage } from '../timeline/new-message.ts'
import { type NewMessage, storeMessages } from '../timeline/store.ts'
import type { ReachedTicket, TicketState } from '../timeline/ticket-state.ts'
import { requireFit, requireSupport } from './reach.ts'
import { wakeSender } from './sender.ts'

export type OutgoingDraft = {
  id?: string
  type: Exclude<Message['type'], 'note' | 'system' | 'reaction' | 'unsupported'>
  body: string
  file?: StoredFile | null
  location?: Message['location']
  contacts?: Message['contacts']
  payload?: MessagePayload | null
  quoted?: Message['quoted']
  isForwarded?: boolean
}
export type Outgoing = {
  /** The conversation, locked by the caller. The 24 h window is the contact's on its connection: it outlives a closed ticket. */
  ticket: ReachedTicket
  directory: Pick<Directory, 'people'>
  author: Author
  /** How it came to be. */
  cause: SendType
  purpose: Purpose
  drafts: OutgoingDraft[]
  effect?: Draft['effect']
  now?: Date
}

/**
 * The one door for what we send: checks what the channel can and takes now, its limits and the customer's consent, then
 * stores and queues, in this order. An AppError refuses the whole before anything is written.
 */
export const writeOutgoing = async (
  tx: Tx,
  outgoing: Outgoing,
): Promise<{ messages: Message[]; ticket: TicketState }> => {
  const composed = await composeOutgoing(tx, outgoing)
  const ticket = composed.at(-1)?.ticket ?? outgoing.ticket
  if (!composed.length) return { messages: [], ticket }
  const stored = await storeMessages(tx, {
    messages: composed,
    tickets: outgoing.effect === 'nothing' ? [] : [ticket],
    // A person is there: nothing answers by itself any more.
    decided: outgoing.author.kind === 'user' ? [{ ticketId: ticket.id, turn: null }] : [],
  })
  tx.afterCommit(wakeSender)
  return { messages: composed.map(({ message }, at) => ({ ...message, seq: stored[at]?.seq ?? 0 })), ticket }
}

/** The same, not stored yet: for who stores it together with what it answers. */
export const composeOutgoing = async (tx: Tx, outgoing: Outgoing): Promise<NewMessage[]> => {
  const { ticket, directory, author, cause, purpose, drafts, effect, now = new Date() } = outgoing
  for (const draft of drafts) checkDraft(ticket, draft)
  if (!(await hasConsent(tx, { contactId: ticket.contactId, channel: ticket.kind, purpose })))
    throw new AppError('ERR_NO_CONSENT')
  const composed: NewMessage[] = []
  for (const draft of drafts) {
    const before = composed.at(-1)?.ticket ?? ticket
    composed.push(
      newMessage(
        { tenantId: tx.tenantId, people: directory.people, now },
        { ...draft, ticket: before, author, fromMe: true, sendType: cause, status: 'queued', effect },
      ),
    )
  }
  return composed
}

/** For what goes by itself, which is left out where it cannot go: the refusal comes before anything is written. */
export const unlessRefused = async <T>(work: Promise<T>, otherwise: T): Promise<T> =>
  work.catch((error) => {
    if (error instanceof AppError) return otherwise
    throw error
  })

const checkDraft = ({ abilities, windowFrom }: Outgoing['ticket'], { type, body, file, quoted }: OutgoingDraft) => {
  // Choices reach every channel, as a numbered text where it has no buttons; every other type is a capability's name.
  if (type !== 'buttons') requireSupport({ abilities }, type)
  if (quoted) requireSupport({ abilities }, 'reply')
  if (type !== 'template' && !isWindowOpen(abilities, windowFrom)) throw new AppError('ERR_WINDOW_CLOSED')
  if ((type === 'text' || type === 'buttons') && !body.trim()) throw fieldErrors({ path: 'body', message: emptyText })
  if (type === 'template') return
  requireFit(abilities, body)
  const { caption } = abilities.textLimits
  if (file && body.length > caption)
    throw fieldErrors({
      path: 'body',
      message: `A legenda de um arquivo leva no máximo ${caption.toLocaleString('pt-BR')} caracteres neste canal. Envie o texto em outra mensagem.`,
    })
}

export const emptyText = 'O texto ficou vazio: o contato não tem os dados que as variáveis pedem.'
