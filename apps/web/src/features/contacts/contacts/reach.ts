import { type ChannelKind, unreachableBecause as whyNot } from '@balcao/contract/channels/index.ts'
import type { Contact } from '@balcao/contract/contacts/contacts.ts'

/** Why this contact cannot be written to on this channel, or null when it can. */
export const unreachableBecause = ({ number, identities }: Contact, kind: ChannelKind): string | null =>
  whyNot({ number, identities: identities.map((one) => one.kind) }, kind)
