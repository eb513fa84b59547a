import type { HostMessage, HostPage, Identity, Slots } from '../protocol.ts'
import {
  type Api,
  ApiError,
  createApi,
  type Media,
  type PreChatAnswers,
  type SessionAnswer,
  type UploadAnswer,
  type WebchatMessage,
  type WidgetConfig,
} from './api.ts'
import type { Host, HostState } from './host.ts'
import { type Agent, type Live, openLive, type TicketStatus } from './live.ts'
import { type OutboxEntry, readOutbox, slotOf, toRequest, toUnsent } from './outbox.ts'
import { Session } from './session.ts'
import {
  appendUnsent,
  countUnread,
  dropUnsent,
  firstSeq,
  firstUnreadId,
  lastSeq,
  lastUnread,
  mergeMessages,
  patchByClientId,
  raiseStatus,
  readUpTo,
  type ThreadMessage,
} from './thread.ts'

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
}

export type Outgoing = {
  text?: string
  upload?: UploadAnswer
  buttonId?: string
  replyTo?: { id: string; text: string }
}

/** Higher than any seq: "the last page" in the words of the API. */
const NEWEST_SEQ = 2_147_483_647
/** A catch-up also looks back this far, for what was edited, deleted or read meanwhile. */
const LOOK_BACK = 50
const LOST_BANNER_AFTER_MS = 3000
const POLL_WHILE_LOST_MS = 15_000
const SEND_RETRY_MS = [1000, 2000, 4000]
const START_RETRY_MS = 10_000
const TYPING_REPEAT_MS = 4000
const TYPING_IDLE_MS = 3000
const TYPING_FORGET_MS = 12_000

