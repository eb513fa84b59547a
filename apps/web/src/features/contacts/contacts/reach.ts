import { type ChannelKind, channels } from '@balcao/contract/channels/index.ts'
import type { Contact } from '@balcao/contract/contacts/contacts.ts'

/** Why this contact cannot be written to on this channel, or null when it can. */
export const unreachableBecause = ({ number, identities }: Contact, kind: ChannelKind): string | null => {
  const known = identities.map((identity) => identity.kind)
  switch (channels[kind].identity) {
    case 'phone':
      return number || known.includes('phone') || known.includes('bsuid') ? null : 'Este contato não tem telefone.'
    case 'webchat':
      return known.includes('webchat') || known.includes('webchatUser') ? null : 'Ele ainda não escreveu pelo site.'
    default:
      return known.some((name) => name === channels[kind].identity)
        ? null
        : `Ele ainda não escreveu pelo ${channels[kind].label}.`
  }
}
