import { type ChannelKind, channels } from '@balcao/contract/channels/index.ts'
import type { IdentityKind } from '@balcao/contract/contacts.ts'

/** Why a contact known by these identities cannot be written to on this channel, or null when it can. */
export const unreachableBecause = (known: readonly IdentityKind[], kind: ChannelKind): string | null => {
  const { identity, label } = channels[kind]
  const accepted: readonly string[] = also[identity] ?? [identity]
  if (known.some((one) => accepted.includes(one))) return null
  return identity === 'phone' ? 'Este contato não tem telefone.' : `Este contato ainda não escreveu pelo ${label}.`
}
const also: Record<string, readonly IdentityKind[]> = {
  phone: ['phone', 'bsuid', 'group'],
  webchat: ['webchat', 'webchatUser'],
}
