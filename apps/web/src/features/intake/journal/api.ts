import type { Page } from '@balcao/contract/common.ts'
import type {
  JournalEntry,
  JournalState,
  ReplayCount,
  replayableStates,
  WholeJournalEntry,
} from '@balcao/contract/intake/journal.ts'
import type { BulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../kit/api.ts'
import { said } from '../../../kit/api-client.ts'
import { pagedList, pageSize } from '../../../kit/paged-list.ts'
import { receiveJob } from '../../conversations/tickets/bulk-api.ts'

export type JournalFilter = { state: readonly JournalState[]; dateFrom: string; dateTo: string }

const keyOf = (connectionId: string) => ['journal', connectionId]
const queryOf = ({ state, dateFrom, dateTo }: JournalFilter) => ({
  state,
  dateFrom: dateFrom || undefined,
  dateTo: dateTo || undefined,
})

/** What came over a connection, newest first. */
export const journalList = (connectionId: string, filter: JournalFilter) => ({
  ...pagedList<Page<JournalEntry>>([...keyOf(connectionId), 'list', filter], `/whatsapp/${connectionId}/journal`, {
    ...queryOf(filter),
    limit: pageSize,
  }),
  placeholderData: keepPreviousData,
  staleTime: 0,
})

/** A job that makes the file. */
export const exportJournal = (connectionId: string, filter: JournalFilter) =>
  api.post<BulkJob>(`/whatsapp/${connectionId}/journal/export`, said(queryOf(filter)))

const lookAgainMs = 1_500
/** One with what the provider sent; looked at again while it waits to be handled. */
export const journalEntryQuery = (connectionId: string, id: string) =>
  queryOptions({
    queryKey: [...keyOf(connectionId), 'one', id],
    queryFn: ({ signal }) => api.get<WholeJournalEntry>(`/whatsapp/${connectionId}/journal/${id}`, { signal }),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data?.state === 'received' ? lookAgainMs : false),
  })

/** What is in the queue is handled anyway. */
const replayed = (filter: JournalFilter) => ({
  ...queryOf(filter),
  state: filter.state.filter((state): state is (typeof replayableStates)[number] => state !== 'received'),
})
/** A filter that says which are meant, of which there are some to be handled anew. */
export const mayReplay = ({ state, dateFrom, dateTo }: JournalFilter) =>
  state.length ? state.some((one) => one !== 'received') : Boolean(dateFrom || dateTo)

export const replayCountQuery = (connectionId: string, filter: JournalFilter) =>
  queryOptions({
    queryKey: [...keyOf(connectionId), 'count', filter],
    queryFn: ({ signal }) =>
      api.get<ReplayCount>(`/whatsapp/${connectionId}/journal/count`, { query: replayed(filter), signal }),
    enabled: mayReplay(filter),
    staleTime: 0,
  })

/** All that the filter finds, as a job that is watched. */
export const useReplayAll = (connectionId: string) => {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (filter: JournalFilter) =>
      api.post<BulkJob>(`/whatsapp/${connectionId}/journal/replay`, replayed(filter)),
    onSuccess: (job) => {
      receiveJob(cache, job)
      void cache.invalidateQueries({ queryKey: keyOf(connectionId) })
    },
  })
}
export const useReplayOne = (connectionId: string) => {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api.post<WholeJournalEntry>(`/whatsapp/${connectionId}/journal/${id}/replay`),
    onSuccess: (now) => cache.setQueryData(journalEntryQuery(connectionId, now.id).queryKey, now),
  })
}
/** Reads the page again, and how many there are. */
export const useJournalAgain = (connectionId: string) => {
  const cache = useQueryClient()
  return () => {
    for (const part of ['list', 'count']) void cache.invalidateQueries({ queryKey: [...keyOf(connectionId), part] })
  }
}
