import { email } from '@balcao/contract/common.ts'
import type { Order } from '@balcao/contract/conversations/answers.ts'
import type { Author } from '@balcao/contract/conversations/authors.ts'
import type { MessagePayload, MessageStatus } from '@balcao/contract/conversations/messages.ts'
import { cutText } from '@balcao/contract/core/cut-text.ts'
import type { InboundMessage } from '../../../channels/adapter.ts'
import type { Tx } from '../../../db/database.ts'
import { byRule } from '../../../kit/actor.ts'
import { announce } from '../../../kit/signals/signals.ts'
import { cleanText } from '../../../kit/text.ts'
import type { OpenConnection } from '../../channels/connections/context.ts'
import { normalizeIdentities } from '../../contacts/contacts/identify.ts'
import { extendAfterPause } from '../../conversations/deadlines/deadlines.ts'
import { wakeMediaFetcher } from '../../conversations/messages/media-fetcher.ts'
import { nextStatus } from '../../conversations/messages/message-status.ts'
import { wakeSender } from '../../conversations/messages/sender.ts'
import type { ToldStatus } from '../../conversations/messages/statuses.ts'
import { newMessage } from '../../conversations/timeline/new-message.ts'
import { type NewMessage, storeMessages } from '../../conversations/timeline/store.ts'
import type { TicketState } from '../../conversations/timeline/ticket-state.ts'
import type { Directory } from '../../core/directory/directory.ts'
import type { StoredFile } from '../../core/media/media.present.ts'
import { filesByIds } from '../../core/media/stored-files.ts'
import type { Batch, Received } from './arrivals.ts'
import { settleEchoes } from './echoes.ts'
import { noteUse } from './identify.ts'
import { readMentions } from './mentions.ts'
import { meetSpeakers } from './speakers.ts'
import { consequences, decideTurns, replies } from './steps.ts'

/** A contact's last sign of life is written at most this often: it sits in an index. */
const metEveryMs = 10 * 60_000

type Given = { connection: OpenConnection; directory: Directory; all: Received[] } & Pick<
  Batch,
  'afterwords' | 'opened'
>

/** Stores what came in, of contacts and tickets that are known by now, with what is answered at once. */
export const storeArrivals = async (tx: Tx, { connection, directory, all, afterwords, opened }: Given) => {
  const now = new Date()
  const speakers = await meetSpeakers(tx, connection, all)
  const named = await readMentions(tx, connection, all)
  const received = withoutRepeats(await withoutEchoes(tx, connection, named))
  const { arrived, tickets } = await becomeMessages(tx, connection, received, { speakers, now })
  const batch: Batch = { connection, directory, received, arrived, tickets, afterwords, opened, now }
  await noteUse(
    tx,
    received.filter(({ arrival, known }) => known.hasTwin && !arrival.event.fromMe).map(({ arrival }) => arrival.event),
  )
  const messages: NewMessage[] = arrived.flatMap((one) => [...answeredBy(tx.tenantId, one, now), one])
  const byPeople = withoutMachines(batch)
  for (const reply of replies) messages.push(...(await reply(tx, byPeople)))
  if (!messages.length && !all.some(({ arrival }) => arrival.journalId)) return
  const decided = decideTurns(byPeople)
  storeMessages(tx, {
    messages,
    tickets: [...tickets.values()],
    contactIds: [...new Set(received.flatMap((one) => (isMetAnew(one, now) && one.known.contactId) || []))],
    reached: received.flatMap(reachedBy),
    journalIds: all.flatMap(({ arrival }) => arrival.journalId ?? []),
    decided,
  })
  for (const consequence of consequences) await consequence(tx, batch)
  if (messages.some(({ message }) => message.mediaState === 'fetching')) tx.afterCommit(wakeMediaFetcher)
  if (messages.some(({ message }) => message.status === 'queued')) tx.afterCommit(wakeSender)
  if (decided.some(({ turn }) => turn)) tx.afterCommit(() => announce('turns.left'))
}

/** What a machine wrote is answered by people alone: two that answer each other would never end. */
const withoutMachines = (batch: Batch): Batch => {
  const arrived = batch.arrived.filter(({ event }) => !event.content.isAutomatic)
  if (arrived.length === batch.arrived.length) return batch
  const heard = new Set(arrived.map(({ ticket }) => ticket.id))
  return { ...batch, arrived, opened: batch.opened.filter((id) => heard.has(id)) }
}

