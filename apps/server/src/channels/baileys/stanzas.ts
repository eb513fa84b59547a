import type { BinaryNode } from '@whiskeysockets/baileys'
import { isGroup, isIgnored } from '../whatsapp/jids.ts'
import type { BaileysEvents } from './port.ts'

/** By which the library's socket hears of what says something of a conversation. */
export const heard = ['CB:message', 'CB:notification', 'CB:call', 'CB:receipt', 'CB:ack,class:message'] as const
export const heardAs = ({ tag }: BinaryNode): string => (tag === 'ack' ? 'CB:ack,class:message' : `CB:${tag}`)

const groupNotices = new Set(['add', 'remove', 'leave', 'promote', 'demote', 'subject'])
const callSteps = new Set(['offer', 'terminate', 'reject'])
/** Which state of our message a receipt tells of, by its type. */
const stateOfReceipt: Record<string, number> = { '': 3, read: 4, played: 5 }

const childOf = ({ content }: BinaryNode): BinaryNode | undefined => (Array.isArray(content) ? content[0] : undefined)

/** Besides messages, which are kept as they are deciphered: it says something, and is acknowledged before it is told. */
export const isOfConversation = (stanza: BinaryNode): boolean => {
  const { tag, attrs } = stanza
  const step = childOf(stanza)?.tag ?? ''
  if (tag === 'notification')
    return attrs.type === 'w:gp2' ? groupNotices.has(step) : attrs.type === 'picture' && isGroup(attrs.from ?? '')
  if (tag === 'call') return callSteps.has(step)
  if (tag === 'receipt') {
    const from = attrs.from ?? ''
    const isOurs = !attrs.recipient && (!isGroup(from) || attrs.participant !== undefined) // of what we wrote
    return isOurs && !isIgnored(from) && stateOfReceipt[attrs.type ?? ''] !== undefined
  }
  return tag === 'ack' && attrs.error !== undefined
}

/** The messages a receipt is of. */
export const receiptIds = (stanza: BinaryNode): string[] => {
  const items = childOf(stanza)?.content
  const more = Array.isArray(items) ? items.flatMap(({ tag, attrs }) => (tag === 'item' ? (attrs.id ?? []) : [])) : []
  return [stanza.attrs.id ?? '', ...more]
}

/** What the library has told of by now. */
export type Told = {
  messages: ReadonlySet<string>
  states: ReadonlyMap<string, number>
  failed: ReadonlySet<string>
  calls: ReadonlySet<string>
}
export const toldOnly = (messages: ReadonlySet<string>): Told => ({
  messages,
  states: new Map(),
  failed: new Set(),
  calls: new Set(),
})

export const toldIn = (batch: readonly BaileysEvents[]): Told => {
  const [messages, failed, calls] = [new Set<string>(), new Set<string>(), new Set<string>()]
  const states = new Map<string, number>()
  const came = (id: string | null | undefined, state: number | null | undefined) => {
    if (id && state) states.set(id, Math.max(state, states.get(id) ?? 0))
    else if (id && state === 0) failed.add(id)
  }
  for (const events of batch) {
    for (const { key, status, userReceipt } of events['messages.upsert']?.messages ?? []) {
      if (key.id) messages.add(key.id)
      came(key.id, userReceipt?.length ? 3 : status)
    }
    for (const { key, update } of events['messages.update'] ?? []) came(key.id, update.status)
    for (const { key, receipt } of events['message-receipt.update'] ?? []) came(key.id, receipt.readTimestamp ? 4 : 3)
    for (const { id, status } of events.call ?? []) calls.add(`${id} ${status}`)
  }
  return { messages, states, failed, calls }
}

/** Everything this stanza says has been told. */
export const isTold = (stanza: BinaryNode, { messages, states, failed, calls }: Told): boolean => {
  const { tag, attrs } = stanza
  if (tag === 'ack') return failed.has(attrs.id ?? '')
  if (tag === 'receipt') {
    const state = stateOfReceipt[attrs.type ?? ''] ?? 0
    return receiptIds(stanza).every((id) => (states.get(id) ?? 0) >= state)
  }
  if (tag !== 'call') return messages.has(attrs.id ?? '')
  const step = childOf(stanza)
  const names = step?.tag === 'terminate' ? ['terminate', 'timeout'] : [step?.tag]
  return names.some((name) => calls.has(`${step?.attrs['call-id']} ${name}`))
}

type Waiting = { stanza: BinaryNode; pass: () => void }
/** Passes stanzas on in their order, what says something once it is kept. One that cannot be kept ends the line. */
export const createLine = (
  needsKeeping: (stanza: BinaryNode) => boolean,
  keep: (some: BinaryNode[]) => Promise<void>,
) => {
  const waiting: Waiting[] = []
  let isRunning = false
  const run = async () => {
    while (waiting.length) {
      const some = waiting.splice(0)
      const kept = some.flatMap(({ stanza }) => (needsKeeping(stanza) ? [stanza] : []))
      if (kept.length) await keep(kept)
      for (const { pass } of some) pass()
    }
    isRunning = false
  }
  return (stanza: BinaryNode, pass: () => void) => {
    if (!isRunning && !needsKeeping(stanza)) return pass()
    waiting.push({ stanza, pass })
    if (isRunning) return
    isRunning = true
    run().catch(() => {}) // unacknowledged, it is brought again
  }
}
