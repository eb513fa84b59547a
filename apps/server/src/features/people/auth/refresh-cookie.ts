import type { FastifyReply, FastifyRequest } from 'fastify'
import { env } from '../../../env.ts'
import { AppError } from '../../../kit/errors.ts'
import { cookieOptions } from './cookie-options.ts'
import { clearMediaCookie, setMediaCookie } from './media-cookie.ts'
import type { OpenSession } from './sessions.ts'

const name = 'jrt'

/** Hands a session to the browser where no script can read it: what renews it, and what its pictures are asked with. */
export const setRefreshCookie = (request: FastifyRequest, reply: FastifyReply, session: OpenSession) => {
  reply.setCookie(name, session.refreshToken, {
    ...cookieOptions(request),
    maxAge: Math.max(1, Math.round((session.expiresAt.getTime() - Date.now()) / 1_000)),
  })
  setMediaCookie(request, reply, session)
}

export const clearRefreshCookie = (request: FastifyRequest, reply: FastifyReply) => {
  reply.clearCookie(name, cookieOptions(request))
  clearMediaCookie(request, reply)
}

export const readRefreshCookie = (request: FastifyRequest) => request.cookies[name]

/**
 * Where a cookie speaks for the caller, another site may not make the browser call (hostile case T18). What the browser
 * says of the site decides; over plain HTTP it says nothing, then the page's origin does. Programs send neither.
 */
export const onlyFromOurPages = async (request: FastifyRequest) => {
  const { origin, 'sec-fetch-site': site } = request.headers
  const isOurs = site === undefined ? isOurOrigin(origin, request.host) : site === 'same-origin' || site === 'none'
  if (!isOurs) throw new AppError('ERR_NO_PERMISSION')
}

const isOurOrigin = (origin: string | undefined, host: string) => {
  if (origin === undefined) return true
  if (!URL.canParse(origin)) return false
  return new URL(origin).host === host || origin === new URL(env.PUBLIC_URL).origin
}
