import type { HostMessage, HostPage, Identity, Offer } from '../protocol.ts'
import {
  type Api,
  ApiError,
  createApi,
  type HelpArticle,
  type Media,
  type PreChatAnswers,
  type SessionAnswer,
  type UploadAnswer,
} from './api.ts'
import { Connection } from './connection.ts'
import { failureText } from './failure-text.ts'
import type { Host, HostState } from './host.ts'
import type { TicketStatus } from './live.ts'
import { takeUp, toAnswer } from './offer.ts'
import { type Preview, previewApi, previewThread } from './preview.ts'
import { Reading } from './reading.ts'
import { type Outgoing, Sending } from './sending.ts'
import { Session } from './session.ts'
import { type ChatState, Store } from './store.ts'
import { firstSeq, lastSeq, mergeMessages, raiseStatus, type ThreadMessage } from './thread.ts'
import { toldBy } from './told-identity.ts'
import { Typing } from './typing.ts'
import { say, speak } from './words.ts'

/** Higher than any seq: "the last page" in the words of the API. */
const NEWEST_SEQ = 2_147_483_647
const START_RETRY_MS = 10_000

/** One visitor's conversation: who they are, what was said, and those who send, read, type and keep the line. */
export class Chat {
  readonly host: Host
  readonly typing: Typing
  draft = ''
  #store: Store
  #session: Session
  #api: Api
  #sending: Sending
  #reading: Reading
  /** Drawn beside a form that somebody is filling in. */
  readonly isPreview: boolean
  #connection: Connection
  #startTimer: ReturnType<typeof setTimeout> | undefined

