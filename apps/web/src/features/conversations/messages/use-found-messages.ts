import type { Page } from '@balcao/contract/common.ts'
import type {
  FoundMessage,
  groupSpeakers as groupSpeakersSchema,
  MessageType,
} from '@balcao/contract/conversations/messages.ts'
import { keepPreviousData, queryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { z } from 'zod'
import { api } from '../../../kit/api.ts'
import { pagedList } from '../../../kit/paged-list.ts'

export type MessageFilter = {
  searchParam: string
  ticketId?: string
  /** Of a group: what this member said. */
  authorId?: string
  fromMe: '' | 'true' | 'false'
  type: MessageType[]
  dateFrom: string
  dateTo: string
}

/** Who has spoken in the group of a conversation. */
export const groupSpeakers = (ticketId: string) =>
  queryOptions({
    queryKey: ['messages', 'speakers', ticketId],
    queryFn: async ({ signal }) =>
      (await api.get<z.output<typeof groupSpeakersSchema>>(`/messages/${ticketId}/speakers`, { signal })).items,
  })

const most = 30
/** With so many found, what is older may wait for somebody to ask. */
const enough = 5

/** A page may be short and yet not the last: the search goes on by itself until enough is found, or so many times. */
export const useFoundMessages = (filter: MessageFilter, isEnough: boolean) => {
  const found = useInfiniteQuery({
    ...pagedList<Page<FoundMessage>>(['messages', 'found', filter], '/searchMessage', filter),
    enabled: isEnough,
    placeholderData: keepPreviousData,
  })
  const { data, hasNextPage, isFetching, isError, isPlaceholderData, fetchNextPage } = found
  const pages = isPlaceholderData ? [] : (data?.pages ?? [])
  const isGoingOn =
    isEnough &&
    hasNextPage &&
    pages.length > 0 &&
    pages.length < most &&
    pages.reduce((many, page) => many + page.items.length, 0) < enough
  useEffect(() => {
    if (isGoingOn && !isFetching && !isError) void fetchNextPage()
  }, [isGoingOn, isFetching, isError, fetchNextPage])
  return { ...found, isGoingOn: isGoingOn && !isError }
}
