import type { Abilities } from '@balcao/contract/channels/abilities.ts'

type Signing = { abilities: Pick<Abilities, 'showsAuthor'>; name: string; isAsked: boolean }

/** Under the writer's name where that is asked for; a channel whose window shows who writes would say it twice. */
export const signedText = (text: string, { abilities, name, isAsked }: Signing): string =>
  text && isAsked && !abilities.showsAuthor ? `*${name}*:\n${text}` : text
