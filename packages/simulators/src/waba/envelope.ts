import { randomBytes } from 'node:crypto'
import type { Item } from './customer.ts'

/** Free text is taken until 24 h after the customer's last message. */
export const windowMs = 24 * 60 * 60 * 1000

export const priceOf = (category = 'service', now: number) => ({
  conversation: {
    id: '8f0d1c0e6a0b4c55b6b0aa3de0a4f1ce',
    expiration_timestamp: String(Math.floor((now + windowMs) / 1000)),
    origin: { type: category },
  },
  pricing: { pricing_model: 'PMP', billable: true, type: 'regular', category },
})

export const changeOf = (items: Item[], metadata: object) => {
  const [first] = items
  if (first?.kind === 'change') return { field: first.field, value: first.value }
  const contacts: object[] = []
  const messages: object[] = []
  const statuses: object[] = []
  for (const item of items) {
    if (item.kind === 'change') continue
    if (item.contact) contacts.push(item.contact)
    if (item.kind === 'message') messages.push(item.payload)
    else statuses.push(item.payload)
  }
  return {
    field: 'messages',
    value: {
      messaging_product: 'whatsapp',
      metadata,
      ...(contacts.length > 0 && { contacts: withoutRepeats(contacts) }),
      ...(messages.length > 0 && { messages }),
      ...(statuses.length > 0 && { statuses }),
    },
  }
}

const withoutRepeats = (contacts: object[]) =>
  contacts.length < 2 ? contacts : [...new Map(contacts.map((contact) => [JSON.stringify(contact), contact])).values()]

/** Messages in one entry, statuses in a second, each other change in its own. */
export const groupChanges = (items: Item[], metadata: object): object[][] => {
  const messages = items.filter((item) => item.kind === 'message')
  const statuses = items.filter((item) => item.kind === 'status')
  return [messages, statuses, ...items.filter((item) => item.kind === 'change').map((item) => [item])]
    .filter((group) => group.length > 0)
    .map((group) => [changeOf(group, metadata)])
}

const runPrefix = randomBytes(5).toString('hex').toUpperCase()
let lastWamid = 0

/** Looks like the real ones: base64 of a small binary record around the phone and twenty hex digits. */
export const newWamid = (waId = '0'): string => {
  const serial = (++lastWamid).toString(16).toUpperCase().padStart(10, '0')
  return `wamid.${Buffer.from(`\x1c\x18${String.fromCharCode(waId.length)}${waId}\x15\x02\x00\x12\x18\x14${runPrefix}${serial}\x00`, 'latin1').toString('base64')}`
}