/** One visitor's conversation: owns the session, the socket, the queue of what is to be sent, and what is shown. */
export class Chat {
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
  }
  readonly host: Host
  draft = ''
  #listeners = new Set<() => void>()
  #slots: Slots
  #session: Session
  #api: Api
  #live: Live | undefined
  #outbox = new Map<string, OutboxEntry>()
  #autoRetry = new Set<string>()
  #isFlushing = false
  #isLive = false
  /** Everything up to here was certainly received; own answers may be ahead of it. */
  #cursor = 0
  #readSeq: number
  #reportedReadSeq = 0
  #isAtEnd = true
  #wasReading = false
  #lostTimer: ReturnType<typeof setTimeout> | undefined
  #pollTimer: ReturnType<typeof setInterval> | undefined
  #startTimer: ReturnType<typeof setTimeout> | undefined
  #typingTimer: ReturnType<typeof setTimeout> | undefined
  #typingForgetTimer: ReturnType<typeof setTimeout> | undefined
  #typingSentAt = 0

  constructor(host: Host, channelKey: string, { slots, identity, page, isOpen }: HostState) {
    this.host = host
    this.#slots = slots
    this.draft = slots.draft ?? ''
    this.#readSeq = Number(slots.read) || 0
    this.state.isOpen = isOpen
    this.#session = new Session({ host, channelKey, page, identity, onAnswer: (answer) => this.#applySession(answer) })
    this.#api = createApi({
      getToken: () => this.#session.accessToken,
      renew: async () => {
        if (this.state.phase === 'revoked') throw new ApiError(401, 'REVOKED', '')
        await this.#session.renew()
      },
    })
    document.addEventListener('visibilitychange', () => this.#noticeReading())
    void this.start()
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async start(): Promise<void> {
    clearTimeout(this.#startTimer)
    this.#set({ phase: 'loading', failure: '' })
    try {
      await this.#session.renew()
      await this.#loadConversation()
    } catch (error) {
      this.#set({ phase: 'failed', failure: failureText(error) })
      if (!(error instanceof ApiError) || error.isPassing) {
        this.#startTimer = setTimeout(() => void this.start(), START_RETRY_MS)
      }
    }
  }

  /** After the server took this visitor's access away: leaves the old conversation behind and starts another. */
  startOver(): void {
    this.#forgetVisitor()
    this.#session.forget()
    void this.start()
  }

  handleHost(message: HostMessage): void {
    if (message.type === 'host:open') this.#setOpen(true)
    if (message.type === 'host:close') this.#setOpen(false)
    if (message.type === 'host:identify') void this.#identify(message.payload.identity)
    if (message.type === 'host:page') this.#setPage(message.payload)
  }

  close(): void {
    this.host.tell({ type: 'frame:close', payload: {} })
  }

  send({ text, upload, buttonId, replyTo }: Outgoing): void {
    const entry: OutboxEntry = {
      clientId: newClientId(),
      createdAt: new Date().toISOString(),
      text: text?.trim(),
      buttonId,
      mediaId: upload?.mediaId,
      media: upload && { url: upload.url, name: upload.name, mime: upload.mime, size: upload.size },
      replyTo: replyTo?.id,
      replyText: replyTo?.text,
    }
    this.#outbox.set(entry.clientId, entry)
    this.#keep(slotOf(entry.clientId), JSON.stringify(entry))
    this.#keep('talk', '1')
    this.#set({ thread: appendUnsent(this.state.thread, toUnsent(entry)), unreadMarkId: undefined })
    this.stopTyping()
    void this.#flush()
  }

  retry(clientId: string): void {
    this.#set({ thread: patchByClientId(this.state.thread, clientId, { delivery: 'sending', failure: undefined }) })
    void this.#flush()
  }

  discard(clientId: string): void {
    this.#outbox.delete(clientId)
    this.#keep(slotOf(clientId), null)
    this.#set({ thread: dropUnsent(this.state.thread, clientId) })
  }

  upload(file: File, options: { signal: AbortSignal; onProgress: (share: number) => void }): Promise<UploadAnswer> {
    return this.#api.upload(file, options)
  }

  async submitPreChat(answers: PreChatAnswers): Promise<void> {
    await this.#api.sendPreChat(answers)
    this.#keep('pre', '1')
    this.#set({ phase: 'ready' })
  }

  async endConversation(): Promise<void> {
    await this.#api.sendEvent({ type: 'close' })
    this.#set({ ticketStatus: 'closed', agent: null, typingAgent: null })
  }

  saveDraft(text: string): void {
    this.draft = text
    this.#keep('draft', text || null)
  }

  async loadOlder(): Promise<void> {
    const before = firstSeq(this.state.thread)
    if (!this.state.hasOlder || this.state.isLoadingOlder || before === undefined) return
    this.#set({ isLoadingOlder: true })
    try {
      const page = await this.#api.listBefore(before)
      this.#set({ thread: mergeMessages(this.state.thread, page.items), hasOlder: page.hasMore })
    } catch {
      // The list asks again when the visitor scrolls to the top once more.
    } finally {
      this.#set({ isLoadingOlder: false })
    }
  }

  /** A file's address lives for some minutes: asks for the one it has now. Undefined when nobody answers. */
  async renewMedia({ id, seq }: ThreadMessage): Promise<Media | undefined> {
    const page = await this.#api.listBefore(seq + 1).catch(() => undefined)
    const media = page?.items.find((item) => item.id === id)?.media
    if (media) this.#set({ thread: this.state.thread.map((one) => (one.id === id ? { ...one, media } : one)) })
    return media ?? undefined
  }

  /** Told by the list: only what is in sight counts as read. */
  setAtEnd(isAtEnd: boolean): void {
    this.#isAtEnd = isAtEnd
    if (isAtEnd) this.#noticeReading()
  }

  noticeTyping(): void {
    if (this.state.ticketStatus !== 'open' && this.state.ticketStatus !== 'pending') return
    clearTimeout(this.#typingTimer)
    this.#typingTimer = setTimeout(() => this.stopTyping(), TYPING_IDLE_MS)
    if (Date.now() - this.#typingSentAt < TYPING_REPEAT_MS) return
    this.#typingSentAt = Date.now()
    void this.#api.sendEvent({ type: 'typing.start' }).catch(() => undefined)
  }

  stopTyping(): void {
    clearTimeout(this.#typingTimer)
    if (this.#typingSentAt === 0) return
    this.#typingSentAt = 0
    void this.#api.sendEvent({ type: 'typing.stop' }).catch(() => undefined)
  }

  #set(patch: Partial<ChatState>): void {
    this.state = { ...this.state, ...patch }
    for (const listener of this.#listeners) listener()
  }

  #keep(name: string, value: string | null): void {
    if (value === null) delete this.#slots[name]
    else this.#slots[name] = value
    this.host.tell({ type: 'frame:slot', payload: { name, value } })
  }

  #applySession(answer: SessionAnswer): void {
    const isOther = this.#slots.visitor !== undefined && this.#slots.visitor !== answer.visitorId
    if (isOther) this.#forgetVisitor()
    this.#keep('visitor', answer.visitorId)
    this.host.tell({ type: 'frame:look', payload: { color: answer.config.color, position: answer.config.position } })
    const ticketStatus = answer.ticketId ? this.#knownTicketStatus() : 'none'
    this.#set({ config: answer.config, ticketStatus })
    // A renewal in the middle of a conversation found another visitor: what is on screen is not theirs.
    if (isOther && (this.state.phase === 'ready' || this.state.phase === 'prechat'))
      void this.#loadConversation().catch(() => this.start())
  }

  #knownTicketStatus(): TicketStatus {
    const { ticketStatus } = this.state
    return ticketStatus === 'pending' ? 'pending' : 'open'
  }

  #forgetVisitor(): void {
    this.#live?.close()
    this.#live = undefined
    this.#isLive = false
    this.#outbox.clear()
    this.#autoRetry.clear()
    for (const name of Object.keys(this.#slots)) if (name !== 'look') this.#keep(name, null)
    this.#cursor = 0
    this.#readSeq = 0
    this.#reportedReadSeq = 0
    this.#set({
      thread: [],
      hasOlder: false,
      agent: null,
      typingAgent: null,
      ticketStatus: 'none',
      unreadMarkId: undefined,
    })
    this.host.tell({ type: 'frame:unread', payload: { count: 0 } })
  }

  async #loadConversation(): Promise<void> {
    const page = await this.#api.listBefore(NEWEST_SEQ)
    for (const entry of readOutbox(this.#slots)) this.#outbox.set(entry.clientId, entry)
    let thread = mergeMessages(this.state.thread, page.items)
    for (const entry of this.#outbox.values()) thread = appendUnsent(thread, toUnsent(entry))
    this.#cursor = lastSeq(thread)
    this.#set({ hasOlder: page.hasMore })
    this.#showThread(thread)
    this.#set({ phase: this.#needsPreChat() ? 'prechat' : 'ready' })
    this.#goLive()
    void this.#flush()
  }

  #needsPreChat(): boolean {
    const { config, thread, ticketStatus } = this.state
    if (!config?.preChat.enabled || thread.length > 0 || ticketStatus !== 'none' || this.#slots.pre) return false
    return this.missingPreChatFields().length > 0
  }

  /** What the page already said of the visitor is not asked again. */
  missingPreChatFields() {
    const { identity } = this.#session
    return this.state.config?.preChat.fields.filter((field) => !identity?.[field.key]) ?? []
  }

  #goLive(): void {
    this.#live?.close()
    this.#isLive = false
    this.#live = openLive({
      getToken: () => this.#session.accessToken,
      renew: () => this.#session.renew(),
      onConnect: () => void this.#handleConnect(),
      onDisconnect: () => this.#handleDisconnect(),
      on: {
        message: (message) => this.#receive([message]),
        status: ({ upToSeq, status }) => this.#set({ thread: raiseStatus(this.state.thread, upToSeq, status) }),
        typing: ({ on, agentName }) => this.#showTyping(on ? agentName || this.state.agent?.name || 'Atendente' : null),
        agent: (agent) => this.#set({ agent }),
        ticket: ({ status }) => this.#showTicket(status),
        'session.revoked': () => this.#handleRevoked(),
      },
    })
  }

  async #handleConnect(): Promise<void> {
    clearTimeout(this.#lostTimer)
    this.#lostTimer = undefined
    clearInterval(this.#pollTimer)
    this.#set({ isConnectionLost: false })
    try {
      await this.#catchUp()
      this.#isLive = true
    } catch {
      // The next catch-up starts from the same cursor, so nothing is skipped.
    }
    for (const clientId of this.#autoRetry) this.retry(clientId)
    this.#autoRetry.clear()
    if (this.#readSeq > this.#reportedReadSeq) this.#reportRead()
  }

  #handleDisconnect(): void {
    this.#isLive = false
    if (this.#lostTimer !== undefined) return
    this.#lostTimer = setTimeout(() => {
      this.#set({ isConnectionLost: true, typingAgent: null })
      // Some networks let requests through and no sockets; slower, but the conversation goes on.
      this.#pollTimer = setInterval(() => void this.#catchUp().catch(() => undefined), POLL_WHILE_LOST_MS)
    }, LOST_BANNER_AFTER_MS)
  }

  #handleRevoked(): void {
    this.#live?.close()
    this.#live = undefined
    clearTimeout(this.#lostTimer)
    clearInterval(this.#pollTimer)
    this.#set({ phase: 'revoked', isConnectionLost: false, typingAgent: null })
    this.#session.forget()
  }

  async #catchUp(): Promise<void> {
    let after = Math.max(0, this.#cursor - LOOK_BACK)
    for (;;) {
      const { items, hasMore } = await this.#api.listAfter(after)
      this.#showThread(mergeMessages(this.state.thread, items))
      after = items.reduce((seq, item) => Math.max(seq, item.seq), after)
      if (!hasMore || items.length === 0) break
    }
    this.#cursor = Math.max(this.#cursor, after)
  }

  #receive(messages: WebchatMessage[]): void {
    if (this.#isLive) this.#cursor = messages.reduce((seq, message) => Math.max(seq, message.seq), this.#cursor)
    this.#showThread(mergeMessages(this.state.thread, messages))
    if (messages.some((message) => message.from !== 'visitor')) this.#showTyping(null)
  }

  #showThread(thread: ThreadMessage[]): void {
    for (const message of thread) {
      if (message.delivery || !message.clientId || !this.#outbox.has(message.clientId)) continue
      this.#outbox.delete(message.clientId)
      this.#autoRetry.delete(message.clientId)
      this.#keep(slotOf(message.clientId), null)
    }
    if (thread.length > 0 && !this.#slots.talk) this.#keep('talk', '1')
    this.#set({ thread })
    this.#noticeReading()
  }

  #showTyping(agentName: string | null): void {
    clearTimeout(this.#typingForgetTimer)
    if (agentName) this.#typingForgetTimer = setTimeout(() => this.#showTyping(null), TYPING_FORGET_MS)
    if (agentName !== this.state.typingAgent) this.#set({ typingAgent: agentName })
  }

  #showTicket(status: TicketStatus): void {
    this.#set(status === 'closed' ? { ticketStatus: status, agent: null, typingAgent: null } : { ticketStatus: status })
  }

  #setOpen(isOpen: boolean): void {
    this.#set({ isOpen, unreadMarkId: isOpen ? this.state.unreadMarkId : undefined })
    if (isOpen) this.#noticeReading()
    else this.stopTyping()
  }

  #setPage(page: HostPage): void {
    this.#session.page = page
    if (this.#session.accessToken) void this.#api.sendEvent({ type: 'page', page }).catch(() => undefined)
  }

  async #identify(identity: Identity): Promise<void> {
    try {
      await this.#session.identify(identity)
      if (this.state.phase === 'failed') await this.#loadConversation()
      else if (this.state.phase === 'prechat' && !this.#needsPreChat()) this.#set({ phase: 'ready' })
    } catch (error) {
      this.#set({ phase: 'failed', failure: failureText(error) })
    }
  }

  /** Marks as read what the visitor really has before the eyes, and tells the launcher of the rest. */
  #noticeReading(): void {
    const { thread, isOpen } = this.state
    const readSeq = readUpTo(thread, this.#readSeq)
    const unread = countUnread(thread, readSeq)
    const isReading = isOpen && !document.hidden && this.#isAtEnd
    if (isReading && unread > 0) {
      // What arrives under the visitor's eyes is simply there; the line is for those who come back.
      if (!this.#wasReading) this.#set({ unreadMarkId: firstUnreadId(thread, readSeq) })
      this.#markRead(lastSeq(thread))
    }
    this.#wasReading = isReading
    const last = isReading || unread === 0 ? undefined : lastUnread(thread, readSeq)
    this.host.tell({ type: 'frame:unread', payload: { count: isReading ? 0 : unread, last } })
  }

  #markRead(seq: number): void {
    if (seq <= this.#readSeq) return
    this.#readSeq = seq
    this.#keep('read', String(seq))
    this.#reportRead()
  }

  #reportRead(): void {
    const upToSeq = this.#readSeq
    void this.#api
      .sendEvent({ type: 'read', upToSeq })
      .then(() => {
        this.#reportedReadSeq = Math.max(this.#reportedReadSeq, upToSeq)
      })
      .catch(() => undefined) // told again after the next reconnection
  }

  // One at a time, so that the server numbers them in the order they were written.
  async #flush(): Promise<void> {
    if (this.#isFlushing) return
    this.#isFlushing = true
    try {
      for (let next = this.#nextToSend(); next; next = this.#nextToSend()) await this.#deliver(next)
    } finally {
      this.#isFlushing = false
    }
  }

  #nextToSend(): OutboxEntry | undefined {
    const message = this.state.thread.find(({ delivery }) => delivery === 'sending')
    return message?.clientId ? this.#outbox.get(message.clientId) : undefined
  }

  async #deliver(entry: OutboxEntry): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        const accepted = await this.#api.send(toRequest(entry))
        this.#showThread(mergeMessages(this.state.thread, [{ ...accepted, clientId: entry.clientId }]))
        if (this.state.ticketStatus === 'none' || this.state.ticketStatus === 'closed') this.#showTicket('pending')
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
        this.#set({ thread: patchByClientId(this.state.thread, entry.clientId, { delivery: 'failed', failure }) })
        return
      }
    }
  }
}

const failureText = (error: unknown): string => {
  if (!(error instanceof ApiError)) return 'Não conseguimos abrir o chat agora.'
  if (error.code === 'ERR_WEBCHAT_DOMAIN') return 'Este chat não está liberado para este site.'
  return error.message
}

const newClientId = (): string => {
  if (crypto.randomUUID) return crypto.randomUUID()
  const bytes = crypto.getRandomValues(new Uint8Array(16)) // pages without HTTPS
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
