import { createHmac } from 'node:crypto'
import { email } from '@balcao/contract/common.ts'
import { cutText } from '@balcao/contract/core/cut-text.ts'
import type { webchatSessionBody } from '@balcao/contract/intake/webchat.ts'
import { decodeProtectedHeader, errors, importSPKI, type JWTPayload, jwtVerify } from 'jose'
import { z } from 'zod'
import { isSame } from '../../../kit/crypto.ts'
import { log } from '../../../kit/log.ts'
import type { Webchat } from './site.ts'
import type { Visitor } from './visitor-token.ts'

type Told = z.output<typeof webchatSessionBody>['identity']
/** Who the site says its visitor is; `id` only when its server signed it. */
export type SiteIdentity = {
  id: string | null
  profile: Visitor['profile']
  /** Theirs by the same signature. */
  email: string | null
  /** A token that was good: it still holds for a session it began. */
  isExpired: boolean
}

/** Whoever is not signed, or wrongly, is anonymous, and may write all the same. */
export const readIdentity = async (told: Told, webchat: Webchat): Promise<SiteIdentity> => {
  const unsigned = { id: null, profile: profileOf(told ?? {}), email: null, isExpired: false }
  if (!told?.jwt && !told?.hmac) return unsigned
  const signed = told.jwt ? await readJwt(told.jwt, webchat) : readHmac(told, webchat)
  if (!signed) log.warn({ tenantId: webchat.tenantId, connectionId: webchat.id }, 'web chat identity refused')
  return signed ?? unsigned
}

const readHmac = (told: NonNullable<Told>, { config }: Webchat): SiteIdentity | undefined => {
  const { identitySecret } = config
  if (!identitySecret || !told.id || !told.hmac) return undefined
  const expected = createHmac('sha256', identitySecret).update(told.id).digest('hex')
  if (!isSame(told.hmac.toLowerCase(), expected)) return undefined
  // The id alone is signed.
  return { id: told.id, profile: profileOf(told), email: addressOf(told.id), isExpired: false }
}

const longestS = 60 * 60
const skewS = 60
/** How long after its end a token still goes with the session it began: a page stays open for a day. */
const graceS = 24 * 60 * 60

/**
 * HS256 by the secret, RS256 by the public key; each algorithm has its own key, so that neither can pose as the other.
 * Needs `exp` (an hour ahead at most), `aud` and `sub`, or `user_id` as other chats have it.
 */
const readJwt = async (jwt: string, { config, channelKey }: Webchat): Promise<SiteIdentity | undefined> => {
  try {
    const { alg } = decodeProtectedHeader(jwt)
    const key = await keyFor(alg, config)
    if (!key || !alg) return undefined
    const audience = config.identityAudience || channelKey
    const { payload } = await jwtVerify(jwt, key, {
      algorithms: [alg],
      audience,
      requiredClaims: ['exp'],
      clockTolerance: skewS,
    })
    return fromClaims(payload, false)
  } catch (error) {
    // Everything else about it was right: its signature and audience are looked at first.
    if (error instanceof errors.JWTExpired) return fromClaims(error.payload, true)
    return undefined
  }
}

const keyFor = async (alg: string | undefined, { identitySecret, identityKey }: Webchat['config']) => {
  if (alg === 'HS256' && identitySecret) return new TextEncoder().encode(identitySecret)
  if (alg === 'RS256' && identityKey) return importSPKI(identityKey, 'RS256')
  return undefined
}

const claim = z.union([z.string(), z.number()]).transform(String).pipe(z.string().trim().min(1).max(200))
const fromClaims = (payload: JWTPayload, isExpired: boolean): SiteIdentity | undefined => {
  const now = Date.now() / 1000
  const { exp = 0 } = payload
  if (exp > now + longestS + skewS || exp < now - graceS) return undefined
  const id = claim.safeParse(payload.sub ?? payload.user_id).data
  const text = (value: unknown, max: number) => (typeof value === 'string' ? cutText(value, max) : undefined)
  const profile = profileOf({
    name: text(payload.name, 120),
    email: text(payload.email, 254),
    phone: text(payload.phone ?? payload.phone_number, 40),
  })
  return id ? { id, profile, email: addressOf(profile.email), isExpired } : undefined
}

const addressOf = (text: string | undefined) => email.safeParse(text).data ?? null

const profileOf = ({ name, email, phone }: Visitor['profile']): Visitor['profile'] => ({
  name,
  email: z.email().safeParse(email).data,
  phone,
})
