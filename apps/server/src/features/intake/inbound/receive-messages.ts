import type { Message } from '@balcao/contract/conversations/messages.ts'
import { v7 } from 'uuid'
import type { InboundMessage } from '../../../channels/adapter.ts'
import { platformRows, type Tx, withTenant } from '../../../db/database.ts'
import { createLimit } from '../../../kit/limit.ts'
import { cleanText } from '../../../kit/text.ts'
import type { OpenConnection } from '../../channels/connections/context.ts'
import { resolveContact } from '../../contacts/contacts/identify.ts'
import { extendAfterPause } from '../../conversations/deadlines/deadlines.ts'
import { wakeMediaFetcher } from '../../conversations/messages/media-fetcher.ts'
import { presentMessage } from '../../conversations/messages/messages.present.ts'
import { wakeSender } from '../../conversations/messages/sender.ts'
import { AlreadyStored, type NewMessage, storeMessages } from '../../conversations/messages/store.ts'
import { type TicketState, ticketAudience, withMessage } from '../../conversations/messages/ticket-state.ts'
import { previewOf } from '../../conversations/tickets/preview.ts'
import { logTicket } from '../../conversations/tickets/tickets.service.ts'
import { type Directory, getDirectory } from '../../core/directory/directory.ts'
import type { StoredFile } from '../../core/media/media.present.ts'
import { filesByIds } from '../../core/media/stored-files.ts'
import { type Afterwords, takeAfterwords } from '../../service/closing/afterwords.ts'
import { closeForCustomer, endedByCustomer } from '../../service/closing/closing-words.ts'
import { absenceMessages } from './absence.ts'
import { identify, type Known, noteUse } from './identify.ts'
import { keepLongTexts } from './long-text.ts'
import { openTicketFor, takeUpAnswered } from './open-ticket.ts'

/** A message that came in, and the journal row that ends with it. */
export type Arrival = { event: InboundMessage; journalId: string | null }

/** Transactions of the pipe at one time, whatever the number of connections: people's requests need the database too. */
const inTurn = createLimit(6)
/** A contact's last sign of life is written at most this often: it sits in an index. */
const metEveryMs = 10 * 60_000

/**
 * Stores what customers wrote, of one connection, in order per conversation. Those with an active ticket go together in
 * one transaction; a new contact or a new ticket gets its own.
 */
export const receiveMessages = async (connection: OpenConnection, arrivals: Arrival[]) => {
  const bounded = await keepLongTexts(connection, arrivals)
  const inOrder = bounded.toSorted((a, b) => a.event.timestamp.getTime() - b.event.timestamp.getTime())
  const directory = await getDirectory(connection.tenantId)
  const left = await inTurn(() => inTenant(connection, (tx) => storeKnown(tx, connection, directory, inOrder)))
  const outcomes = await Promise.allSettled(
    left.map((conversation) =>
      inTurn(() => inTenant(connection, (tx) => storeUnknown(tx, connection, directory, conversation))),
    ),
  )
  await touchLastInbound(connection)
  const failure = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failure) throw failure.reason
}

const noted = new Map<string, number>()
/** The screen of connections shows when the last message came, to the minute. */
const touchLastInbound = async ({ tenantId, id }: OpenConnection) => {
  const now = Date.now()
  if (now - (noted.get(id) ?? 0) < 60_000) return
  noted.set(id, now)
  await platformRows(
    {
      name: 'connection_alive',
      text: 'update connections set last_inbound_at = now() where tenant_id = $1 and id = $2',
    },
    [tenantId, id],
  )
}

const inTenant = async <T>(connection: OpenConnection, work: (tx: Tx) => Promise<T>): Promise<T> => {
  for (let left = 3; ; left -= 1) {
    try {
      return await withTenant(connection.tenantId, work)
    } catch (error) {
      if (left === 0 || !(error instanceof AlreadyStored)) throw error
    }
  }
}

/** Stores what has a contact and an active ticket; answers the rest, one list per conversation. */
const storeKnown = async (
  tx: Tx,
  connection: OpenConnection,
  directory: Directory,
  arrivals: Arrival[],
): Promise<Arrival[][]> => {
  const known = await identify(
    tx,
    connection.id,
    arrivals.map(({ event }) => event),
  )
  const conversations = Map.groupBy(
    arrivals.map((arrival, n) => ({ arrival, known: known[n] })),
    (one) => conversationOf(one.arrival, one.known),
  )
  const ready: { arrival: Arrival; known: Known }[] = []
  const left: Arrival[][] = []
  for (const conversation of conversations.values()) {
    const complete = conversation.flatMap(({ arrival, known }) =>
      known && !isNews(arrival, known, directory) ? [{ arrival, known }] : [],
    )
    if (complete.length === conversation.length) ready.push(...complete)
    else left.push(conversation.map(({ arrival }) => arrival))
  }
  await store(tx, connection, directory, ready)
  return left
}

