import type { FetchMessageObject, ImapFlow, MailboxObject } from 'imapflow'
import PostalMime, { type Email } from 'postal-mime'
import { z } from 'zod'
import type { Session, SessionHost } from '../adapter.ts'
import { folderFor, inbox, mostBytes, noMailbox, openMailbox } from './imap.ts'
import { letterOf, type Place } from './letter.ts'
import { split } from './parse.ts'
import type { Context } from './servers.ts'

/** Nobody is woken by what comes into another folder. */
const junkEveryMs = 5 * 60_000

/** How far the mailbox was read: uids mean something only within one validity. */
const read = z.object({ validity: z.string(), next: z.int(), at: z.number() })
type Read = z.output<typeof read>

/** Of a mailbox that gave its messages new numbers, so much before the last one is looked at again. */
const overlapMs = 2 * 24 * 3_600_000

/** Stays in the mailbox and brings what arrives, one message after the other, from the moment it was first opened. */
export const openInbox = async (context: Context, host: SessionHost): Promise<Session> => {
  const client = await openMailbox(context, { listens: true })
  const ended = live(client, context, host)
  ended.catch(() => {}) // whoever opened it hears of it
  return {
    ended,
    close: async () => {
      client.close()
      await ended.catch(() => {})
    },
    calls: {},
  }
}

const live = async (client: ImapFlow, context: Context, host: SessionHost) => {
  const bell = bellOf()
  let isOver = false
  const end = () => {
    isOver = true
    bell.ring()
  }
  const leave = () => client.close()
  host.signal.addEventListener('abort', leave, { once: true })
  client.on('exists', bell.ring).on('close', end)
  const ticking = setInterval(bell.ring, junkEveryMs).unref()
  try {
    const box = await client.mailboxOpen(inbox, { readOnly: true })
    let from = await whereToBegin(client, box, host, 'read')
    const junk = await folderFor(client, '\\Junk')
    await host.tell({ status: 'CONNECTED', text: `Conectado a ${context.config.address}.` })
    for (; !isOver; await bell.rung()) {
      from = await bring(client, context, host, { from, key: 'read' })
      // That it cannot be looked at is no reason to leave the mailbox.
      if (junk && !isOver) await bringJunk(client, context, host, junk).catch(() => {})
    }
    if (!host.signal.aborted) throw noMailbox(new Error('closed'), context)
  } catch (error) {
    if (!host.signal.aborted) throw noMailbox(error, context)
  } finally {
    host.signal.removeEventListener('abort', leave)
    clearInterval(ticking)
    client.close()
  }
}

/** Rung while nobody listens, it is heard by the next who does. */
const bellOf = () => {
  let isRung = false
  let wake = () => {}
  return {
    ring: () => {
      isRung = true
      wake()
    },
    rung: async () => {
      if (!isRung) await new Promise<void>((resolve) => (wake = resolve))
      isRung = false
    },
  }
}

/** Nothing of what lay there before is brought; where the numbers are new, what is not known by its date is looked for. */
const whereToBegin = async (client: ImapFlow, box: Box, host: SessionHost, key: Key): Promise<Read> => {
  const stored = (await host.state(key)).get(key)
  const known = stored ? read.safeParse(JSON.parse(stored)).data : undefined
  const validity = String(box.uidValidity)
  if (known?.validity === validity) return known
  const begun = { validity, next: box.uidNext, at: known?.at ?? Date.now() }
  if (known) {
    const since = new Date(known.at - overlapMs)
    const [first] = (await client.search({ since }, { uid: true })) || []
    begun.next = first ?? box.uidNext
  }
  await host.receive([], { [key]: JSON.stringify(begun) })
  return begun
}

/** The state that says how far a folder was read. */
type Key = 'read' | 'junk'
type Box = Pick<MailboxObject, 'uidValidity' | 'uidNext'>
type Reading = { from: Read; key: Key; folder?: string }

/**
 * What came into the spam folder: looked at over another connection, only where there is something new.
 */
const bringJunk = async (client: ImapFlow, context: Context, host: SessionHost, folder: string) => {
  const stored = read.safeParse(JSON.parse((await host.state('junk')).get('junk') ?? 'null')).data
  const status = await client.status(folder, { uidNext: true, uidValidity: true })
  if (!status || (stored?.validity === String(status.uidValidity) && stored.next >= (status.uidNext ?? 0))) return
  const other = await openMailbox(context)
  try {
    const from = await whereToBegin(other, await other.mailboxOpen(folder, { readOnly: true }), host, 'junk')
    await bring(other, context, host, { from, key: 'junk', folder })
  } finally {
    await other.logout().catch(() => other.close())
  }
}

const bring = async (client: ImapFlow, context: Context, host: SessionHost, reading: Reading): Promise<Read> => {
  const { from, key, folder } = reading
  const fresh: Listed[] = []
  // The highest number is answered to `n:*` whatever n is.
  for await (const one of client.fetch(`${from.next}:*`, { uid: true, size: true, internalDate: true }, { uid: true }))
    if (one.uid >= from.next) fresh.push(one)
  let last = from
  for (const one of fresh.toSorted((a, b) => a.uid - b.uid)) {
    host.signal.throwIfAborted()
    const at = dateOf(one.internalDate)
    const place: Place = { validity: from.validity, uid: one.uid, at, size: one.size ?? 0, folder }
    const told = await letterAt(client, place, context.config.address)
    last = { ...from, next: one.uid + 1, at: Math.max(last.at, at.getTime()) }
    await host.receive(told ? split(told) : [], { [key]: JSON.stringify(last) })
  }
  return last
}
type Listed = Pick<FetchMessageObject, 'uid' | 'size' | 'internalDate'>

const dateOf = (told: Date | string | undefined) => {
  const at = new Date(told ?? Date.now())
  return Number.isNaN(at.getTime()) ? new Date() : at
}

const letterAt = async (client: ImapFlow, place: Place, own: string) => {
  const isWhole = place.size <= mostBytes
  const found = await client.fetchOne(String(place.uid), isWhole ? { source: true } : { headers: true }, { uid: true })
  const raw = found && (isWhole ? found.source : found.headers)
  if (!raw) return undefined // deleted in between
  const mail = await readMail(raw)
  return letterOf(mail, place, own, isWhole)
}

/** One that is nested or headed beyond all reason is shown as what can be said of it. */
export const readMail = async (raw: Uint8Array): Promise<Email> => {
  const options = { forceRfc822Attachments: true, maxNestingDepth: 50 }
  return PostalMime.parse(raw, options).catch(async () => {
    const head = Buffer.from(raw.subarray(0, 64 * 1024))
      .toString('latin1')
      .split(/\r?\n\r?\n/, 1)
      .join()
    const only = head.replace(/^content-[^\n]*(\n[ \t][^\n]*)*/gim, '')
    const mail = await PostalMime.parse(`${only.trim()}\r\n\r\n`)
    return { ...mail, text: '[Este e-mail não pôde ser lido. Veja-o na caixa de entrada.]' }
  })
}
