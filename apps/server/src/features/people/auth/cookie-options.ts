import type { FastifyRequest } from 'fastify'
import { env } from '../../../env.ts'

/** What of a request says how its cookies are kept. */
export type Asking = Pick<FastifyRequest, 'protocol'>

/** Where no script reads it and no other site sends it along. */
export const cookieOptions = (request: Asking, path = '/api/auth') => ({
  path,
  httpOnly: true,
  sameSite: 'lax' as const,
  secure: isHttps(request),
})

const isHttps = (request: Asking) => env.PUBLIC_URL.startsWith('https:') || request.protocol === 'https'
