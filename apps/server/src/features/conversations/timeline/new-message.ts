import type { Author } from '@balcao/contract/conversations/authors.ts'
import type { Message, MessagePayload, SendType } from '@balcao/contract/conversations/messages.ts'
import { v7 } from 'uuid'
import type { Person } from '../../core/directory/directory.ts'
import type { StoredFile } from '../../core/media/media.present.ts'
import { presentMessage } from './messages.present.ts'
import { previewOf } from './preview.ts'
import type { MailBody, NewMessage } from './store.ts'
import { type TicketState, ticketAudience, withMessage } from './ticket-state.ts'

export type Draft = {
  /** The ticket as it stands before it. */
  ticket: TicketState
  author: Author
  /** Of the company, whoever of the team wrote it; left out, theirs is the contact's. */
  fromMe: boolean
  type: Message['type']
  body: string
  status: Message['status']
  id?: string
  /** The connection it goes over; left out, the ticket's. */
  connectionId?: string
  file?: StoredFile | null
  /** A file the provider still keeps, as its adapter will be asked for it. */
  media?: (Record<string, unknown> & { name?: string }) | null
  location?: Message['location']
  contacts?: Message['contacts'] | null
  payload?: MessagePayload | null
  sendType?: SendType
  isForwarded?: boolean
  quoted?: Message['quoted']
  providerId?: string | null
  mailBody?: MailBody
  afterMs?: number
  /** When it was written, by the provider's clock; left out, now. */
  timestamp?: Date
  /**
   * What it does to its ticket: `answer` is what whoever waits was promised, `automatic` leaves them waiting, `nothing`
   * does not even show in the list, `aside` shows there and asks nobody for anything. Left out: what a person writes answers.
   */
  effect?: 'answer' | 'automatic' | 'nothing' | 'aside'
}

type Making = { tenantId: number; people: ReadonlyMap<string, Pick<Person, 'name'>>; now: Date }

/** Every message begins here: as it will be stored and told of, with its ticket as it stands then. */
export const newMessage = (making: Making, draft: Draft): NewMessage => {
  const { ticket: before, author, fromMe, type, body, file, media, timestamp = making.now } = draft
  const message = messageOf(making, draft)
  const isForTeam = type === 'note' || type === 'system'
  const effect = draft.effect ?? (isForTeam ? 'nothing' : author.kind === 'user' ? 'answer' : 'automatic')
  const told = {
    fromMe,
    isByPerson: effect === 'answer',
    isAside: effect === 'aside',
    user: message.user,
    type,
    preview: previewOf({ type, body, mediaName: file?.name ?? media?.name, author: message.author }),
    timestamp,
  }
  const ticket = effect === 'nothing' ? before : withMessage(before, told, making.now)
  return {
    message,
    ticket,
    connectionId: draft.connectionId ?? before.connectionId,
    providerId: draft.providerId ?? null,
    mediaId: file?.id ?? null,
    mediaSource: media && !file ? media : null,
    quotedId: draft.quoted?.id ?? null,
    mailBody: draft.mailBody,
    ...(draft.afterMs && { sendAt: new Date(making.now.getTime() + draft.afterMs) }),
    audience: ticketAudience(ticket, !isForTeam),
  }
}

type Place = Pick<TicketState, 'id' | 'contactId' | 'connectionId'>
/** The message alone. */
export const messageOf = (
  { tenantId, people, now }: Making,
  draft: Omit<Draft, 'ticket' | 'effect'> & { ticket: Place },
): Message =>
  presentMessage(
    {
      id: draft.id ?? v7(),
      seq: 0,
      ticketId: draft.ticket.id,
      contactId: draft.ticket.contactId,
      connectionId: draft.connectionId ?? draft.ticket.connectionId,
      fromMe: draft.fromMe,
      type: draft.type,
      body: draft.body,
      file: draft.file ?? null,
      mediaState: draft.file ? 'ready' : draft.media ? 'fetching' : 'none',
      location: draft.location ?? null,
      contacts: draft.contacts ?? null,
      payload: draft.payload ?? null,
      sendType: draft.sendType,
      isForwarded: draft.isForwarded,
      quoted: draft.quoted ?? null,
      reactions: null,
      status: draft.status,
      error: null,
      providerId: draft.providerId ?? null,
      userId: draft.author.kind === 'user' ? draft.author.id : null,
      author: isPlain(draft.author, draft.ticket) ? null : draft.author,
      isDeleted: false,
      editedAt: null,
      timestamp: draft.timestamp ?? now,
      createdAt: now,
      version: 1,
    },
    tenantId,
    people,
  )

/** The conversation's contact, and whoever of the team is named beside the message, need not be said again. */
const isPlain = ({ kind, id }: Author, { contactId }: Place) =>
  kind === 'user' ? id !== null : kind === 'contact' && id === contactId
