import { type Prepared, platformRows, type Tx, withTenant, withTenantAfter } from '../../../db/database.ts'
import { createLimit } from '../../../kit/limit.ts'
import type { OpenConnection } from '../../channels/connections/context.ts'
import { isNoName, resolveContact } from '../../contacts/contacts/identify.ts'
import { isAlreadyStored } from '../../conversations/timeline/store.ts'
import { type Directory, getDirectory } from '../../core/directory/directory.ts'
import { type Afterwords, takeAfterwords } from '../../service/closing/afterwords.ts'
import { eraseLate, findErased, isOfErased } from '../journal/erase-journal.ts'
import type { Arrival, Received } from './arrivals.ts'
import { followContact } from './follow-contact.ts'
import { identify, identifyAsk, type Known, knownFrom } from './identify.ts'
import { endJournal } from './journal.ts'
import { keepLongTexts } from './long-text.ts'
import { readMentions } from './mentions.ts'
import { nameProducts } from './name-products.ts'
import { openTicketFor } from './open-ticket.ts'
import { storeArrivals } from './store-arrivals.ts'

/** Transactions of the pipe at one time, whatever the number of connections: people's requests need the database too. */
const inTurn = createLimit(6)

/**
 * Stores what customers wrote, of one connection, in order per conversation. Those with an active ticket go together in
 * one transaction; a new contact or a new ticket gets its own.
 */
export const receiveMessages = async (connection: OpenConnection, arrivals: Arrival[]) => {
  const bounded = await keepLongTexts(connection, await nameProducts(connection, arrivals))
  const inOrder = bounded.toSorted((a, b) => a.event.timestamp.getTime() - b.event.timestamp.getTime())
  const directory = await getDirectory(connection.tenantId)
  const left = await inTurn(() => lookAgain(() => storeKnown(connection, directory, inOrder)))
  const outcomes = await Promise.allSettled(
    left.map((conversation) =>
      inTurn(() =>
        lookAgain(() => withTenant(connection.tenantId, (tx) => storeUnknown(tx, connection, directory, conversation))),
      ),
    ),
  )
  await touchLastInbound(connection, inOrder.at(-1)?.event.timestamp)
  const failure = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failure) throw failure.reason
}

const noted = new Map<string, number>()
/** The screen of connections shows when the last message came, to the minute; an old one told again was not the last. */
const touchLastInbound = async ({ tenantId, id }: OpenConnection, newest = new Date()) => {
  const now = Date.now()
  if (now - (noted.get(id) ?? 0) < 60_000) return
  noted.set(id, now)
  await platformRows(
    {
      name: 'connection_alive',
      text: `update connections set last_inbound_at = $3 where tenant_id = $1 and id = $2 and coalesce(last_inbound_at, '-infinity') < $3`,
    },
    [tenantId, id, new Date(Math.min(newest.getTime(), now))],
  )
}

/** Another process may store the same a moment before. */
const lookAgain = async <T>(work: () => Promise<T>): Promise<T> => {
  for (let left = 3; ; left -= 1) {
    try {
      return await work()
    } catch (error) {
      if (left === 0 || !isAlreadyStored(error)) throw error
    }
  }
}

/** Stores what has a contact and an active ticket; answers the rest, one list per conversation. */
const storeKnown = (connection: OpenConnection, directory: Directory, arrivals: Arrival[]): Promise<Arrival[][]> => {
  const events = arrivals.map(({ event }) => event)
  const ask = identifyAsk(connection.tenantId, connection.id, events)
  return withTenantAfter(connection.tenantId, [ask], async (tx, [rows = []]) => {
    const { ready, left } = readyAmong(arrivals, knownFrom(rows), directory)
    await storeArrivals(tx, { connection, directory, all: ready, afterwords: [], opened: [] })
    return left
  })
}

const readyAmong = (arrivals: Arrival[], known: Known[], directory: Directory) => {
  const conversations = Map.groupBy(
    arrivals.map((arrival, n) => ({ arrival, known: known[n] })),
    (one) => conversationOf(one.arrival, one.known),
  )
  const ready: Received[] = []
  const left: Arrival[][] = []
  for (const conversation of conversations.values()) {
    const complete = conversation.flatMap(({ arrival, known }) =>
      known && !isNews(arrival, known, directory) ? [{ arrival, known }] : [],
    )
    if (complete.length === conversation.length) ready.push(...complete)
    else left.push(conversation.map(({ arrival }) => arrival))
  }
  return { ready, left }
}

