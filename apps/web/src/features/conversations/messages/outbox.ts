import { type Message, type MessageSend, mayGoTogether } from '@balcao/contract/conversations/messages.ts'
import type { Media } from '@balcao/contract/core/media.ts'
import { errorCodes } from '@balcao/contract/errors.ts'
import { v7 } from 'uuid'
import { ApiError } from '../../../kit/api-error.ts'
import { exclusively } from '../../../kit/exclusively.ts'
import { queryClient } from '../../../kit/query-client.ts'
import { session } from '../../../kit/session.ts'
import { onConnected } from '../../../kit/socket.ts'
import { nowMs } from '../../../ui/server-time.ts'
import { sendableAs } from './abilities.ts'
import { postMessage, receiveSent } from './api.ts'
import { onOwnerChange } from './drawer.ts'
import { findEntry, isGone, left, outgoing, putEntry, removeEntry, watchEntries } from './outbox-entries.ts'
import { goesByItself, isHeld, laneOf, lastUndoable, nextIn, type Outgoing, outcomeOf } from './outbox-state.ts'
import { discardFile, recallFile, upload, uploadOf } from './uploads.ts'
import { chosenWay, renewWays } from './ways.ts'

/** How long a message may be taken back before it leaves. */
export const undoMs = 5_000
const firstRetryMs = 2_000
const lastRetryMs = 30_000

type Given = {
  ticketId: string
  contactId: string
  send: Omit<MessageSend, 'id' | 'force'>
  /** Of a template: the server has it already. */
  media?: Message['media']
  file?: Outgoing['file']
  quoted?: Message['quoted']
  /** What a template or choices look like until the server has said so. */
  payload?: Message['payload']
  /** Leaves only after this long, and may be taken back until then. */
  delayMs?: number
  /** What was sent together is taken back together. */
  batch?: string
  part?: Outgoing['part']
  /** What was said while this was being written: it asks before it goes anywhere. */
  newer?: Message[]
}

/** Puts a message on the screen and on its way. Its id is made here: however often it is tried, it is one message. */
export const sendMessage = ({
  ticketId,
  contactId,
  send,
  media = null,
  file = null,
  quoted = null,
  payload = null,
  delayMs = 0,
  batch,
  part,
  newer = [],
}: Given) => {
  const id = v7()
  const now = new Date(nowMs()).toISOString()
  const author = session.get()
  const message: Message = {
    id,
    seq: Number.MAX_SAFE_INTEGER,
    ticketId,
    contactId,
    fromMe: true,
    type: send.type,
    body: send.sign && send.body.trim() && send.type !== 'note' ? `*${author?.username}*:\n${send.body}` : send.body,
    media: file ? uploadOf(file.id).media : media,
    mediaState: media || file ? 'ready' : 'none',
    location: send.location,
    contacts: send.contact ? [send.contact] : [],
    payload,
    sendType: 'chat',
    isForwarded: false,
    quoted,
    reactions: [],
    votes: null,
    status: 'queued',
    error: null,
    isDeleted: false,
    editedAt: null,
    user: author && { id: author.userId, name: author.username },
    author: null,
    timestamp: now,
    createdAt: now,
    version: 0,
  }
  const way = send.type === 'note' ? undefined : chosenWay(ticketId)
  const isUndoable = delayMs > 0 && send.type !== 'note'
  if (!isUndoable && send.type !== 'note') sendNow(ticketId) // what was written before leaves before
  const entry: Outgoing = {
    message,
    send: { ...send, id, force: false, ...(way && { way }) },
    file,
    state: newer.length ? 'held' : isUndoable ? 'undoable' : 'sending',
    sendAt: Date.now() + (isUndoable ? delayMs : 0),
    batch: batch ?? id,
    ...(part && { part }),
    error: null,
    newer,
  }
  const head = nextIn(outgoing(), laneOf(entry))
  putEntry(head && entry.state === 'sending' && isHeld(head) ? { ...entry, state: head.state } : entry)
  void run(laneOf(entry))
}

