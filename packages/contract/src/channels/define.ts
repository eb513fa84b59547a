import type { z } from 'zod'
import { defineProvider, type Provider } from '../core/providers/define.ts'
import type { abilities } from './abilities.ts'

/**
 * What a messaging provider is, as data, on top of what any provider is: the composer obeys its abilities, the server
 * finds the adapter by `kind`.
 */
export const defineChannel = <
  const Kind extends string,
  Config extends z.ZodObject,
  const Identities extends Record<string, number>,
>(
  definition: Provider<Kind, Config> & {
    /**
     * What a contact may be known by here, each with its strength: which one decides when they point to different
     * contacts. What the person alone controls is strong.
     */
    identities: Identities
    /** Of those, what means something only within one account of the provider, which its value begins with (`scopedId`). */
    scoped?: readonly (keyof Identities & string)[]
    /** Of those, what a message can be sent to. `whenNot` says why somebody has none of them. */
    reachedBy: { identities: readonly (keyof Identities & string)[]; whenNot: string }
    /** What a connection with these settings can do. */
    abilities: (config: Partial<z.output<Config>>) => z.input<typeof abilities>
    /** Against the network's own rules: numbers are banned for what people complain of. */
    isUnofficial?: boolean
    /** Tells whom the phone behind it knows, and which groups it is in. */
    hasPhoneBook?: boolean
    /** How fast a connection of this kind may send: on average, and so many together after a rest. */
    pace?: Pace
    /**
     * What answers by itself is shown while it is written, and corrected so often at most. Without it an answer comes whole:
     * the channel cannot correct, or marks what was corrected. `readsRows`: its window reads what we store.
     */
    streams?: { everyMs: number; readsRows?: boolean }
  },
) => defineProvider(definition)

/** How this kind shows what is still being written; undefined: it does not. */
export const streamsOf = ({ streams }: { streams?: { everyMs: number; readsRows?: boolean } }) => streams

export type Pace = { perSecond: number; burst: number }
const usualPace: Pace = { perSecond: 40, burst: 20 }
export const paceOf = ({ pace = usualPace }: { pace?: Pace }): Pace => pace
