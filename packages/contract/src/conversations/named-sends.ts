import { z } from 'zod'
import { templateUse } from '../channels/templates.ts'
import { id } from '../common.ts'
import { interactive, location, messageSend, reactionBody } from './messages.ts'

/** The bodies of sends known by one name for each kind: in which conversation, and what that kind needs. */
const to = { ticketId: id, id: id.optional() }
const { header, footer, button, options, country } = interactive.shape
const body = z.string().trim().min(1, 'Escreva a mensagem.').max(4_096)
const caption = z.string().max(1_024).default('')
const fileType = z.enum(['image', 'audio', 'video', 'document']).default('document')
const around = { body, header, footer }

export const namedSends = {
  Text: z.strictObject({ ...to, body }),
  Template: z.strictObject({ ...to, template: templateUse, mediaId: messageSend.shape.mediaId }),
  File: z.strictObject({ ...to, mediaId: id, type: fileType, body: caption }),
  FileUrl: z.strictObject({ ...to, url: z.url({ protocol: /^https?$/ }).max(2_000), type: fileType, body: caption }),
  Sticker: z.strictObject({ ...to, mediaId: id }),
  Buttons: z.strictObject({ ...to, ...around, options }),
  List: z.strictObject({ ...to, ...around, button, options }),
  CTAURL: z.strictObject({ ...to, ...around, button, url: interactive.shape.url.unwrap() }),
  Flow: z.strictObject({ ...to, ...around, button, form: interactive.shape.form.unwrap() }),
  Address: z.strictObject({ ...to, body, footer, country: country.unwrap() }),
  Location: z.strictObject({ ...to, location }),
  LocationRequest: z.strictObject({ ...to, body }),
  Reaction: reactionBody,
}
