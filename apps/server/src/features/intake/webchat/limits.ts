import type { FastifyRequest } from 'fastify'
import { AppError } from '../../../kit/errors.ts'
import type { App } from '../../../kit/http.ts'
import { addressKey } from '../../people/auth/attempts.ts'
import { type Caller, requireSession } from './sessions.ts'
import { readVisitor } from './visitor-token.ts'

/** An office behind one address holds ten visitors who write at once, a web chat's whole site forty. */
const crowds = { visitor: 1, address: 10, connection: 40 }

/**
 * Who calls, proven by the visitor's token, within `max` calls a minute. Counted by who they are and where they come
 * from, never by the token: a new one brings no new allowance.
 */
export const createDoor = (app: App, max: number) => {
  const callers = new WeakMap<FastifyRequest, Caller>()
  const counter = (crowd: keyof typeof crowds, keyOf: (caller: Caller, request: FastifyRequest) => string) =>
    app.createRateLimit({
      max: max * crowds[crowd],
      timeWindow: '1 minute',
      keyGenerator: (request) => {
        const caller = callers.get(request)
        return caller ? keyOf(caller, request) : request.ip
      },
    })
  const counters = [
    counter('visitor', ({ tenantId, connectionId, visitorId }) => `${tenantId}:${connectionId}:${visitorId}`),
    counter('address', (_, { ip }) => addressKey(ip)),
    counter('connection', ({ tenantId, connectionId }) => `${tenantId}:${connectionId}`),
  ]

  return async (request: FastifyRequest): Promise<Caller> => {
    const caller = await requireSession(await readVisitor(request.headers.authorization?.replace(/^Bearer /, '')))
    callers.set(request, caller)
    for (const count of counters) {
      const state = await count(request)
      if (!state.isAllowed && state.isExceeded) throw new AppError('ERR_TOO_MANY', { retryAfterS: state.ttlInSeconds })
    }
    return caller
  }
}
