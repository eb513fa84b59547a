import type { Message } from '@balcao/contract/conversations/messages.ts'
import type { EventPayload } from '@balcao/contract/events.ts'

/** What is loaded of a conversation, oldest first. */
export type Conversation = {
  items: Message[]
  hasOlder: boolean
  /** Its latest page could not be loaded: here is only what was sent or came since. */
  isPartial?: boolean
  /** What is loaded ends before now: one went to an older message, and nothing newer is put below it. */
  hasNewer?: boolean
  /** The newest message that was ever loaded, wherever one is now. */
  latestSeq?: number
  /** Counts the jumps to a place that was not loaded: what is drawn begins anew. */
  segment?: number
}

/** Adds or renews messages: each once, in the server's order, the newer version kept. */
export const withMessages = (now: Conversation, given: readonly Message[]): Conversation => {
  const byId = new Map(now.items.map((message) => [message.id, message]))
  const end = now.hasNewer ? (now.items.at(-1)?.seq ?? 0) : Number.POSITIVE_INFINITY
  for (const message of given) {
    if (message.seq > end) continue
    const known = byId.get(message.id)
    if (!known || message.version >= known.version) byId.set(message.id, message)
  }
  return { ...now, items: [...byId.values()].toSorted((a, b) => a.seq - b.seq) }
}

/** The latest page meets what is loaded; when there is a gap between them, the page alone stands. */
export const renewedBy = (now: Conversation, latest: Conversation): Conversation => {
  if (now.hasNewer) return withMessages(now, latest.items)
  const [first] = latest.items
  const last = now.items.at(-1)
  const touches = !latest.hasOlder || !first || (last && last.seq >= first.seq)
  if (now.isPartial || !touches)
    return withMessages(
      { ...latest, segment: now.segment },
      now.items.filter((message) => message.seq > (first?.seq ?? 0)),
    )
  return withMessages({ ...now, hasOlder: now.items.length ? now.hasOlder : latest.hasOlder }, latest.items)
}

export const withStatus = (now: Conversation, told: EventPayload<'message.status'>): Conversation => ({
  ...now,
  items: now.items.map((message) =>
    message.id === told.id && told.version > message.version
      ? { ...message, status: told.status, error: told.error, version: told.version }
      : message,
  ),
})

/** Without one that turned out to be another's echo. */
export const withoutMessage = (now: Conversation, id: string): Conversation => ({
  ...now,
  items: now.items.filter((message) => message.id !== id),
})

/** The newest message the person can have seen; what a send tells the server (`seenSeq`). */
export const lastSeqOf = (conversation: Conversation | undefined): number =>
  Math.max(conversation?.items.at(-1)?.seq ?? 0, conversation?.latestSeq ?? 0)

/** What others said after this place: the customer, or a colleague to the customer. */
export const newerThan = (conversation: Conversation | undefined, seq: number, userId: string): Message[] =>
  (conversation?.items ?? []).filter(
    (message) =>
      message.seq > seq &&
      !['note', 'system', 'reaction'].includes(message.type) &&
      (!message.fromMe || (message.user !== null && message.user.id !== userId)),
  )

/** Another stretch of the conversation instead of the one that is loaded. */
export const movedTo = (now: Conversation | undefined, there: Conversation): Conversation => ({
  ...there,
  latestSeq: Math.max(lastSeqOf(now), lastSeqOf(there)),
  segment: (now?.segment ?? 0) + 1,
})
/** What follows the end of what is loaded. */
export const withNewer = (
  now: Conversation,
  newer: { items: readonly Message[]; hasNewer: boolean },
): Conversation => ({
  ...withMessages({ ...now, hasNewer: false }, newer.items),
  hasNewer: newer.hasNewer,
})
