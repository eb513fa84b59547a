import type { DeliveredWebhook } from '../simulator.ts'
import type { Instance, State } from './state.ts'

export type Webhooks = ReturnType<typeof createWebhooks>

/** What an instance tells: unsigned, with the headers it was given. */
export const createWebhooks = (state: State) => {
  const { core } = state
  const envelope = (instance: Instance, event: string, data: unknown) => ({
    event,
    instance: instance.name,
    data,
    destination: instance.webhook?.url,
    date_time: new Date(core.now() - 3 * 3_600_000).toISOString(), // local time, labelled as if it were UTC
    sender: instance.ownerJid,
    server_url: core.url,
    apikey: instance.token,
  })
  const headersOf = ({ webhook }: Instance) => ({
    'content-type': 'application/json',
    ...webhook?.headers,
    ...(core.delivery.badSignature &&
      Object.fromEntries(Object.keys(webhook?.headers ?? {}).map((name) => [name, 'outro']))),
  })
  return {
    /** Resolves after the first attempt. */
    emit: (instance: Instance, event: string, data: unknown, onAccepted?: () => void): Promise<void> => {
      const { webhook } = instance
      const name = event.toUpperCase().replaceAll('.', '_').replaceAll('-', '_')
      const isWanted = !webhook?.events?.length || webhook.events.includes(name)
      if (!webhook?.enabled || !isWanted) return Promise.resolve()
      const url = webhook.byEvents ? `${webhook.url}/${event.replaceAll('.', '-')}` : webhook.url
      const body = JSON.stringify(envelope(instance, event, data))
      return core.deliver({ url, body, headers: headersOf(instance), onAccepted })
    },
    postRaw: async (url: string, body: string, headers: Record<string, string>): Promise<DeliveredWebhook> => {
      const log: DeliveredWebhook = { at: Date.now(), body, attempts: 1 }
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
      })
      await answer.arrayBuffer()
      log.status = answer.status
      core.webhooks.push(log)
      return log
    },
  }
}
