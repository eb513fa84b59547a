import { notify } from '../ui/notify.ts'
import { heardServerTime, nowMs, onOtherTime } from '../ui/server-time.ts'
import { type Call, createApiClient, endOf, errorFrom, longTimeoutMs, renewBeforeMs, urlOf } from './api-client.ts'
import { ApiError, offlineText, timeoutText } from './api-error.ts'
import { exclusively } from './exclusively.ts'
import { session } from './session.ts'

type Path = `/${string}`
type Options = Pick<Call, 'query' | 'signal' | 'timeoutMs' | 'quiet' | 'keepalive' | 'revalidate' | 'onPiece'>

/** Where the end of a session leads; the router sets it, so that leaving keeps the page alive. */
let goToLogin = () => window.location.assign('/login')
export const onSessionEnd = (handler: () => void) => {
  goToLogin = handler
}

const client = createApiClient({
  fetch: (...args) => fetch(...args),
  session,
  warn: notify.warning,
  fail: notify.error,
  goToLogin: () => goToLogin(),
  exclusively: (work) =>
    exclusively('refresh', () => {
      session.catchUp() // what another window wrote under this lock may not have been told here yet
      return work()
    }),
  heardServerTime,
  nowMs,
})

/** Any call, typed by what it answers: `call<Ticket>({ path: `/tickets/${id}` })`. */
export const { call, endSession } = client
export const refreshToken = client.refresh
/** Before a token is used otherwise than by `call`. */
export const readyToken = client.ready

/** Renews in time, also while nothing is asked for: what comes next is not to wait for it. */
export const keepTokenFresh = () => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const plan = () => {
    clearTimeout(timer)
    const inMs = endOf(session.token()) - renewBeforeMs - nowMs()
    // A computer that slept wakes with it due.
    if (Number.isFinite(inMs)) timer = setTimeout(() => void client.ready(), Math.max(0, inMs))
  }
  session.subscribe(plan)
  onOtherTime(plan)
  plan()
}

export const api = {
  get: <Reply>(path: Path, options?: Options) => call<Reply>({ path, ...options }),
  post: <Reply = void>(path: Path, body?: unknown, options?: Options) =>
    call<Reply>({ method: 'POST', path, body: body ?? {}, ...options }),
  put: <Reply = void>(path: Path, body?: unknown, options?: Options) =>
    call<Reply>({ method: 'PUT', path, body: body ?? {}, ...options }),
  patch: <Reply = void>(path: Path, body?: unknown, options?: Options) =>
    call<Reply>({ method: 'PATCH', path, body: body ?? {}, ...options }),
  delete: <Reply = void>(path: Path, body?: unknown, options?: Options) =>
    call<Reply>({ method: 'DELETE', path, body, ...options }),
}

export type Upload = {
  path: Path
  file: File
  fields?: Record<string, string>
  onProgress?: (share: number) => void
  signal?: AbortSignal
}

/** Sends one file as multipart `file`, telling its progress from 0 to 1; abort the signal to cancel. */
export const upload = async <Reply>(request: Upload): Promise<Reply> => {
  await readyToken()
  try {
    return await sendFile<Reply>(request)
  } catch (error) {
    const retry = error instanceof ApiError && (error.status === 401 || error.status === 403)
    if (!retry || !(await refreshToken())) throw error
    return sendFile<Reply>(request)
  }
}

/** So much of a file may be on its way in the machine's own buffers, of whose progress nobody tells. */
const stalledUploadMs = 120_000

const sendFile = <Reply>({ path, file, fields, onProgress, signal }: Upload) =>
  new Promise<Reply>((resolve, reject) => {
    const request = new XMLHttpRequest() // fetch cannot tell the progress of an upload
    const form = new FormData()
    for (const [name, value] of Object.entries(fields ?? {})) form.append(name, value)
    form.append('file', file, file.name)
    const fail = (code: string, message: string) => reject(new ApiError({ status: 0, code, message }))

    request.open('POST', urlOf({ path }))
    const token = session.token()
    if (token) request.setRequestHeader('authorization', `Bearer ${token}`)
    // A slow line takes as long as it takes; one on which nothing moves any more does not.
    let silence: ReturnType<typeof setTimeout> | undefined
    const expect = (withinMs: number) => {
      clearTimeout(silence)
      silence = setTimeout(() => {
        fail('ERR_TIMEOUT', timeoutText)
        request.abort()
      }, withinMs)
    }
    request.upload.onprogress = (event) => {
      expect(stalledUploadMs)
      if (event.lengthComputable) onProgress?.(event.loaded / event.total)
    }
    request.upload.onload = () => expect(longTimeoutMs)
    request.onloadend = () => clearTimeout(silence)
    request.onload = () => {
      const body = parse(request.responseText)
      if (request.status >= 200 && request.status < 300)
        resolve(body as Reply) // parsed by the same contract on the server
      else reject(errorFrom(request.status, body))
    }
    request.onerror = () => fail('ERR_OFFLINE', offlineText)
    request.onabort = () => fail('ERR_CANCELLED', 'Envio cancelado.')
    if (signal?.aborted) return fail('ERR_CANCELLED', 'Envio cancelado.')
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    expect(stalledUploadMs)
    request.send(form)
  })

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
