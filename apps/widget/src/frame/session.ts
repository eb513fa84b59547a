import type { HostPage, Identity } from '../protocol.ts'
import { ApiError, type SessionAnswer, startSession } from './api.ts'
import type { Host } from './host.ts'

/**
 * Holds the access token and keeps it fresh. The resume token changes at every call and using an old one revokes
 * them all, so the tabs of a site take turns and each reads the token at the last moment from where the host keeps it.
 */
export class Session {
  accessToken = ''
  #host: Host
  #channelKey: string
  #timer: ReturnType<typeof setTimeout> | undefined
  #renewing: Promise<SessionAnswer> | undefined
  page: HostPage
  identity: Identity | null
  /** What is looked at is not saved: nothing asked for it is kept. */
  readonly draft: string | undefined
  #onAnswer: (answer: SessionAnswer) => void

  constructor(options: {
    host: Host
    channelKey: string
    page: HostPage
    identity: Identity | null
    draft: string | undefined
    onAnswer: (answer: SessionAnswer) => void
  }) {
    this.#host = options.host
    this.#channelKey = options.channelKey
    this.page = options.page
    this.identity = options.identity
    this.draft = options.draft
    this.#onAnswer = options.onAnswer
  }

  /** Starts or renews; callers at the same moment share one request. */
  renew(): Promise<SessionAnswer> {
    this.#renewing ??= inTurn(`balcao-session-${this.#channelKey}`, () => this.#request()).finally(() => {
      this.#renewing = undefined
    })
    return this.#renewing
  }

  async identify(identity: Identity): Promise<void> {
    await this.#renewing?.catch(() => undefined)
    this.identity = identity
    await this.renew()
  }

  forget(): void {
    clearTimeout(this.#timer)
    this.accessToken = ''
    this.#host.tell({ type: 'frame:token', payload: { token: null } })
  }

  async #request(): Promise<SessionAnswer> {
    const resumeToken = await this.#host.readToken()
    const answer = await this.#start(resumeToken).catch((error) => {
      // A token the server no longer honours: this browser starts anew instead of being locked out.
      if (resumeToken && error instanceof ApiError && error.status === 401) return this.#start(null)
      throw error
    })
    this.#host.tell({ type: 'frame:token', payload: { token: answer.resumeToken } })
    await this.#host.readToken() // answered after the new token is written: only then is it the next tab's turn
    this.accessToken = answer.accessToken
    this.#planRenewal(answer.expiresInS)
    this.#onAnswer(answer)
    return answer
  }

  #start(resumeToken: string | null): Promise<SessionAnswer> {
    return startSession({
      channelKey: this.#channelKey,
      resumeToken: resumeToken ?? undefined,
      origin: this.#host.origin,
      page: this.page,
      locale: navigator.language,
      identity: this.identity ?? undefined,
      draft: this.draft,
    })
  }

  #planRenewal(expiresInS: number): void {
    clearTimeout(this.#timer)
    const delayS = Math.max(expiresInS - 60, expiresInS / 2, 5)
    // A failure here is no event: the next request meets a 401 and renews by itself.
    this.#timer = setTimeout(() => void this.renew().catch(() => undefined), delayS * 1000)
  }
}

const inTurn = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
  let hasBegun = false
  const once = (): Promise<T> => {
    hasBegun = true
    return work()
  }
  if (!navigator.locks) return once() // pages without HTTPS
  try {
    return await navigator.locks.request(name, once)
  } catch (error) {
    if (hasBegun) throw error
    return once() // a browser that refuses locks to embedded pages
  }
}
