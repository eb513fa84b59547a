import { z } from 'zod'
import { receiptKinds } from '../../channels/abilities.ts'
import { channelKinds } from '../../channels/index.ts'
import { id, idOf, moment, namedRef, pageQuery, queryList, timeOfDay } from '../../common.ts'
import { purposes } from '../../contacts/consent.ts'
import { media } from '../../core/media.ts'
import { rowMeta } from '../../resource.ts'
import { campaignAudience, keptAudience, skipped, skipReasonKeys } from './audience.ts'
import { campaignStep, mostSteps } from './content.ts'

/**
 * `draft`: being written; `approval`: waits for a second person; `scheduled`: waits for its moment; `preparing`: its
 * audience is frozen row by row; `running`; `paused`: by a person or by the brake; `finished`; `canceled`.
 */
export const campaignStates = [
  'draft',
  'approval',
  'scheduled',
  'preparing',
  'running',
  'paused',
  'finished',
  'canceled',
] as const
export type CampaignState = (typeof campaignStates)[number]
export const campaignStateLabels: Record<CampaignState, string> = {
  draft: 'Rascunho',
  approval: 'Aguardando aprovação',
  scheduled: 'Programada',
  preparing: 'Preparando o público',
  running: 'Em andamento',
  paused: 'Pausada',
  finished: 'Finalizada',
  canceled: 'Cancelada',
}

/** The screen it was made on: a campaign, or one of the mass screens, which are campaigns that start now. */
export const campaignOrigins = ['campaign', 'text', 'variables', 'sms', 'template', 'templateVariables', 'api'] as const
export type CampaignOrigin = (typeof campaignOrigins)[number]

/** When it may send, on the company's clock or on that of the recipient's state. Days: 0 is Sunday. */
export const campaignWindow = z.object({
  from: timeOfDay.default('08:00'),
  until: timeOfDay.default('20:00'),
  days: z.array(z.int().min(0).max(6)).min(1, 'Escolha ao menos um dia.').max(7).default([1, 2, 3, 4, 5, 6]),
  skipHolidays: z.boolean().default(true),
  byRecipientState: z.boolean().default(false),
})
export type CampaignWindow = z.output<typeof campaignWindow>

const seconds = z.number().min(0).max(3_600, 'Espere no máximo uma hora.')
/** Seconds between two sends of one connection, any number between the two; 0: as fast as the connection may. */
export const campaignPace = z
  .object({
    minSeconds: seconds.default(0),
    maxSeconds: seconds.default(0),
    /** Of each connection. */
    dailyMost: z.int().min(1).max(1_000_000).nullable().default(null),
  })
  .refine(({ minSeconds, maxSeconds }) => minSeconds <= maxSeconds, {
    path: ['maxSeconds'],
    message: 'O maior intervalo não pode ser menor que o menor.',
  })
export type CampaignPace = z.output<typeof campaignPace>

/** What becomes of an answer: the conversation it opens, or finds without a person. */
export const campaignAnswer = z.object({
  queueId: id.nullable().default(null),
  userId: id.nullable().default(null),
  chatFlowId: id.nullable().default(null),
  tagIds: z.array(id).max(20).default([]),
  /** So many days after the send an answer still counts as one. */
  days: z.int().min(1).max(30).default(7),
})
export type CampaignAnswer = z.output<typeof campaignAnswer>

/** It stops by itself; percentages count from `atLeast` sends of the last hour on. */
export const campaignBrake = z.object({
  atLeast: z.int().min(5).max(10_000).default(20),
  failedPercent: z.int().min(1).max(100).default(15),
  optedOutPercent: z.int().min(1).max(100).default(5),
  complaintPercent: z.int().min(1).max(100).default(3),
  /** Words of an answer that count as a complaint. */
  words: z
    .array(z.string().trim().min(3).max(60))
    .max(50)
    .default(['denunciar', 'denuncia', 'spam', 'golpe', 'procon', 'processar', 'reclame aqui']),
})
export type CampaignBrake = z.output<typeof campaignBrake>

/** So many are written to first; the rest waits until somebody goes on, or so many minutes without the brake. */
export const campaignCanary = z.object({
  size: z.int().min(1).max(10_000).default(50),
  /** Null: a person has to go on. */
  minutes: z.int().min(5).max(1_440).nullable().default(60),
})

