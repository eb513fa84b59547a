import type { resolvePendingResult, stuckMessages } from '@balcao/contract/conversations/message-calls.ts'
import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { api } from '../../../kit/api.ts'

export const stuckQuery = queryOptions({
  queryKey: ['messages', 'stuck'],
  queryFn: async ({ signal }) =>
    (await api.get<z.output<typeof stuckMessages>>('/pending', { signal, quiet: true })).items,
  staleTime: 30_000,
})
export const resolveStuck = (whatsappId: string, action: 'retry' | 'drop') =>
  api.post<z.output<typeof resolvePendingResult>>('/pending/resolvePending', { whatsappId, action })
