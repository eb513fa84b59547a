import {
  answersText,
  type FormAnswers,
  formAnswers,
  type Order,
  orderText,
  order as wholeOrder,
} from '@balcao/contract/conversations/answers.ts'
import { z } from 'zod'
import { loose } from '../../kit/loose.ts'
import type { Content } from '../adapter.ts'
import { cardOf, placeOf } from '../content.ts'
import { referralIn, toldReferral } from '../meta/referral.ts'

const text = z.string()
/** What is not as the provider documents it is left out; the rest of the message still arrives. */
/** Unix seconds as text. */
export const seconds = text.regex(/^\d{1,11}$/).transform((digits) => new Date(Number(digits) * 1_000))

const mediaPart = z.object({
  id: text,
  mime_type: loose(text),
  sha256: loose(text),
  caption: loose(text),
  filename: loose(text),
  voice: loose(z.boolean()),
})
const card = z.object({
  name: loose(z.object({ formatted_name: loose(text), first_name: loose(text) })),
  phones: loose(z.array(z.object({ phone: loose(text), wa_id: loose(text) }))),
  emails: loose(z.array(z.object({ email: loose(text) }))),
  org: loose(z.object({ company: loose(text) })),
})
const order = z.object({
  catalog_id: loose(text.max(40)),
  text: loose(text),
  product_items: z.array(
    z.object({
      product_retailer_id: text,
      quantity: z.number(),
      item_price: z.number(),
      currency: text.regex(/^[A-Za-z]{3}$/),
    }),
  ),
})
const interactive = z.object({
  button_reply: loose(z.object({ id: loose(text), title: text })),
  list_reply: loose(z.object({ id: loose(text), title: text, description: loose(text) })),
  nfm_reply: loose(z.object({ body: loose(text), response_json: loose(text) })),
  call_permission_reply: loose(z.object({ response: text })),
})
export const issue = z.object({
  code: z.number(),
  title: loose(text),
  error_data: loose(z.object({ details: loose(text) })),
})

/** One entry of `messages[]` or `message_echoes[]`; fields of other types are ignored. */
export const waMessage = z.object({
  id: text,
  from: loose(text),
  from_user_id: loose(text),
  to: loose(text),
  timestamp: seconds,
  type: text,
  group_id: loose(text),
  context: loose(
    z.object({
      id: loose(text),
      forwarded: loose(z.boolean()),
      frequently_forwarded: loose(z.boolean()),
      referred_product: loose(z.object({ catalog_id: text.max(200), product_retailer_id: text.max(200) })),
    }),
  ),
  referral: loose(toldReferral),
  text: loose(z.object({ body: text })),
  image: loose(mediaPart),
  video: loose(mediaPart),
  audio: loose(mediaPart),
  document: loose(mediaPart),
  sticker: loose(mediaPart),
  location: loose(z.object({ latitude: z.number(), longitude: z.number(), name: loose(text), address: loose(text) })),
  contacts: loose(z.array(card)),
  button: loose(z.object({ text: loose(text), payload: loose(text) })),
  interactive: loose(interactive),
  reaction: loose(z.object({ message_id: text, emoji: loose(text) })),
  order: loose(order),
  system: loose(z.object({ type: loose(text), wa_id: loose(text), user_id: loose(text) })),
  unsupported: loose(z.object({ type: loose(text) })),
  errors: loose(z.array(issue)),
})
export type WaMessage = z.output<typeof waMessage>

/** What a message says, and how it came to be said; undefined when its type is not one we know. */
export const contentOf = (message: WaMessage): Content | undefined => {
  const said = saidIn(message)
  const { forwarded, frequently_forwarded, referred_product: product } = message.context ?? {}
  return (
    said && {
      ...said,
      ...referralIn(message.referral),
      ...((forwarded || frequently_forwarded) && { isForwarded: true }),
      ...(product && { product: { catalogId: product.catalog_id, id: product.product_retailer_id } }),
    }
  )
}

