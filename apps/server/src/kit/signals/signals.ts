import { randomUUID } from 'node:crypto'
import type { Delivery } from '@balcao/contract/core/integrations/deliveries.ts'
import { log } from '../log.ts'

/** What processes tell each other, by topic. Hints: what happened is in the database. */
export type Signals = {
  /** Messages wait to be sent. */
  'messages.queued': undefined
  /** A message has a file that is still at its provider. */
  'media.wanted': undefined
  /** In this company somebody waits for a person, or a person is free again. */
  'distribution.wanted': { tenantId: number }
  /** The deadlines of some company's tickets are to be computed anew. */
  'deadlines.stale': undefined
  'templates.wanted': undefined
  /** A connection that is a session was made, changed, deleted or given back. */
  'sessions.changed': undefined
  /** The owner of a session is asked for something, and has answered. */
  'session.asked': undefined
  'session.answered': { id: string }
  'jobs.wanted': undefined
  /** What came before is to be handled once more. */
  'inbound.waiting': undefined
  /** Something is to be done by itself about a conversation. */
  'turns.left': undefined
  /** A message that was sent before it was written to its end says more. */
  'streams.grown': undefined
  /** A flow asks a system of its company. */
  'flowCalls.waiting': undefined
  /** A call of a voice assistant waits to be placed, or told. */
  'voiceCalls.waiting': undefined
  /** A mail of ours waits to be sent. */
  'mail.queued': undefined
  /** What a company's directory is read from has changed. */
  'directory.changed': { tenantId: number }
  /** All sessions of some person of this company, or of everybody, were ended. */
  'sessions.ended': { tenantId: number }
  /** An event was committed by a process that has no sockets. */
  'events.written': { tenantId: number; seq: number }
  /** The customer began, goes on or stopped writing. */
  'contact.typing': { tenantId: number; ticketId: string; isTyping: boolean }
  /** What answers by itself is writing to somebody in a web chat, or has stopped. */
  'contact.answering': {
    tenantId: number
    connectionId: string
    contactId: string
    name: string
    isTyping: boolean
  }
  /** What became of calls to a system of the company, for whoever looks at them. */
  'deliveries.tried': { tenantId: number; integrationId: string; items: Delivery[] }
}
export type Topic = keyof Signals
/** Topics that say no more than "look": they can be said again when some may have been lost. */
const wakes = [
  'messages.queued',
  'media.wanted',
  'deadlines.stale',
  'templates.wanted',
  'sessions.changed',
  'session.asked',
  'jobs.wanted',
  'inbound.waiting',
  'turns.left',
  'streams.grown',
  'flowCalls.waiting',
  'voiceCalls.waiting',
  'mail.queued',
] as const

type Handler<T extends Topic> = (payload: Signals[T]) => void
type Signal = { [T in Topic]: [topic: T, payload: Signals[T]] }[Topic]

/** Carries texts of up to 8,000 bytes to the other processes. */
export type Carrier = { send: (texts: string[]) => Promise<void>; stop: () => Promise<void> }
export type Hearer = {
  hear: (text: string) => void
  /** The way is open (again): what was said meanwhile is lost. */
  opened: () => void
}

const handlers = new Map<Topic, Set<Handler<never>>>()
/** Calls `handler` whenever any process announces `topic`; answers how to end that. */
export const onSignal = <T extends Topic>(topic: T, handler: Handler<T>) => {
  const those = handlers.get(topic) ?? new Set()
  handlers.set(topic, those.add(handler))
  return () => void those.delete(handler)
}

let waiting = new Map<string, Signal>()
/**
 * Says something to this process and all others; call it after the commit it tells of. A hint and no more: it may be
 * lost, so whoever waits for it also looks by the clock. The same said twice at once is said once.
 */
export const announce = <T extends Topic>(
  ...[topic, payload]: Signals[T] extends undefined ? [topic: T] : [topic: T, payload: Signals[T]]
) => {
  if (!waiting.size) setImmediate(tellAll)
  const signal = [topic, payload] as Signal // the pair is checked by the parameters
  waiting.set(JSON.stringify(signal), signal)
}

const tellAll = () => {
  const told = waiting
  waiting = new Map()
  for (const signal of told.values()) tellHere(signal)
  others?.tell([...told.keys()])
}

const tellHere = ([topic, payload]: Signal) => {
  for (const handler of handlers.get(topic) ?? []) {
    try {
      handler(payload as never) // registered under the topic it came with
    } catch (error) {
      log.error({ err: error, topic }, 'signal not handled')
    }
  }
}

let others: ReturnType<typeof reachOthers> | undefined
/** From here on signals reach the other processes too, by the first way that is given. */
export const openSignals = (open: (hearer: Hearer) => Carrier) => {
  const reached = reachOthers(open)
  others = reached
  return {
    stop: async () => {
      if (others === reached) others = undefined
      await reached.stop()
    },
  }
}

const greetEveryMs = 20_000
const forgetAfterMs = 3 * greetEveryMs
const maxBytes = 7_500
/** Beyond this others find it by their clock. */
const maxWaiting = 5_000

type Letter = { from: string; hello?: 'ask' | 'answer'; say?: Signal[] }

/** Speaks only while somebody else is there: a process alone sends no more than a greeting now and then. */
const reachOthers = (open: (hearer: Hearer) => Carrier) => {
  const me = randomUUID()
  const seen = new Map<string, number>()
  let queue: string[] = []
  let isSending = false

  const post = (letters: string[]) =>
    carrier.send(letters).catch((error) => log.debug({ err: error }, 'signals not carried'))
  const greet = (hello: 'ask' | 'answer') => void post([JSON.stringify({ from: me, hello } satisfies Letter)])
  const isAlone = () => {
    for (const [id, at] of seen) if (at < Date.now() - forgetAfterMs) seen.delete(id)
    return seen.size === 0
  }
  const sendAll = async () => {
    isSending = true
    while (queue.length) {
      const letters = pack(me, queue)
      queue = []
      await post(letters)
    }
    isSending = false
  }
  const hear = (text: string) => {
    const letter = readLetter(text)
    if (!letter || letter.from === me) return
    seen.set(letter.from, Date.now())
    if (letter.hello === 'ask') greet('answer')
    for (const signal of letter.say ?? []) tellHere(signal)
  }
  const opened = () => {
    greet('ask')
    for (const topic of wakes) tellHere([topic, undefined])
  }
  const carrier = open({ hear, opened })
  const greeting = setInterval(() => greet('ask'), greetEveryMs).unref()

  return {
    tell: (signals: string[]) => {
      if (isAlone() || queue.length > maxWaiting) return
      queue.push(...signals)
      if (!isSending) void sendAll()
    },
    stop: async () => {
      clearInterval(greeting)
      await carrier.stop()
    },
  }
}

const readLetter = (text: string) => {
  try {
    return JSON.parse(text) as Letter // our own processes wrote it
  } catch {
    return undefined
  }
}

/** As few letters as hold them all. */
const pack = (from: string, signals: string[]): string[] => {
  const letters: string[] = []
  let said: string[] = []
  let bytes = 0
  const close = () => {
    if (said.length) letters.push(`{"from":"${from}","say":[${said.join(',')}]}`)
    said = []
    bytes = 0
  }
  for (const signal of signals) {
    const size = Buffer.byteLength(signal) + 1
    if (bytes + size > maxBytes) close()
    said.push(signal)
    bytes += size
  }
  close()
  return letters
}
