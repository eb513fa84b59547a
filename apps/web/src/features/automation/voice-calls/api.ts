import type {
  ticketCallBody,
  VoiceCall,
  VoiceCallRow,
  voiceAccounts,
  voiceAssistants,
  voiceCalls,
  voiceNumbers,
  WholeVoiceCall,
} from '@balcao/contract/automation/voice-calls.ts'
import type { Page } from '@balcao/contract/common.ts'
import type { BulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { api } from '../../../kit/api.ts'
import { type QueryValue, said } from '../../../kit/api-client.ts'
import { pagedList, pageSize } from '../../../kit/paged-list.ts'

export const voiceAccountsQuery = queryOptions({
  queryKey: ['voice-accounts'],
  queryFn: async ({ signal }) => (await api.get<z.output<typeof voiceAccounts>>('/voice-accounts', { signal })).items,
  staleTime: 60_000,
})
export const voiceCallsQuery = (ticketId: string) =>
  queryOptions({
    queryKey: ['voice-calls', ticketId],
    queryFn: async ({ signal }) =>
      (await api.get<z.output<typeof voiceCalls>>(`/tickets/${ticketId}/voice-calls`, { signal })).items,
  })

/** What an account calls with, as it is there now. */
export const voiceChoicesQuery = (tenantId: number, integrationId: string) =>
  queryOptions({
    queryKey: ['voice-choices', integrationId],
    queryFn: async ({ signal }) => {
      const of = `${tenantId}?integrationId=${integrationId}`
      const [assistants, numbers] = await Promise.all([
        api.get<z.output<typeof voiceAssistants>>(`/vapiAssistants/${of}`, { signal, quiet: true }),
        api.get<z.output<typeof voiceNumbers>>(`/vapiPhoneNumbers/${of}`, { signal, quiet: true }),
      ])
      return { assistants: assistants.items, numbers: numbers.items }
    },
    staleTime: 60_000,
    retry: false,
  })

export const placeCall = (ticketId: string, body: z.input<typeof ticketCallBody>) =>
  api.post<VoiceCall>(`/tickets/${ticketId}/voice-calls`, body)

type Query = Record<string, QueryValue>
export const callListKey = ['voice-call-list'] as const
export const callList = (query: Query) =>
  pagedList<Page<VoiceCallRow>>(
    [...callListKey, query],
    '/voice-calls',
    { ...query, limit: pageSize },
    { counts: true },
  )
export const wholeCallQuery = (id: string) =>
  queryOptions({
    queryKey: ['voice-call', id],
    queryFn: ({ signal }) => api.get<WholeVoiceCall>(`/voice-calls/${id}`, { signal }),
  })
export const exportVoiceCalls = (query: Query) => api.post<BulkJob>('/voice-calls/export', said(query))
