import type { SimulatorCore, SimulatorOptions } from '../simulator.ts'
import { createCrowd } from '../whatsapp/people.ts'

export type UazapiOptions = SimulatorOptions & {
  /** `admintoken`: makes and lists instances. */
  adminToken: string
  /** Of the phone that links itself. */
  phone?: string
  profileName?: string
  /** How many instances may be linked, or about to be. */
  most?: number
}

export type Webhook = {
  id: string
  enabled: boolean
  url: string
  events: string[]
  excludeMessages: string[]
}
export type Instance = {
  id: string
  name: string
  token: string
  status: 'disconnected' | 'connecting' | 'connected'
  qrcode?: string
  paircode?: string
  owner: string
  profileName: string
  lastDisconnect?: string
  lastDisconnectReason?: string
  webhooks: Webhook[]
}

/** What the server knows: its instances, the people they talk to, and what was said. */
export const createState = (core: SimulatorCore, options: UazapiOptions) => ({
  core,
  options,
  phone: options.phone ?? '5511940001000',
  profileName: options.profileName ?? 'Loja de Teste',
  instances: [] as Instance[],
  /** Calls that ring, and those that were turned down. */
  ringing: new Map<string, string>(),
  rejected: [] as string[],
  ...createCrowd(),
})
export type State = ReturnType<typeof createState>

export class UazapiError extends Error {
  readonly status: number
  constructor(status: number, words: string) {
    super(words)
    this.status = status
  }
}
