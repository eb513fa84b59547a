import type { Api } from './api.ts'
import type { Store } from './store.ts'
import { countUnread, firstUnreadId, lastSeq, lastUnread, readUpTo } from './thread.ts'

/** How far the visitor has read, told to the server and, of what is unread, to the page. */
export class Reading {
  #store: Store
  #api: Api
  #readSeq: number
  #reportedReadSeq = 0
  #isAtEnd = true
  #wasReading = false

  constructor(store: Store, api: Api) {
    this.#store = store
    this.#api = api
    this.#readSeq = Number(store.slots.read) || 0
  }

  /** Told by the list: only what is in sight counts as read. */
  setAtEnd(isAtEnd: boolean): void {
    this.#isAtEnd = isAtEnd
    if (isAtEnd) this.notice()
  }

  /** Marks as read what the visitor really has before the eyes, and tells the launcher of the rest. */
  notice(): void {
    const { thread, isOpen } = this.#store.state
    const readSeq = readUpTo(thread, this.#readSeq)
    const unread = countUnread(thread, readSeq)
    const isReading = isOpen && !document.hidden && this.#isAtEnd
    if (isReading && unread > 0) {
      // What arrives under the visitor's eyes is simply there; the line is for those who come back.
      if (!this.#wasReading) this.#store.set({ unreadMarkId: firstUnreadId(thread, readSeq) })
      this.#mark(lastSeq(thread))
    }
    this.#wasReading = isReading
    const last = isReading || unread === 0 ? undefined : lastUnread(thread, readSeq)
    this.#store.host.tell({ type: 'frame:unread', payload: { count: isReading ? 0 : unread, last } })
  }

  forget(): void {
    this.#readSeq = 0
    this.#reportedReadSeq = 0
  }

  #mark(seq: number): void {
    if (seq <= this.#readSeq) return
    this.#readSeq = seq
    this.#store.keep('read', String(seq))
    this.report()
  }

  report(): void {
    const upToSeq = this.#readSeq
    if (upToSeq <= this.#reportedReadSeq) return
    void this.#api
      .sendEvent({ type: 'read', upToSeq })
      .then(() => {
        this.#reportedReadSeq = Math.max(this.#reportedReadSeq, upToSeq)
      })
      .catch(() => undefined) // told again after the next reconnection
  }
}
