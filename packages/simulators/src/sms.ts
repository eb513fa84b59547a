import { randomUUID } from 'node:crypto'
import { ZodError } from 'zod'
import type { Handset } from './handset.ts'
import { createSimulator, type DeliveredWebhook } from './simulator.ts'
import { comteleDialect } from './sms/comtele.ts'
import type { SmsCustomer, SmsProfile } from './sms/customer.ts'
import { smsdevDialect } from './sms/smsdev.ts'
import { createState, type Dialect, type Signed, SmsError, type SmsOptions, type SmsProviderName } from './sms/state.ts'
import { createTalk } from './sms/talk.ts'
import { twilioDialect } from './sms/twilio.ts'
import { zenviaDialect } from './sms/zenvia.ts'

const dialects: Record<SmsProviderName, Dialect> = {
  twilio: twilioDialect,
  zenvia: zenviaDialect,
  smsdev: smsdevDialect,
  comtele: comteleDialect,
}

export type SmsSimulator = Handset & {
  readonly customers: SmsCustomer[]
  /** Finds by phone, or creates. */
  customer(profile?: SmsProfile): SmsCustomer
  newCustomer(customer: { name: string; handle?: string }): SmsCustomer
  /** Pastes an address into the panel. */
  setHook(url: string, headers?: Record<string, string>): void
  /** Where it calls. */
  readonly hooks: readonly { url: string; eventType: string; status: string }[]
  setKey(key: string): void
  credits: number
  /** What each message of ours was cut into, newest last. */
  readonly segments: readonly number[]
  postRaw(fields: object, signed: Signed): Promise<DeliveredWebhook>
}

/** One account at a provider of SMS, and the mobile phones it reaches. */
export async function startSmsSimulator(options: SmsOptions): Promise<SmsSimulator> {
  const core = await createSimulator(options)
  const state = createState(core, options)
  const dialect = dialects[options.provider]
  const talk = createTalk(state, dialect)
  core.app.setErrorHandler((error, _req, reply) => {
    if (error instanceof SmsError) return reply.code(error.status).send(error.body)
    if (error instanceof ZodError) return reply.code(400).send({ message: error.issues[0]?.message })
    const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
    return reply.code(status).send({ message: String(error) })
  })
  dialect.addRoutes(state, talk)
  await core.listen()
  const { requests, faults, delivery, webhooks, idle, onChange, close } = core
  const accept = ({ path }: { path: string }) => /\/(Messages\.json|messages|send)$/.test(path)
  return {
    requests,
    faults,
    delivery,
    webhooks,
    idle,
    onChange,
    close,
    url: core.url,
    channel: 'sms',
    businessName: `Loja Aurora · ${dialect.label}`,
    businessHandle: state.from,
    customers: state.customers,
    knownFaults: [
      ...dialect.faults,
      { id: '502', label: '502 · fora do ar', fault: { status: 502, body: 'Bad Gateway', match: accept } },
      { id: 'accepted', label: 'aceitar e cair sem responder', fault: { afterAccepting: true, match: accept } },
    ],
    customer: talk.customer,
    newCustomer: ({ name, handle }) => {
      const digits = handle?.replace(/\D/g, '')
      return talk.customer({ name, phone: digits && digits.length <= 11 ? `55${digits}` : digits || undefined })
    },
    setHook: (url, headers = {}) => {
      const kinds = options.provider === 'zenvia' ? ['MESSAGE', 'MESSAGE_STATUS'] : ['']
      state.hooks.splice(0)
      state.hooks.push(...kinds.map((eventType) => ({ id: randomUUID(), url, headers, eventType, status: 'ACTIVE' })))
    },
    hooks: state.hooks,
    setKey: (key) => {
      state.key = key
    },
    get credits() {
      return state.credits
    },
    set credits(left) {
      state.credits = left
    },
    get segments() {
      return [...state.known.values()].map(({ segments }) => segments)
    },
    postRaw: async (fields, signed) => {
      const told = dialect.call(state, fields, signed)
      if (!told) throw new Error('nobody told it where to call')
      const { url, ...request } = told
      const answer = await fetch(url, { method: 'POST', ...request })
      await answer.arrayBuffer()
      const log: DeliveredWebhook = { at: Date.now(), body: request.body, attempts: 1, status: answer.status }
      core.webhooks.push(log)
      return log
    },
  }
}
