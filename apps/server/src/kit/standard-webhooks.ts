import { createHmac } from 'node:crypto'

/** The headers by which a receiver knows who sent a body, when, and that nobody changed it (Standard Webhooks). */
export const signedHeaders = (secret: string, { id, body }: { id: string; body: string }): Record<string, string> => {
  const sentAt = String(Math.floor(Date.now() / 1_000))
  const signed = createHmac('sha256', keyOf(secret)).update(`${id}.${sentAt}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': sentAt, 'webhook-signature': `v1,${signed}` }
}

/** One made by a library begins with `whsec_` and is base64; one that a person made up is its letters. */
const keyOf = (secret: string) =>
  secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret)
