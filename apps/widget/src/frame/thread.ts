import type { WebchatMessage } from './api.ts'
import { say } from './words.ts'

/** A message of the conversation; `delivery` is set only while it exists on this side alone. */
export type ThreadMessage = WebchatMessage & { delivery?: 'sending' | 'failed' | 'offered'; failure?: string }

/** Messages not yet accepted by the server stand at the end, in the order they were written. */
export const UNSENT_SEQ = Number.MAX_SAFE_INTEGER

/**
 * Puts what the server says into the thread: one row per id and per clientId, ordered by `seq`. The same message may
 * come by answer, socket and catch-up, in any order; a status never goes back and a deletion is never undone.
 */
export const mergeMessages = (thread: ThreadMessage[], incoming: WebchatMessage[]): ThreadMessage[] => {
  if (incoming.length === 0) return thread
  const byId = new Map(thread.map((message) => [message.id, message]))
  for (const message of incoming) {
    const known = byId.get(message.id)
    const own = message.clientId ? findByClientId(byId, message.clientId) : undefined
    if (own && own.id !== message.id) byId.delete(own.id)
    byId.set(message.id, known ? newest(known, message) : message)
  }
  return [...byId.values()].sort(bySeq)
}

export const appendUnsent = (thread: ThreadMessage[], message: ThreadMessage): ThreadMessage[] =>
  thread.some((known) => known.clientId === message.clientId) ? thread : [...thread, message].sort(bySeq)

export const patchByClientId = (
  thread: ThreadMessage[],
  clientId: string,
  patch: Pick<ThreadMessage, 'delivery' | 'failure'>,
): ThreadMessage[] =>
  thread.map((message) => (message.clientId === clientId && message.delivery ? { ...message, ...patch } : message))

export const dropUnsent = (thread: ThreadMessage[], clientId: string): ThreadMessage[] =>
  thread.filter((message) => !(message.clientId === clientId && message.delivery))

/** The visitor's messages up to `upToSeq` reached the agent's screen, or were read there. */
export const raiseStatus = (
  thread: ThreadMessage[],
  upToSeq: number,
  status: WebchatMessage['status'],
): ThreadMessage[] =>
  thread.map((message) =>
    message.from === 'visitor' && message.seq <= upToSeq && rank(status) > rank(message.status)
      ? { ...message, status }
      : message,
  )

export const lastSeq = (thread: ThreadMessage[]): number => {
  const accepted = thread.filter((message) => !message.delivery)
  return accepted.at(-1)?.seq ?? 0
}

export const firstSeq = (thread: ThreadMessage[]): number | undefined =>
  thread.find((message) => !message.delivery)?.seq

/** Up to where the visitor has read: what was marked here, what the server knows, and what was answered. */
export const readUpTo = (thread: ThreadMessage[], markedSeq: number): number =>
  thread.reduce((seq, message) => {
    const isSeen = message.from === 'visitor' || message.status === 'read'
    return !message.delivery && isSeen ? Math.max(seq, message.seq) : seq
  }, markedSeq)

export const countUnread = (thread: ThreadMessage[], readSeq: number): number =>
  thread.filter((message) => isFromTeam(message) && message.seq > readSeq).length

/** The last of what was not read, in one line: what the closed chat shows. */
export const lastUnread = (thread: ThreadMessage[], readSeq: number): { name: string; text: string } | undefined => {
  const last = thread.findLast((message) => isFromTeam(message) && message.seq > readSeq)
  if (!last) return undefined
  return { name: last.agentName || say('team'), text: last.text.trim().slice(0, 160) || say('sentFile') }
}

export const firstUnreadId = (thread: ThreadMessage[], readSeq: number): string | undefined =>
  thread.find((message) => isFromTeam(message) && message.seq > readSeq)?.id

const isFromTeam = (message: ThreadMessage): boolean =>
  message.from !== 'visitor' && message.type !== 'system' && !message.isDeleted

const findByClientId = (byId: Map<string, ThreadMessage>, clientId: string): ThreadMessage | undefined => {
  for (const message of byId.values()) if (message.clientId === clientId) return message
  return undefined
}

const newest = (known: ThreadMessage, next: WebchatMessage): ThreadMessage => {
  const isOlderEdit = (known.editedAt ?? '') > (next.editedAt ?? '')
  const base = isOlderEdit ? known : next
  return {
    ...base,
    media: base.media && (known.media ?? base.media), // the same file under a newer address is not loaded again
    isDeleted: known.isDeleted || next.isDeleted,
    status: rank(known.status) > rank(next.status) ? known.status : next.status,
  }
}

const rank = (status: WebchatMessage['status']): number => ['sent', 'delivered', 'read'].indexOf(status)

const bySeq = (one: ThreadMessage, other: ThreadMessage): number =>
  one.seq - other.seq || (one.createdAt < other.createdAt ? -1 : one.createdAt > other.createdAt ? 1 : 0)
