import type { Page } from '@balcao/contract/common.ts'
import type { WallCard } from '@balcao/contract/conversations/wall.ts'
import { wallColumnOf } from '@balcao/contract/conversations/wall-column.ts'
import type { WallAsked, WallCards } from './api.ts'

/** Who waits longest first, who waits for nothing last; as the server orders them. */
const comesBefore = (a: WallCard, b: WallCard) => {
  const [first, second] = [a.waitingSince ?? '~', b.waitingSince ?? '~']
  return first === second ? a.id < b.id : first < second
}

const nothing: Page<WallCard> = { items: [], hasMore: false, nextCursor: null }

export const findCard = (cards: WallCards, id: string): WallCard | undefined => {
  for (const page of Object.values(cards)) {
    const found = page.items.find((card) => card.id === id)
    if (found) return found
  }
  return undefined
}

export const dropCard = (cards: WallCards, id: string): WallCards =>
  Object.fromEntries(
    Object.entries(cards).map(([key, page]) =>
      page.items.some((card) => card.id === id)
        ? [key, { ...page, items: page.items.filter((card) => card.id !== id) }]
        : [key, page],
    ),
  )

/**
 * The board with the card where it belongs now. Beyond the last loaded card of a column with more it is only counted;
 * a card older than what is known changes nothing.
 */
export const placeCard = (cards: WallCards, card: WallCard, asked: WallAsked): WallCards => {
  const known = findCard(cards, card.id)
  if (known && known.version > card.version) return cards
  const rest = dropCard(cards, card.id)
  const key = fits(card, asked) ? wallColumnOf(card, asked.group) : undefined
  if (!key) return rest
  const page = rest[key] ?? nothing
  const at = page.items.findIndex((other) => comesBefore(card, other))
  if (at === -1 && page.hasMore) return rest
  return { ...rest, [key]: { ...page, items: page.items.toSpliced(at === -1 ? page.items.length : at, 0, card) } }
}

/** What was read of a column after what is there; events may have brought some of it already. */
export const appendCards = (cards: WallCards, key: string, more: Page<WallCard>): WallCards => {
  const page = cards[key] ?? nothing
  const fresh = more.items.filter((card) => !findCard(cards, card.id))
  return { ...cards, [key]: { ...more, items: [...page.items, ...fresh] } }
}

const fits = (card: WallCard, { queuesIds, whatsappIds }: WallAsked) =>
  (queuesIds.length === 0 || queuesIds.includes(card.queueId ?? '')) &&
  (whatsappIds.length === 0 || whatsappIds.includes(card.whatsappId))
