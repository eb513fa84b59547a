import { createHmac } from 'node:crypto'
import { isSame } from '../../kit/crypto.ts'
import type { RawRequest } from '../adapter.ts'

type App = { config: { appSecret: string; verifyToken: string } }

/** Every call of a Meta app is signed with its own secret: one of another app is nobody's. */
export const isSignedByApp = ({ headers, rawBody }: RawRequest, { config }: App): boolean => {
  const given = headers['x-hub-signature-256']
  const expected = `sha256=${createHmac('sha256', config.appSecret).update(rawBody).digest('hex')}`
  return typeof given === 'string' && isSame(given, expected)
}

export const appHandshake = ({ query }: RawRequest, { config }: App): string | undefined => {
  const isOurs = query['hub.mode'] === 'subscribe' && isSame(query['hub.verify_token'] ?? '', config.verifyToken)
  return isOurs ? query['hub.challenge'] : undefined
}
