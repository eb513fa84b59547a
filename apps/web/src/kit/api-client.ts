import { ApiError, expiredText, offlineText, timeoutText, unknownText, unsavedText } from './api-error.ts'

export const callTimeoutMs = 20_000
/** Uploads, imports, exports and reports. */
export const longTimeoutMs = 300_000
const toLoginAfterMs = 200
/** So long before its end a token is exchanged for the next, so that nobody meets its end. */
export const renewBeforeMs = 60_000
/** One that ends while its call is on its way does not serve any more. */
const onItsWayMs = 5_000

export type QueryValue = string | number | boolean | null | undefined | readonly (string | number)[]
/** What is not filtered by stays unsaid in a body, as in an address. */
export const said = (query: Record<string, QueryValue>) =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value))
export type Call = {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: `/${string}`
  query?: Record<string, QueryValue>
  body?: unknown
  timeoutMs?: number
  signal?: AbortSignal
  /** The caller shows the failure itself: no toast for a 500 or a time-out. */
  quiet?: boolean
  /** Goes on although the page is being left. */
  keepalive?: boolean
  /** Is told each piece of the answer as it arrives. */
  onPiece?: (piece: string) => void
  /** The answer is remembered, and sent again only when it has changed. */
  revalidate?: boolean
}

type Dependencies = {
  fetch: typeof fetch
  session: { token: () => string | null; setToken: (token: string) => void; clear: () => void }
  warn: (text: string) => void
  fail: (text: string) => void
  goToLogin: () => void
  /** When the server wrote an answer, and when it was asked for and came. */
  heardServerTime?: (stamp: number, sentAt: number, receivedAt: number) => void
  /** The present moment by the server's clock. */
  nowMs?: () => number
  /** Keeps two tabs from refreshing at once. */
  exclusively?: <T>(work: () => Promise<T>) => Promise<T>
}

/** Their failures are the screen's to tell, and never start a refresh. */
const isAuthCall = (path: string) => /^\/auth\/(login|refresh_token|logout)\/?$/.test(path)

/**
 * The one door to the server: Bearer token, time limits, one refresh shared by every call that
 * met a 401 or 403, each retried once with the new token, and an orderly end of the session when it is over.
 */
