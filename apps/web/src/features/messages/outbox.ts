import type { Message, MessageSend } from '@balcao/contract/messages.ts'
import { useSyncExternalStore } from 'react'
import { v7 } from 'uuid'
import { queryClient } from '../../kit/query-client.ts'
import { session } from '../../kit/session.ts'
import { onConnected } from '../../kit/socket.ts'
import { postMessage, receiveMessage } from './api.ts'
import { laneOf, lastUndoable, nextIn, type Outgoing, outcomeOf, parseOutgoing } from './outbox-state.ts'

export type { Outgoing } from './outbox-state.ts'

/** How long a message may be taken back before it leaves. */
export const undoMs = 5_000
const firstRetryMs = 2_000
const lastRetryMs = 30_000

type Given = {
  ticketId: string
  contactId: string
  send: Omit<MessageSend, 'id' | 'force'>
  media?: Message['media']
  quoted?: Message['quoted']
  /** What a template or choices look like until the server has said so. */
  payload?: Message['payload']
  /** Leaves only after this long, and may be taken back until then. */
  delayMs?: number
  /** What was sent together is taken back together. */
  batch?: string
}

let outgoing: readonly Outgoing[] = []
const listeners = new Set<() => void>()

/** Puts a message on the screen and on its way. Its id is made here: however often it is tried, it is one message. */
export const sendMessage = ({
  ticketId,
  contactId,
  send,
  media = null,
  quoted = null,
  payload = null,
  delayMs = 0,
  batch,
}: Given) => {
  const id = v7()
  const now = new Date().toISOString()
  const author = session.get()
  const message: Message = {
    id,
    seq: Number.MAX_SAFE_INTEGER,
    ticketId,
    contactId,
    fromMe: true,
    type: send.type,
    body: send.sign && send.body.trim() && send.type !== 'note' ? `*${author?.username}*:\n${send.body}` : send.body,
    media,
    mediaState: media ? 'ready' : 'none',
    location: send.location,
    contacts: send.contact ? [send.contact] : [],
    payload,
    sendType: 'chat',
    isForwarded: false,
    quoted,
    reactions: [],
    status: 'queued',
    error: null,
    isDeleted: false,
    editedAt: null,
    user: author && { id: author.userId, name: author.username },
    timestamp: now,
    createdAt: now,
    version: 0,
  }
  const isUndoable = delayMs > 0 && send.type !== 'note'
  if (!isUndoable && send.type !== 'note') sendNow(ticketId) // what was written before leaves before
  const entry: Outgoing = {
    message,
    send: { ...send, id, force: false },
    state: isUndoable ? 'undoable' : 'sending',
    sendAt: Date.now() + (isUndoable ? delayMs : 0),
    batch: batch ?? id,
    error: null,
    newer: [],
  }
  put(entry)
  void run(laneOf(entry))
}

/** Tries again with the same id; `force` when the person was asked about what is newer. */
export const retrySend = (id: string, force = false) => {
  const found = find(id)
  if (!found || found.state === 'sending' || found.state === 'undoable') return
  const send = force ? { ...found.send, force } : found.send
  put({ ...found, send, state: 'waiting', error: null, newer: [] })
  void run(laneOf(found))
}

/**
 * Takes what was not sent off the screen and hands it back, oldest first: one message, or all that one press of the
 * button sent while they may still be taken back. Nothing when it is already on its way.
 */
export const withdraw = (id: string): Outgoing[] => {
  const found = find(id)
  if (!found || found.state === 'sending') return []
  const gone = found.state === 'undoable' ? outgoing.filter((one) => isSameBatch(one, found)) : [found]
  for (const entry of gone) remove(entry.message.id)
  void run(laneOf(found))
  return gone
}
const isSameBatch = (one: Outgoing, found: Outgoing) => one.state === 'undoable' && one.batch === found.batch

/** The newest message of a conversation, while it may be taken back. */
export const undoableIn = (ticketId: string) => lastUndoable(outgoing, ticketId)

/** Where what one press of the button sent ends: there stands the one "Desfazer" of all of it. */
export const endsBatch = (entry: Outgoing) => outgoing.findLast((one) => one.batch === entry.batch) === entry

/** What may still be taken back leaves at once. */
export const sendNow = (ticketId: string) => {
  for (const entry of outgoing) {
    if (entry.message.ticketId === ticketId && entry.state === 'undoable') put({ ...entry, sendAt: 0 })
  }
  void run(ticketId)
}

/** Before the conversation changes hands or closes: what was written leaves first. Without a network nobody waits. */
export const settleOutgoing = async (ticketId: string): Promise<void> => {
  sendNow(ticketId)
  await lanes.get(ticketId)
}

/** The server has it: told by the answer or by the event, whichever comes first. */
export const delivered = (id: string) => {
  if (find(id)) remove(id)
}