/** Tries again with the same id; `force` when the person was asked about what is newer: all that was sent together goes. */
export const retrySend = (id: string, force = false) => {
  const found = findEntry(id)
  if (!found || goesByItself(found)) return
  for (const one of force ? outgoing().filter((other) => isSameBatch(other, found)) : [found]) {
    const send = force ? { ...one.send, force } : one.send
    putEntry({ ...one, send, state: 'sending', error: null, newer: [] })
  }
  void run(laneOf(found))
}

/**
 * Takes what was not sent off the screen and hands it back, oldest first: one message, or all that one press of the
 * button sent while they may still be taken back. Nothing when it is already on its way.
 */
export const withdraw = (id: string): Outgoing[] => {
  const found = findEntry(id)
  if (!found || found.state === 'sending') return []
  const isWhole = found.state === 'undoable' || found.state === 'held'
  const gone = isWhole ? outgoing().filter((one) => isSameBatch(one, found)) : [found]
  for (const entry of gone) removeEntry(entry.message.id)
  void run(laneOf(found))
  return gone
}
const isSameBatch = (one: Outgoing, found: Outgoing) => one.state === found.state && one.batch === found.batch

/** The newest message of a conversation, while it may be taken back. */
export const undoableIn = (ticketId: string) => lastUndoable(outgoing(), ticketId)

/** Where what one press of the button sent ends: there stands the one "Desfazer" of all of it. */
export const endsBatch = (entry: Outgoing) => outgoing().findLast((one) => one.batch === entry.batch) === entry

/** What may still be taken back leaves at once. */
export const sendNow = (ticketId: string) => {
  for (const entry of outgoing()) {
    if (entry.message.ticketId === ticketId && entry.state === 'undoable') putEntry({ ...entry, sendAt: 0 })
  }
  void run(ticketId)
}

/**
 * Does something to a conversation in its turn: what was written before leaves first, what is written from now on once this is
 * answered. Whoever writes and closes has written first, whoever accepts and writes has accepted first. Without a network
 * nobody waits.
 */
export const inTurn = <T>(ticketId: string, change: () => Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const begun = v7()
    changes.push({ lane: ticketId, begun, run: () => change().then(resolve, reject) })
    sendNow(ticketId)
  })
type Change = { lane: string; begun: string; run: () => Promise<void> }
const changes: Change[] = []

/** The server has it: told by the answer or by the event, whichever comes first. */
export const delivered = (id: string) => {
  const found = findEntry(id)
  if (!found) return
  removeEntry(id)
  if (found.file) void discardFile(found.file.id)
}

const lanes = new Map<string, Promise<void>>()
const timers = new Map<string, ReturnType<typeof setTimeout>>()
const tries = new Map<string, number>()

/** Does and sends what a lane holds, one after the other, until nothing is due or the network is gone. */
const run = (lane: string): Promise<void> => {
  const running = lanes.get(lane) ?? drain(lane)
  lanes.set(lane, running)
  return running
}

/** One page of this browser at a time; the one whose turn comes finds gone what another has sent. */
const drain = async (lane: string) => {
  await null // so that the lane is known to run before anything else happens
  await exclusively(`envio-${lane}`, async () => {
    for (let isReached = true; ; ) {
      const entry: Outgoing | undefined = isReached ? due(lane) : undefined
      const change = changes.find((one) => one.lane === lane)
      if (change && !(entry && entry.message.id < change.begun)) {
        changes.splice(changes.indexOf(change), 1)
        await change.run()
      } else if (entry) isReached = isGone(entry) || (await attempt(entry))
      else break
    }
    lanes.delete(lane) // at once: what is written from now on needs another run
  })
}

/** The one to send now; when it is only due later, the lane wakes then. */
const due = (lane: string): Outgoing | undefined => {
  const entry = nextIn(outgoing(), lane)
  const waitMs = entry?.state === 'undoable' ? entry.sendAt - Date.now() : 0
  if (waitMs > 0) return wake(lane, waitMs)
  return entry
}

const wake = (lane: string, afterMs: number): undefined => {
  clearTimeout(timers.get(lane))
  timers.set(
    lane,
    setTimeout(() => void run(lane), afterMs),
  )
}

