import { randomInt, randomUUID } from 'node:crypto'
import type { Line, Media } from '../handset.ts'
import type { KnownFault, SimulatorCore, SimulatorOptions } from '../simulator.ts'
import type { SmsCustomer } from './customer.ts'
import type { Talk } from './talk.ts'

export type SmsProviderName = 'twilio' | 'zenvia' | 'smsdev' | 'comtele'
export type SmsOptions = SimulatorOptions & {
  provider: SmsProviderName
  /** The token or key that opens the account. */
  key: string
  /** What the account is called, where it has a name. */
  accountSid?: string
  /** Who our messages come from. */
  from?: string
  credits?: number
}

/** Where it calls, and with which headers; Zenvia by kind of event. */
export type Hook = { id: string; url: string; headers: Record<string, string>; eventType: string; status: string }
/** A message of ours, by the id its receipts name. */
export type Known = {
  line: Line
  customer: SmsCustomer
  refer?: string
  callback?: string
  segments: number
}

export const createState = (core: SimulatorCore, options: SmsOptions) => ({
  core,
  key: options.key,
  accountSid: options.accountSid ?? `AC${'0'.repeat(32)}`,
  from: options.from ?? '+5511940005000',
  credits: options.credits ?? 1_000,
  hooks: [] as Hook[],
  customers: [] as SmsCustomer[],
  known: new Map<string, Known>(),
  files: new Map<string, Media>(),
})
export type State = ReturnType<typeof createState>

export type Signed = 'right' | 'missing' | 'wrong'
/** A call as it leaves; undefined: nobody told it where. */
export type Told = { url: string; body: string; headers: Record<string, string> } | undefined
export type Receipt = 'sent' | 'delivered' | 'failed'

/** One provider: its API as the business calls it, and what it tells. */
export type Dialect = {
  label: string
  addRoutes: (state: State, talk: Talk) => void
  message: (state: State, customer: SmsCustomer, id: string, text: string, media?: Media) => object
  /** It carries pictures, too. */
  hasFiles?: boolean
  receipt: (state: State, id: string, known: Known, receipt: Receipt) => object
  /** The fields of one event as a call to its address; `callback` where the message named one. */
  call: (state: State, fields: object, signed: Signed, callback?: string) => Told
  faults: KnownFault[]
}

/** A refusal in the provider's own words. */
export class SmsError extends Error {
  readonly status: number
  readonly body: object
  constructor(status: number, body: object) {
    super(JSON.stringify(body))
    this.status = status
    this.body = body
  }
}

export const newNumber = () => String(randomInt(100_000_000, 999_999_999))
export const newSid = () => `SM${randomUUID().replaceAll('-', '')}`

const sevenBit = /^[\w\s@£$¥èéùìòÇØøÅåΔΦΓΛΩΠΨΣΘΞÆæßÉ!"#¤%&'()*+,\-./:;<=>?¡ÄÖÑÜ§¿äöñüà^{}\\[~\]|€]*$/
/** As a network cuts a text, counted in its own way beside the product's. */
export const segmentsOf = (text: string): number => {
  const escaped = /[\^{}\\[~\]|€\f]/
  const isSeven = sevenBit.test(text)
  const sizes = [...text].map((sign) => (isSeven ? (escaped.test(sign) ? 2 : 1) : sign.length))
  const [alone, part] = isSeven ? [160, 153] : [70, 67]
  const total = sizes.reduce((sum, size) => sum + size, 0)
  if (total <= alone) return 1
  const parts = [0]
  for (const size of sizes) {
    const last = parts.at(-1) ?? 0
    if (last + size > part) parts.push(size)
    else parts[parts.length - 1] = last + size
  }
  return parts.length
}
