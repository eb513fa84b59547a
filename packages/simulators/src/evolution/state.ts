import type { SimulatorCore, SimulatorOptions } from '../simulator.ts'
import type { Template } from '../waba/templates.ts'
import { createCrowd } from '../whatsapp/people.ts'

export type EvolutionOptions = SimulatorOptions & {
  /** `AUTHENTICATION_API_KEY`: opens everything. */
  globalKey: string
  /** Of the phone that links itself. */
  phone?: string
  profileName?: string
  /** What opens the files of instances on Meta's API, at `{url}/graph/{id}`. */
  metaToken?: string
  /** Approved for the account at Meta. */
  templates?: Template[]
  /** Codes drawn until the login is refused. */
  qrLimit?: number
  /** A new code by itself so often; 0: only when asked (`rotate`). */
  qrEveryMs?: number
}

export type Integration = 'WHATSAPP-BAILEYS' | 'WHATSAPP-BUSINESS'
export type Webhook = {
  enabled: boolean
  url: string
  byEvents?: boolean
  base64?: boolean
  headers?: Record<string, string>
  events?: string[]
}
export type Instance = {
  name: string
  id: string
  token: string
  integration: Integration
  state: 'open' | 'connecting' | 'close'
  qr: { count: number; code?: string; pairingCode?: string }
  ownerJid?: string
  profileName?: string
  reason?: number
  webhook?: Webhook
  settings: Record<string, unknown>
}

/** What the server knows: its instances, the people they talk to, and what was said. */
export const createState = (core: SimulatorCore, options: EvolutionOptions) => ({
  core,
  options,
  phone: options.phone ?? '5511940001000',
  profileName: options.profileName ?? 'Loja de Teste',
  instances: new Map<string, Instance>(),
  ...createCrowd(),
  templates: options.templates ?? [],
  /** Meta takes free text no more. */
  isWindowClosed: false,
})
export type State = ReturnType<typeof createState>

export const seconds = (state: State) => Math.floor(state.core.now() / 1000)

export class EvolutionError extends Error {
  readonly status: number
  readonly details: unknown[]
  constructor(status: number, ...details: unknown[]) {
    super(String(details[0]))
    this.status = status
    this.details = details
  }
  toBody() {
    const error = { 400: 'Bad Request', 401: 'Unauthorized', 403: 'Forbidden', 404: 'Not Found' }[this.status]
    return { status: this.status, error: error ?? 'Internal Server Error', response: { message: this.details } }
  }
}