const saidIn = (message: WaMessage): Content | undefined => {
  const { type } = message
  switch (type) {
    case 'image':
    case 'video':
    case 'audio':
    case 'document':
    case 'sticker': {
      const part = message[type]
      if (!part) return undefined
      const media = {
        source: { id: part.id },
        name: part.filename,
        mime: part.mime_type,
        sha256: part.sha256,
        isVoice: part.voice,
      }
      return { type, body: part.caption ?? '', media }
    }
    case 'text':
      return message.text && { type, body: message.text.body }
    case 'location': {
      const location = message.location && placeOf(message.location)
      return location && { type, body: '', location }
    }
    case 'contacts':
      return message.contacts && { type: 'contact', body: '', contacts: message.contacts.map(waCard) }
    case 'button':
      return {
        type: 'text',
        body: message.button?.text ?? message.button?.payload ?? '',
        choice: message.button?.payload,
      }
    case 'interactive':
      return message.interactive && replyOf(message.interactive)
    case 'order': {
      const asked = message.order && orderOf(message.order)
      return asked && { type: 'text', body: orderText(asked), order: asked }
    }
    case 'request_welcome':
      return { type: 'unsupported', body: 'O cliente abriu a conversa.' }
    case 'unsupported':
      return { type, body: unsupportedText(message) }
    default:
      return undefined
  }
}

const waCard = (one: z.output<typeof card>) =>
  cardOf({
    name: one.name?.formatted_name ?? one.name?.first_name ?? '',
    phones: (one.phones ?? []).flatMap((phone) => phone.phone ?? phone.wa_id ?? []),
    emails: (one.emails ?? []).flatMap((mail) => mail.email ?? []),
    organization: one.org?.company,
  })

const replyOf = ({
  button_reply,
  list_reply,
  nfm_reply,
  call_permission_reply,
}: z.output<typeof interactive>): Content => {
  if (nfm_reply) {
    const form = answersIn(nfm_reply.response_json)
    const body = form ? answersText(form) : ['Formulário respondido', nfm_reply.body].filter(Boolean).join('\n')
    return { type: 'text', body, form }
  }
  if (call_permission_reply) {
    const isGiven = call_permission_reply.response === 'accept'
    return { type: 'text', body: `Permissão para ligar: ${isGiven ? 'aceita' : 'recusada'}` }
  }
  const chosen = button_reply ?? list_reply
  return { type: 'text', body: chosen?.title ?? 'Resposta interativa', choice: chosen?.id }
}

/** The answers of a Flow; its token is for machines. */
const answersIn = (json = ''): FormAnswers | undefined => {
  const answers = z.record(text, z.unknown()).safeParse(parsedJson(json)).data ?? {}
  const given = Object.entries(answers)
    .filter(([name]) => name !== 'flow_token')
    .map(([name, value]) => ({ field: fieldOf(name).slice(0, 200), value: wordOf(value).slice(0, 2_000) }))
  return formAnswers.safeParse(given.slice(0, 100)).data
}
/** Meta's own editor calls a field `screen_0_Nome_completo_1`, and an option of one `0_Sim`. */
const fieldOf = (name: string): string => {
  const words = (name.match(/^screen_\d+_(.+?)_\d+$/)?.[1] ?? name).replaceAll('_', ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}
const wordOf = (value: unknown): string => {
  if (typeof value === 'string') return value.replace(/^\d+_(?=\D)/, '')
  if (typeof value === 'boolean') return value ? 'Sim' : 'Não'
  if (Array.isArray(value)) return value.map(wordOf).join(', ')
  return value === null || value === undefined ? '' : JSON.stringify(value)
}
const parsedJson = (json: string): unknown => {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** Meta names products by the shop's own ids alone; what they are called is asked when the order is shown. */
const orderOf = ({ catalog_id, text: note = '', product_items }: z.output<typeof order>): Order | undefined =>
  wholeOrder.safeParse({
    catalogId: catalog_id,
    items: product_items.map(({ product_retailer_id: id, quantity, item_price, currency }) => ({
      ...{ id, name: null, quantity, currency: currency.toUpperCase() },
      unitCents: Math.round(item_price * 100),
    })),
    note: note.trim().slice(0, 2_000),
  }).data

const unsupportedNames = new Map([
  ['poll_creation', 'uma enquete'],
  ['poll_update', 'um voto em enquete'],
  ['edit', 'uma edição de mensagem'],
  ['pin', 'uma mensagem fixada'],
])
const unsupportedText = ({ unsupported, errors }: WaMessage): string => {
  if (errors?.some((one) => one.code === 131060)) {
    return 'O conteúdo desta mensagem não está disponível. Veja no celular do WhatsApp.'
  }
  return `O cliente enviou ${unsupportedNames.get(unsupported?.type ?? '') ?? 'uma mensagem'} que a API do WhatsApp não entrega.`
}