/** The first words of somebody, or of a new ticket: both are made, then the message is like any other. */
const storeUnknown = async (tx: Tx, connection: OpenConnection, directory: Directory, all: Arrival[]) => {
  const arrivals = await withoutErased(tx, connection, await withoutSpam(tx, connection, all))
  if (!arrivals.length) return
  const events = arrivals.map(({ event }) => event)
  const before = await identify(tx, connection.id, events)
  const fresh = arrivals.filter((_, n) => !before[n]?.isDuplicate)
  const [first] = fresh
  const afterwords: Afterwords[] = []
  const opened: string[] = []
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
      const byPeople = theirs.filter(({ content }) => !content.isAutomatic)
      const after =
        isGroup || !byPeople.length
          ? undefined
          : await takeAfterwords(tx, directory, connection.id, contactId, byPeople)
      if (after) afterwords.push(after)
      const isAnswered = theirs.every(({ providerId }) => after?.providerIds.has(providerId))
      if (!isAnswered && (isGroup || !(await followContact(tx, connection, contactId))))
        opened.push(
          ...(await openTicketFor(tx, {
            connection,
            directory,
            contactId,
            isGroup,
            isAside: isGroup && (await areAsides(tx, connection, arrivals, met, contactId)),
            isOurs: theirs.every((one) => one.fromMe),
          })),
        )
    }
  }
  const known = await identify(tx, connection.id, events)
  const complete = arrivals.flatMap((arrival, n) => {
    const one = known[n]
    const closed = afterwords.find(({ providerIds }) => providerIds.has(arrival.event.providerId))?.conversation
    return one ? [{ arrival, known: closed ? { ...one, ticket: closed } : one }] : []
  })
  await storeArrivals(tx, { connection, directory, all: complete, afterwords, opened })
}

/**
 * Of what lay in a spam folder, what somebody known to us wrote, and what goes on with a mail of ours: an id we made up is
 * among its references, and only who has that mail can name it. What it claims to answer proves nothing.
 */
const withoutSpam = async (tx: Tx, connection: OpenConnection, arrivals: Arrival[]) => {
  if (!arrivals.some(({ event }) => event.content.isJunk)) return arrivals
  const events = arrivals.map(({ event }) => event)
  const known = await identify(tx, connection.id, events)
  const referred = events.flatMap(({ content }) => (content.isJunk ? (content.mail?.references ?? []) : []))
  const ours = new Set(
    (await tx.rows<{ id: string }>(sentAmong, [tx.tenantId, connection.id, referred])).map(({ id }) => id),
  )
  const isWanted = ({ event: { content } }: Arrival, n: number) =>
    !content.isJunk || known[n]?.contactId || content.mail?.references.some((id) => ours.has(id))
  const left = arrivals.flatMap((arrival, n) => (isWanted(arrival, n) ? [] : (arrival.journalId ?? [])))
  if (left.length) tx.late(endJournal, [tx.tenantId, left])
  return arrivals.filter(isWanted)
}
const sentAmong: Prepared = {
  name: 'inbound_sent_among',
  text: `select provider_id as id from messages
    where tenant_id = $1 and connection_id = $2 and provider_id = any($3::text[]) and from_me`,
}

/** Who was erased meanwhile is not made anew by what was said before. */
const withoutErased = async (tx: Tx, connection: OpenConnection, arrivals: Arrival[]) => {
  const identities = arrivals.flatMap(({ event }) => event.from.identities)
  const erased = identities.length ? await findErased(tx, connection.id, identities) : new Map()
  const [late = [], wanted = []] = [true, false].map((isLate) =>
    arrivals.filter(({ event }) => isOfErased(erased, event) === isLate),
  )
  eraseLate(
    tx,
    late.flatMap(({ journalId }) => journalId ?? []),
  )
  return wanted
}

/** Of a group whose conversation waits until it is meant for us: nothing of this is. */
const areAsides = async (tx: Tx, connection: OpenConnection, arrivals: Arrival[], met: Known[], contactId: string) => {
  if (!connection.options.onlyMentioned) return false
  const theirs = arrivals.flatMap((arrival, n) => {
    const known = met[n]
    return known?.contactId === contactId && !known.isDuplicate ? [{ arrival, known }] : []
  })
  return (await readMentions(tx, connection, theirs)).every(({ isForUs }) => isForUs === false)
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

const isPlaceholder = (name: string) => isNoName(name) || name === 'Contato'
