import type { Api } from './api.ts'
import type { Store } from './store.ts'

const TYPING_REPEAT_MS = 4000
const TYPING_IDLE_MS = 3000
const TYPING_FORGET_MS = 12_000

/** Who writes now: the visitor, told to the team; the agent, shown to the visitor. */
export class Typing {
  #store: Store
  #api: Api
  #idleTimer: ReturnType<typeof setTimeout> | undefined
  #forgetTimer: ReturnType<typeof setTimeout> | undefined
  #toldAt = 0

  constructor(store: Store, api: Api) {
    this.#store = store
    this.#api = api
  }

  notice(): void {
    if (this.#store.state.ticketStatus !== 'open' && this.#store.state.ticketStatus !== 'pending') return
    clearTimeout(this.#idleTimer)
    this.#idleTimer = setTimeout(() => this.stop(), TYPING_IDLE_MS)
    if (Date.now() - this.#toldAt < TYPING_REPEAT_MS) return
    this.#toldAt = Date.now()
    void this.#api.sendEvent({ type: 'typing.start' }).catch(() => undefined)
  }

  stop(): void {
    clearTimeout(this.#idleTimer)
    if (this.#toldAt === 0) return
    this.#toldAt = 0
    void this.#api.sendEvent({ type: 'typing.stop' }).catch(() => undefined)
  }

  show(agentName: string | null): void {
    clearTimeout(this.#forgetTimer)
    if (agentName) this.#forgetTimer = setTimeout(() => this.show(null), TYPING_FORGET_MS)
    if (agentName !== this.#store.state.typingAgent) this.#store.set({ typingAgent: agentName })
  }
}
