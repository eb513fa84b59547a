import type { z } from 'zod'
import { defineProvider, type Provider } from '../core/providers/define.ts'

/** What a channel can carry or do. The composer hides what is missing here. */
export const capabilities = [
  'text',
  'image',
  'audio',
  'video',
  'document',
  'sticker',
  'location',
  'contact',
  'reply',
  'reaction',
  'edit',
  'delete',
  'template',
  'buttons',
  'list',
  'typing',
  'readReceipts',
  'groups',
  'history',
  'window24h',
] as const
export type Capability = (typeof capabilities)[number]

/**
 * What a messaging provider is, as data, on top of what any provider is: the composer obeys `supports`, the server finds
 * the adapter by `kind`.
 */
export const defineChannel = <Kind extends string, Config extends z.ZodObject>(
  definition: Provider<Kind, Config> & {
    /** What a contact is known by on this channel; see `identityKinds`. */
    identity: string
    supports: readonly Capability[]
    /** Hours in which free text is allowed after the customer's last message; undefined means always. */
    windowHours?: number
    /** How long a text, and the words under a file, may be. */
    textLimits: { text: number; caption: number }
    /** The customer sees who wrote each message. */
    showsAuthor?: boolean
    /** How many buttons one message carries, how long each may be, and the text above them. */
    buttonLimits?: { most: number; title: number; body: number }
    /** How fast a connection of this kind may send: on average, and so many together after a rest. */
    pace?: Pace
  },
) => defineProvider(definition)

export type Pace = { perSecond: number; burst: number }
const usualPace: Pace = { perSecond: 40, burst: 20 }
export const paceOf = ({ pace = usualPace }: { pace?: Pace }): Pace => pace
