import { z } from 'zod'
import { GraphError } from './errors.ts'

/** What `POST /{phone}/messages` takes, with its limits. */
const withMedia = <T extends z.ZodRawShape>(shape: T) =>
  z.object({ id: z.string().optional(), link: z.url().optional(), ...shape })

const caption = z.string().max(1024).optional()

const contactCard = z.looseObject({
  name: z.looseObject({ formatted_name: z.string().min(1) }),
  phones: z.array(z.looseObject({ phone: z.string().optional(), wa_id: z.string().optional() })).optional(),
})

const bodyText = (max: number) => z.object({ text: z.string().min(1).max(max) })
const footer = bodyText(60).optional()
const header = z.looseObject({ type: z.enum(['text', 'image', 'video', 'document']) }).optional()

const listAction = z
  .object({
    button: z.string().min(1).max(20),
    sections: z
      .array(
        z.object({
          title: z.string().max(24).optional(),
          rows: z.array(
            z.object({
              id: z.string().min(1).max(200),
              title: z.string().min(1).max(24),
              description: z.string().max(72).optional(),
            }),
          ),
        }),
      )
      .min(1)
      .max(10),
  })
  .refine((action) => action.sections.flatMap((section) => section.rows).length <= 10, { message: 'At most 10 rows' })

const productSections = z
  .array(
    z.object({
      title: z.string().min(1).max(24).optional(),
      product_items: z.array(z.object({ product_retailer_id: z.string().min(1) })).min(1),
    }),
  )
  .min(1)
  .max(10)
  .refine((sections) => sections.flatMap((one) => one.product_items).length <= 30, { message: 'At most 30 products' })
  .refine((sections) => sections.length === 1 || sections.every(({ title }) => title), {
    message: 'Several sections need a title each',
  })

const interactive = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('button'),
    header,
    footer,
    body: bodyText(1024),
    action: z.object({
      buttons: z
        .array(
          z.object({
            type: z.literal('reply'),
            reply: z.object({ id: z.string().min(1).max(256), title: z.string().min(1).max(20) }),
          }),
        )
        .min(1)
        .max(3),
    }),
  }),
  z.object({ type: z.literal('list'), header, footer, body: bodyText(4096), action: listAction }),
  z.object({
    type: z.literal('cta_url'),
    header,
    footer,
    body: bodyText(1024),
    action: z.object({
      name: z.literal('cta_url'),
      parameters: z.object({ display_text: z.string().min(1).max(20), url: z.url() }),
    }),
  }),
  z.strictObject({
    type: z.literal('location_request_message'),
    body: bodyText(1024),
    action: z.object({ name: z.literal('send_location') }),
  }),
  z.object({
    type: z.literal('flow'),
    header,
    footer,
    body: bodyText(1024),
    action: z.object({
      name: z.literal('flow'),
      parameters: z.object({
        flow_message_version: z.literal('3'),
        flow_token: z.string().min(1),
        flow_id: z.string().min(1),
        flow_cta: z.string().min(1).max(20),
        flow_action: z.enum(['navigate', 'data_exchange']).default('navigate'),
        flow_action_payload: z.object({ screen: z.string().min(1) }).optional(),
      }),
    }),
  }),
  z.strictObject({
    type: z.literal('address_message'),
    footer,
    body: bodyText(1024),
    action: z.object({ name: z.literal('address_message'), parameters: z.object({ country: z.enum(['IN', 'SG']) }) }),
  }),
  z.strictObject({
    type: z.literal('catalog_message'),
    footer,
    body: bodyText(1024),
    action: z.object({
      name: z.literal('catalog_message'),
      parameters: z.object({ thumbnail_product_retailer_id: z.string().min(1) }).optional(),
    }),
  }),
  z.strictObject({
    type: z.literal('product'),
    footer,
    body: bodyText(1024).optional(),
    action: z.object({ catalog_id: z.string().min(1), product_retailer_id: z.string().min(1) }),
  }),
  z.strictObject({
    type: z.literal('product_list'),
    header: z.object({ type: z.literal('text'), text: z.string().min(1).max(60) }),
    footer,
    body: bodyText(1024),
    action: z.object({ catalog_id: z.string().min(1), sections: productSections }),
  }),
  z.looseObject({
    type: z.literal('call_permission_request'),
    body: bodyText(1024).optional(),
    action: z.looseObject({}),
  }),
])
export type OutboundInteractive = z.infer<typeof interactive>

