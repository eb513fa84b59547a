import type { z } from 'zod'
import { metaOf } from './meta.ts'
import { telegramChannel } from './telegram.ts'
import { wabaChannel } from './waba.ts'
import { webchatChannel } from './webchat.ts'

export const channels = { webchat: webchatChannel, waba: wabaChannel, telegram: telegramChannel }
export type ChannelKind = keyof typeof channels
export const channelKinds = Object.keys(channels) as [ChannelKind, ...ChannelKind[]]
export type ChannelConfig<K extends ChannelKind> = z.output<(typeof channels)[K]['config']>

/** Names of the config fields that are secrets: encrypted at rest, never sent to the browser. */
export const secretFields = (kind: ChannelKind): string[] =>
  Object.entries(channels[kind].config.shape).flatMap(([name, schema]) => (metaOf(schema).secret ? [name] : []))