/** The first words of somebody, or of a new ticket: both are made, then the message is like any other. */
const storeUnknown = async (tx: Tx, connection: OpenConnection, directory: Directory, arrivals: Arrival[]) => {
  const events = arrivals.map(({ event }) => event)
  const before = await identify(tx, connection.id, events)
  const fresh = arrivals.filter((_, n) => !before[n]?.isDuplicate)
  const [first] = fresh
  const afterwords: Afterwords[] = []
  if (first) {
    for (const sender of new Map(
      fresh.map(({ event }) => [JSON.stringify(event.from.identities), event.from]),
    ).values()) {
      await resolveContact(tx, sender)
    }
    const met = await identify(tx, connection.id, events)
    const lacking = new Set(
      met.flatMap((one) => (one.contactId && !one.ticket && !one.isDuplicate ? [one.contactId] : [])),
    )
    for (const contactId of lacking) {
      const theirs = events.filter((_, n) => met[n]?.contactId === contactId && !met[n]?.isDuplicate)
      const isGroup = first.event.from.isGroup ?? false
      const after = isGroup ? undefined : await takeAfterwords(tx, directory, connection.id, contactId, theirs)
      if (after) afterwords.push(after)
      if (theirs.some(({ providerId }) => !after?.providerIds.has(providerId)))
        await openTicketFor(tx, { connection, directory, contactId, isGroup })
    }
  }
  const known = await identify(tx, connection.id, events)
  const all = arrivals.flatMap((arrival, n) => {
    const one = known[n]
    const closed = afterwords.find(({ providerIds }) => providerIds.has(arrival.event.providerId))?.conversation
    return one ? [{ arrival, known: closed ? { ...one, ticket: closed } : one }] : []
  })
  await store(
    tx,
    connection,
    directory,
    all,
    afterwords.flatMap(({ replies }) => replies),
  )
}

const conversationOf = ({ event }: Arrival, known: Known | undefined) => {
  const [strongest] = event.from.identities
  return known?.contactId ?? `${strongest.kind}:${strongest.value}`
}

/** Something about the sender has to be learned before the message can be stored. */
const isNews = ({ event }: Arrival, known: Known, directory: Directory) => {
  if (known.isDuplicate) return false
  if (!known.isKnown || !known.ticket) return true
  const canLearnName = directory.settings.atualizarNomes && !known.isNameFixed && isPlaceholder(known.contactName ?? '')
  return canLearnName && !isPlaceholder(event.from.name ?? '')
}

/** A number, or nothing anybody is called. */
const isPlaceholder = (name: string) => /^[+\d\s().-]*$/.test(name) || name === 'Contato'

