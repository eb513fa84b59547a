import type { Page } from '@balcao/contract/common.ts'
import type { TicketNote, TicketProtocol } from '@balcao/contract/conversations/notes.ts'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { api } from '../../../kit/api.ts'
import type { QueryValue } from '../../../kit/api-client.ts'

type Query = Record<string, QueryValue>
const pageSize = 50

export const notesList = (query: Query) => pagesOf<TicketNote>('/ticketNotes', ['notes', query], query)
export const protocolsList = (query: Query) => pagesOf<TicketProtocol>('/ticketProtocols', ['protocols', query], query)

const pagesOf = <Row>(path: `/${string}`, queryKey: readonly unknown[], query: Query) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      api.get<Page<Row>>(path, {
        query: { ...query, cursor: pageParam, limit: pageSize, count: pageParam === null },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => (last.hasMore ? last.nextCursor : null),
  })
