import type {
  ticketCallBody,
  VoiceCall,
  voiceAccounts,
  voiceAssistants,
  voiceCalls,
  voiceNumbers,
} from '@balcao/contract/automation/voice-calls.ts'
import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { api } from '../../../kit/api.ts'

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
