import { createHmac } from 'node:crypto'
import type { DeliveredWebhook } from '../simulator.ts'
import type { State, User } from './state.ts'

export type Webhooks = ReturnType<typeof createWebhooks>

/** What a user's server tells: what it was asked to, as JSON or in a form, signed where it was given a key. */
export const createWebhooks = (state: State) => {
  const { core } = state
  const contentType = () => (state.format === 'json' ? 'application/json' : 'application/x-www-form-urlencoded')
  const sign = (body: string, key: string | undefined): Record<string, string> =>
    key === undefined ? {} : { 'x-hmac-signature': createHmac('sha256', key).update(body).digest('hex') }
  return {
    sign,
    /** Resolves after the first attempt. */
    emit: async (user: User, type: string, told: object, onAccepted?: () => void) => {
      if (!user.webhook || !(user.events.includes(type) || user.events.includes('All'))) return
      const about = { userID: user.id, instanceName: user.name }
      const whole = { ...told, type }
      const body =
        state.format === 'json'
          ? JSON.stringify({ ...whole, ...about })
          : new URLSearchParams({
              instanceName: user.name,
              jsonData: JSON.stringify(whole),
              userID: user.id,
            }).toString()
      const key = core.delivery.badSignature ? 'outra-chave' : user.hmacKey
      const headers = { 'content-type': contentType(), ...sign(body, key) }
      await core.deliver({ url: user.webhook, body, headers, onAccepted })
    },
    postRaw: async (url: string, body: string, headers: Record<string, string>): Promise<DeliveredWebhook> => {
      const log: DeliveredWebhook = { at: Date.now(), body, attempts: 1 }
      const answer = await fetch(url, { method: 'POST', headers: { 'content-type': contentType(), ...headers }, body })
      await answer.arrayBuffer()
      log.status = answer.status
      core.webhooks.push(log)
      return log
    },
  }
}
