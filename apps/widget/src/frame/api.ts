import { type HostPage, type Identity, isRecord } from '../protocol.ts'
import type { Uploads } from './files.ts'
import { type Language, language, say } from './words.ts'

/** The public HTTP API of the web chat, as the server speaks it (reference/channels/webchat.md §3.3). */

export type MessageType = 'text' | 'image' | 'audio' | 'video' | 'document' | 'location' | 'contact' | 'system'

export type Media = {
  url: string
  name: string
  mime: string
  size: number
  width?: number | null
  height?: number | null
}

export type WebchatMessage = {
  id: string
  seq: number
  clientId?: string | null
  from: 'visitor' | 'agent' | 'bot'
  agentName?: string | null
  type: MessageType
  text: string
  media?: Media | null
  isRating?: boolean
  buttons?: { id: string; title: string; description?: string }[] | null
  replyTo?: { id: string; text: string } | null
  status: 'sent' | 'delivered' | 'read'
  isDeleted: boolean
  editedAt?: string | null
  createdAt: string
}

export type PreChatField = {
  key: string
  label: string
  type: 'text' | 'email' | 'phone' | 'select' | 'consent'
  target: 'name' | 'email' | 'phone' | 'extra'
  required: boolean
  options: string[]
}
/** By the key of the field; a ticked box is "true". */
export type PreChatAnswers = Record<string, string>

export type WidgetConfig = {
  language: Language
  name: string
  /** Empty: whether somebody is there. */
  subtitle: string
  logoUrl: string | null
  color: string
  welcome: string
  position: string
  preChat: { enabled: boolean; fields: PreChatField[] }
  isOnline: boolean
  offlineText: string
  hasHelp: boolean
  hasTranscript: boolean
  uploads: Uploads & { enabled: boolean }
}

export type SessionRequest = {
  channelKey: string
  resumeToken?: string
  origin: string
  page: HostPage
  locale: string
  identity?: Identity
  draft?: string
}

export type SessionAnswer = {
  visitorId: string
  accessToken: string
  resumeToken: string
  expiresInS: number
  config: WidgetConfig
  ticketId: string | null
}

export type HelpArticle = { id: string; title: string; text: string }
export type MessagePage = { items: WebchatMessage[]; hasMore: boolean }
export type NewMessage = {
  clientId: string
  text?: string
  mediaId?: string
  buttonId?: string
  replyTo?: string
  /** What of the company's this answers, by which key, as it was read. */
  offer?: { id: string; key: string; language: Language }
}
export type UploadAnswer = Omit<Media, 'width' | 'height'> & { mediaId: string }

export type VisitorEvent =
  | { type: 'typing.start' | 'typing.stop' | 'close' }
  | { type: 'read'; upToSeq: number }
  | { type: 'page'; page: HostPage }

/** Status 0: no answer reached us. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }

  /** Worth trying the same request again by itself. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 408 || this.status === 429 || this.status >= 500
  }
}

const TIMEOUT_MS = 20_000

export const startSession = (request: SessionRequest): Promise<SessionAnswer> =>
  callApi('POST', '/session', { body: request })

type Access = {
  getToken: () => string
  /** A new access token by the resume token; called once per request, when the server answers 401. */
  renew: () => Promise<void>
}

export const createApi = ({ getToken, renew }: Access) => {
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const usedToken = getToken()
    try {
      return await callApi<T>(method, path, { body, token: usedToken })
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error
      if (getToken() === usedToken) await renew()
      return callApi<T>(method, path, { body, token: getToken() })
    }
  }

  return {
    listAfter: (seq: number) => call<MessagePage>('GET', `/messages?after=${seq}`),
    listBefore: (seq: number) => call<MessagePage>('GET', `/messages?before=${seq}`),
    send: (message: NewMessage) => call<WebchatMessage>('POST', '/messages', message),
    sendEvent: (event: VisitorEvent) => call<void>('POST', '/events', event),
    sendPreChat: (answers: PreChatAnswers) => call<void>('POST', '/prechat', { answers }),
    listHelp: async () => (await call<{ items: HelpArticle[] }>('GET', '/help')).items,
    askTranscript: (email: string) =>
      call<{ challenge: string | null }>('POST', '/transcript', { email, language: language() }),
    confirmTranscript: (email: string, code: string, challenge: string) =>
      call<void>('POST', '/transcript/confirm', { email, code, challenge, language: language() }),
    async upload(file: File, options: { signal: AbortSignal; onProgress: (share: number) => void }) {
      try {
        return await uploadFile(file, getToken(), options)
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 401) throw error
        await renew()
        return uploadFile(file, getToken(), options)
      }
    },
  }
}

export type Api = ReturnType<typeof createApi>

async function callApi<T>(
  method: string,
  path: string,
  { body, token }: { body?: unknown; token?: string },
): Promise<T> {
  const abort = new AbortController()
  const timer = setTimeout(() => abort.abort(), TIMEOUT_MS)
  try {
    const response = await fetch(`/api/webchat${path}`, {
      method,
      signal: abort.signal,
      credentials: 'omit',
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    return parseAnswer<T>(response.status, await response.text())
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw new ApiError(0, 'OFFLINE', say('noConnection'))
  } finally {
    clearTimeout(timer)
  }
}

// XMLHttpRequest, because fetch cannot tell how much of a body is already sent.
const uploadFile = (
  file: File,
  token: string,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (share: number) => void },
): Promise<UploadAnswer> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', '/api/webchat/uploads')
    request.setRequestHeader('authorization', `Bearer ${token}`)
    request.upload.addEventListener('progress', (event) => {
      if (event.lengthComputable) onProgress(event.loaded / event.total)
    })
    request.addEventListener('load', () => {
      try {
        resolve(parseAnswer<UploadAnswer>(request.status, request.responseText))
      } catch (error) {
        reject(error)
      }
    })
    const fail = (): void => reject(new ApiError(0, 'OFFLINE', say('noConnection')))
    request.addEventListener('error', fail)
    request.addEventListener('abort', fail)
    signal.addEventListener('abort', () => request.abort())
    const form = new FormData()
    form.append('file', file, file.name)
    request.send(form)
  })

function parseAnswer<T>(status: number, text: string): T {
  const answer = parseJson(text)
  // Same origin and same release as the server that wrote it: its own response schemas stand for the shape.
  if (status >= 200 && status < 300) return answer as T
  const field = (name: string): string | undefined => {
    const value = isRecord(answer) ? answer[name] : undefined
    return typeof value === 'string' ? value : undefined
  }
  const code = field('error') ?? `HTTP_${status}`
  const said = language() === 'pt-BR' ? field('message') : undefined
  throw new ApiError(status, code, said ?? textOf(status, code))
}

function parseJson(text: string): unknown {
  try {
    return text ? JSON.parse(text) : undefined
  } catch {
    return undefined // an error page of a proxy on the way
  }
}

/** The server speaks Portuguese; who reads another language is told what its code means. */
function textOf(status: number, code: string): string {
  if (status === 413 || code === 'ERR_TOO_LARGE') return say('tooLarge')
  if (status === 415 || code === 'ERR_MEDIA_TYPE') return say('badType')
  if (status === 429) return say('tooMany')
  return say('wrong')
}
