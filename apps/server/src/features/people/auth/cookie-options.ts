import type { FastifyRequest } from 'fastify'
import { env } from '../../../env.ts'

/** Where no script reads it and no other site sends it along. */
export const cookieOptions = (request: FastifyRequest, path = '/api/auth') => ({
  path,
  httpOnly: true,
  sameSite: 'lax' as const,
  secure: isHttps(request),
})

const isHttps = (request: FastifyRequest) => env.PUBLIC_URL.startsWith('https:') || request.protocol === 'https'
