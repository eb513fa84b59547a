import type { Slots } from '../protocol.ts'
import type { WidgetConfig } from './api.ts'
import type { Host } from './host.ts'
import type { Agent, TicketStatus } from './live.ts'
import type { TakenOffer } from './offer.ts'
import type { ThreadMessage } from './thread.ts'

export type ChatState = {
  phase: 'loading' | 'prechat' | 'ready' | 'failed' | 'revoked'
  failure: string
  config: WidgetConfig | null
  isOpen: boolean
  thread: ThreadMessage[]
  hasOlder: boolean
  isLoadingOlder: boolean
  agent: Agent | null
  typingAgent: string | null
  ticketStatus: TicketStatus | 'none'
  isConnectionLost: boolean
  /** The first message that was new when the visitor came to read. */
  unreadMarkId: string | undefined
  /** What the site began with, until the visitor answers it. */
  offer: TakenOffer | undefined
}

/** What is shown, and what the page keeps for the next visit. */
export class Store {
  state: ChatState = {
    phase: 'loading',
    failure: '',
    config: null,
    isOpen: false,
    thread: [],
    hasOlder: false,
    isLoadingOlder: false,
    agent: null,
    typingAgent: null,
    ticketStatus: 'none',
    isConnectionLost: false,
    unreadMarkId: undefined,
    offer: undefined,
  }
  readonly host: Host
  readonly slots: Slots
  #listeners = new Set<() => void>()

  constructor(host: Host, slots: Slots) {
    this.host = host
    this.slots = slots
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  set(patch: Partial<ChatState>): void {
    this.state = { ...this.state, ...patch }
    for (const listener of this.#listeners) listener()
  }

  keep(name: string, value: string | null): void {
    if (value === null) delete this.slots[name]
    else this.slots[name] = value
    this.host.tell({ type: 'frame:slot', payload: { name, value } })
  }
}
