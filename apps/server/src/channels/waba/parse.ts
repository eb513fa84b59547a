import type { PriceCategory } from '@balcao/contract/channels/message-prices.ts'
import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import { z } from 'zod'
import type { InboundEvent, Sender, Speaker } from '../adapter.ts'
import { changeEvents } from './changes.ts'
import { errorText, ruleOf } from './errors.ts'
import { identitiesOf } from './identities.ts'
import { contentOf, issue, type WaMessage, waMessage } from './message.ts'

export { byAccount, byPhoneNumber, split } from './split.ts'

const text = z.string()
const waContact = z.object({
  profile: z.object({ name: text.optional() }).optional(),
  wa_id: text.optional(),
  user_id: text.optional(),
})
type WaContact = z.output<typeof waContact>
const waStatus = z.object({
  id: text,
  status: z.enum(['sent', 'delivered', 'read', 'played', 'failed']),
  timestamp: waMessage.shape.timestamp.optional().catch(undefined),
  type: z.undefined().optional(), // calls have states of their own, under the same key
  biz_opaque_callback_data: z.uuid().optional().catch(undefined),
  errors: z.array(issue).optional().catch(undefined),
  recipient_id: text.optional().catch(undefined),
  pricing: z.object({ billable: z.boolean(), category: text, type: text.optional() }).optional().catch(undefined),
})

/** What `split` journals: one event with what it needs to be understood alone. */
const piece = z.union([
  z.object({
    kind: z.literal('message'),
    message: waMessage,
    contact: waContact.optional(),
    isEcho: z.boolean().default(false),
  }),
  z.object({ kind: z.literal('status'), status: waStatus }),
  z.object({ kind: z.literal('error'), error: issue }),
  z.object({
    kind: z.literal('templates').default('templates'),
    field: z.enum([
      'message_template_status_update',
      'message_template_quality_update',
      'message_template_components_update',
      'template_category_update',
      'message_template_category_update',
    ]),
  }),
])

const otherField = z.object({ field: text, value: z.unknown() })

export const parse = (payload: unknown): InboundEvent[] => {
  const { data } = piece.safeParse(payload)
  if (!data) {
    const other = otherField.safeParse(payload).data
    return other ? changeEvents(other.field, other.value) : []
  }
  if (data.kind === 'templates') return [{ kind: 'templates' }]
  if (data.kind === 'status') return statusEvents(data.status)
  return data.kind === 'error' ? brokenEvents(data.error.code) : messageEvents(data)
}

const statusEvents = (status: z.output<typeof waStatus>): InboundEvent[] => {
  const told = {
    kind: 'status',
    providerId: status.id,
    messageId: status.biz_opaque_callback_data,
    status: status.status,
    price: priceOf(status),
  } as const
  const [error] = status.errors ?? []
  if (status.status !== 'failed' || !error) return [told]
  const rule = ruleOf(error.code)
  const failure = {
    error: errorText(error.code, error.error_data?.details ?? error.title),
    isUnreachable: rule?.isUnreachable ?? false,
    isOptedOut: rule?.isOptedOut ?? false,
  }
  return [{ ...told, ...failure }, ...brokenEvents(error.code, status.timestamp)]
}

/** By waba-meta.md §3.5; one kind we do not know is no price. */
const priceOf = ({ pricing, recipient_id: to }: z.output<typeof waStatus>) => {
  const category = categories[pricing?.category ?? '']
  return pricing && category && { category, isBillable: pricing.billable, kind: pricing.type, to }
}
const categories: Partial<Record<string, PriceCategory>> = {
  marketing: 'MARKETING',
  marketing_lite: 'MARKETING',
  utility: 'UTILITY',
  authentication: 'AUTHENTICATION',
  authentication_international: 'AUTHENTICATION',
  service: 'SERVICE',
  referral_conversion: 'SERVICE',
}

/** An error that ends all sending until somebody acts. */
const brokenEvents = (code: number, at?: Date): InboundEvent[] => {
  const rule = ruleOf(code)
  return rule?.isConnectionBroken
    ? [{ kind: 'connection', status: 'ERROR', text: rule.forAdmin?.text ?? rule.text, at }]
    : []
}

const messageEvents = (one: { message: WaMessage; contact?: WaContact; isEcho: boolean }): InboundEvent[] => {
  const { message, contact, isEcho } = one
  if (message.type === 'system') return identityEvents(message)
  const from = senderOf(message, contact, isEcho)
  if (!from) return []
  if (message.type === 'reaction') {
    const { reaction } = message
    if (!reaction) return []
    return [
      {
        kind: 'reaction',
        targetProviderId: reaction.message_id,
        from,
        author: speakerOf(message, contact, isEcho),
        fromMe: isEcho,
        emoji: reaction.emoji || null,
        at: message.timestamp,
      },
    ]
  }
  const content = contentOf(message)
  if (!content) return []
  return [
    {
      kind: 'message',
      providerId: message.id,
      from,
      fromMe: isEcho,
      timestamp: message.timestamp,
      author: speakerOf(message, contact, isEcho),
      content,
      quotedProviderId: message.context?.id,
    },
  ]
}

/** In a group, whoever of it wrote. */
const speakerOf = (message: WaMessage, contact: WaContact | undefined, isEcho: boolean): Speaker | undefined => {
  if (!message.group_id || isEcho) return undefined
  const [first, ...rest] = identitiesOf(message.from_user_id ?? contact?.user_id, message.from ?? contact?.wa_id)
  return first && { identities: [first, ...rest], name: contact?.profile?.name }
}

/** The phone may be absent for people with a username: then the business-scoped id stands alone. */
const senderOf = (message: WaMessage, contact: WaContact | undefined, isEcho: boolean): Sender | undefined => {
  if (message.group_id) {
    return { identities: [{ kind: 'group', value: message.group_id }], name: 'Grupo do WhatsApp', isGroup: true }
  }
  const phone = isEcho ? message.to : (message.from ?? contact?.wa_id)
  const scoped = isEcho ? undefined : (message.from_user_id ?? contact?.user_id)
  const [first, ...rest] = identitiesOf(scoped, phone)
  return first && { identities: [first, ...rest], name: contact?.profile?.name }
}

/** Who changed the number, or got another id, is the same person by every name, old and new. */
const identityEvents = ({ from, from_user_id, system }: WaMessage): InboundEvent[] => {
  if (system?.type === 'customer_identity_changed') return [{ kind: 'nothing' }] // another phone, the same person
  const before = identitiesOf(from_user_id, from)
  const after = identitiesOf(system?.user_id, system?.wa_id)
  const isNew = (one: Identity) => !before.some((old) => old.kind === one.kind && old.value === one.value)
  return after.filter(isNew).flatMap((to) => before.map((old) => ({ kind: 'identity', from: old, to }) as const))
}
