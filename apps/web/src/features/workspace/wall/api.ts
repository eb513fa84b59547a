import type { Page } from '@balcao/contract/common.ts'
import type { TicketPatch } from '@balcao/contract/conversations/tickets.ts'
import type { Wall, WallCard, WallGroup, WallHeads } from '@balcao/contract/conversations/wall.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../kit/api.ts'

/** What a person looks at. */
export type WallAsked = { group: WallGroup; queuesIds: string[]; whatsappIds: string[] }
/** The first cards of each column, and those loaded or brought by events since. */
export type WallCards = Record<string, Page<WallCard>>

export const wallKey = ['wall'] as const
/** Figures change by the passing of time too: what was in time is late. */
const headsEveryMs = 60_000

export const headsQuery = (asked: WallAsked) =>
  queryOptions({
    queryKey: [...wallKey, 'heads', asked],
    queryFn: ({ signal }) => api.get<WallHeads>('/wall/heads', { query: asked, signal, quiet: true }),
    refetchInterval: headsEveryMs,
    staleTime: headsEveryMs / 2,
  })

export const cardsQuery = (asked: WallAsked) =>
  queryOptions({
    queryKey: [...wallKey, 'cards', asked],
    queryFn: async ({ client, signal }) => {
      const { cards, ...heads } = await api.get<Wall>('/wall', { query: asked, signal })
      client.setQueryData(headsQuery(asked).queryKey, heads)
      return cards as WallCards // zod's record of pages
    },
    staleTime: 120_000,
  })

export const readMore = (asked: WallAsked, column: string, cursor: string) =>
  api.get<Page<WallCard>>('/wall/cards', { query: { ...asked, column, cursor } })

export const putCard = (id: string, patch: Partial<TicketPatch>) => api.put<WallCard>(`/tickets/${id}`, patch)
