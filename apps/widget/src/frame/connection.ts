import type { Api, WebchatMessage } from './api.ts'
import { type Live, openLive, type ServerEvents } from './live.ts'
import type { Session } from './session.ts'
import type { Store } from './store.ts'

/** A catch-up also looks back this far, for what was edited, deleted or read meanwhile. */
const LOOK_BACK = 50
const LOST_BANNER_AFTER_MS = 3000
const POLL_WHILE_LOST_MS = 15_000

type Given = {
  store: Store
  session: Session
  api: Api
  on: {
    events: Omit<ServerEvents, 'message'>
    arrived: (message: WebchatMessage) => void
    /** What there is since then, known or not. */
    messages: (messages: WebchatMessage[]) => void
    /** The line is there, and nothing was missed. */
    back: () => void
  }
}

/** The line to the server: what came while it was lost is asked for from where it was certainly complete. */
export class Connection {
  #store: Store
  #session: Session
  #api: Api
  #on: Given['on']
  #live: Live | undefined
  #isLive = false
  /** Everything up to here was certainly received; own answers may be ahead of it. */
  #cursor = 0
  #lostTimer: ReturnType<typeof setTimeout> | undefined
  #pollTimer: ReturnType<typeof setInterval> | undefined

  constructor({ store, session, api, on }: Given) {
    this.#store = store
    this.#session = session
    this.#api = api
    this.#on = on
  }

  /** `cursor`: everything up to there is known. */
  open(cursor: number): void {
    this.#live?.close()
    this.#isLive = false
    this.#cursor = cursor
    this.#live = openLive({
      getToken: () => this.#session.accessToken,
      renew: () => this.#session.renew(),
      onJoin: () => void this.#handleJoin(),
      onDisconnect: () => this.#handleDisconnect(),
      on: { ...this.#on.events, message: (message) => this.#receive(message) },
    })
  }

  /** For another visitor, who knows nothing yet. */
  leave(): void {
    this.#live?.close()
    this.#live = undefined
    this.#isLive = false
    this.#cursor = 0
  }

  /** For good: this visitor's access was taken away. */
  end(): void {
    this.leave()
    clearTimeout(this.#lostTimer)
    clearInterval(this.#pollTimer)
  }

  #receive(message: WebchatMessage): void {
    if (this.#isLive) this.#cursor = Math.max(this.#cursor, message.seq)
    this.#on.arrived(message)
  }

  async #handleJoin(): Promise<void> {
    clearTimeout(this.#lostTimer)
    this.#lostTimer = undefined
    clearInterval(this.#pollTimer)
    this.#store.set({ isConnectionLost: false })
    try {
      await this.#catchUp()
      this.#isLive = true
    } catch {
      // The next catch-up starts from the same cursor, so nothing is skipped.
    }
    this.#on.back()
  }

  #handleDisconnect(): void {
    this.#isLive = false
    if (this.#lostTimer !== undefined) return
    this.#lostTimer = setTimeout(() => {
      this.#store.set({ isConnectionLost: true, typingAgent: null })
      // Some networks let requests through and no sockets; slower, but the conversation goes on.
      this.#pollTimer = setInterval(() => void this.#catchUp().catch(() => undefined), POLL_WHILE_LOST_MS)
    }, LOST_BANNER_AFTER_MS)
  }

  async #catchUp(): Promise<void> {
    let after = Math.max(0, this.#cursor - LOOK_BACK)
    for (;;) {
      const { items, hasMore } = await this.#api.listAfter(after)
      this.#on.messages(items)
      after = items.reduce((seq, item) => Math.max(seq, item.seq), after)
      if (!hasMore || items.length === 0) break
    }
    this.#cursor = Math.max(this.#cursor, after)
  }
}
