import type { z } from 'zod'
import { type ConfigField, fieldsOf, secretsOf } from '../core/providers/fields.ts'
import { type Abilities, abilities } from './abilities.ts'
import { telegramChannel } from './telegram.ts'
import { wabaChannel } from './waba.ts'
import { webchatChannel } from './webchat.ts'

export const channels = { webchat: webchatChannel, waba: wabaChannel, telegram: telegramChannel }
export type ChannelKind = keyof typeof channels
export const channelKinds = Object.keys(channels) as [ChannelKind, ...ChannelKind[]]
export type ChannelConfig<K extends ChannelKind> = z.output<(typeof channels)[K]['config']>

/** Names of the config fields that are secrets. */
export const secretFields = (kind: ChannelKind): string[] => secretsOf(channels[kind].config)
/** The settings form of a channel, in the order of its definition. */
export const configFields = (kind: ChannelKind): ConfigField[] => fieldsOf(channels[kind].config)

/** What a connection with these settings can do. */
export const abilitiesOf = (kind: ChannelKind, config: Record<string, unknown>): Abilities =>
  abilities.parse(channels[kind].abilities(config))

type Identities = { [K in ChannelKind]: keyof (typeof channels)[K]['identities'] }[ChannelKind]
/** Identities that no channel of ours gives yet, but contacts may carry. */
const others = { lid: 80, instagram: 60, messenger: 60, email: 30 } as const
export type IdentityKind = Identities | keyof typeof others
/** Every kind of identity with its strength; what two channels share has the same in both. */
export const identityStrength = Object.assign(
  {},
  others,
  ...Object.values(channels).map((channel) => channel.identities),
) as Record<IdentityKind, number> // put together from the very types above
export const identityKinds = Object.keys(identityStrength) as [IdentityKind, ...IdentityKind[]]

/** What a contact is known by. */
export type KnownBy = {
  number: string | null
  identities: readonly IdentityKind[]
  /** Of those, the kinds of which the provider told that nothing arrives by them. */
  deaf?: readonly IdentityKind[]
}
/** Why somebody cannot be written to on this channel, or null when they can: the one answer, for server and screens. */
export const unreachableBecause = ({ number, identities, deaf = [] }: KnownBy, kind: ChannelKind): string | null => {
  const accepted: readonly string[] = channels[kind].reachedBy.identities
  const known: IdentityKind[] = [...identities, ...(number ? (['phone'] as const) : [])]
  const ways = known.filter((one) => accepted.includes(one))
  if (!ways.length) return channels[kind].reachedBy.whenNot
  return ways.every((one) => deaf.includes(one)) ? 'O contato não recebe mensagens nossas.' : null
}
