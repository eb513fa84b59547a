import type { z } from 'zod'
import { type ConfigField, fieldsOf, secretsOf } from '../core/providers/fields.ts'
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
