import { z } from 'zod'
import { id, moment, namedRef, queryList } from '../common.ts'
import { integrationStates } from '../core/integrations/index.ts'
import { rowMeta } from '../resource.ts'
import { unknownVariables } from '../variables.ts'
import { abilities } from './abilities.ts'
import { hosts } from './hosts.ts'
import { channelKinds, channels } from './index.ts'
import { connectionOptions } from './options.ts'

export const connectionStates = ['CONNECTED', 'DISCONNECTED', 'OPENING', 'ERROR'] as const
export const connectionStateLabels: Record<(typeof connectionStates)[number], string> = {
  CONNECTED: 'Conectado',
  OPENING: 'Conectando',
  DISCONNECTED: 'Desconectado',
  ERROR: 'Com problema',
}

export const connectionHealth = z.object({
  /** The provider's own grade of the account. */
  quality: z.string().optional(),
  /** How many people may be written to first. */
  tier: z.string().optional(),
  /** How many messages leave in a second. */
  perSecond: z.int().optional(),
  /** Events that wait for us at the provider. */
  waiting: z.int().optional(),
  /** How many messages are paid for. */
  credits: z.int().optional(),
  /** What would make more of what is sent arrive, in Portuguese. */
  advice: z.array(z.string()).optional(),
  /** Messages in its spam folder. */
  inJunk: z.int().optional(),
})
export type ConnectionHealth = z.output<typeof connectionHealth>

/** What the provider had to say to whoever takes care of the connection. */
export const connectionAlert = z.object({ text: z.string(), isSerious: z.boolean(), at: moment })
export type ConnectionAlert = z.output<typeof connectionAlert>
export const mostAlerts = 5

/** Who answers at the provider: the phone that is linked, or the account's own name. */
export const connectionAccount = z.object({
  /** Digits, with the country. */
  number: z.string().optional(),
  name: z.string().optional(),
  /** Where the provider has its picture, and our copy of it. */
  pictureUrl: z.string().optional(),
  picture: z.string().optional(),
  /** What else members of a group call it by. */
  lid: z.string().optional(),
  handle: z.string().optional(),
})
export type ConnectionAccount = z.output<typeof connectionAccount>

/** Old conversations on their way in, as far as the provider tells how many there are. */
export const connectionImport = z.object({
  state: z.enum(['running', 'done', 'cancelled']),
  percent: z.int(),
  /** Stored so far; what came twice counts once. */
  messages: z.int(),
})
export type ConnectionImport = z.output<typeof connectionImport>

/** A connection (spec: session, "whatsapp"): one account on one provider. Secrets leave as `true` = stored. */
export const connection = rowMeta.extend({
  kind: z.enum(channelKinds),
  name: z.string(),
  status: z.enum(connectionStates),
  /** What to do when `status` is ERROR, in Portuguese. */
  statusText: z.string().nullable(),
  /** What links a phone to us, while it lasts; only for those who may write connections. */
  qrcode: z.string().nullable(),
  pairingCode: z.string().nullable(),
  /** Until when the two work. */
  loginUntil: moment.nullable(),
  account: connectionAccount.nullable(),
  /** Of the phone that is linked now; null: nothing has come. */
  imported: connectionImport.nullable(),
  /** Somebody stopped it: its session is closed and nothing is sent until it is started again. */
  stoppedAt: moment.nullable(),
  /** Since when it does not work though it did, and nobody of the company ended it. */
  lostAt: moment.nullable(),
  /** How the account is at its provider, as of the last check. */
  health: connectionHealth.nullable(),
  /** Newest first, until somebody has read them; only for those who may write connections. */
  alerts: z.array(connectionAlert),
  retries: z.int(),
  isDefault: z.boolean(),
  /** New tickets start in this queue. */
  queue: namedRef.nullable(),
  /** Sent by itself when a conversation closes; empty: nothing. */
  farewellMessage: z.string(),
  /** Closing asks the customer for a grade. */
  sendEvaluation: z.boolean(),
  /** The proxy it goes through; null: none. */
  proxyId: id.nullable(),
  /** Whose server it stands on; null: the one it names itself. */
  host: z.enum(hosts).nullable(),
  /** How the company wants it to behave. */
  options: connectionOptions,
  config: z.record(z.string(), z.unknown()),
  /** What it can do, with its settings. */
  abilities,
  /** Where the provider calls us. */
  webhookUrl: z.string(),
  /** Public key of a web chat, for the snippet. */
  channelKey: z.string().nullable(),
  /** Payloads of unknown shape waiting in the journal. */
  unknownEvents: z.int(),
  lastInboundAt: moment.nullable(),
})
export type Connection = z.output<typeof connection>

