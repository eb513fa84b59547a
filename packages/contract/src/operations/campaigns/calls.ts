import { z } from 'zod'
import { templateUse } from '../../channels/templates.ts'
import { chosenId, id } from '../../common.ts'
import { campaignPatch, campaignRow, campaignWrite, recipientsQuery } from './campaigns.ts'

/**
 * A campaign as older programs write it: up to three texts of which each contact gets one, a channel, a beginning and the
 * seconds between two sends, and files: stored ones, or one by its address. What is ours already stays as it is.
 */
const asOurs = (given: unknown): unknown => {
  if (typeof given !== 'object' || given === null) return given
  const {
    message1,
    message2,
    message3,
    sessionId,
    start,
    delay,
    mediaType: _type,
    ...rest
  } = given as Record<string, unknown>
  const texts = [message1, message2, message3].filter((text) => typeof text === 'string' && text.trim())
  const seconds = Number(delay)
  const at = typeof start === 'string' ? new Date(start) : null
  return {
    ...rest,
    ...(texts.length && {
      steps: [{ variants: texts.map((body) => ({ content: { parts: [{ kind: 'text', body }] } })) }],
    }),
    ...(sessionId !== undefined && { connectionIds: [sessionId] }),
    ...(at && { startsAt: Number.isNaN(at.getTime()) ? start : at.toISOString() }),
    ...(delay !== undefined && { pace: { minSeconds: seconds, maxSeconds: Math.round(seconds * 1.5) } }),
  }
}
/** POST and PUT /campaigns, also as older programs call them. */
const givenFiles = {
  /** Files stored before (POST /media), or those of a form: they go with every text of the first send. */
  medias: z.array(id).max(5, 'Envie no máximo 5 arquivos.').optional(),
  mediaUrl: z
    .url({ protocol: /^https?$/, message: 'Informe o endereço completo do arquivo.' })
    .max(2_000)
    .nullish(),
}
export const campaignCreateBody = z.preprocess(asOurs, campaignWrite.extend({ ...givenFiles, ...chosenId }))
/** POST /campaigns/{id}/duplicate: the copy may have an id of the client's choice. */
export const campaignDuplicateBody = z.strictObject(chosenId)
export const campaignUpdateBody = z.preprocess(asOurs, campaignPatch.extend(givenFiles))

/** POST /campaigns/contacts/{id}/export. */
export const recipientsExportBody = recipientsQuery.extend({ format: z.enum(['csv', 'xlsx']).default('csv') })
/** POST /campaigns/{id}/checkNumbers: by which connection; the first of the campaign that can, where none is named. */
export const checkNumbersBody = z.strictObject({ connectionId: id })
/** POST /campaigns/{id}/test: one variant as somebody would get it, to a phone or e-mail of one's own. */
export const campaignTestBody = z.strictObject({
  step: z.int().min(0).max(4).default(0),
  variant: z.int().min(0).max(4).default(0),
  connectionId: id,
  to: z.string().trim().min(1, 'Informe seu número ou e-mail.').max(254),
})
export const campaignTested = z.object({ texts: z.array(z.string()), messageIds: z.array(id) })

/** One number, or several, as callers know them: texts, or objects that have one. */
const oneNumber = z.union([
  z.string(),
  z.number().transform(String),
  z.object({ number: z.union([z.string(), z.number().transform(String)]) }).transform(({ number }) => number),
])
const numbers = z
  .array(oneNumber)
  .max(50_000, 'Envie no máximo 50.000 números por chamada. Para mais, importe uma lista.')
const seconds = z.coerce.number().min(0).max(3_600)

