import { z } from 'zod'
import { loose } from '../../kit/loose.ts'
import type { InboundEvent, InboundMessage, Speaker } from '../adapter.ts'
import { alertEvents, alertFields } from './alerts.ts'
import { identitiesOf } from './identities.ts'
import { contentOf, seconds, waMessage } from './message.ts'

const text = z.string()
/** What is not as the provider documents it is left out. */
const metadata = z.object({ display_phone_number: text })
const contact = z.object({ wa_id: loose(text), user_id: loose(text), profile: loose(z.object({ name: loose(text) })) })

const calls = z.object({
  contacts: loose(z.array(contact)),
  calls: z.array(
    z.object({
      id: text,
      event: z.enum(['connect', 'terminate']),
      direction: text,
      from: text,
      to: text,
      timestamp: seconds,
      status: loose(text),
      duration: loose(z.int().min(0)),
    }),
  ),
})
const members = loose(z.array(z.object({ wa_id: loose(text), user_id: loose(text) })))
const groups = z.object({
  groups: z.array(
    z.object({
      timestamp: seconds,
      group_id: text,
      type: text,
      subject: loose(text),
      added_participants: members,
      removed_participants: members,
    }),
  ),
})
const preferences = z.object({
  user_preferences: z.array(
    z.object({
      wa_id: loose(text),
      user_id: loose(text),
      category: text,
      value: z.enum(['stop', 'resume']),
      timestamp: z.int().min(0).max(99_999_999_999),
    }),
  ),
})
const history = z.object({
  metadata,
  history: z.array(z.object({ threads: z.array(z.object({ id: text, messages: z.array(z.unknown()) })) })),
})

/** What Meta tells besides messages, by the field of the call it came in. */
export const changeEvents = (field: string, value: unknown): InboundEvent[] => {
  switch (field) {
    case 'calls':
      return callEvents(value)
    case 'group_participants_update':
    case 'group_settings_update':
      return groupEvents(value)
    case 'user_preferences':
      return preferenceEvents(value)
    case 'history':
      return historyEvents(value)
    default: {
      const known = alertFields.find((one) => one === field)
      return known ? alertEvents(known, value) : []
    }
  }
}

const callEvents = (value: unknown): InboundEvent[] => {
  const { data } = calls.safeParse(value)
  return (data?.calls ?? []).flatMap((call): InboundEvent[] => {
    const fromMe = call.direction === 'BUSINESS_INITIATED'
    const phone = fromMe ? call.to : call.from
    const known = data?.contacts?.find((one) => one.wa_id === phone)
    const state = call.event === 'connect' ? 'ringing' : call.duration ? 'ended' : 'missed'
    const { id: providerId, duration: seconds, timestamp: at } = call
    const [from] = speakersBy(known?.user_id, phone, known?.profile?.name)
    return from ? [{ kind: 'call', providerId, from, fromMe, isVideo: false, state, seconds, at }] : []
  })
}

const groupEvents = (value: unknown): InboundEvent[] =>
  (groups.safeParse(value).data?.groups ?? []).flatMap((one) => {
    const { group_id, timestamp: at, subject, added_participants = [], removed_participants = [] } = one
    const event = (change: 'joined' | 'left' | 'subject', members: Speaker[]): InboundEvent => ({
      kind: 'group',
      providerId: [group_id, at.getTime(), change, ...members.map(({ identities }) => identities[0].value)].join(':'),
      group: { identities: [{ kind: 'group', value: group_id }], isGroup: true },
      change,
      members,
      subject,
      at,
    })
    const [came, went] = [added_participants, removed_participants].map((who) =>
      who.flatMap(({ user_id, wa_id }) => speakersBy(user_id, wa_id)),
    )
    return [
      ...(came?.length ? [event('joined', came)] : []),
      ...(went?.length ? [event('left', went)] : []),
      ...(subject ? [event('subject', [])] : []),
    ]
  })

const preferenceEvents = (value: unknown): InboundEvent[] =>
  (preferences.safeParse(value).data?.user_preferences ?? []).flatMap((one): InboundEvent[] => {
    const [who] = speakersBy(one.user_id, one.wa_id)
    if (!who || one.category !== 'marketing_messages') return []
    return [
      {
        kind: 'consent',
        who: who.identities,
        purpose: 'marketing',
        isGiven: one.value === 'resume',
        proof: `${one.value === 'resume' ? 'quer voltar a' : 'não quer mais'} receber promoções`,
        at: new Date(one.timestamp * 1_000),
      },
    ]
  })

/** A number that goes on living on a phone gives away, once and when its owner agrees, what was said there. */
const historyEvents = (value: unknown): InboundEvent[] => {
  const { data } = history.safeParse(value)
  if (!data) return []
  const ours = data.metadata.display_phone_number.replace(/\D/g, '')
  const threads = data.history.flatMap((chunk) => chunk.threads)
  const messages = threads.flatMap(({ id, messages: said }) =>
    said.flatMap((one): Omit<InboundMessage, 'kind'>[] => {
      const message = waMessage.safeParse(one).data
      const content = message && contentOf(message)
      if (!message || !content) return []
      return speakersBy(undefined, id).map((from) => ({
        providerId: message.id,
        from,
        fromMe: message.from === ours,
        timestamp: message.timestamp,
        content,
      }))
    }),
  )
  return messages.length ? [{ kind: 'history', messages }] : []
}

/** One, or none when nothing is known of them. */
const speakersBy = (bsuid: string | undefined, phone: string | undefined, name?: string): Speaker[] => {
  const [first, ...rest] = identitiesOf(bsuid, phone)
  return first ? [{ identities: [first, ...rest], name }] : []
}
