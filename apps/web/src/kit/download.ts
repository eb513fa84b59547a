import { readyToken, refreshToken } from './api.ts'
import { errorFrom, longTimeoutMs, type QueryValue, urlOf } from './api-client.ts'
import { ApiError, offlineText, timeoutText } from './api-error.ts'
import { session } from './session.ts'

type Download = { path: `/${string}`; query?: Record<string, QueryValue>; signal?: AbortSignal }

/** Saves what the server sends under the name it gave it. */
export const downloadFile = async (request: Download): Promise<void> => {
  await readyToken()
  let reply = await send(request)
  if ((reply.status === 401 || reply.status === 403) && (await refreshToken())) reply = await send(request)
  if (!reply.ok) throw errorFrom(reply.status, await reply.json().catch(() => null))
  const disposition = reply.headers.get('content-disposition') ?? ''
  const encoded = /filename\*=UTF-8''([^;]+)/.exec(disposition)?.[1]
  const name = encoded ? decodeURIComponent(encoded) : (/filename="([^"]+)"/.exec(disposition)?.[1] ?? 'arquivo')
  const url = URL.createObjectURL(await reply.blob())
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

const send = async ({ path, query, signal }: Download) => {
  const limit = AbortSignal.timeout(longTimeoutMs)
  try {
    return await fetch(urlOf({ path, query }), {
      headers: { authorization: `Bearer ${session.token() ?? ''}` },
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
      credentials: 'same-origin',
    })
  } catch (cause) {
    if (signal?.aborted) throw cause
    if (limit.aborted) throw new ApiError({ status: 0, code: 'ERR_TIMEOUT', message: timeoutText })
    throw new ApiError({ status: 0, code: 'ERR_OFFLINE', message: offlineText })
  }
}
