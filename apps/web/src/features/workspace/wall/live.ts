import type { WallCard } from '@balcao/contract/conversations/wall.ts'
import type { QueryClient } from '@tanstack/react-query'
import type { Live } from '../../../kit/live.ts'
import { type WallAsked, type WallCards, wallKey } from './api.ts'
import { dropCard, findCard, placeCard } from './board.ts'

/** Changes every wall that is loaded. */
export const changeCards = (cache: QueryClient, change: (cards: WallCards, asked: WallAsked) => WallCards) => {
  for (const query of cache.getQueryCache().findAll({ queryKey: [...wallKey, 'cards'] })) {
    const asked = query.queryKey[2] as WallAsked // only cardsQuery writes under this key
    cache.setQueryData<WallCards>(query.queryKey, (now) => now && change(now, asked))
  }
  recountSoon(cache)
}

export const receiveCard = (cache: QueryClient, card: WallCard) =>
  changeCards(cache, (cards, asked) => placeCard(cards, card, asked))

const recountAfterMs = 2_000
let recount: ReturnType<typeof setTimeout> | undefined
/** The figures count what no screen has loaded: the server tells them, calmly, while somebody looks. */
const recountSoon = (cache: QueryClient) => {
  const isWatched = cache
    .getQueryCache()
    .findAll({ queryKey: [...wallKey, 'heads'] })
    .some((query) => query.getObserversCount() > 0)
  if (recount || !isWatched) return
  recount = setTimeout(() => {
    recount = undefined
    void cache.invalidateQueries({ queryKey: [...wallKey, 'heads'] })
  }, recountAfterMs)
}

export const wallLive: Live = {
  'ticket.created': receiveCard,
  'ticket.updated': receiveCard,
  'ticket.hidden': (cache, { id }) => changeCards(cache, (cards) => dropCard(cards, id)),
  'message.created': (cache, { ticket }) =>
    changeCards(cache, (cards, asked) => {
      const known = findCard(cards, ticket.id)
      return known ? placeCard(cards, { ...known, ...ticket }, asked) : cards
    }),
  'presence.user': recountSoon,
  'user.updated': recountSoon,
  'user.deleted': recountSoon,
}
