import {
  type Flow,
  type FlowAccounts,
  type FlowDraft,
  type FlowDraftChange,
  type FlowNumbers,
  type FlowProblem,
  type FlowVersion,
  type flowDraftChanged,
  type flowImported,
  flowResource,
  type flowsNaming,
  type flowVersionGraph,
} from '@balcao/contract/automation/flows/flows.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { api } from '../../../kit/api.ts'
import { longTimeoutMs } from '../../../kit/api-client.ts'
import { downloadFile } from '../../../kit/download.ts'
import { allRows } from '../../../kit/resource-api.ts'

export type FlowDraftChanged = z.output<typeof flowDraftChanged>
export type FlowImported = z.output<typeof flowImported>
export type FlowVersionGraph = z.output<typeof flowVersionGraph>

const pathOf = (id: string): `/${string}` => `/chat-flow/${id}`
export const builderPath = (id: string) => `/chat-flow/builder/${id}`

export const flowList = allRows<Flow>(flowResource)
/** Read again whenever the builder opens: other screens change them. */
export const flowAccountsQuery = queryOptions({
  queryKey: ['flow-accounts'],
  queryFn: ({ signal }) => api.get<FlowAccounts>('/chat-flow-accounts', { signal }),
  staleTime: 30_000,
})
export const flowQuery = (id: string) =>
  queryOptions({
    queryKey: ['resource', 'chatFlow', 'row', id],
    queryFn: ({ signal }) => api.get<Flow>(pathOf(id), { signal }),
  })

/** As it was when the flow was opened or the connection came back; what lies between is the desk's. */
export const draftQuery = (id: string) =>
  queryOptions({
    queryKey: ['flow-draft', id],
    queryFn: ({ signal }) => readDraft(id, signal),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  })
export const readDraft = (id: string, signal?: AbortSignal) => api.get<FlowDraft>(`${pathOf(id)}/draft`, { signal })
export const writeDraft = (id: string, change: FlowDraftChange) =>
  api.post<FlowDraftChanged>(`${pathOf(id)}/draft`, change, { quiet: true, keepalive: fitsKeepalive(change) })
/** Browsers let go on no more than 64 KB after the page is left. */
const fitsKeepalive = (change: FlowDraftChange) => JSON.stringify(change).length < 50_000

export const problemsQuery = (id: string, revision: number) =>
  queryOptions({
    queryKey: ['flow-problems', id, revision],
    queryFn: async ({ signal }) =>
      (await api.get<{ items: FlowProblem[] }>(`${pathOf(id)}/problems`, { signal, quiet: true })).items,
    placeholderData: keepPreviousData,
    retry: false,
  })

export const publishFlow = (id: string, revision: number, note: string) =>
  api.post(`${pathOf(id)}/publish`, { revision, note })

export const versionsQuery = (id: string) =>
  queryOptions({
    queryKey: ['flow-versions', id],
    queryFn: async ({ signal }) =>
      (await api.get<{ items: FlowVersion[] }>(`${pathOf(id)}/versions`, { query: { limit: 100 }, signal })).items,
  })
export const versionQuery = (id: string, versionId: string) =>
  queryOptions({
    queryKey: ['flow-versions', id, versionId],
    queryFn: ({ signal }) => api.get<FlowVersionGraph>(`${pathOf(id)}/versions/${versionId}`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
export const restoreVersion = (id: string, versionId: string) => api.post(`${pathOf(id)}/versions/${versionId}/restore`)
export const republishVersion = (id: string, versionId: string) =>
  api.post(`${pathOf(id)}/versions/${versionId}/publish`)

export const numbersQuery = (id: string, from: string, to: string) =>
  queryOptions({
    queryKey: ['flow-numbers', id, from, to],
    queryFn: ({ signal }) => api.get<FlowNumbers>(`${pathOf(id)}/numbers`, { query: { from, to }, signal }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })

/** Flows that name a row of another kind. */
export const namingQuery = (id: string) =>
  queryOptions({
    queryKey: ['flows-naming', id],
    queryFn: async ({ signal }) =>
      (await api.get<z.output<typeof flowsNaming>>(`/chat-flow-naming/${id}`, { signal, quiet: true })).items,
    staleTime: 0,
  })

export const duplicateFlow = (id: string) => api.post<Flow>('/chat-flow-duplicate', { id })
export const exportFlow = (id: string) => downloadFile({ path: `${pathOf(id)}/export` })
export const importFlow = (id: string, file: unknown) =>
  api.put<FlowImported>(`/chat-flow-import/${id}`, file, { timeoutMs: longTimeoutMs })
export const createFlow = (name: string) => api.post<Flow>('/chat-flow', { name })
export const deleteFlow = (id: string) => api.delete(pathOf(id))
