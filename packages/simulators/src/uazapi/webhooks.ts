import type { DeliveredWebhook } from '../simulator.ts'
import type { Instance, State } from './state.ts'

export type Webhooks = ReturnType<typeof createWebhooks>
/** What a webhook may have asked not to be told of. */
export type About = { fromMe: boolean; wasSentByApi: boolean; isGroup: boolean }

const isExcluded = (filters: string[], { fromMe, wasSentByApi, isGroup }: About) =>
  filters.some(
    (filter) =>
      filter === (wasSentByApi ? 'wasSentByApi' : 'wasNotSentByApi') ||
      filter === (fromMe ? 'fromMeYes' : 'fromMeNo') ||
      filter === (isGroup ? 'isGroupYes' : 'isGroupNo'),
  )

/** What an instance tells: unsigned, with its token in every call. */
export const createWebhooks = (state: State) => {
  const { core } = state
  return {
    /** Resolves after the first attempt. */
    emit: async (instance: Instance, event: string, told: object, about?: About, onAccepted?: () => void) => {
      const token = core.delivery.badSignature ? 'outro' : instance.token
      const { name: instanceName, owner } = instance
      const body = JSON.stringify({ BaseUrl: core.url, EventType: event, ...told, instanceName, owner, token })
      const wanted = instance.webhooks.filter(
        (one) => one.enabled && one.events.includes(event) && !(about && isExcluded(one.excludeMessages, about)),
      )
      const headers = { 'content-type': 'application/json' }
      await Promise.all(wanted.map(({ url }) => core.deliver({ url, body, headers, onAccepted })))
    },
    postRaw: async (url: string, body: string): Promise<DeliveredWebhook> => {
      const log: DeliveredWebhook = { at: Date.now(), body, attempts: 1 }
      const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      await answer.arrayBuffer()
      log.status = answer.status
      core.webhooks.push(log)
      return log
    },
  }
}
