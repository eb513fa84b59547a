import type { TicketPatch } from '@balcao/contract/conversations/tickets.ts'
import type { WallCard } from '@balcao/contract/conversations/wall.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isApiError, messageOf, reasonOf } from '../../../kit/api-error.ts'
import { notify } from '../../../ui/notify.ts'
import { cardsQuery, headsQuery, putCard, readMore, type WallAsked } from './api.ts'
import { appendCards, dropCard, findCard, placeCard } from './board.ts'
import { changeCards, receiveCard } from './live.ts'

/** The wall and what is done on it: at once on the screen, undone with its reason when the server refuses. */
export const useWall = (asked: WallAsked) => {
  const cache = useQueryClient()
  const cards = useQuery(cardsQuery(asked))
  const heads = useQuery({ ...headsQuery(asked), enabled: cards.isSuccess })
  const [loading, setLoading] = useState<ReadonlySet<string>>(new Set())

  const change = async (card: WallCard, patch: Partial<TicketPatch>, expected: WallCard): Promise<boolean> => {
    const replace = (next: WallCard) => changeCards(cache, (now, of) => placeCard(dropCard(now, card.id), next, of))
    replace(expected)
    try {
      receiveCard(cache, await putCard(card.id, patch))
      return true
    } catch (error) {
      notify.error(reasonOf(error))
      // It may have changed hands meanwhile, and that may be why: then the board is read again.
      if (isApiError(error) && [404, 409].includes(error.status)) void cache.invalidateQueries(cardsQuery(asked))
      replace(card)
      return false
    }
  }

  /** By the dialog: a card that is not loaded any more can be moved as well. */
  const move = async (id: string, patch: Partial<TicketPatch>): Promise<boolean> => {
    const card = cards.data && findCard(cards.data, id)
    if (card) return change(card, patch, { ...card })
    try {
      receiveCard(cache, await putCard(id, patch))
      return true
    } catch (error) {
      notify.error(reasonOf(error))
      return false
    }
  }

  const more = async (key: string) => {
    const cursor = cards.data?.[key]?.nextCursor
    if (!cursor || loading.has(key)) return
    setLoading((now) => new Set(now).add(key))
    try {
      const page = await readMore(asked, key, cursor)
      cache.setQueryData(cardsQuery(asked).queryKey, (now) => now && appendCards(now, key, page))
    } catch (error) {
      notify.error(messageOf(error))
    } finally {
      setLoading((now) => new Set([...now].filter((one) => one !== key)))
    }
  }
  return { cards, heads, loading, change, move, more }
}
