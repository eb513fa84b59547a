import { type ChannelKind, channels } from '@balcao/contract/channels/index.ts'
import type { IdentityKind } from '@balcao/contract/contacts/contacts.ts'

/** Why a contact known by these identities cannot be written to on this channel, or null when it can. */
export const unreachableBecause = (known: readonly IdentityKind[], kind: ChannelKind): string | null => {
  const { identity, label } = channels[kind]
  const accepted: readonly string[] = also[identity] ?? [identity]
  if (known.some((one) => accepted.includes(one))) return null
  return identity === 'phone' ? 'Este contato não tem telefone.' : `Este contato ainda não escreveu pelo ${label}.`
}
/** Free text is taken now: always, or for so many hours after the contact last wrote on this connection. */
export const isWindowOpen = (kind: ChannelKind, heardAt: Date | null | undefined, now = Date.now()): boolean => {
  const { windowHours }: { windowHours?: number } = channels[kind]
  return !windowHours || (heardAt?.getTime() ?? 0) + windowHours * 3_600_000 > now
}
/** The same as a condition over `messages m`, for a connection of this kind: what may leave of what was written. */
export const sendableNow = (kind: ChannelKind): string => {
  const { windowHours }: { windowHours?: number } = channels[kind]
  if (!windowHours) return 'true'
  return `(m.type = 'template' or exists (select from tickets o where o.tenant_id = m.tenant_id and o.contact_id = m.contact_id
    and o.connection_id = m.connection_id and o.last_inbound_at > now() - interval '${windowHours} hours'))`
}
const also: Record<string, readonly IdentityKind[]> = {
  phone: ['phone', 'bsuid', 'group'],
  webchat: ['webchat', 'webchatUser'],
}