export const createApiClient = (deps: Dependencies) => {
  let refreshing: Promise<boolean> | null = null
  let renewal: { of: string; done: Promise<unknown> } | null = null
  let leaving = false
  const remembered = new Map<string, { etag: string; body: unknown }>()

  const call = async <Reply = void>(request: Call): Promise<Reply> => {
    if (!isAuthCall(request.path) && !request.keepalive) await ready() // a page that is left waits for nothing
    const token = deps.session.token()
    const first = await send(request, token)
    if ((first.status !== 401 && first.status !== 403) || isAuthCall(request.path)) return finish(request, first)
    if (!token) return finish(request, first)

    const renewed = (deps.session.token() !== token && deps.session.token() !== null) || (await refresh(token))
    if (!renewed) throw await toError(first)
    const current = deps.session.token()
    const second = await send(request, current)
    if (second.status === 401) {
      const error = await toError(second)
      if (deps.session.token() === current) {
        deps.fail(error.message)
        endSession()
      }
      throw error
    }
    return finish(request, second)
  }

  /**
   * Renews a token that is about to end; resolves at once while the present one serves, else with the next one at hand. Each is
   * renewed once in this way: a call refused all the same is what tells of the end of a session.
   */
  const ready = async () => {
    const token = deps.session.token()
    const leftMs = endOf(token) - (deps.nowMs ?? Date.now)()
    if (token === null || leftMs > renewBeforeMs) return
    if (renewal?.of !== token) {
      const of = token
      const done = refresh(token).catch(() => {
        if (renewal?.of === of) renewal = null // without a network: the next call tries again
      })
      renewal = { of, done }
    }
    if (leftMs < onItsWayMs) await renewal.done
  }

  /** True when a new token is at hand. Concurrent callers share one attempt. */
  const refresh = (stale: string | null): Promise<boolean> => {
    refreshing ??= (deps.exclusively ?? ((work) => work()))(async () => {
      const current = deps.session.token()
      if (current && current !== stale) return true // another tab did it while we waited
      const reply = await send({ method: 'POST', path: '/auth/refresh_token', body: {} }, current)
      const token = reply.ok ? tokenIn(await readBody(reply)) : null
      if (token) {
        deps.session.setToken(token)
        return true
      }
      // A server that is down says nothing about the session; one that has ended here already needs no words, and whoever
      // has logged in meanwhile has another.
      if (reply.status < 500 && current && deps.session.token() === current) {
        const { message } = await toError(reply)
        deps.fail(message === unknownText ? expiredText : message)
        endSession()
      }
      return false
    }).finally(() => {
      refreshing = null
    })
    return refreshing
  }

  const endSession = () => {
    deps.session.clear()
    remembered.clear()
    if (leaving) return
    leaving = true
    setTimeout(() => {
      leaving = false
      if (!deps.session.token()) deps.goToLogin() // whoever was quick is in again
    }, toLoginAfterMs)
  }

  const send = async (request: Call, token: string | null): Promise<Response> => {
    const known = request.revalidate && remembered.get(urlOf(request))
    const limit = AbortSignal.timeout(request.timeoutMs ?? callTimeoutMs)
    const form = request.body instanceof FormData
    const sentAt = Date.now()
    try {
      const reply = await deps.fetch(urlOf(request), {
        method: request.method ?? 'GET',
        headers: {
          accept: 'application/json',
          ...(known && { 'if-none-match': known.etag }),
          ...(token && { authorization: `Bearer ${token}` }),
          ...(request.body !== undefined && !form && { 'content-type': 'application/json' }),
        },
        ...(request.body !== undefined && {
          body: request.body instanceof FormData ? request.body : JSON.stringify(request.body),
        }),
        signal: request.signal ? AbortSignal.any([request.signal, limit]) : limit,
        credentials: 'same-origin',
        ...(request.keepalive && { keepalive: true }),
      })
      deps.heardServerTime?.(Date.parse(reply.headers.get('date') ?? ''), sentAt, Date.now())
      return reply
    } catch (cause) {
      if (request.signal?.aborted) throw cause // TanStack Query cancelled: nobody waits for the answer
      const loud = !isAuthCall(request.path) && !request.quiet
      if (limit.aborted) {
        if (loud) deps.warn(timeoutText)
        throw new ApiError({ status: 0, code: 'ERR_TIMEOUT', message: timeoutText })
      }
      const isReading = (request.method ?? 'GET') === 'GET'
      throw new ApiError({ status: 0, code: 'ERR_OFFLINE', message: isReading ? offlineText : unsavedText })
    }
  }

  const finish = async <Reply>(request: Call, reply: Response): Promise<Reply> => {
    const url = urlOf(request)
    if (reply.status === 304) return remembered.get(url)?.body as Reply // only asked for what is remembered
    if (reply.ok) {
      if (request.onPiece) return (await readPieces(reply, request.onPiece)) as Reply // nothing is left to answer
      const body = await readBody(reply)
      const etag = request.revalidate && reply.headers.get('etag')
      if (etag) remember(url, { etag, body })
      return body as Reply // parsed by the same contract on the server
    }
    const error = await toError(reply)
    if (reply.status === 500 && !isAuthCall(request.path) && !request.quiet) deps.warn(error.message)
    throw error
  }

  /** The few last asked for. */
  const remember = (url: string, answer: { etag: string; body: unknown }) => {
    remembered.delete(url)
    remembered.set(url, answer)
    const [oldest] = remembered.keys()
    if (remembered.size > 8 && oldest) remembered.delete(oldest)
  }

  return { call, ready, refresh: () => refresh(deps.session.token()), endSession }
}

/** When an access token ends, as it says itself; never, when it does not. */
export const endOf = (token: string | null): number => {
  try {
    const claims: unknown = JSON.parse(atob((token?.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')))
    const exp: unknown = typeof claims === 'object' && claims !== null ? Reflect.get(claims, 'exp') : undefined
    return typeof exp === 'number' ? exp * 1_000 : Number.POSITIVE_INFINITY
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

export const urlOf = ({ path, query }: Pick<Call, 'path' | 'query'>): string => {
  const search = new URLSearchParams()
  for (const [key, value] of Object.entries(query ?? {})) {
    if (value === undefined || value === null || value === '') continue
    if (Array.isArray(value)) for (const one of value) search.append(key, String(one))
    else search.append(key, String(value))
  }
  const text = search.toString()
  return `/api${path}${text ? `?${text}` : ''}`
}

/** The error a reply carries, whatever its shape. */
export const errorFrom = (status: number, body: unknown): ApiError => {
  const field = (name: string) => (typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined)
  const text = (name: string) => (typeof field(name) === 'string' ? String(field(name)) : undefined)
  return new ApiError({
    status,
    code: text('error') ?? `HTTP_${status}`,
    message: text('message'),
    details: field('details'),
    requestId: text('requestId'),
  })
}

const toError = async (reply: Response) => errorFrom(reply.status, await readBody(reply).catch(() => null))

const readPieces = async (reply: Response, onPiece: (piece: string) => void): Promise<undefined> => {
  const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { value, done } = (await reader?.read()) ?? { done: true, value: undefined }
    if (done) return undefined
    onPiece(value)
  }
}

const readBody = async (reply: Response): Promise<unknown> => {
  const text = await reply.text()
  if (!text) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text // GET /publicEncryptionKey answers a bare string
  }
}

const tokenIn = (body: unknown): string | null => {
  const token: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'token') : null
  return typeof token === 'string' ? token : null
}
