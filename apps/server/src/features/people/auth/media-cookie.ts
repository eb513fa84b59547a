import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '../../../kit/actor.ts'
import { isSame, sign } from '../../../kit/crypto.ts'
import { AppError } from '../../../kit/errors.ts'
import { actorOf, readActor } from './access-token.ts'
import { type Asking, cookieOptions } from './cookie-options.ts'
import { findSession, type OpenSession } from './sessions.ts'

/**
 * A browser asks for pictures and files without our headers: this cookie names the session that asks. Alone it opens
 * nothing, for a file's link must be one we made; and a link alone opens nothing either.
 */
const name = 'jmedia'
const paths = ['/api/media', '/api/pictures']

type Answering = Pick<FastifyReply, 'setCookie'>
export const setMediaCookie = (request: Asking, reply: Answering, { claims, expiresAt }: OpenSession) => {
  for (const path of paths)
    reply.setCookie(name, write(claims), { ...cookieOptions(request, path), expires: expiresAt })
}

export const clearMediaCookie = (request: FastifyRequest, reply: FastifyReply) => {
  for (const path of paths) reply.clearCookie(name, cookieOptions(request, path))
}

/** Who asks for a file, by token (programs) or cookie (pages). Throws as `readActor` does. */
export const readMediaActor = async (request: FastifyRequest): Promise<Actor> => {
  const [scheme, token] = (request.headers.authorization ?? '').split(' ')
  if (scheme === 'Bearer' && token) return readActor(token)
  const named = read(request.cookies[name] ?? '')
  const claims = named && (await findSession(named.tenantId, named.sessionId))
  if (!claims) throw new AppError('ERR_SESSION_EXPIRED')
  return actorOf(claims)
}

type Named = Pick<OpenSession['claims'], 'tenantId' | 'sessionId'>

const write = (session: Named) => `${session.tenantId}.${session.sessionId}.${signature(session)}`

const read = (value: string): Named | undefined => {
  const [, tenant, sessionId, given] = /^(\d{1,9})\.([0-9a-f-]{36})\.([\w-]+)$/.exec(value) ?? []
  if (!tenant || !sessionId || !given) return undefined
  const named = { tenantId: Number(tenant), sessionId }
  return isSame(given, signature(named)) ? named : undefined
}

const signature = ({ tenantId, sessionId }: Named) => sign('media-session', `${tenantId}:${sessionId}`)
