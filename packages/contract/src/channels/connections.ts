import { z } from 'zod'
import { id, moment, namedRef } from '../common.ts'
import { rowMeta } from '../resource.ts'
import { unknownVariables } from '../variables.ts'
import { abilities } from './abilities.ts'
import { channelKinds } from './index.ts'
import { connectionOptions } from './options.ts'

export const connectionStates = ['CONNECTED', 'DISCONNECTED', 'OPENING', 'ERROR'] as const

export const connectionHealth = z.object({
  /** The provider's own grade of the account. */
  quality: z.string().optional(),
  /** How many people may be written to first. */
  tier: z.string().optional(),
  /** Events that wait for us at the provider. */
  waiting: z.int().optional(),
})
export type ConnectionHealth = z.output<typeof connectionHealth>

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
  /** How the account is at its provider, as of the last check. */
  health: connectionHealth.nullable(),
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
  options: fields.shape.options.default({}),
})
/** What is left out stays as it is, a secret too. */
export const connectionUpdate = fields.partial().extend({ version: z.int().optional() })
/** The outcome of "testar": `text` is for the person. */
export const connectionTest = z.object({ ok: z.boolean(), text: z.string() })
