import type { z } from 'zod'
import { type ConfigField, fieldsOf, secretsOf } from '../core/providers/fields.ts'
import { type Abilities, abilities } from './abilities.ts'
import { baileysChannel } from './baileys.ts'
import { emailChannel } from './email.ts'
import { evolutionChannel } from './evolution.ts'
import { hubChannel } from './hub.ts'
import { instagramChannel } from './instagram.ts'
import { messengerChannel } from './messenger.ts'
import { smsChannel } from './sms.ts'
import { telegramChannel } from './telegram.ts'
import { uazapiChannel } from './uazapi.ts'
import { wabaChannel } from './waba.ts'
import { webchatChannel } from './webchat.ts'
import { wuzapiChannel } from './wuzapi.ts'
import { zapiChannel } from './zapi.ts'

export const channels = {
  webchat: webchatChannel,
  waba: wabaChannel,
  baileys: baileysChannel,
  instagram: instagramChannel,
  messenger: messengerChannel,
  telegram: telegramChannel,
  email: emailChannel,
  evolution: evolutionChannel,
  uazapi: uazapiChannel,
  wuzapi: wuzapiChannel,
  zapi: zapiChannel,
  sms: smsChannel,
  hub: hubChannel,
}
export type ChannelKind = keyof typeof channels
export const channelKinds = Object.keys(channels) as [ChannelKind, ...ChannelKind[]]
export type ChannelConfig<K extends ChannelKind> = z.output<(typeof channels)[K]['config']>

/** Names of the config fields that are secrets. */
export const secretFields = (kind: ChannelKind): string[] => secretsOf(channels[kind].config)
/** The settings form of a channel, in the order of its definition. */
export const configFields = (kind: ChannelKind): ConfigField[] => fieldsOf(channels[kind].config)

/** It tells whom the phone behind it knows. */
export const hasPhoneBook = (kind: ChannelKind): boolean => {
  const { hasPhoneBook = false }: { hasPhoneBook?: boolean } = channels[kind]
  return hasPhoneBook
}

/** What a connection with these settings can do. */
export const abilitiesOf = (kind: ChannelKind, config: Record<string, unknown>): Abilities =>
  abilities.parse(channels[kind].abilities(config))

export type IdentityKind = { [K in ChannelKind]: keyof (typeof channels)[K]['identities'] }[ChannelKind]
/** Every kind of identity with its strength; what two channels share has the same in both. */
export const identityStrength = Object.assign(
  {},
  ...Object.values(channels).map((channel) => channel.identities),
) as Record<IdentityKind, number> // put together from the very types above
export const identityKinds = Object.keys(identityStrength) as [IdentityKind, ...IdentityKind[]]

/** Kinds whose value is `account:id`: the same person is somebody else to another page. */
export const scopedKinds: readonly IdentityKind[] = Object.values<{ scoped?: readonly IdentityKind[] }>(
  channels,
).flatMap(({ scoped = [] }) => scoped)
export const scopedId = (account: string, id: string): string => `${account}:${id}`
/** What somebody is called within an account, of everything they are known by; undefined where it does not know them. */
export const idWithin = (
  identities: readonly { kind: IdentityKind; value: string }[],
  kind: IdentityKind,
  account: string,
): string | undefined =>
  identities.find((one) => one.kind === kind && one.value.startsWith(`${account}:`))?.value.slice(account.length + 1)

/** By what somebody is known: a kind, with its account where it means something only there. */
export type KnownAs = IdentityKind | `${IdentityKind}@${string}`
export const knownAs = ({ kind, value }: { kind: IdentityKind; value: string }): KnownAs =>
  scopedKinds.includes(kind) ? `${kind}@${value.split(':', 1).join()}` : kind

/** What a contact is known by. */
export type KnownBy = {
  number: string | null
  identities: readonly KnownAs[]
  /** Of those, the ones of which the provider told that nothing arrives by them. */
  deaf?: readonly KnownAs[]
}
/** By which kinds of identity such a connection writes to people. */
export const reachedBy = (
  kind: ChannelKind,
  on: Pick<Abilities, 'reachedBy'> | null = null,
): readonly IdentityKind[] => {
  const all: readonly IdentityKind[] = channels[kind].reachedBy.identities
  return on?.reachedBy ? all.filter((one) => on.reachedBy?.includes(one)) : all
}
/**
 * Why somebody cannot be written to on this channel, or null when they can: the one answer, for server and screens.
 * `on`: of the connection, whose account its identities may be scoped to.
 */
export const unreachableBecause = (
  { number, identities, deaf = [] }: KnownBy,
  kind: ChannelKind,
  on: Pick<Abilities, 'account' | 'reachedBy'> | null = null,
): string | null => {
  const accepted: readonly string[] = reachedBy(kind, on).map((one) =>
    scopedKinds.includes(one) ? `${one}@${on?.account ?? null}` : one,
  )
  const known: KnownAs[] = [...identities, ...(number ? (['phone'] as const) : [])]
  const ways = known.filter((one) => accepted.includes(one))
  if (!ways.length) return channels[kind].reachedBy.whenNot
  return ways.every((one) => deaf.includes(one)) ? 'O contato não recebe mensagens nossas.' : null
}