const withoutRepeats = (all: Received[]) => {
  const seen = new Set<string>()
  return all.filter(({ arrival: { event }, known }) => {
    if (known.isDuplicate || seen.has(event.providerId)) return false
    seen.add(event.providerId)
    return true
  })
}

/** What we are sending ourselves at this moment comes back from some providers: it is there already. */
const withoutEchoes = async (tx: Tx, connection: OpenConnection, received: Received[]) => {
  const { settled, told } = await settleEchoes(
    tx,
    connection.id,
    received.filter(({ arrival }) => arrival.event.fromMe),
  )
  return received.flatMap((one) => {
    const { providerId } = one.arrival.event
    return settled.has(providerId) ? [] : { ...one, told: told.get(providerId) }
  })
}

const isMetAnew = ({ known: { metAt } }: Received, now: Date) => !metAt || now.getTime() - metAt.getTime() > metEveryMs

const reachedBy = ({ arrival: { event }, known }: Received) =>
  known.isUnreachable && !event.fromMe
    ? normalizeIdentities(event.from.identities).map((one) => ({ ...one, at: event.timestamp }))
    : []

type Meeting = { speakers: Awaited<ReturnType<typeof meetSpeakers>>; now: Date }
const becomeMessages = async (tx: Tx, connection: OpenConnection, received: Received[], { speakers, now }: Meeting) => {
  const events = received.map(({ arrival }) => arrival.event)
  const files = await storedFiles(tx, events)
  // What the customer's word wakes is promised later by the time it rested.
  const deadlines = await extendAfterPause(
    tx,
    received.flatMap((one) => {
      const {
        arrival,
        known: { ticket },
      } = one
      return ticket?.pausedAt && ticket.wakesOnReply && !arrival.event.fromMe && !isAside(connection, one)
        ? [ticket.id]
        : []
    }),
    now,
  )
  const tickets = new Map<string, TicketState>()
  const arrived = received.map((one) => {
    const { ticket } = one.known
    if (!ticket) throw new Error('A message without a ticket')
    const { event } = one.arrival
    const message = messageOf(tx.tenantId, connection, one, {
      before: tickets.get(ticket.id) ?? { ...ticket, ...deadlines.get(ticket.id) },
      file: event.content.mediaId ? (files.get(event.content.mediaId) ?? null) : null,
      author: event.author && speakers(event.author),
      now,
    })
    tickets.set(message.ticket.id, message.ticket)
    return { ...message, event }
  })
  return { arrived, tickets }
}

/** What their word answers stands before it. */
const answeredBy = (
  tenantId: number,
  { event, ticket, connectionId }: Batch['arrived'][number],
  now: Date,
): NewMessage[] =>
  event.answers
    ? [
        newMessage(
          { tenantId, people: new Map(), now },
          {
            ticket,
            connectionId,
            author: byRule(event.answers.rule),
            fromMe: true,
            type: 'text',
            body: event.answers.body,
            status: 'read',
            providerId: event.answers.providerId,
            timestamp: event.timestamp,
            effect: 'nothing',
          },
        ),
      ]
    : []

const storedFiles = async (tx: Tx, events: InboundMessage[]): Promise<Map<string, StoredFile>> => {
  const ids = events.flatMap(({ content }) => content.mediaId ?? [])
  const rows = ids.length ? await tx.rows<StoredFile>(filesByIds, [tx.tenantId, ids]) : []
  return new Map(rows.map((file) => [file.id, file]))
}

