import type { FastifyReply, FastifyRequest } from 'fastify'
import { hashToken, isSame, randomToken, sign } from '../../../kit/crypto.ts'
import { cookieOptions } from './cookie-options.ts'

/**
 * A browser in which somebody proved who they are keeps a mark for that account: guesses made elsewhere do not stand in
 * its way. A new password makes every mark of the old one worthless.
 */
type Account = { id: string; passwordHash: string }

const lifeS = 180 * 24 * 60 * 60
const cookieFor = (email: string) => `jdv_${hashToken(email).slice(0, 16)}`

export const markDevice = (request: FastifyRequest, reply: FastifyReply, email: string, account: Account) => {
  const device = `${Math.floor(Date.now() / 1_000)}.${randomToken(12)}`
  reply.setCookie(cookieFor(email), `${device}.${signature(account, device)}`, {
    ...cookieOptions(request),
    maxAge: lifeS,
  })
}

export const readDevice = (request: FastifyRequest, email: string) => request.cookies[cookieFor(email)]

export const isKnownDevice = (account: Account, mark: string) => {
  const [issuedS = '', random = '', given = ''] = mark.split('.')
  return isSame(given, signature(account, `${issuedS}.${random}`)) && Number(issuedS) + lifeS > Date.now() / 1_000
}

const signature = ({ id, passwordHash }: Account, device: string) =>
  sign('known-device', `${id}:${passwordHash}:${device}`)