const target = {
  /** The connection; for SMS the company's own where none is named. */
  whatsappId: id,
  /** Of other programs: the connection itself says what kind it is. */
  whatsappType: z.string().max(40).optional(),
  arrayNumbers: numbers.default([]),
  number: oneNumber.optional(),
  contactIds: z.array(id).max(5_000).default([]),
  tagIds: z.array(id).max(200).default([]),
  laneIds: z.array(id).max(200).default([]),
  segmentId: id.optional(),
  /** The numbers are ids of groups. */
  groups: z.union([z.boolean(), z.literal(['true', 'false']).transform((text) => text === 'true')]).default(false),
  /** Seconds between two sends, at least and at most. */
  min: seconds.default(0),
  max: seconds.default(0),
  name: z.string().trim().max(80).optional(),
  /** An id of the caller's: taken, and not needed. */
  idFront: z.string().max(200).optional(),
  sendType: z.string().max(20).optional(),
  purpose: z.enum(['service', 'marketing', 'research']).default('marketing'),
}
const said = {
  message: z.string().trim().max(4_000, 'Use no máximo 4.000 caracteres.').default(''),
  /** A file stored before (POST /media), or its address. */
  media: id.optional(),
  mediaUrl: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .optional(),
  mediaDescription: z.string().trim().max(1_024).optional(),
  /** The same of a recording that plays as a voice note. */
  voice: id.optional(),
  voiceUrl: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .optional(),
}

/** POST /bulk and /bulkClose. */
export const bulkBody = z.object({ ...target, ...said })
export type BulkBody = z.output<typeof bulkBody>
/** POST /individual. */
export const individualBody = bulkBody.omit({ arrayNumbers: true }).extend({ number: oneNumber })
/** POST /bulkVariable: one row whose text is filled in, or all of them with the values of each. */
export const bulkVariableBody = bulkBody.extend({
  rows: z
    .array(
      z.object({ number: oneNumber, variables: z.record(z.string().min(1).max(60), z.string().max(500)).default({}) }),
    )
    .max(50_000, 'Envie no máximo 50.000 linhas por chamada. Para mais, importe uma lista.')
    .default([]),
})
export type BulkVariableBody = z.output<typeof bulkVariableBody>
/** POST /bulkSms, /bulkSmsConecta, /sendSms, /sendSmsConecta. */
export const bulkSmsBody = z.object({ ...target, whatsappId: id.optional(), message: said.message })
export type BulkSmsBody = z.output<typeof bulkSmsBody>

/** As Meta writes the values of a template. */
const parameter = z.looseObject({
  type: z.string(),
  text: z.string().max(2_000).optional(),
  payload: z.string().max(2_000).optional(),
  coupon_code: z.string().max(100).optional(),
  image: z.looseObject({ link: z.string().optional() }).optional(),
  video: z.looseObject({ link: z.string().optional() }).optional(),
  document: z.looseObject({ link: z.string().optional() }).optional(),
})
export const metaComponent = z.looseObject({
  type: z.string(),
  sub_type: z.string().optional(),
  index: z.union([z.string(), z.number()]).optional(),
  parameters: z.array(parameter).max(30).default([]),
})
const metaTemplate = z.looseObject({
  name: z.string().min(1).max(512),
  language: z.union([z.string(), z.object({ code: z.string() }).transform(({ code }) => code)]).default('pt_BR'),
  components: z.array(metaComponent).max(20).default([]),
})
/** POST /wabametaBulkTemplateComponents: a template with its values as Meta writes them, or as ours are. */
export const bulkTemplateBody = z.object({
  ...target,
  template: z.union([templateUse.extend({ body: templateUse.shape.body.unwrap() }), metaTemplate]).optional(),
  templateName: z.string().min(1).max(512).optional(),
  language: z.string().min(2).max(10).optional(),
  components: z.array(metaComponent).max(20).default([]),
  media: id.optional(),
  mediaUrl: said.mediaUrl,
  rows: bulkVariableBody.shape.rows,
})
export type BulkTemplateBody = z.output<typeof bulkTemplateBody>
/** What every one of these answers: the campaign it became. */
export const bulkAnswer = campaignRow

/** POST /campaigns/{id}/reject: why, for whoever asked. */
export const campaignRejectBody = z.object({
  reason: z.string().trim().max(300, 'Use no máximo 300 caracteres.').default(''),
})