const fields = z.object({
  name: z.string().trim().min(1, 'Informe o nome.').max(60),
  isDefault: z.boolean(),
  queueId: id.nullable(),
  farewellMessage: z
    .string()
    .trim()
    .max(2_000, 'Use no máximo 2.000 caracteres.')
    .superRefine((text, context) => {
      const [unknown] = unknownVariables(text)
      if (unknown) context.addIssue({ code: 'custom', message: `A variável {{${unknown}}} não existe.` })
    }),
  sendEvaluation: z.boolean(),
  proxyId: id.nullable(),
  host: z.enum(hosts).nullable(),
  /** All of them at once; checked by what the connection can do. */
  options: z.record(z.string(), z.unknown()),
  config: z.record(z.string(), z.unknown()),
})
export const connectionCreate = fields.extend({
  kind: z.enum(channelKinds),
  isDefault: fields.shape.isDefault.default(false),
  /** Left out: the company's first queue. */
  queueId: fields.shape.queueId.optional(),
  farewellMessage: fields.shape.farewellMessage.default(''),
  sendEvaluation: fields.shape.sendEvaluation.default(false),
  proxyId: fields.shape.proxyId.default(null),
  host: fields.shape.host.default(null),
  options: fields.shape.options.default({}),
})
/** What is left out stays as it is, a secret too. */
export const connectionUpdate = fields.partial().extend({ version: z.int().optional() })
/** GET /whatsapp/work: what a connection has done and has to do; counts stop at 1,000. */
export const connectionWork = z.object({
  id,
  /** Since when it stands as it does. */
  since: moment.nullable(),
  /** The last event of its provider, whatever it said. */
  lastEventAt: moment.nullable(),
  lastSentAt: moment.nullable(),
  /** Events not handled yet, and since when the oldest waits. */
  inHand: z.int(),
  inHandSince: moment.nullable(),
  /** Messages that wait to be sent. */
  waiting: z.int(),
  failedToday: z.int(),
  sentToday: z.int(),
  /** What may get its number banned, in Portuguese; of official channels never anything. */
  risks: z.array(z.string()),
})
export type ConnectionWork = z.output<typeof connectionWork>

/** Which channels of a company are meant: all of them, or those of a kind, a state, a name or a number. */
export const connectionsFilter = z.object({
  searchParam: z.string().trim().max(200).default(''),
  kind: queryList(z.enum(channelKinds)),
  status: queryList(z.enum(connectionStates)),
})
export type ConnectionsFilter = z.output<typeof connectionsFilter>
type Sought = Pick<Connection, 'kind' | 'status' | 'name' | 'account'>
export const isSought = ({ kind, status, name, account }: Sought, filter: ConnectionsFilter): boolean =>
  (!filter.kind.length || filter.kind.includes(kind)) &&
  (!filter.status.length || filter.status.includes(status)) &&
  [name, account?.name, account?.number, channels[kind].label].some((text) =>
    plain(text ?? '').includes(plain(filter.searchParam)),
  )
const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim()

/** GET /whatsapp/limits; null: every kind. */
export const connectionLimits = z.object({
  used: z.int(),
  most: z.int(),
  allowedChannels: z.array(z.enum(channelKinds)).nullable(),
})

/** PUT /whatsappsession/{id}: a new QR code or, with a phone's number, a code to type on it. */
export const connectionLink = z.object({
  phone: z
    .string()
    .transform((typed) => typed.replace(/\D/g, ''))
    .refine((digits) => digits.length >= 10 && digits.length <= 15, 'Informe o número com DDI e DDD: 5511999998888.')
    .optional(),
})
/** Which of these numbers (digits, with country) can be written to on a channel. */
export const numbersCheck = z.object({
  whatsappId: id,
  numbers: z
    .array(
      z
        .string()
        .transform((typed) => typed.replace(/\D/g, ''))
        .refine((digits) => digits.length >= 8 && digits.length <= 15, 'Informe o número com DDI e DDD.'),
    )
    .min(1, 'Informe os números.')
    .max(50, 'Confira no máximo 50 números por vez.'),
})
export const numbersChecked = z.array(z.object({ number: z.string(), exists: z.boolean(), lid: z.string().nullable() }))

/** GET /proxy-stats: a proxy of the company, and what goes through it. */
export const proxyUse = z.object({
  id,
  name: z.string(),
  /** As its last test or use left it. */
  state: z.enum(integrationStates),
  stateText: z.string().nullable(),
  connections: z.array(z.object({ id, name: z.string(), status: z.enum(connectionStates), sentToday: z.int() })),
})

/** The outcome of "testar": `text` is for the person. */
export const connectionTest = z.object({ ok: z.boolean(), text: z.string() })
