import type { Capability } from '@balcao/contract/channels/define.ts'
import { type ChannelKind, channels } from '@balcao/contract/channels/index.ts'
import type { IdentityKind } from '@balcao/contract/contacts/contacts.ts'
import { AppError } from '../../../kit/errors.ts'

/** Why a contact known by these identities cannot be written to on this channel, or null when it can. */
export const unreachableBecause = (known: readonly IdentityKind[], kind: ChannelKind): string | null => {
  const { identity, label } = channels[kind]
  const accepted: readonly IdentityKind[] = identitiesFor(kind)
  if (known.some((one) => accepted.includes(one))) return null
  return identity === 'phone' ? 'Este contato não tem telefone.' : `Este contato ainda não escreveu pelo ${label}.`
}
/** By which identities a contact is written to on this channel. */
export const identitiesFor = (kind: ChannelKind): readonly IdentityKind[] =>
  also[channels[kind].identity] ?? [channels[kind].identity as IdentityKind]
/** Free text is taken now: always, or for so many hours after the contact last wrote on this connection. */
export const isWindowOpen = (kind: ChannelKind, heardAt: Date | null | undefined, now = Date.now()): boolean => {
  const { windowHours }: { windowHours?: number } = channels[kind]
  return !windowHours || (heardAt?.getTime() ?? 0) + windowHours * 3_600_000 > now
}
/** Throws ERR_CHANNEL_UNSUPPORTED unless the channel can. */
export const requireSupport = (kind: ChannelKind, capability: Capability) => {
  const supports: readonly Capability[] = channels[kind].supports
  if (!supports.includes(capability)) throw new AppError('ERR_CHANNEL_UNSUPPORTED')
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
