import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { env } from '../env.ts'

const keyFor = (purpose: string) => Buffer.from(hkdfSync('sha256', env.APP_SECRET, '', purpose, 32))

/** 32 random bytes, URL-safe: tokens, links, codes. */
export const randomToken = (bytes = 32) => randomBytes(bytes).toString('base64url')

/** What is stored of a token. */
export const hashToken = (token: string) => createHash('sha256').update(token).digest('base64url')

/** A signed token in the one spelling we issue; base64 has several for the same bytes. Throws at any other. */
export const canonical = (token: string) => {
  if (token.split('.').some((part) => Buffer.from(part, 'base64url').toString('base64url') !== part))
    throw new Error('not our spelling')
  return token
}

/** HMAC of this installation, for links and cursors nobody else may make. */
export const sign = (purpose: string, text: string) =>
  createHmac('sha256', keyFor(purpose)).update(text).digest('base64url')

/** Constant-time comparison of two texts. */
export const isSame = (a: string, b: string) => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** Seals a secret for storage: AES-256-GCM under the installation's key, bound to `context` (tenant and row). */
export const seal = (plain: string, context: string) => {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', keyFor('seal'), iv).setAAD(Buffer.from(context))
  const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return `v1.${Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')}`
}

export const unseal = (sealed: string, context: string) => {
  const raw = Buffer.from(sealed.slice(3), 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', keyFor('seal'), raw.subarray(0, 12))
    .setAAD(Buffer.from(context))
    .setAuthTag(raw.subarray(12, 28))
  return Buffer.concat([decipher.update(raw.subarray(28)), decipher.final()]).toString('utf8')
}
