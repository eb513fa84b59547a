import type { Macro, MacroRun } from '@balcao/contract/service/macros.ts'
import { queryOptions } from '@tanstack/react-query'
import { v7 } from 'uuid'
import { api } from '../../../kit/api.ts'
import { longTimeoutMs } from '../../../kit/api-client.ts'
import { readAll } from '../../../kit/resource-api.ts'

/** The macros this person may use; the key is that of their screen, so that events renew both. */
export const macroOptions = queryOptions({
  queryKey: ['resource', 'macro', 'all'],
  queryFn: ({ signal }) => readAll<Macro>('/macros', {}, signal, 1_000),
  staleTime: 300_000,
})

/** Runs it once: a request that is repeated by the network is the same run. */
export const runMacro = (macroId: string, ticketId: string) =>
  api.post<MacroRun>(`/macros/${macroId}/run`, { ticketId, runId: v7() }, { timeoutMs: longTimeoutMs })
