import type { Handset } from './handset.ts'
import { createSimulator, type DeliveredWebhook, type SimulatorCore } from './simulator.ts'
import { createActs } from './waba/acts.ts'
import type { CustomerProfile, WabaCustomer } from './waba/customer.ts'
import { knownFaults } from './waba/faults.ts'
import { addGraphApi } from './waba/graph-api.ts'
import { createPeople } from './waba/people.ts'
import { createReview } from './waba/review.ts'
import { createSending } from './waba/sending.ts'
import { createState, type State, type WabaOptions, type WabaPolicy, type WabaStatus } from './waba/state.ts'
import type { Template, TemplateInput, TemplateStatus } from './waba/templates.ts'
import { createWebhooks } from './waba/webhooks.ts'

export type { CustomerProfile, MessageOptions } from './waba/customer.ts'
export { WabaCustomer } from './waba/customer.ts'
export type { WabaOptions, WabaPolicy, WabaStatus } from './waba/state.ts'

export type WabaSimulator = Handset & {
  readonly customers: WabaCustomer[]
  readonly policy: WabaPolicy
  readonly options: WabaOptions
  readonly templates: Template[]
  /** Profile, PIN, code, blocked people and grades of the number, as Meta has them; a test may change them. */
  readonly account: State['account']
  readonly shop: State['shop']
  /** Calls of customers the business turned down. */
  readonly rejectedCalls: readonly string[]
  /** True once `POST /{waba}/subscribed_apps` was called; webhooks do not wait for it. */
  readonly isSubscribed: boolean
  setWebhook(url: string | undefined): void
  setAccessToken(token: string): void
  /** The GET handshake: true when the receiver echoed the challenge. */
  verifyWebhook(verifyToken?: string): Promise<{ isVerified: boolean; status: number; body: string }>
  /** Finds by waId or userId, or creates. */
  customer(profile?: CustomerProfile): WabaCustomer
  newCustomer(customer: { name: string; handle?: string }): WabaCustomer
  addTemplate(template: TemplateInput, status?: TemplateStatus): Template
  /** Meta's verdict, told by webhook. */
  reviewTemplate(name: string, status: TemplateStatus, reason?: string): Promise<void>
  /** Its grade, or its category, changed by Meta; told by webhook. */
  gradeTemplate(name: string, score: 'GREEN' | 'YELLOW' | 'RED'): Promise<void>
  recategoriseTemplate(name: string, category: Template['category']): Promise<void>
  /** One more status of a message the business sent, in any order, also of unknown ids. */
  emitStatus(id: string, status: WabaStatus, error?: { code: number; details: string }): Promise<void>
  /** Any other webhook field. */
  emitChange(field: string, value: object): Promise<void>
  /** The business wrote from the phone app (coexistence). */
  echo(to: WabaCustomer, text: string): Promise<string>
  /** Everything sent inside `work` travels in one POST. */
  batch(work: () => void): Promise<void>
  /** Posts an envelope, or a `value` of field messages, as it is. `signature: null` leaves the header out. */
  postRaw(payload: object | string, options?: { signature?: string | null }): Promise<DeliveredWebhook>
  sign(body: string): string
}

/** WhatsApp Cloud API on `{url}/v25.0/…` (any version), with the phones of its customers. */
export async function startWabaSimulator(options: WabaOptions): Promise<WabaSimulator> {
  const core = await createSimulator(options)
  const state = createState(core, options)
  const webhooks = createWebhooks(state)
  const people = createPeople(state, webhooks)
  const sending = createSending(state, people, webhooks)
  const review = createReview(state, webhooks)
  await addGraphApi(state, { sending, review })
  await core.listen()
  return {
    ...surfaceOf(core),
    get url() {
      return core.url
    },
    channel: 'whatsapp',
    businessName: state.businessName,
    businessHandle: `+${state.businessPhone}`,
    customers: state.customers,
    policy: state.policy,
    options,
    templates: state.templates,
    account: state.account,
    shop: state.shop,
    knownFaults,
    acts: createActs(state, webhooks, review),
    rejectedCalls: state.rejectedCalls,
    get isSubscribed() {
      return state.isSubscribed
    },
    setWebhook: (url) => {
      state.webhookUrl = url
    },
    setAccessToken: (token) => {
      state.accessToken = token
    },
    verifyWebhook: webhooks.verify,
    customer: people.customer,
    newCustomer: people.newCustomer,
    addTemplate: (input, status = 'APPROVED') => review.addTemplate(input, status),
    reviewTemplate: async (name, status, reason) => {
      for (const template of state.templates) if (template.name === name) await review.judge(template, status, reason)
    },
    gradeTemplate: async (name, score) => {
      for (const template of state.templates) if (template.name === name) await review.grade(template, score)
    },
    recategoriseTemplate: async (name, category) => {
      for (const template of state.templates) if (template.name === name) await review.recategorise(template, category)
    },
    emitStatus: webhooks.emitStatus,
    emitChange: (field, value) => webhooks.emit({ kind: 'change', field, value }),
    echo: webhooks.echo,
    batch: webhooks.batch,
    postRaw: webhooks.postRaw,
    sign: webhooks.sign,
  }
}

const surfaceOf = ({ requests, faults, delivery, webhooks, idle, onChange, close }: SimulatorCore) => ({
  requests,
  faults,
  delivery,
  webhooks,
  idle,
  onChange,
  close,
})
