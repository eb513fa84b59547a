import type { MentionCandidate, mentionCount } from '@balcao/contract/conversations/mentions.ts'
import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { api } from '../../../kit/api.ts'

/** Whom a note of a conversation may call. */
export const mentionCandidates = (ticketId: string) =>
  queryOptions({
    queryKey: ['mentions', 'candidates', ticketId],
    queryFn: ({ signal }) => api.get<MentionCandidate[]>(`/mentions/candidates/${ticketId}`, { signal, quiet: true }),
    staleTime: 30_000,
  })

/** The notes that call me and I have not read: how many, and in which conversations. */
export const mentionCounts = queryOptions({
  queryKey: ['mentions', 'count'],
  queryFn: ({ signal }) => api.get<z.output<typeof mentionCount>>('/mentions/count', { signal, quiet: true }),
  staleTime: 60_000,
})

export const readMentions = (ticketId: string) => api.post('/mentions/read', { ticketId }, { quiet: true })