/** False when there was no answer: it stays where it is and is tried again. */
const attempt = async (entry: Outgoing): Promise<boolean> => {
  const { id, ticketId } = entry.message
  const lane = laneOf(entry)
  try {
    const ready = await withFile(entry)
    if (!ready) return true // it was taken back meanwhile
    putEntry({ ...ready, state: 'sending' })
    receiveSent(queryClient, await postMessage(ticketId, ready.send))
    delivered(id)
    if (ready.send.way) void renewWays(queryClient, ticketId)
  } catch (error) {
    const now = findEntry(id)
    if (!now) return true // its event came before its failure: it was stored
    const outcome = outcomeOf(error)
    putEntry({ ...now, ...outcome })
    if (outcome.state === 'waiting') {
      holdBehind(entry, 'waiting')
      const tried = (tries.get(lane) ?? 0) + 1
      tries.set(lane, tried)
      wake(lane, Math.min(lastRetryMs, firstRetryMs * 2 ** (tried - 1)))
      return false
    }
  }
  tries.delete(lane)
  return true
}

/** Once its files are there. Until then it may be taken back, and so may what waits behind it. */
const withFile = async (entry: Outgoing): Promise<Outgoing | undefined> => {
  const { file, message } = entry
  const { album } = entry.send
  // Of an album all files are up before the first leaves, so that they leave together.
  const together = outgoing().flatMap((one) => (album && one.send.album?.id === album.id && one.file) || [])
  const files = [...together, ...(file ? [file] : [])]
  if (!files.length) return entry
  if (files.some(({ id }) => !uploadOf(id).media)) {
    putEntry({ ...entry, state: 'uploading' })
    holdBehind(entry, 'uploading')
  }
  const up = Promise.allSettled(together.map(({ id }) => upload(id))).then(() => (file ? upload(file.id) : undefined))
  const media = await Promise.race([up, left(message.id)])
  const now = findEntry(message.id)
  if (!file) return now
  if (!media || !now) return undefined
  const ready = carrying(now, media)
  if (!ready) {
    const { status, text } = errorCodes.ERR_CHANNEL_UNSUPPORTED
    throw new ApiError({ status, code: 'ERR_CHANNEL_UNSUPPORTED', message: text })
  }
  return ready
}

/** The message with its file, as what the channel takes it for. */
const carrying = (entry: Outgoing, media: Media): Outgoing | undefined => {
  const { file, message, send } = entry
  const type = file && sendableAs(media.kind, { files: file.takes })
  if (!type) return undefined
  const { album, ...alone } = send
  // Where a channel sends files alone the server leaves it out.
  const fits = album && mayGoTogether(['attachments'], type)
  return {
    ...entry,
    message: { ...message, type, media },
    send: { ...alone, ...(fits && { album }), type, mediaId: media.id },
  }
}

/** What would leave after this one waits with it. */
const holdBehind = (head: Outgoing, state: 'waiting' | 'uploading') => {
  for (const one of outgoing()) {
    const isBehind = laneOf(one) === laneOf(head) && one.message.id !== head.message.id && goesByItself(one)
    if (isBehind && (one.state !== 'undoable' || one.batch === head.batch)) putEntry({ ...one, state })
  }
}

const retryWaiting = () => {
  tries.clear()
  for (const lane of new Set(outgoing().filter(goesByItself).map(laneOf))) void run(lane)
}

// At the end: they need everything above. This page sends what its person wrote, whatever screen it shows.
onOwnerChange(() => {
  for (const timer of timers.values()) clearTimeout(timer)
  timers.clear()
  tries.clear()
})
watchEntries((entry) => {
  if (entry.file) void recallFile(entry.file.id)
  void run(laneOf(entry))
})
onConnected(retryWaiting)
window.addEventListener('online', retryWaiting) // the socket may have outlived a short gap
// Who closes the page has pressed "Enviar": nothing waits for their return. A file that is not up yet has to.
window.addEventListener('pagehide', () => {
  for (const entry of outgoing()) {
    if (entry.state !== 'undoable') continue
    putEntry({ ...entry, state: 'waiting' })
    const media = entry.file && uploadOf(entry.file.id).media
    const ready = media ? carrying(entry, media) : !entry.file && entry
    if (ready) void postMessage(entry.message.ticketId, ready.send, { keepalive: true }).catch(() => undefined)
  }
})
