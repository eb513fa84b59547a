import type { Connection, connectionTest } from '@balcao/contract/channels/connections.ts'
import type { ChannelKind } from '@balcao/contract/channels/index.ts'
import type { Page } from '@balcao/contract/common.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { api } from '../../../kit/api.ts'

export type ConnectionDraft = {
  name: string
  isDefault: boolean
  queueId: string | null
  farewellMessage: string
  sendEvaluation: boolean
  proxyId: string | null
  options: Record<string, unknown>
  config: Record<string, unknown>
}
export type TestOutcome = z.output<typeof connectionTest>

const testTimeoutMs = 40_000

/** Every connection of the company: they are few. */
export const connectionList = queryOptions({
  queryKey: ['connections', 'list'],
  queryFn: async ({ signal }) => (await api.get<Page<Connection>>('/whatsapp', { signal })).items,
})

type Saving = { kind: ChannelKind; connection: Connection | null; draft: ConnectionDraft }

/** Creates or changes; saving also connects, so the answer already carries the new state. */
export const useSaveConnection = () => {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ kind, connection, draft }: Saving) =>
      connection
        ? api.put<Connection>(
            `/whatsapp/${connection.id}`,
            { ...draft, version: connection.version },
            { timeoutMs: testTimeoutMs },
          )
        : api.post<Connection>('/whatsapp', { kind, ...draft }, { timeoutMs: testTimeoutMs }),
    onSuccess: (saved) => {
      cache.setQueryData(
        connectionList.queryKey,
        (now) =>
          now &&
          [...now.filter((one) => one.id !== saved.id), saved].sort((a, b) => a.name.localeCompare(b.name, 'pt-BR')),
      )
      void cache.invalidateQueries({ queryKey: connectionList.queryKey })
    },
  })
}

export const useTestConnection = () => {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api.post<TestOutcome>(`/whatsapp/${id}/test`, {}, { timeoutMs: testTimeoutMs }),
    onSettled: () => cache.invalidateQueries({ queryKey: connectionList.queryKey }),
  })
}

export const useDeleteConnection = () => {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api.delete(`/whatsapp/${id}`),
    onSuccess: (_, id) => {
      cache.setQueryData(connectionList.queryKey, (now) => now?.filter((one) => one.id !== id))
    },
  })
}
