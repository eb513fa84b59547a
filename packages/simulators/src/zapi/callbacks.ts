import type { DeliveredWebhook } from '../simulator.ts'
import { type HookKind, hookKinds, type State } from './state.ts'

export type Callbacks = ReturnType<typeof createCallbacks>

/** What the instance tells: unsigned, each kind to the address set for it. */
export const createCallbacks = (state: State) => {
  const { core, instance, options } = state
  const json = { 'content-type': 'application/json' }
  return {
    setAll: (url: string) => {
      for (const kind of hookKinds) instance.hooks[kind] = url || undefined
    },
    /** Resolves after the first attempt. */
    emit: (kind: HookKind, type: string, told: object, onAccepted?: () => void): Promise<void> => {
      const address = instance.hooks[kind]
      if (!address) return Promise.resolve()
      const url = core.delivery.badSignature ? address.replace(/\?.*$/, '?key=outra') : address
      const body = JSON.stringify({ type, instanceId: options.instanceId, momment: core.now(), ...told })
      return core.deliver({ url, body, headers: json, onAccepted })
    },
    postRaw: async (url: string, body: string): Promise<DeliveredWebhook> => {
      const log: DeliveredWebhook = { at: Date.now(), body, attempts: 1 }
      const answer = await fetch(url, { method: 'POST', headers: json, body })
      await answer.arrayBuffer()
      log.status = answer.status
      core.webhooks.push(log)
      return log
    },
  }
}
