import { z } from 'zod'
import { id, moment, pageQuery, queryList } from '../common.ts'

const places = z.array(z.string())
/** A template in its parts, in our words: `{{…}}` in the texts are the places that values go into. */
export const templateShape = z.object({
  header: z.object({ kind: z.enum(['text', 'image', 'video', 'document']), text: z.string(), places }).nullable(),
  body: z.object({ text: z.string(), places }),
  footer: z.string(),
  /** `value` is the address, the phone or nothing; `takesValue`: its end, or the code, is given with each message. */
  buttons: z.array(
    z.object({
      kind: z.enum(['reply', 'url', 'phone', 'code']),
      text: z.string(),
      value: z.string(),
      takesValue: z.boolean(),
    }),
  ),
})
export type TemplateShape = z.output<typeof templateShape>

/** A provider's template with what goes into its places. */
export const templateUse = z.object({
  name: z.string().min(1).max(512),
  language: z.string().min(2).max(10),
  /** Values of the body's places, in order. */
  body: z.array(z.string().trim().min(1, 'Preencha todas as variáveis.').max(1_024)).max(30).default([]),
  header: z.array(z.string().trim().min(1, 'Preencha todas as variáveis.').max(60)).max(1).default([]),
  /** Variable part of each address button, or the code, by its position. */
  buttons: z.record(z.string(), z.string().trim().min(1, 'Preencha todas as variáveis.').max(2_000)).default({}),
})
export type TemplateUse = z.output<typeof templateUse>

/** A template as a message carries it: whole, so that nothing has to be looked up to send or to show it. */
export const sentTemplate = templateUse.extend({ shape: templateShape })
export type SentTemplate = z.output<typeof sentTemplate>

export const templateCategories = ['MARKETING', 'UTILITY', 'AUTHENTICATION'] as const
export type TemplateCategory = (typeof templateCategories)[number]

export const messageTemplate = z.object({
  id,
  connectionId: id,
  name: z.string(),
  language: z.string(),
  category: z.string(),
  status: z.string(),
  /** The provider's word for why it was refused, or stopped. */
  rejectedReason: z.string().nullable(),
  /** How customers take it: GREEN, YELLOW, RED; null while it is not known. */
  quality: z.string().nullable(),
  /** Null when it has parts that cannot be filled in here; `obstacle` says which. */
  shape: templateShape.nullable(),
  obstacle: z.string().nullable(),
  /** Of one message, in hundredths of a cent; null for a category without a price. */
  price: z.int().nullable(),
  syncedAt: moment,
})
export type MessageTemplate = z.output<typeof messageTemplate>

export const templatesQuery = pageQuery.extend({
  connectionId: queryList(id),
  status: queryList(z.string().max(40)),
  category: queryList(z.string().max(40)),
})
/** A change that whoever manages templates is told of. */
export const templateNews = z.object({ name: z.string(), language: z.string(), title: z.string(), text: z.string() })
export type TemplateNews = z.output<typeof templateNews>

export const templatesSync = z.strictObject({ connectionId: id })
export const templatesSynced = z.object({ total: z.int(), approved: z.int() })