const campaignFields = z.object({
  name: z.string().trim().min(1, 'Informe o nome.').max(80, 'Use no máximo 80 caracteres.'),
  origin: z.enum(campaignOrigins).default('campaign'),
  purpose: z.enum(purposes).default('marketing'),
  connectionIds: z.array(id).max(20, 'Use no máximo 20 canais.').default([]),
  /** `last`: each by the channel they spoke on last, where it is one of these; the rest spread evenly. */
  spread: z.enum(['even', 'last']).default('last'),
  audience: campaignAudience.default(() => campaignAudience.parse({})),
  steps: z.array(campaignStep).max(mostSteps, `Use no máximo ${mostSteps} envios em sequência.`).default([]),
  /** What a variable without a value does: leaves its recipient out, or takes these words, by variable. */
  onMissing: z.enum(['skip', 'fallback']).default('skip'),
  fallbacks: z
    .record(z.string().max(80), z.string().max(200))
    .refine((words) => Object.keys(words).length <= 100, 'Use no máximo 100 textos reserva.')
    .default({}),
  /** Null: as soon as somebody starts it. */
  startsAt: moment.nullable().default(null),
  /** What is left then is not sent any more. */
  endsAt: moment.nullable().default(null),
  window: campaignWindow.default(() => campaignWindow.parse({})),
  pace: campaignPace.default(() => campaignPace.parse({})),
  answer: campaignAnswer.default(() => campaignAnswer.parse({})),
  canary: campaignCanary.nullable().default(null),
  brake: campaignBrake.default(() => campaignBrake.parse({})),
})
/** A default belongs to creation: what a change leaves out stays as it is. */
const withoutDefaults = <S extends z.ZodRawShape>(shape: S) =>
  Object.fromEntries(
    Object.entries(shape).map(([name, field]) => [
      name,
      z.optional(field instanceof z.ZodDefault ? field.unwrap() : field),
    ]),
  ) as { [K in keyof S]: z.ZodOptional<S[K] extends z.ZodDefault<infer Inner> ? Inner : S[K]> } // field by field
/** POST /campaigns and PUT /campaigns/{id}: whole, or the fields that change; a draft may lack anything but its name. */
export const campaignWrite = campaignFields
export const campaignPatch = z
  .object(withoutDefaults(campaignFields.shape))
  .extend({ version: z.int().positive().optional() })
export type CampaignWrite = z.output<typeof campaignWrite>
export type CampaignPatch = z.output<typeof campaignPatch>

/** POST /campaigns/contacts/{id}: more of them for a draft, by their ids or as they stand in a list. */
export const campaignContactsBody = z.object({
  contacts: z.array(idOf).min(1, 'Escolha ao menos um contato.').max(5_000, 'Escolha no máximo 5.000 contatos.'),
})

/** What became of recipients; each counts in all that it has passed (who has read has received). */
export const campaignNumbers = z.object({
  /** Frozen, and of these the ones that are not written to. */
  total: z.int(),
  skipped: z.int(),
  waiting: z.int(),
  sent: z.int(),
  delivered: z.int(),
  read: z.int(),
  answered: z.int(),
  failed: z.int(),
  uncertain: z.int(),
  optedOut: z.int(),
  complaints: z.int(),
  /** In hundredths of a cent; what has no price is not in it. */
  cost: z.int(),
})
export type CampaignNumbers = z.output<typeof campaignNumbers>

/** So many are to be written to, and so many have had their turn. */
const turns = z.object({ meant: z.int(), done: z.int() })

/** Why it is paused. `code` says what to do about it; a person's pause has none. */
export const pauseCodes = [
  'failures',
  'optOuts',
  'complaints',
  'templatePaused',
  'templateGone',
  'rateLimit',
  'banSigns',
  'disconnected',
  'connectionGone',
  'quality',
  'canary',
] as const
export type PauseCode = (typeof pauseCodes)[number]

export const campaign = rowMeta.extend(campaignFields.shape).extend({
  audience: keptAudience,
  state: z.enum(campaignStates),
  /** `until`: it goes on by itself then, unless the brake says otherwise. */
  pause: z
    .object({
      ...{ code: z.enum(pauseCodes).nullable(), text: z.string(), advice: z.string(), at: moment },
      until: moment.nullable(),
    })
    .nullable(),
  /** Why nothing of it leaves now although it runs, and when it goes on: hours, a holiday, what a day may have. */
  hold: z.object({ text: z.string(), until: moment.nullable() }).nullable(),
  /** `receipts`: what each tells of what left by it. */
  connections: z.array(
    namedRef.extend({ kind: z.enum(channelKinds), receipts: z.array(z.enum(receiptKinds)).readonly() }),
  ),
  numbers: campaignNumbers,
  /** `following`: what follows the first send, of whom it is planned for by now; it grows as the first ones leave. */
  turns: z.object({ first: turns, following: turns }),
  /** The files that its contents name. */
  files: z.array(media),
  createdBy: namedRef.nullable(),
  /** Who asked for the approval that somebody else gives. */
  askedBy: namedRef.nullable(),
  approvedBy: namedRef.nullable(),
  startedAt: moment.nullable(),
  finishedAt: moment.nullable(),
  /** When the last one will have left at this pace; null: not known. */
  endsAbout: moment.nullable(),
})
export type Campaign = z.output<typeof campaign>
/** As the list has it: without what it says. */
export const campaignRow = campaign.omit({
  files: true,
  steps: true,
  audience: true,
  brake: true,
  fallbacks: true,
  answer: true,
})
export type CampaignRow = z.output<typeof campaignRow>

export const campaignsQuery = pageQuery.extend({
  state: queryList(z.enum(campaignStates)),
  connectionId: queryList(id),
  origin: queryList(z.enum(campaignOrigins)),
  /** Days of the company's calendar in which it runs; both included. */
  dateFrom: z.iso.date().optional(),
  dateTo: z.iso.date().optional(),
})
export type CampaignsQuery = z.output<typeof campaignsQuery>

