import type { Line } from '../handset.ts'
import type { SimulatorCore, SimulatorOptions } from '../simulator.ts'
import type { WabaCustomer } from './customer.ts'
import { createMediaStore } from './media.ts'
import type { WabaFlow, WabaProduct } from './requests.ts'
import type { Template } from './templates.ts'

export type WabaOptions = SimulatorOptions & {
  appSecret: string
  verifyToken: string
  accessToken: string
  wabaId: string
  phoneNumberId: string
  displayPhoneNumber: string
  verifiedName?: string
  webhookUrl?: string
}

export type WabaStatus = 'sent' | 'delivered' | 'read' | 'played' | 'failed'

export type WabaPolicy = {
  /** 131047 and 131050 come as the answer to the send, or later as a failed status: both happen. */
  errorsBy: 'answer' | 'status'
  /** Free text refused after 24 h of silence. */
  hasWindow: boolean
  /** Pair rate in milliseconds between messages to one person (the real one is 6000). 0: off. */
  pairRateMs: number
  /** Messages a second before 130429. 0: off. */
  perSecond: number
  /** Emit sent and delivered by itself after a send. */
  emitsStatuses: boolean
  /** How long Meta takes to review a template, and its verdict. `undefined` leaves it pending. */
  reviewAfterMs: number | undefined
  review: (template: Template) => 'APPROVED' | 'REJECTED'
}

/** A message of either side, with what its statuses tell. */
type Known = { customer: WabaCustomer; line: Line; callbackData?: string; category?: string }

/** What Meta knows of the account: its people, messages, files and templates. */
export const createState = (core: SimulatorCore, options: WabaOptions) => ({
  core,
  options,
  media: createMediaStore(core.now),
  templates: [] as Template[],
  /** Examples that went up for headers and pictures. */
  handles: new Set<string>(),
  /** Names of templates that were deleted: they rest four weeks. */
  resting: new Set<string>(),
  customers: [] as WabaCustomer[],
  known: new Map<string, Known>(),
  policy: {
    errorsBy: 'answer',
    hasWindow: true,
    pairRateMs: 0,
    perSecond: 0,
    emitsStatuses: true,
    reviewAfterMs: 50,
    review: () => 'APPROVED',
  } as WabaPolicy,
  metadata: { display_phone_number: options.displayPhoneNumber, phone_number_id: options.phoneNumberId },
  businessPhone: options.displayPhoneNumber.replace(/\D/g, ''),
  businessName: options.verifiedName ?? 'Loja de Teste',
  webhookUrl: options.webhookUrl,
  accessToken: options.accessToken,
  isSubscribed: false,
  account: {
    profile: {
      about: 'Atendemos de segunda a sábado.',
      address: '',
      description: '',
      email: '',
      websites: [] as string[],
      vertical: 'RETAIL',
      profile_picture_url: undefined as string | undefined,
    },
    /** The code that was sent to the number last. */
    code: undefined as string | undefined,
    pin: undefined as string | undefined,
    isVerified: true,
    isRegistered: true,
    blocked: new Set<string>(),
    /** Where its calls go. */
    calling: undefined as object | undefined,
    quality: 'GREEN',
    tier: 'TIER_2K',
    throughput: 'STANDARD',
  },
  /** Published forms and the connected catalogue; a test may change them. */
  shop: { flows: [] as WabaFlow[], catalogId: undefined as string | undefined, products: [] as WabaProduct[] },
  /** Calls of customers the business turned down. */
  rejectedCalls: [] as string[],
})
export type State = ReturnType<typeof createState>
