import { randomBytes } from 'node:crypto'
import { newSquare } from '../whatsapp/square.ts'
import type { Callbacks } from './callbacks.ts'
import type { Queue } from './queue.ts'
import type { State } from './state.ts'

export type InstanceLife = ReturnType<typeof createInstance>
const codeMs = 20_000

/** Its life: shown a code, linked, broken off, gone. */
export const createInstance = (state: State, callbacks: Callbacks, queue: Queue) => {
  const { core, instance } = state
  const rotate = () => {
    const value = newSquare()
    instance.code = { value, at: core.now() }
    core.changed()
    return value
  }
  const come = async () => {
    Object.assign(instance, { connected: true, isBroken: false, code: undefined })
    core.changed()
    await callbacks.emit('connected', 'ConnectedCallback', { connected: true, phone: state.phone })
    void queue.start()
  }
  return {
    rotate: () => void rotate(),
    /** The one that stands, for twenty seconds. */
    code: () => {
      const { code } = instance
      return code && core.now() - code.at < codeMs ? code.value : rotate()
    },
    pairing: () => randomBytes(5).toString('hex').slice(0, 8).toUpperCase(),
    scan: async (code?: string) => {
      if (instance.connected) throw new Error('a phone is linked already')
      if (code !== undefined && code !== instance.code?.value) throw new Error('this code is over')
      await come()
    },
    restore: async () => {
      if (instance.isBroken) await come()
    },
    drop: async (how: 'logout' | 'broken' = 'logout') => {
      Object.assign(instance, { connected: false, isBroken: how === 'broken', code: undefined })
      core.changed()
      await callbacks.emit('disconnected', 'DisconnectedCallback', {
        disconnected: true,
        error: 'Device has been disconnected',
      })
    },
  }
}
