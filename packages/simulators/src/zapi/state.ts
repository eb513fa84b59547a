import { randomBytes, randomInt } from 'node:crypto'
import type { Line, Media } from '../handset.ts'
import type { SimulatorCore, SimulatorOptions } from '../simulator.ts'
import type { Led } from '../whatsapp/group-acts.ts'
import type { ZapiCustomer } from './customer.ts'

export type ZapiOptions = SimulatorOptions & {
  /** None: the account of a partner, who makes it by the token below. */
  instanceId?: string
  instanceToken?: string
  partnerToken?: string
  /** Opens every call, besides the token in its address. */
  clientToken: string
  /** Of the phone that links itself. */
  phone?: string
  profileName?: string
  /** Between two messages of the queue; Z-API waits one to three seconds. */
  queueMs?: number
}

export const hookKinds = ['received', 'delivery', 'messageStatus', 'connected', 'disconnected', 'presenceChat'] as const
export type HookKind = (typeof hookKinds)[number]
export type Instance = {
  connected: boolean
  /** The session broke off, and can be taken up again. */
  isBroken: boolean
  hooks: Partial<Record<HookKind, string>>
  notifySentByMe: boolean
  autoRead: boolean
  code?: { value: string; at: number }
  name: string
  /** Runs two days, unless it is paid for; what is given up works on until its month is over. */
  created: number
  due: number
  paymentStatus: 'TRIAL' | 'PAID' | 'CANCELED'
}
export type Group = Led<ZapiCustomer> & { id: string }
/** A message of either side; `chat` as Z-API calls it. */
export type Known = { line: Line; chat: string; customer: ZapiCustomer; mentioned?: string[] }

export const createState = (core: SimulatorCore, options: ZapiOptions) => ({
  core,
  options,
  phone: options.phone ?? '5511940002000',
  profileName: options.profileName ?? 'Loja de Teste',
  instance: newInstance('Loja', core.now(), 'PAID'),
  customers: [] as ZapiCustomer[],
  groups: [] as Group[],
  known: new Map<string, Known>(),
  files: new Map<string, Media>(),
})
export const newInstance = (name: string, now: number, paymentStatus: Instance['paymentStatus']): Instance => ({
  connected: false,
  isBroken: false,
  hooks: {},
  notifySentByMe: false,
  autoRead: true,
  name,
  created: now,
  due: now + (paymentStatus === 'TRIAL' ? 2 : 30) * dayMs,
  paymentStatus,
})
export const dayMs = 24 * 3_600_000

export type State = ReturnType<typeof createState>

export const newId = () => `3EB0${randomBytes(9).toString('hex').toUpperCase()}`
export const newLid = () => String(randomInt(10_000_000_000, 99_999_999_999)).padStart(14, '7')

export class ZapiError extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
  toBody() {
    return { error: this.message }
  }
}
