import type { ChannelCatalog, ChannelForm } from '@balcao/contract/channels/requests.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../../kit/api.ts'

/** The provider is asked each time: what it said stays good for a while. */
const staleTime = 5 * 60_000

export const formsQuery = (connectionId: string) =>
  queryOptions({
    queryKey: ['channel-forms', connectionId],
    queryFn: ({ signal }) =>
      api.get<{ items: ChannelForm[] }>(`/whatsapp/${connectionId}/forms`, { signal, quiet: true }),
    staleTime,
    retry: false,
  })

export const catalogQuery = (connectionId: string, searchParam: string) =>
  queryOptions({
    queryKey: ['channel-catalog', connectionId, searchParam],
    queryFn: ({ signal }) =>
      api.get<ChannelCatalog>(`/whatsapp/${connectionId}/catalog`, { query: { searchParam }, signal, quiet: true }),
    staleTime,
    retry: false,
    placeholderData: keepPreviousData,
  })
