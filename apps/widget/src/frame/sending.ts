import { type Api, ApiError, type NewMessage, type UploadAnswer, type WebchatMessage } from './api.ts'
import { failureText } from './failure-text.ts'
import { type OutboxEntry, readOutbox, slotOf, toRequest, toUnsent } from './outbox.ts'
import type { Store } from './store.ts'
import { appendUnsent, dropUnsent, patchByClientId, type ThreadMessage } from './thread.ts'

export type Outgoing = {
  text?: string
  upload?: UploadAnswer
  buttonId?: string
  replyTo?: { id: string; text: string }
  offer?: NewMessage['offer']
}

const SEND_RETRY_MS = [1000, 2000, 4000]

type Accepted = WebchatMessage & { clientId: string }

/** What the visitor wrote and the server has not accepted: shown at once, kept by the page, sent in its order. */
export class Sending {
  #store: Store
  #api: Api
  #onAccepted: (message: Accepted) => void
  #outbox = new Map<string, OutboxEntry>()
  #autoRetry = new Set<string>()
  #isFlushing = false

  constructor(store: Store, api: Api, onAccepted: (message: Accepted) => void) {
    this.#store = store
    this.#api = api
    this.#onAccepted = onAccepted
  }

  /** The thread with what an earlier visit left unsent. */
  restoredInto(thread: ThreadMessage[]): ThreadMessage[] {
    for (const entry of readOutbox(this.#store.slots)) this.#outbox.set(entry.clientId, entry)
    return [...this.#outbox.values()].reduce((now, entry) => appendUnsent(now, toUnsent(entry)), thread)
  }

  send({ text, upload, buttonId, replyTo, offer }: Outgoing): string {
    const entry: OutboxEntry = {
      clientId: newClientId(),
      createdAt: new Date().toISOString(),
      text: text?.trim(),
      buttonId,
      mediaId: upload?.mediaId,
      media: upload && { url: upload.url, name: upload.name, mime: upload.mime, size: upload.size },
      replyTo: replyTo?.id,
      replyText: replyTo?.text,
      offer,
    }
    this.#outbox.set(entry.clientId, entry)
    this.#store.keep(slotOf(entry.clientId), JSON.stringify(entry))
    this.#store.keep('talk', '1')
    this.#store.set({ thread: appendUnsent(this.#store.state.thread, toUnsent(entry)), unreadMarkId: undefined })
    void this.flush()
    return entry.clientId
  }

  retry(clientId: string): void {
    this.#store.set({
      thread: patchByClientId(this.#store.state.thread, clientId, { delivery: 'sending', failure: undefined }),
    })
    void this.flush()
  }

  /** What failed on the way goes again: the line is back. */
  retryAll(): void {
    for (const clientId of this.#autoRetry) this.retry(clientId)
    this.#autoRetry.clear()
  }

  discard(clientId: string): void {
    this.#outbox.delete(clientId)
    this.#store.keep(slotOf(clientId), null)
    this.#store.set({ thread: dropUnsent(this.#store.state.thread, clientId) })
  }

  forget(): void {
    this.#outbox.clear()
    this.#autoRetry.clear()
  }

  /** Whatever of it the server has is ours no more. */
  settle(thread: readonly ThreadMessage[]): void {
    for (const message of thread) {
      if (message.delivery || !message.clientId || !this.#outbox.has(message.clientId)) continue
      this.#outbox.delete(message.clientId)
      this.#autoRetry.delete(message.clientId)
      this.#store.keep(slotOf(message.clientId), null)
    }
  }

  // One at a time, so that the server numbers them in the order they were written.
  async flush(): Promise<void> {
    if (this.#isFlushing) return
    this.#isFlushing = true
    try {
      for (let next = this.#nextToSend(); next; next = this.#nextToSend()) await this.#deliver(next)
    } finally {
      this.#isFlushing = false
    }
  }

  #nextToSend(): OutboxEntry | undefined {
    const message = this.#store.state.thread.find(({ delivery }) => delivery === 'sending')
    return message?.clientId ? this.#outbox.get(message.clientId) : undefined
  }

  async #deliver(entry: OutboxEntry): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        const accepted = await this.#api.send(toRequest(entry))
        this.#onAccepted({ ...accepted, clientId: entry.clientId })
        return
      } catch (error) {
        const isPassing = !(error instanceof ApiError) || error.isPassing
        const delay = SEND_RETRY_MS[attempt]
        if (isPassing && delay !== undefined) {
          await new Promise((resolve) => setTimeout(resolve, delay))
          if (this.#outbox.has(entry.clientId)) continue
          return
        }
        if (isPassing) this.#autoRetry.add(entry.clientId)
        const failure = isPassing ? undefined : failureText(error)
        this.#store.set({
          thread: patchByClientId(this.#store.state.thread, entry.clientId, { delivery: 'failed', failure }),
        })
        return
      }
    }
  }
}

export const newClientId = (): string => {
  if (crypto.randomUUID) return crypto.randomUUID()
  const bytes = crypto.getRandomValues(new Uint8Array(16)) // pages without HTTPS
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