type With = {
  before: TicketState
  file: StoredFile | null
  author: Author | undefined
  now: Date
}
const messageOf = (
  tenantId: number,
  connection: OpenConnection,
  one: Received,
  { before, file, author, now }: With,
): NewMessage => {
  const {
    arrival: { event },
    known,
  } = one
  const { content, fromMe } = event
  const contact: Author = { kind: 'contact', id: before.contactId, name: known.contactName ?? '' }
  return newMessage(
    { tenantId, people: new Map(), now },
    {
      ticket: before,
      connectionId: connection.id,
      author: fromMe ? onThePhone : (author ?? contact),
      fromMe,
      type: content.type,
      body: cleanText(content.body),
      file,
      media: content.media,
      location: content.location,
      contacts: content.contacts,
      isForwarded: content.isForwarded,
      payload: payloadOf(one, connection.options.onlyMentioned),
      mailBody: mailBodyOf(content.mail),
      effect: content.drawn ? 'nothing' : isAside(connection, one) ? 'aside' : undefined,
      quoted: known.quoted,
      // What was written on the phone reached the provider before it reached us, and its receipts may have come first.
      status: fromMe ? (one.told ?? []).reduce(furtherOf, 'sent') : 'received',
      providerId: event.providerId,
      timestamp: event.timestamp,
    },
  )
}

const furtherOf = (status: MessageStatus, told: ToldStatus): MessageStatus =>
  told.status === 'failed' ? status : nextStatus(status, told.status)

/** Said among the members of a group whose conversation waits until it is meant for us. */
const isAside = ({ options }: OpenConnection, { isForUs }: Received) =>
  options.onlyMentioned === true && isForUs === false

/** What only some messages have; beside it what it came with: pictures, an advertisement, a product. */
const payloadOf = (received: Received, onlyMentioned: boolean | undefined): MessagePayload | null => {
  const own = ownPayloadOf(received, onlyMentioned)
  const { album, type, referral, product } = received.arrival.event.content
  const beside = {
    ...(album && (type === 'image' || type === 'video') && { album: { id: cutText(cleanText(album), 120) } }),
    ...(referral && { referral: cleaned(referral) }),
    ...(product && { product: cleaned(product) }),
  }
  return Object.keys(beside).length ? { ...own, ...beside } : own
}

const cleaned = <Told extends Record<string, string | null>>(told: Told): Told =>
  Object.fromEntries(
    Object.entries(told).map(([name, value]) => [name, value === null ? null : cleanText(value)]),
  ) as Told // the same keys

const ownPayloadOf = (
  { arrival: { event }, called = [], isForUs }: Received,
  onlyMentioned: boolean | undefined,
): MessagePayload | null => {
  const { choice, call, mail, interactive, story, comment, drawn, form, order, isJunk, isUnproven, isAutomatic } =
    event.content
  if (interactive) return { interactive, ...(onlyMentioned && isForUs !== undefined && { isForUs }) }
  if (called.length || (onlyMentioned && isForUs !== undefined))
    return { ...(called.length && { called }), ...(onlyMentioned && { isForUs }) }
  if (story) return { story }
  if (comment) return { comment }
  if (mail) {
    const marks = {
      ...(isJunk && { wasJunk: true }),
      ...(isUnproven && { isUnproven }),
      ...(isAutomatic && { isAutomatic }),
    }
    return { mail: { ...headOf(mail), ...marks } }
  }
  if (drawn) return { drawn }
  if (form) return { form: form.map(({ field, value }) => ({ field: cleanText(field), value: cleanText(value) })) }
  if (order) return { order: cleanOrder(order) }
  if (choice) return { choice: cutText(cleanText(choice), 200) }
  return call ? { call } : null
}

const cleanOrder = ({ catalogId, items, note }: Order): Order => ({
  ...(catalogId && { catalogId: cleanText(catalogId) }),
  items: items.map((one) => ({ ...one, id: cleanText(one.id), name: one.name && cleanText(one.name) })),
  note: cleanText(note),
})

/** Cut to what we keep. */
const headOf = ({ subject, cc, html, references, invitation }: NonNullable<InboundMessage['content']['mail']>) => ({
  subject: cutText(cleanText(subject), 998),
  cc: cc.flatMap((one) => email.safeParse(one).data ?? []).slice(0, 100),
  bcc: [],
  isFormatted: html !== null,
  ...(invitation && {
    invitation: { ...invitation, title: cleanText(invitation.title), place: cleanText(invitation.place) },
  }),
  references: references.filter((one) => one.length <= 998).slice(-100),
})
const mailBodyOf = (mail: InboundMessage['content']['mail']) =>
  mail?.html ? { html: cleanText(mail.html), pictures: mail.pictures ?? [] } : undefined

/** Somebody of the team wrote there, whoever that was. */
const onThePhone: Author = { kind: 'user', id: null, name: 'Pelo celular' }
