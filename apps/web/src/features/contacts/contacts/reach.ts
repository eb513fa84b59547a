import type { Abilities } from '@balcao/contract/channels/abilities.ts'
import { type ChannelKind, knownAs, unreachableBecause as whyNot } from '@balcao/contract/channels/index.ts'
import type { Contact } from '@balcao/contract/contacts/contacts.ts'

/** Why this contact cannot be written to on this channel, or null when it can. */
export const unreachableBecause = (
  { number, email, identities }: Contact,
  kind: ChannelKind,
  on: Pick<Abilities, 'account' | 'reachedBy'> | null = null,
): string | null =>
  whyNot({ number, identities: [...identities.map(knownAs), ...(email ? (['email'] as const) : [])] }, kind, on)