export const useOutgoing = () => useSyncExternalStore(subscribe, () => outgoing)

const lanes = new Map<string, Promise<void>>()
const timers = new Map<string, ReturnType<typeof setTimeout>>()
const tries = new Map<string, number>()

/** Sends what a lane holds, one after the other, until nothing is due or the network is gone. */
const run = (lane: string): Promise<void> => {
  const running = lanes.get(lane) ?? drain(lane)
  lanes.set(lane, running)
  return running
}

const drain = async (lane: string) => {
  await null // so that the lane is known to run before anything else happens
  for (let entry = due(lane); entry; entry = due(lane)) {
    if (isTakenBack(entry)) forget(entry.message.id)
    else if (!(await attempt(entry))) break
  }
  lanes.delete(lane)
}

/** The one to send now; when it is only due later, the lane wakes then. */
const due = (lane: string): Outgoing | undefined => {
  const entry = nextIn(outgoing, lane)
  const left = entry?.state === 'undoable' ? entry.sendAt - Date.now() : 0
  if (left > 0) return wake(lane, left)
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
  put({ ...entry, state: 'sending' })
  try {
    receiveMessage(queryClient, await postMessage(ticketId, entry.send))
    delivered(id)
  } catch (error) {
    const now = find(id)
    if (!now) return true // its event came before its failure: it was stored
    const outcome = outcomeOf(error)
    put({ ...now, ...outcome })
    if (outcome.state === 'waiting') {
      for (const behind of outgoing)
        if (laneOf(behind) === lane && behind.state === 'sending') put({ ...behind, state: 'waiting' })
      const tried = (tries.get(lane) ?? 0) + 1
      tries.set(lane, tried)
      wake(lane, Math.min(lastRetryMs, firstRetryMs * 2 ** (tried - 1)))
      return false
    }
  }
  tries.delete(lane)
  return true
}

const find = (id: string) => outgoing.find((entry) => entry.message.id === id)
const put = (entry: Outgoing) => {
  store(entry)
  const known = find(entry.message.id)
  set(known ? outgoing.map((one) => (one === known ? entry : one)) : [...outgoing, entry])
}
const remove = (id: string) => {
  localStorage.removeItem(keyOf(id))
  forget(id)
}
const forget = (id: string) => {
  kept.delete(id)
  set(outgoing.filter((entry) => entry.message.id !== id))
}

const set = (next: readonly Outgoing[]) => {
  outgoing = next
  for (const listener of listeners) listener()
}

// What was written and not sent outlives a reload, and is the same in every page of this browser.
const prefix = () => `naoEnviada:${session.get()?.userId ?? ''}:`
const keyOf = (id: string) => prefix() + id
const kept = new Set<string>()
const store = (entry: Outgoing) => {
  try {
    localStorage.setItem(keyOf(entry.message.id), JSON.stringify(entry))
    kept.add(entry.message.id)
  } catch {
    // The device is full: it is sent all the same, but would not outlive a reload.
  }
}
/** Another page of this browser took it back, or sent it. */
const isTakenBack = ({ message: { id } }: Outgoing) => kept.has(id) && localStorage.getItem(keyOf(id)) === null

const restore = () => {
  if (!session.get()?.userId) return
  const stored = Object.keys(localStorage).filter((key) => key.startsWith(prefix()))
  // The ids are UUIDv7: their order is that of writing.
  for (const key of stored.toSorted()) adopt(parseOutgoing(localStorage.getItem(key)))
}
const adopt = (entry: Outgoing | undefined) => {
  if (!entry || find(entry.message.id)) return
  kept.add(entry.message.id)
  set([...outgoing, entry])
  void run(laneOf(entry))
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

// At the end: they need everything above.
restore()
session.subscribe(() => {
  if (session.get()) return restore()
  for (const timer of timers.values()) clearTimeout(timer)
  kept.clear()
  set([])
})
const retryWaiting = () => {
  tries.clear()
  for (const lane of new Set(outgoing.filter(({ state }) => state === 'waiting').map(laneOf))) void run(lane)
}
onConnected(retryWaiting)
window.addEventListener('online', retryWaiting) // the socket may have outlived a short gap
window.addEventListener('storage', ({ key, newValue }) => {
  if (!key?.startsWith(prefix())) return
  if (newValue === null) return forget(key.slice(prefix().length))
  const entry: Outgoing | undefined = parseOutgoing(newValue)
  if (entry && !newValue.includes('"state":"sending"')) adopt(entry)
})
// Who closes the page has pressed "Enviar": nothing waits for their return.
window.addEventListener('pagehide', () => {
  for (const entry of outgoing) {
    if (entry.state !== 'undoable') continue
    put({ ...entry, state: 'waiting' })
    void postMessage(entry.message.ticketId, entry.send, { keepalive: true }).catch(() => undefined)
  }
})