  constructor(
    host: Host,
    channelKey: string,
    { slots, identity, page, isOpen, offer, draft }: HostState,
    preview?: Preview,
  ) {
    this.host = host
    this.#store = new Store(host, slots)
    this.#store.state.isOpen = isOpen
    this.draft = slots.draft ?? ''
    this.#session = new Session({
      host,
      channelKey,
      page,
      identity,
      draft,
      onAnswer: (answer) => this.#applySession(answer),
    })
    const live = createApi({
      getToken: () => this.#session.accessToken,
      renew: async () => {
        if (this.state.phase === 'revoked') throw new ApiError(401, 'REVOKED', '')
        await this.#session.renew()
      },
    })
    this.isPreview = preview !== undefined
    this.#api = preview ? previewApi : live
    this.typing = new Typing(this.#store, this.#api)
    this.#reading = new Reading(this.#store, this.#api)
    this.#sending = new Sending(this.#store, this.#api, (accepted) => {
      this.#showThread(mergeMessages(this.state.thread, [accepted]))
      if (this.state.ticketStatus === 'none' || this.state.ticketStatus === 'closed') this.#showTicket('pending')
    })
    this.#connection = this.#connect()
    document.addEventListener('visibilitychange', () => this.#reading.notice())
    this.#takeUp(offer)
    if (preview) this.showPreview(preview)
    else void this.start()
  }

  /** A look that is not saved, drawn as a visitor would see it. */
  showPreview({ config, view, offer }: Preview): void {
    speak(config.language)
    const phase = view === 'prechat' && config.preChat.enabled ? 'prechat' : 'ready'
    this.#store.set({
      config,
      phase,
      ticketStatus: 'open',
      thread: phase === 'ready' ? previewThread(view) : [],
      offer: offer && takeUp(offer),
    })
  }

  get isDraft(): boolean {
    return this.#session.draft !== undefined
  }

  get state(): ChatState {
    return this.#store.state
  }

  subscribe(listener: () => void): () => void {
    return this.#store.subscribe(listener)
  }

  async start(): Promise<void> {
    clearTimeout(this.#startTimer)
    this.#store.set({ phase: 'loading', failure: '' })
    try {
      await this.#session.renew()
      await this.#loadConversation()
    } catch (error) {
      this.#store.set({ phase: 'failed', failure: failureText(error) })
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
    if (message.type === 'host:open') {
      this.#takeUp(message.payload.offer)
      this.#setOpen(true)
    }
    if (message.type === 'host:close') this.#setOpen(false)
    if (message.type === 'host:identify') void this.#identify(message.payload.identity)
    if (message.type === 'host:page') this.#setPage(message.payload)
  }

  close(): void {
    this.host.tell({ type: 'frame:close', payload: {} })
  }

  send(message: Outgoing): void {
    const { offer } = this.state
    const answered = offer && !offer.answeredBy ? offer : undefined
    const clientId = this.#sending.send({ ...message, offer: answered && toAnswer(answered) })
    if (answered) this.#store.set({ offer: { ...answered, answeredBy: clientId } })
    this.typing.stop()
  }

  retry(clientId: string): void {
    this.#sending.retry(clientId)
  }

  discard(clientId: string): void {
    this.#sending.discard(clientId)
    const { offer } = this.state
    if (offer?.answeredBy === clientId) this.#store.set({ offer: { ...offer, answeredBy: undefined } })
  }

  upload(file: File, options: { signal: AbortSignal; onProgress: (share: number) => void }): Promise<UploadAnswer> {
    return this.#api.upload(file, options)
  }

  async submitPreChat(answers: PreChatAnswers): Promise<void> {
    if (!this.isDraft) {
      await this.#api.sendPreChat(answers)
      this.#store.keep('pre', '1')
    }
    this.#store.set({ phase: 'ready' })
  }

  async endConversation(): Promise<void> {
    await this.#api.sendEvent({ type: 'close' })
    this.#store.set({ ticketStatus: 'closed', agent: null, typingAgent: null })
  }

  listHelp(): Promise<HelpArticle[]> {
    return this.#api.listHelp()
  }

  /** What the page said of the visitor, to begin with. */
  get knownEmail(): string {
    return toldBy(this.#session.identity).email ?? ''
  }

  /** Null: the copy is on its way; else what goes with the code that was sent. */
  async askTranscript(email: string): Promise<string | null> {
    return (await this.#api.askTranscript(email)).challenge
  }

  confirmTranscript(email: string, code: string, challenge: string): Promise<void> {
    return this.#api.confirmTranscript(email, code, challenge)
  }

  saveDraft(text: string): void {
    this.draft = text
    this.#store.keep('draft', text || null)
  }

  async loadOlder(): Promise<void> {
    const before = firstSeq(this.state.thread)
    if (!this.state.hasOlder || this.state.isLoadingOlder || before === undefined) return
    this.#store.set({ isLoadingOlder: true })
    try {
      const page = await this.#api.listBefore(before)
      this.#store.set({ thread: mergeMessages(this.state.thread, page.items), hasOlder: page.hasMore })
    } catch {
      // The list asks again when the visitor scrolls to the top once more.
    } finally {
      this.#store.set({ isLoadingOlder: false })
    }
  }

  /** A file's address lives for some minutes: asks for the one it has now. Undefined when nobody answers. */
  async renewMedia({ id, seq }: ThreadMessage): Promise<Media | undefined> {
    const page = await this.#api.listBefore(seq + 1).catch(() => undefined)
    const media = page?.items.find((item) => item.id === id)?.media
    if (media) this.#store.set({ thread: this.state.thread.map((one) => (one.id === id ? { ...one, media } : one)) })
    return media ?? undefined
  }

  /** Told by the list: only what is in sight counts as read. */
  setAtEnd(isAtEnd: boolean): void {
    this.#reading.setAtEnd(isAtEnd)
  }

  /** What the visitor opened the chat to answer; nobody else knows of it until they do. */
  #takeUp(offer: Offer | undefined): void {
    if (offer) this.#store.set({ offer: takeUp(offer) })
  }

  #connect(): Connection {
    return new Connection({
      store: this.#store,
      session: this.#session,
      api: this.#api,
      on: {
        arrived: (message) => {
          this.#showThread(mergeMessages(this.state.thread, [message]))
          if (message.from !== 'visitor') this.typing.show(null)
        },
        messages: (messages) => this.#showThread(mergeMessages(this.state.thread, messages)),
        back: () => {
          this.#sending.retryAll()
          this.#reading.report()
        },
        events: {
          status: ({ upToSeq, status }) => this.#store.set({ thread: raiseStatus(this.state.thread, upToSeq, status) }),
          typing: ({ on, agentName }) =>
            this.typing.show(on ? agentName || this.state.agent?.name || say('agent') : null),
          agent: (agent) => this.#store.set({ agent }),
          ticket: ({ status }) => this.#showTicket(status),
          'session.revoked': () => this.#handleRevoked(),
        },
      },
    })
  }

  #applySession(answer: SessionAnswer): void {
    const isOther = this.#store.slots.visitor !== undefined && this.#store.slots.visitor !== answer.visitorId
    if (isOther) this.#forgetVisitor()
    this.#store.keep('visitor', answer.visitorId)
    speak(answer.config.language)
    const ticketStatus = answer.ticketId ? this.#knownTicketStatus() : 'none'
    this.#store.set({ config: answer.config, ticketStatus })
    this.#noteTalk()
    // A renewal in the middle of a conversation found another visitor: what is on screen is not theirs.
    if (isOther && (this.state.phase === 'ready' || this.state.phase === 'prechat'))
      void this.#loadConversation().catch(() => this.start())
  }

  #knownTicketStatus(): TicketStatus {
    const { ticketStatus } = this.state
    return ticketStatus === 'pending' ? 'pending' : 'open'
  }

  #forgetVisitor(): void {
    this.#connection.leave()
    this.#sending.forget()
    for (const name of Object.keys(this.#store.slots)) if (name !== 'look') this.#store.keep(name, null)
    this.#reading.forget()
    this.#store.set({
      thread: [],
      hasOlder: false,
      agent: null,
      typingAgent: null,
      ticketStatus: 'none',
      unreadMarkId: undefined,
      offer: undefined,
    })
    this.host.tell({ type: 'frame:unread', payload: { count: 0 } })
  }

  async #loadConversation(): Promise<void> {
    const page = await this.#api.listBefore(NEWEST_SEQ)
    const thread = this.#sending.restoredInto(mergeMessages(this.state.thread, page.items))
    this.#store.set({ hasOlder: page.hasMore })
    this.#showThread(thread)
    this.#store.set({ phase: this.#needsPreChat() ? 'prechat' : 'ready' })
    this.#connection.open(lastSeq(thread))
    void this.#sending.flush()
  }

  #needsPreChat(): boolean {
    const { config, thread, ticketStatus } = this.state
    if (!config?.preChat.enabled || thread.length > 0 || ticketStatus !== 'none') return false
    return !this.#store.slots.pre
  }

  #handleRevoked(): void {
    this.#connection.end()
    this.#store.set({ phase: 'revoked', isConnectionLost: false, typingAgent: null })
    this.#session.forget()
  }

  #showThread(thread: ThreadMessage[]): void {
    this.#sending.settle(thread)
    this.#store.set({ thread })
    this.#noteTalk()
    this.#reading.notice()
  }

  /** For the page: whether there is a conversation to load at once, and one that goes on, where nothing is offered. */
  #noteTalk(): void {
    const { thread, ticketStatus } = this.state
    const talk = ticketStatus === 'open' || ticketStatus === 'pending' ? '1' : 'old'
    if (thread.length > 0 && this.#store.slots.talk !== talk) this.#store.keep('talk', talk)
  }

  #showTicket(status: TicketStatus): void {
    this.#store.set(
      status === 'closed' ? { ticketStatus: status, agent: null, typingAgent: null } : { ticketStatus: status },
    )
    this.#noteTalk()
  }

  #setOpen(isOpen: boolean): void {
    this.#store.set({ isOpen, unreadMarkId: isOpen ? this.state.unreadMarkId : undefined })
    if (isOpen) this.#reading.notice()
    else this.typing.stop()
  }

  #setPage(page: HostPage): void {
    this.#session.page = page
    if (this.#session.accessToken) void this.#api.sendEvent({ type: 'page', page }).catch(() => undefined)
  }

  async #identify(identity: Identity): Promise<void> {
    try {
      await this.#session.identify(identity)
      if (this.state.phase === 'failed') await this.#loadConversation()
      else if (this.state.phase === 'prechat' && !this.#needsPreChat()) this.#store.set({ phase: 'ready' })
    } catch (error) {
      this.#store.set({ phase: 'failed', failure: failureText(error) })
    }
  }
}
