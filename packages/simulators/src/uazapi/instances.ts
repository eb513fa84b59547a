import { randomBytes, randomUUID } from 'node:crypto'
import { newSquare } from '../whatsapp/square.ts'
import { type Instance, type State, UazapiError } from './state.ts'
import type { Webhooks } from './webhooks.ts'

export type Instances = ReturnType<typeof createInstances>

/** Their life: made, shown a code, linked, dropped, gone. */
export const createInstances = (state: State, webhooks: Webhooks) => {
  const { core, options } = state
  const find = (name: string): Instance => {
    const found = state.instances.find((one) => one.name === name)
    if (!found) throw new UazapiError(404, 'Instance not found')
    return found
  }
  const told = (instance: Instance, type?: string) => {
    const { name, status, qrcode, lastDisconnect, lastDisconnectReason } = instance
    const gone = status === 'disconnected' ? { lastDisconnect, lastDisconnectReason } : {}
    return webhooks.emit(instance, 'connection', { instance: { name, status, qrcode, ...gone }, type })
  }
  const draw = async (instance: Instance) => {
    instance.qrcode = newSquare()
    core.changed()
    await told(instance)
  }

  return {
    find,
    by: (token: string): Instance => {
      const found = state.instances.find((one) => one.token === token)
      if (!found) throw new UazapiError(401, 'Invalid token')
      return found
    },
    init: (name: string, token: string = randomUUID()): Instance => {
      const made: Instance = {
        id: `r${randomBytes(7).toString('hex')}`,
        name,
        token,
        status: 'disconnected',
        owner: '',
        profileName: '',
        webhooks: [],
      }
      state.instances.push(made)
      return made
    },
    /** With a phone a code to type, without one a code to read. */
    connect: async (instance: Instance, phone?: string) => {
      if (instance.status === 'connected') return
      const busy = state.instances.filter((one) => one !== instance && one.status !== 'disconnected').length
      if (options.most !== undefined && busy >= options.most)
        throw new UazapiError(429, 'Maximum number of instances connected reached')
      instance.status = 'connecting'
      instance.qrcode = undefined
      instance.paircode =
        phone &&
        randomBytes(4)
          .toString('hex')
          .toUpperCase()
          .replace(/^(.{4})/, '$1-')
      if (!phone) await draw(instance)
    },
    rotate: async (name: string) => {
      const instance = find(name)
      if (instance.status === 'connecting') await draw(instance)
    },
    /** Nobody read a code in two minutes. */
    expire: async (name: string) => {
      const instance = find(name)
      Object.assign(instance, {
        status: 'disconnected',
        qrcode: undefined,
        paircode: undefined,
        lastDisconnect: new Date(core.now()).toISOString(),
        lastDisconnectReason: 'QR code timeout',
      })
      await told(instance)
    },
    scan: async (name: string, code?: string) => {
      const instance = find(name)
      if (instance.status !== 'connecting') throw new Error('there is no code to scan')
      if (code !== undefined && code !== instance.qrcode) throw new Error('this code is over')
      Object.assign(instance, {
        status: 'connected',
        qrcode: undefined,
        paircode: undefined,
        owner: state.phone,
        profileName: state.profileName,
      })
      core.changed()
      await told(instance)
    },
    /** The link ends: by the phone, by WhatsApp, by us. */
    drop: async (name: string, reason: string) => {
      const instance = find(name)
      Object.assign(instance, {
        status: 'disconnected',
        qrcode: undefined,
        paircode: undefined,
        lastDisconnect: new Date(core.now()).toISOString(),
        lastDisconnectReason: reason,
      })
      core.changed()
      await told(instance, 'LoggedOut')
    },
    remove: (instance: Instance) => {
      state.instances.splice(state.instances.indexOf(instance), 1)
    },
  }
}

/** An instance as its routes show it: with its token. */
export const shown = ({ webhooks: _, qrcode = '', paircode = '', ...instance }: Instance, url: string) => ({
  ...instance,
  qrcode,
  paircode,
  profilePicUrl: instance.owner && `${url}/faces/${instance.owner}`,
  isBusiness: true,
  systemName: 'uazapi',
})