const store = async (
  tx: Tx,
  connection: OpenConnection,
  directory: Directory,
  all: { arrival: Arrival; known: Known }[],
  replies: NewMessage[] = [],
) => {
  const now = new Date()
  const seen = new Set<string>()
  const fresh = all.filter(({ arrival, known }) => {
    if (known.isDuplicate || seen.has(arrival.event.providerId)) return false
    seen.add(arrival.event.providerId)
    return true
  })
  const files = await storedFiles(
    tx,
    fresh.map(({ arrival }) => arrival.event),
  )
  // What the customer's word wakes is promised later by the time it rested.
  const promises = await extendAfterPause(
    tx,
    fresh.flatMap(({ arrival, known: { ticket } }) =>
      ticket?.pausedAt && ticket.wakesOnReply && !arrival.event.fromMe ? [ticket.id] : [],
    ),
    now,
  )
  const tickets = new Map<string, TicketState>()
  const messages: NewMessage[] = []
  for (const { arrival, known } of fresh) {
    if (!known.ticket) throw new Error('A message without a ticket')
    const built = build(
      tx.tenantId,
      connection,
      arrival.event,
      known,
      tickets.get(known.ticket.id) ?? { ...known.ticket, ...promises.get(known.ticket.id) },
      files,
      now,
    )
    tickets.set(built.ticket.id, built.ticket)
    messages.push(built)
  }
  await noteUse(
    tx,
    fresh.filter(({ arrival, known }) => known.hasTwin && !arrival.event.fromMe).map(({ arrival }) => arrival.event),
  )
  const active = messages.filter(({ ticket }) => ticket.status !== 'closed')
  const ended = endedByCustomer(directory, active)
  messages.push(
    ...replies.map((reply) => ({ ...reply, ticket: tickets.get(reply.ticket.id) ?? reply.ticket })),
    ...(await absenceMessages(tx, directory, active, now)),
  )
  if (!messages.length && !all.some(({ arrival }) => arrival.journalId)) return
  await storeMessages(tx, {
    messages,
    tickets: [...tickets.values()],
    contactIds: [
      ...new Set(
        fresh.flatMap(({ known }) =>
          known.contactId && (known.isUnreachable || isLongAgo(known.metAt, now)) ? [known.contactId] : [],
        ),
      ),
    ],
    journalIds: all.flatMap(({ arrival }) => arrival.journalId ?? []),
  })
  for (const ticketId of ended) await closeForCustomer(tx, ticketId)
  const answered = active.flatMap(({ message, ticket }) => (message.fromMe || !isOfNobody(ticket) ? [] : ticket.id))
  for (const ticketId of new Set(answered)) await takeUpAnswered(tx, directory, ticketId)
  const woken = fresh.flatMap(({ known: { ticket } }) =>
    ticket?.pausedAt && !tickets.get(ticket.id)?.pausedAt ? [ticket] : [],
  )
  await logTicket(
    tx,
    ...[...new Map(woken.map((ticket) => [ticket.id, ticket])).values()].map(({ id, queueId }) => ({
      ticketId: id,
      type: 'resume' as const,
      queueId,
      note: 'O cliente respondeu',
    })),
  )
  if (messages.some(({ message }) => message.mediaState === 'fetching')) tx.afterCommit(wakeMediaFetcher)
  if (messages.some(({ message }) => message.status === 'queued')) tx.afterCommit(wakeSender)
}

/** We began it, and nobody of the team has it. */
const isOfNobody = ({ status, userId, isGroup }: TicketState) => status === 'open' && !userId && !isGroup

const isLongAgo = (moment: Date | null, now: Date) => !moment || now.getTime() - moment.getTime() > metEveryMs

const storedFiles = async (tx: Tx, events: InboundMessage[]): Promise<Map<string, StoredFile>> => {
  const ids = events.flatMap(({ content }) => content.mediaId ?? [])
  const rows = ids.length ? await tx.rows<StoredFile>(filesByIds, [tx.tenantId, ids]) : []
  return new Map(rows.map((file) => [file.id, file]))
}

const build = (
  tenantId: number,
  connection: OpenConnection,
  event: InboundMessage,
  known: Known,
  before: TicketState,
  files: Map<string, StoredFile>,
  now: Date,
): NewMessage => {
  const { content } = event
  const body = cleanText(content.body)
  const file = content.mediaId ? (files.get(content.mediaId) ?? null) : null
  const mediaState: Message['mediaState'] = file ? 'ready' : content.media ? 'fetching' : 'none'
  const preview = previewOf({ type: content.type, body, mediaName: file?.name ?? content.media?.name })
  const ticket = withMessage(
    before,
    {
      fromMe: event.fromMe,
      isByPerson: event.fromMe,
      user: null,
      type: content.type,
      preview,
      timestamp: event.timestamp,
    },
    now,
  )
  const message = presentMessage(
    {
      id: v7(),
      seq: 0,
      ticketId: ticket.id,
      contactId: ticket.contactId,
      connectionId: connection.id,
      fromMe: event.fromMe,
      type: content.type,
      body,
      file,
      mediaState,
      location: content.location ?? null,
      contacts: content.contacts ?? null,
      payload: content.choice ? { choice: cleanText(content.choice).slice(0, 200) } : null,
      quoted: known.quoted,
      reactions: null,
      // What a person wrote on the phone itself reached the provider before it reached us.
      status: event.fromMe ? 'sent' : 'received',
      error: null,
      providerId: event.providerId,
      userId: null,
      isDeleted: false,
      editedAt: null,
      timestamp: event.timestamp,
      createdAt: now,
      version: 1,
    },
    tenantId,
    new Map(),
  )
  return {
    message,
    ticket,
    connectionId: connection.id,
    providerId: event.providerId,
    mediaId: file?.id ?? null,
    mediaSource: content.media && !file ? content.media : null,
    quotedId: known.quoted?.id ?? null,
    audience: ticketAudience(ticket, true),
  }
}
