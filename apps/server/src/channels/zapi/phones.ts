import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import { addressOf } from '../whatsapp/jids.ts'

/** Z-API's `phone`: digits of somebody, `…-group`, or a whole address (`…@lid`, `…@newsletter`). */
export const jidOf = (phone: string | undefined, isGroup = false): string | undefined => {
  if (!phone) return undefined
  if (phone.includes('@')) return phone
  const group = phone.replace(/-group$/, '')
  // Groups of before 2021 are called by their founder and the second they were made.
  if (isGroup || group !== phone || /^\d+-\d+$/.test(phone)) return `${group}@g.us`
  return /^(status|.*-broadcast)$/.test(phone) ? `${phone}@broadcast` : `${phone.replace(/\D/g, '')}@s.whatsapp.net`
}

/** The same back. Throws ChannelError where there is no address. */
export const phoneOf = (to: Identity[]): string => {
  const jid = addressOf(to)
  const [user = '', server] = jid.split('@')
  if (server === 'lid') return jid
  return server === 'g.us' && !user.includes('-') ? `${user}-group` : user
}
