import type { Abilities } from '@balcao/contract/channels/abilities.ts'
import { isWindowOpen } from '@balcao/contract/channels/window.ts'
import type { Purpose } from '@balcao/contract/contacts/consent.ts'
import type { Author } from '@balcao/contract/conversations/authors.ts'
import type { Message, MessagePayload, SendType } from '@balcao/contract/conversations/messages.ts'
import { v5, v7 } from 'uuid'
import type { Tx } from '../../../db/database.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { hasConsent } from '../../contacts/consent/consent.ts'
import type { StoredFile } from '../../core/media/media.present.ts'
import { type Draft, newMessage } from '../timeline/new-message.ts'
import { type MailBody, type NewMessage, storeMessages } from '../timeline/store.ts'
import type { ReachedTicket, TicketState } from '../timeline/ticket-state.ts'
import { requireFit, requireMailFit, requirePollFit, requireRequestFit, requireSupport } from './reach.ts'
import { wakeSender } from './sender.ts'
import { mailSignatureOf, prefersSigned, type Signers } from './signature.ts'

export type OutgoingDraft = {
  id?: string
  type: Exclude<Message['type'], 'note' | 'system' | 'reaction' | 'unsupported'>
  body: string
  file?: StoredFile | null
  location?: Message['location']
  contacts?: Message['contacts']
  payload?: MessagePayload | null
  /** Of an e-mail: the same as it looks. */
  mailBody?: MailBody
  /** Whether the e-mail is signed, where who writes it said so. */
  isSigned?: boolean
  quoted?: Message['quoted']
  isForwarded?: boolean
  /** It leaves so long from now at the earliest, in milliseconds; what follows it waits as well. */
  afterMs?: number
}
export type Outgoing = {
  /** The conversation, locked by the caller. The 24 h window is the contact's on its connection: it outlives a closed ticket. */
  ticket: ReachedTicket
  directory: Signers
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
  storeMessages(tx, {
    messages: composed,
    tickets: outgoing.effect === 'nothing' ? [] : [ticket],
    // A person is there: nothing answers by itself any more.
    decided: outgoing.author.kind === 'user' ? [{ ticketId: ticket.id, turn: null }] : [],
  })
  tx.afterCommit(wakeSender)
  return { messages: composed.map(({ message }) => message), ticket }
}

/** The same, not stored yet: for who stores it together with what it answers. */
export const composeOutgoing = async (tx: Tx, outgoing: Outgoing): Promise<NewMessage[]> => {
  const { contactId, kind } = outgoing.ticket
  const drafts = checkedDrafts(outgoing)
  if (!(await hasConsent(tx, { contactId, channel: kind, purpose: outgoing.purpose })))
    throw new AppError('ERR_NO_CONSENT')
  return composed(tx, outgoing, drafts)
}

/** The same where the customer's consent is known: whoever writes to many asks for that of all at once. */
export const composeAllowed = (tx: Tx, outgoing: Outgoing): NewMessage[] =>
  composed(tx, outgoing, checkedDrafts(outgoing))

const checkedDrafts = ({ ticket, author, cause, ...outgoing }: Outgoing): OutgoingDraft[] => {
  const drafts = outgoing.drafts.flatMap((draft) => parted(draft, ticket.abilities))
  const isByPerson = author.kind === 'user' && cause === 'chat'
  for (const draft of drafts) checkDraft(ticket, draft, isByPerson)
  return drafts
}

const composed = ({ tenantId }: Tx, outgoing: Outgoing, drafts: OutgoingDraft[]): NewMessage[] => {
  const { ticket, directory, author, cause, effect, now = new Date() } = outgoing
  const messages: NewMessage[] = []
  for (const draft of drafts) {
    const before = messages.at(-1)?.ticket ?? ticket
    messages.push(
      newMessage(
        { tenantId, people: directory.people, now },
        {
          ...draft,
          payload: withSignature(draft, outgoing),
          ticket: before,
          author,
          fromMe: true,
          sendType: cause,
          status: 'queued',
          effect,
        },
      ),
    )
  }
  return messages
}

/** An e-mail with words is signed below them, unless they end so already; what others wrote is not. */
const withSignature = (draft: OutgoingDraft, { ticket, directory, author }: Outgoing): OutgoingDraft['payload'] => {
  const { body, payload = null, isForwarded } = draft
  if (!ticket.abilities.supports.includes('mail') || !body.trim() || isForwarded) return payload
  const isSigned = draft.isSigned ?? (author.kind !== 'user' || !author.id || prefersSigned(directory, author.id))
  const signature = isSigned ? mailSignatureOf(directory, ticket, author) : ''
  return signature && !body.trimEnd().endsWith(signature) ? { ...payload, signature } : payload
}

/**
 * What a channel carries one by one goes as so many messages, each with its own fate. The ids of the others follow from
 * the first one's: asked for twice, they are still the same messages.
 */
const parted = (draft: OutgoingDraft, { contactLimit: most, textLimits }: Abilities): OutgoingDraft[] => {
  const { id = v7(), contacts = [], quoted, file, body } = draft
  if (file && body.trim() && textLimits.caption === 0 && !draft.payload) {
    const words = { id: v5('words', id), type: 'text' as const, body, isForwarded: draft.isForwarded }
    return [{ ...draft, id, body: '' }, words]
  }
  if (!most || contacts.length <= most) return [draft]
  return Array.from({ length: Math.ceil(contacts.length / most) }, (_, at) => ({
    ...draft,
    id: at ? v5(`contacts:${at}`, id) : id,
    quoted: at ? null : quoted,
    contacts: contacts.slice(at * most, (at + 1) * most),
  }))
}

/** For what goes by itself, which is left out where it cannot go: the refusal comes before anything is written. */
export const unlessRefused = async <T>(work: Promise<T>, otherwise: T): Promise<T> =>
  work.catch((error) => {
    if (error instanceof AppError) return otherwise
    throw error
  })

const checkDraft = (
  { abilities, windowFrom }: Outgoing['ticket'],
  { type, body, file, quoted, payload, mailBody }: OutgoingDraft,
  isByPerson: boolean,
) => {
  // Choices reach every channel, as a numbered text where it has no buttons; every other type is a capability's name.
  if (type !== 'buttons') requireSupport({ abilities }, type)
  if (quoted) requireSupport({ abilities }, 'reply')
  if (type !== 'template' && !isWindowOpen(abilities, windowFrom, { isByPerson }))
    throw new AppError('ERR_WINDOW_CLOSED')
  if (['text', 'buttons', 'poll'].includes(type) && !body.trim())
    throw fieldErrors({ path: 'body', message: emptyText })
  if (type === 'poll' && payload?.interactive) requirePollFit(abilities, payload.interactive, body)
  if (type === 'buttons' && payload?.interactive) requireRequestFit(abilities, payload.interactive, body)
  if (payload?.mail) requireMailFit(abilities, { ...payload.mail, html: mailBody?.html ?? null })
  if (type === 'template') return
  requireFit(abilities, body)
  const { caption } = abilities.textLimits
  // The words of an audio stay here.
  if (file && body.length > caption && !payload?.transcript)
    throw fieldErrors({
      path: 'body',
      message: `A legenda de um arquivo leva no máximo ${caption.toLocaleString('pt-BR')} caracteres neste canal. Envie o texto em outra mensagem.`,
    })
}

export const emptyText = 'O texto ficou vazio: o contato não tem os dados que as variáveis pedem.'
