import { randomBytes, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { EvolutionError, type Instance, type State } from './state.ts'
import type { Webhooks } from './webhooks.ts'

export type Instances = ReturnType<typeof createInstances>
const badSession = 500
const connectionClosed = 428

/** Their life: made, shown a code, linked, dropped, gone. */
export const createInstances = (state: State, webhooks: Webhooks) => {
  const { core, options } = state
  const limit = options.qrLimit ?? 30
  const timers = new Map<string, NodeJS.Timeout>()
  core.closing.addEventListener('abort', () => {
    for (const timer of timers.values()) clearInterval(timer)
  })

  const find = (name: string): Instance => {
    const found = state.instances.get(name)
    if (!found) throw new EvolutionError(404, `The "${name}" instance does not exist`)
    return found
  }
  const told = (instance: Instance, reason = 200) =>
    webhooks.emit(instance, 'connection.update', {
      instance: instance.name,
      state: instance.state,
      statusReason: reason,
      wuid: instance.ownerJid,
      profileName: instance.profileName,
    })

  /** The next code, or the end of the attempt. */
  const rotate = async (instance: Instance) => {
    if (instance.state !== 'connecting') return
    if (instance.qr.count >= limit) {
      clearInterval(timers.get(instance.name))
      const data = { message: 'QR code limit reached, please login again', statusCode: badSession }
      instance.state = 'close'
      instance.qr = { count: 0 }
      await webhooks.emit(instance, 'qrcode.updated', data)
      const refused = { instance: instance.name, state: 'refused', statusReason: connectionClosed }
      return webhooks.emit(instance, 'connection.update', refused)
    }
    const { pairingCode } = instance.qr
    const code = `2@${randomBytes(24).toString('base64')},${randomBytes(12).toString('base64')}`
    instance.qr = { count: instance.qr.count + 1, code, pairingCode: pairingCode && newPairing() }
    core.changed()
    return webhooks.emit(instance, 'qrcode.updated', { qrcode: { instance: instance.name, ...shownCode(instance) } })
  }
  const begin = async (instance: Instance, number?: string) => {
    instance.state = 'connecting'
    instance.qr = { count: 0, pairingCode: number && newPairing() }
    void told(instance)
    await rotate(instance)
    if (!options.qrEveryMs) return
    clearInterval(timers.get(instance.name))
    timers.set(instance.name, setInterval(() => void rotate(instance), options.qrEveryMs).unref())
  }

  /** Whoever holds the phone reads the code: a restart, then it is linked. */
  const scan = async (name: string, code?: string) => {
    const instance = find(name)
    if (instance.state !== 'connecting') throw new Error('there is no code to scan')
    if (code !== undefined && code !== instance.qr.code) throw new Error('this code is over')
    clearInterval(timers.get(name))
    await told(instance)
    Object.assign(instance, {
      state: 'open',
      qr: { count: 0 },
      ownerJid: `${state.phone}@s.whatsapp.net`,
      profileName: state.profileName,
      reason: undefined,
    })
    core.changed()
    await told(instance)
  }
  /** The link ends: by the phone, by WhatsApp, by a logout. */
  const drop = async (name: string, reason: number) => {
    const instance = find(name)
    Object.assign(instance, { state: 'close', qr: { count: 0 }, reason })
    core.changed()
    const closed = {
      instance: name,
      status: 'closed',
      disconnectionAt: new Date(core.now()),
      disconnectionReasonCode: reason,
    }
    await webhooks.emit(instance, 'status.instance', closed)
    await told(instance, reason)
  }

  return {
    find,
    rotate: (name: string) => rotate(find(name)),
    scan,
    drop,
    create: (body: unknown): Instance => {
      const made = creation.parse(body)
      if (state.instances.has(made.instanceName))
        throw new EvolutionError(403, `This name "${made.instanceName}" is already in use.`)
      const isCloud = made.integration === 'WHATSAPP-BUSINESS'
      if (isCloud && !made.number) throw new EvolutionError(400, 'number is required')
      const instance: Instance = {
        name: made.instanceName,
        id: randomUUID(),
        token: made.token ?? randomUUID().toUpperCase(),
        integration: made.integration,
        state: isCloud ? 'open' : 'close',
        qr: { count: 0 },
        settings: {},
        ...(isCloud && { ownerJid: undefined, profileName: undefined }),
      }
      state.instances.set(instance.name, instance)
      core.changed()
      return instance
    },
    connect: async (instance: Instance, number?: string) => {
      if (instance.state === 'open') return stateOf(instance)
      if (instance.state === 'close') await begin(instance, number)
      return shownCode(instance)
    },
    restart: async (instance: Instance) => {
      if (instance.state === 'close') throw new EvolutionError(400, `The "${instance.name}" instance is not connected`)
      return stateOf(instance)
    },
    logout: async (instance: Instance) => {
      if (instance.state === 'close') throw new EvolutionError(400, `The "${instance.name}" instance is not connected`)
      clearInterval(timers.get(instance.name))
      await drop(instance.name, 401)
      Object.assign(instance, { ownerJid: undefined, profileName: undefined })
    },
    remove: (instance: Instance) => {
      if (instance.state === 'open')
        throw new EvolutionError(400, `The "${instance.name}" instance needs to be disconnected`)
      state.instances.delete(instance.name)
    },
  }
}

const creation = z.object({
  instanceName: z.string().min(1),
  integration: z.enum(['WHATSAPP-BAILEYS', 'WHATSAPP-BUSINESS']).default('WHATSAPP-BAILEYS'),
  token: z.string().optional(),
  number: z.string().optional(),
})
const newPairing = () => randomBytes(5).toString('hex').slice(0, 8).toUpperCase()
export const stateOf = ({ name, state }: Instance) => ({ instance: { instanceName: name, state } })
export const shownCode = ({ qr }: Instance) => ({
  pairingCode: qr.pairingCode ?? null,
  code: qr.code,
  base64: qr.code && `data:image/png;base64,${Buffer.from(qr.code).toString('base64')}`,
  count: qr.count,
})
export const rowOf = (instance: Instance) => ({
  id: instance.id,
  name: instance.name,
  connectionStatus: instance.state,
  ownerJid: instance.ownerJid ?? null,
  profileName: instance.profileName ?? null,
  profilePicUrl: null,
  integration: instance.integration,
  token: instance.token,
  disconnectionReasonCode: instance.reason ?? null,
})
