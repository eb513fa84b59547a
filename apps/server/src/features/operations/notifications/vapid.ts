import { createECDH, hkdfSync } from 'node:crypto'
import { env } from '../../../env.ts'

type VapidKeys = { subject: string; publicKey: string; privateKey: string }
let keys: VapidKeys | undefined

/**
 * Who we are to push services: a P-256 pair that follows from the installation's secret, so that every process has the
 * same one without a file or a row of its own. Another secret means another pair, and every browser subscribes anew.
 */
export const vapidKeys = (): VapidKeys => {
  keys ??= make()
  return keys
}

const make = (): VapidKeys => {
  const secret = scalar()
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(secret)
  return {
    subject: env.PUBLIC_URL.startsWith('https:') ? env.PUBLIC_URL : `mailto:${mailOf(env.SMTP_FROM)}`,
    publicKey: pair.getPublicKey('base64url'),
    privateKey: secret.toString('base64url'),
  }
}

/** From 1 to the order of the curve, evenly: 16 bytes more than it needs, then the remainder. */
const scalar = (): Buffer => {
  const seed = Buffer.from(hkdfSync('sha256', env.APP_SECRET, '', 'vapid', 48)).toString('hex')
  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
  const value = (BigInt(`0x${seed}`) % (order - 1n)) + 1n
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex')
}

const mailOf = (from: string) => /<([^>]+)>/.exec(from)?.[1] ?? from
