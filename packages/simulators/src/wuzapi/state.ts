import type { SimulatorCore, SimulatorOptions } from '../simulator.ts'
import { createCrowd } from '../whatsapp/people.ts'

export type WuzapiOptions = SimulatorOptions & {
  /** WUZAPI_ADMIN_TOKEN: makes, lists and deletes users. */
  adminToken: string
  /** WEBHOOK_FORMAT. */
  format?: 'json' | 'form'
  /** In which header this version reads a user's token. */
  tokenIn?: 'token' | 'authorization'
  /** Of the phone that links itself. */
  phone?: string
  /** What this server cannot do: parts of addresses that are not there. */
  without?: string[]
}

export type User = {
  id: string
  name: string
  token: string
  webhook: string
  events: string[]
  /** Stays after a phone has left. */
  jid: string
  lid: string
  /** `away`: it is linked, and its connection fell. */
  session: 'none' | 'waiting' | 'open' | 'away'
  qrcode: string
  linkingCode?: string
  hmacKey?: string
  proxyUrl: string
  files: { enabled: boolean; media_delivery: string }
}

/** What the server knows: its users, the people they talk to, and what was said. */
export const createState = (core: SimulatorCore, options: WuzapiOptions) => ({
  core,
  options,
  format: options.format ?? 'json',
  phone: options.phone ?? '5511940001000',
  users: [] as User[],
  /** Calls that ring, and those that were turned down. */
  ringing: new Map<string, string>(),
  rejected: [] as string[],
  ...createCrowd(),
})
export type State = ReturnType<typeof createState>

export class WuzapiError extends Error {
  readonly status: number
  constructor(status: number, words: string) {
    super(words)
    this.status = status
  }
}