export const templateParameter = z.looseObject({ type: z.string(), parameter_name: z.string().optional() })
export type TemplateParameter = z.infer<typeof templateParameter>

const template = z.object({
  name: z.string().min(1),
  language: z.looseObject({ code: z.string().min(1) }),
  components: z
    .array(
      z.looseObject({
        type: z.string(),
        sub_type: z.string().optional(),
        index: z.union([z.string(), z.number()]).optional(),
        parameters: z.array(templateParameter).optional(),
      }),
    )
    .optional(),
})
export type TemplateUse = z.infer<typeof template>

const common = {
  messaging_product: z.literal('whatsapp'),
  recipient_type: z.enum(['individual', 'group']).optional(),
  to: z.string().min(1).optional(),
  recipient: z.string().min(1).optional(),
  context: z.object({ message_id: z.string() }).optional(),
  biz_opaque_callback_data: z
    .string()
    .refine((text) => Buffer.byteLength(text) <= 512, { message: 'At most 512 bytes' })
    .optional(),
}

const outbound = z.discriminatedUnion('type', [
  z.object({
    ...common,
    type: z.literal('text'),
    text: z.object({ body: z.string().min(1).max(4096), preview_url: z.boolean().optional() }),
  }),
  z.object({ ...common, type: z.literal('image'), image: withMedia({ caption }) }),
  z.object({ ...common, type: z.literal('video'), video: withMedia({ caption }) }),
  z.object({ ...common, type: z.literal('audio'), audio: withMedia({ voice: z.boolean().optional() }) }),
  z.object({
    ...common,
    type: z.literal('document'),
    document: withMedia({ caption, filename: z.string().max(240).optional() }),
  }),
  z.object({ ...common, type: z.literal('sticker'), sticker: withMedia({}) }),
  z.object({
    ...common,
    type: z.literal('location'),
    location: z.object({
      latitude: z.coerce.number().min(-90).max(90),
      longitude: z.coerce.number().min(-180).max(180),
      name: z.string().optional(),
      address: z.string().optional(),
    }),
  }),
  z.object({ ...common, type: z.literal('contacts'), contacts: z.array(contactCard).min(1) }),
  z.object({
    ...common,
    type: z.literal('reaction'),
    reaction: z.object({ message_id: z.string().min(1), emoji: z.string() }),
  }),
  z.object({ ...common, type: z.literal('interactive'), interactive }),
  z.object({ ...common, type: z.literal('template'), template }),
])
export type OutboundMessage = z.infer<typeof outbound>

const types = new Set(outbound.options.map((option) => option.shape.type.value as string))

/** Checks a send; refuses with 131051 (type), 131008 (missing) or 131009 (bad value), as Meta documents them. */
export const parseOutbound = (body: unknown): OutboundMessage => {
  const loose = z.looseObject({ type: z.string().default('text') }).safeParse(body)
  if (!loose.success) throw new GraphError(100, 'The request body must be a JSON object')
  if (!types.has(loose.data.type)) throw new GraphError(131051, `Unsupported message type: ${loose.data.type}`)
  const parsed = outbound.safeParse(loose.data)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const path = issue?.path.join('.') ?? ''
    const isMissing = issue?.code === 'invalid_type' && valueAt(loose.data, issue.path) === undefined
    if (isMissing) throw new GraphError(131008, `The parameter ${path} is required.`)
    throw new GraphError(131009, `${path}: ${issue?.message ?? 'invalid value'}`)
  }
  if (!parsed.data.to && !parsed.data.recipient) throw new GraphError(131008, 'The parameter to is required.')
  return parsed.data
}

export const readReceipt = z.object({
  messaging_product: z.literal('whatsapp'),
  status: z.literal('read'),
  message_id: z.string(),
  typing_indicator: z.object({ type: z.literal('text') }).optional(),
})

const valueAt = (value: unknown, path: PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (node, key) => (typeof node === 'object' && node !== null ? Reflect.get(node, key) : undefined),
    value,
  )
