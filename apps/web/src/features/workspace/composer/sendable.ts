import { type Abilities, sendableAs } from '../../conversations/messages/abilities.ts'
import type { ChosenFile, Upload } from '../../conversations/messages/uploads.ts'

/** How a file will travel, as far as one can tell before the server has seen it; null when the channel takes nothing like it. */
export const typeOf = (item: ChosenFile, { media }: Upload, abilities: Pick<Abilities, 'files'>) =>
  sendableAs(media?.kind ?? item.kind, abilities)

/** What keeps a file from being sent; to be without a network does not, and what the channel does not carry stays. */
export const problemOf = (item: ChosenFile, now: Upload, abilities: Pick<Abilities, 'files'>): string | null =>
  now.error && !now.isOffline && typeOf(item, now, abilities) ? now.error : null