/** `waiting`: its turn comes; `written`: queued in its conversation; then as its message fares. */
export const recipientStates = [
  'waiting',
  'skipped',
  'written',
  'sent',
  'delivered',
  'read',
  'failed',
  'uncertain',
] as const
export type RecipientState = (typeof recipientStates)[number]
export const recipientStateLabels: Record<RecipientState, string> = {
  waiting: 'Na fila',
  skipped: 'Fora do envio',
  written: 'Enviando',
  sent: 'Enviada',
  delivered: 'Entregue',
  read: 'Lida',
  failed: 'Falhou',
  uncertain: 'Entrega incerta',
}

/** A recipient of a step. */
export const campaignRecipient = z.object({
  id,
  contact: namedRef.extend({ number: z.string().nullable(), isGroup: z.boolean() }),
  connection: namedRef.nullable(),
  step: z.int(),
  variant: z.int().nullable(),
  state: z.enum(recipientStates),
  reason: z.enum(skipReasonKeys).nullable(),
  /** The variable that nothing is known for. */
  missing: z.string().nullable(),
  /** Why it failed, in Portuguese. */
  error: z.string().nullable(),
  messageId: id.nullable(),
  ticketId: id.nullable(),
  sentAt: moment.nullable(),
  deliveredAt: moment.nullable(),
  readAt: moment.nullable(),
  answeredAt: moment.nullable(),
  optedOutAt: moment.nullable(),
})
export type CampaignRecipient = z.output<typeof campaignRecipient>
export const recipientsQuery = pageQuery.extend({
  state: queryList(z.enum(recipientStates)),
  reason: queryList(z.enum(skipReasonKeys)),
  /** Those who lack this variable, as the report names it. */
  missing: z.string().trim().min(1).max(200).optional(),
  answered: z.enum(['yes', 'no']).optional(),
  /** Those who asked to hear no more, or complained. */
  optedOut: z.literal('yes').optional(),
  complained: z.literal('yes').optional(),
  /** Those of whose opportunities it was the last send before, as the report counts them; or of what was won of them. */
  orders: z.enum(['created', 'won']).optional(),
  connectionId: id.optional(),
  /** Why they failed, as the report has it. */
  error: z.string().trim().min(1).max(300).optional(),
  step: z.coerce.number().int().min(0).optional(),
  variant: z.coerce.number().int().min(0).optional(),
})
export type RecipientsQuery = z.output<typeof recipientsQuery>

/** GET /campaigns/{id}/report: compared by step and variant, over time, and why it failed or left people out. */
export const campaignReport = z.object({
  numbers: campaignNumbers,
  variants: z.array(z.object({ step: z.int(), variant: z.int(), isWinner: z.boolean(), numbers: campaignNumbers })),
  /** By ten minutes. */
  course: z.array(
    z.object({ at: moment, sent: z.int(), delivered: z.int(), read: z.int(), answered: z.int(), failed: z.int() }),
  ),
  failures: z.array(z.object({ error: z.string(), count: z.int() })),
  skipped: z.array(skipped.extend({ count: z.int() })),
  connections: z.array(z.object({ connection: namedRef, numbers: campaignNumbers })),
  /** Opportunities of recipients that began within the days in which an answer counts; what is won of them, in cents. */
  orders: z.object({ created: z.int(), won: z.int(), wonCents: z.int() }),
})
export type CampaignReport = z.output<typeof campaignReport>

/** One send as somebody will read it. */
const shownSend = z.object({
  texts: z.array(z.string()),
  /** Why there are none, in Portuguese. */
  problem: z.string(),
  subject: z.string(),
  /** Variables without a value. */
  missing: z.array(z.string()),
})
export type ShownSend = z.output<typeof shownSend>

/** POST /campaigns/{id}/rehearsal: what would happen, nothing is written. */
export const campaignRehearsal = z.object({
  /** Who is found, who is left out and why, who would be written to. */
  found: z.int(),
  skipped: z.array(skipped.extend({ count: z.int() })),
  reached: z.int(),
  connections: z.array(
    z.object({
      connection: namedRef,
      count: z.int(),
      /** Left of what its provider or its options allow today. */ leftToday: z.int().nullable(),
    }),
  ),
  /** In hundredths of a cent; null: no price is known. */
  cost: z.int().nullable(),
  /** SMS segments in all. */
  segments: z.int().nullable(),
  /** From the start until the last has left, with windows and caps. */
  startsAt: moment,
  endsAbout: moment.nullable(),
  /** What gets numbers banned, or will not do what one means. */
  warnings: z.array(
    z.object({ level: z.enum(['blocks', 'danger', 'note']), text: z.string(), path: z.string().nullable() }),
  ),
  /** Ten of them, as they will read; `later`: what follows, where they do not answer. */
  sample: z.array(
    shownSend.extend({
      contact: namedRef.extend({ number: z.string().nullable() }),
      connection: namedRef,
      variant: z.int(),
      later: z.array(shownSend),
    }),
  ),
})
export type CampaignRehearsal = z.output<typeof campaignRehearsal>
