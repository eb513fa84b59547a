import { hkdfSync } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import { env } from '../../../env.ts'
import { canonical, hashToken } from '../../../kit/crypto.ts'
import { AppError } from '../../../kit/errors.ts'

export const visitorTokenS = 15 * 60
const key = Buffer.from(hkdfSync('sha256', env.APP_SECRET, '', 'webchat-token', 32))
const audience = 'balcao-webchat'

const visitor = z.object({
  tenantId: z.int(),
  connectionId: z.string(),
  visitorId: z.string(),
  /** The site's own id of this person, when its server signed it. */
  verifiedAs: z.string().nullable(),
  /** An address of theirs that it signed for too. */
  verifiedEmail: z.string().nullable().default(null),
  sessionId: z.string(),
  familyId: z.string(),
  /** What the page said of its visitor: fills a new contact, never finds one. */
  profile: z.object({ name: z.string().optional(), email: z.string().optional(), phone: z.string().optional() }),
})
/** A browser of a visitor: the tenant, connection and person always come from here, never from a body. */
export type Visitor = z.output<typeof visitor>

/** A signed person is the same visitor in every browser; `value` is their identity, the web chat's id and the site's own. */
export const knownVisitorId = (value: string) => `u_${hashToken(value).slice(0, 24)}`

export const issueVisitorToken = (of: Visitor) =>
  new SignJWT({ ...of })
    .setProtectedHeader({ alg: 'HS256' })
    .setAudience(audience)
    .setExpirationTime(`${visitorTokenS}s`)
    .sign(key)

/** Throws ERR_SESSION_EXPIRED for anything but a valid visitor token. */
export const readVisitor = async (token: string | undefined): Promise<Visitor> => {
  try {
    const { payload } = await jwtVerify(canonical(token ?? ''), key, { algorithms: ['HS256'], audience })
    return visitor.parse(payload)
  } catch {
    throw new AppError('ERR_SESSION_EXPIRED')
  }
}
