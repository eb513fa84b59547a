import type { QuickMessage } from '@balcao/contract/service/quick-messages.ts'

/** By shortcut first, then by words of the text; accents do not matter. */
export const findQuickMessages = (all: readonly QuickMessage[], word: string, most = 30): QuickMessage[] => {
  const wanted = plain(word)
  const rank = (one: QuickMessage) => {
    const key = plain(one.key)
    if (key.startsWith(wanted)) return 0
    return key.includes(wanted) ? 1 : plain(one.message).includes(wanted) ? 2 : 3
  }
  return all
    .map((one) => ({ one, rank: rank(one) }))
    .filter((found) => found.rank < 3)
    .toSorted((a, b) => a.rank - b.rank || a.one.key.localeCompare(b.one.key, 'pt-BR'))
    .slice(0, most)
    .map((found) => found.one)
}

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
