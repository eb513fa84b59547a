import { z } from 'zod'
import { templateUse } from '../channels/templates.ts'
import { id } from '../common.ts'
import { interactive, location, messageSend, reactionBody } from './messages.ts'

/** In which conversation, or to whose phone: one of them. */
const address = {
  ticketId: id.optional(),
  number: z.string().trim().min(8).max(30).meta({ 'x-not-in-example': true }).optional(),
  id: id.optional(),
}
const sendTo = <T extends z.ZodRawShape>(shape: T) =>
  z
    .strictObject({ ...address, ...shape })
    .refine(({ ticketId, number }: { ticketId?: unknown; number?: unknown }) => !ticketId !== !number, {
      path: ['ticketId'],
      message: 'Informe o atendimento (ticketId) ou o telefone (number), um dos dois.',
    })
const { header, footer, button, options, country } = interactive.shape
const body = z.string().trim().min(1, 'Escreva a mensagem.').max(4_096)
const caption = z.string().max(1_024).default('')
const fileType = z.enum(['image', 'audio', 'video', 'document']).default('document')
const around = { body, header, footer }

/** The bodies of sends known by one name for each kind: to whom, and what that kind needs. */
export const namedSends = {
  Text: sendTo({ body }),
  Template: sendTo({ template: templateUse, mediaId: messageSend.shape.mediaId }),
  File: sendTo({ mediaId: id, type: fileType, body: caption }),
  FileUrl: sendTo({ url: z.url({ protocol: /^https?$/ }).max(2_000), type: fileType, body: caption }),
  Sticker: sendTo({ mediaId: id }),
  Buttons: sendTo({ ...around, options }),
  List: sendTo({ ...around, button, options }),
  CTAURL: sendTo({ ...around, button, url: interactive.shape.url.unwrap() }),
  Flow: sendTo({ ...around, button, form: interactive.shape.form.unwrap() }),
  Address: sendTo({ body, footer, country: country.unwrap() }),
  Location: sendTo({ location }),
  LocationRequest: sendTo({ body }),
  Reaction: reactionBody,
}
