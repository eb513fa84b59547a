import {
  type Assistant,
  type AssistantAccounts,
  type AssistantRun,
  type AssistantVersion,
  assistantResource,
  type Rehearsed,
  type TicketAssistants,
} from '@balcao/contract/automation/assistants/assistants.ts'
import type { AssistantConfig } from '@balcao/contract/automation/assistants/config.ts'
import {
  type AssistantCase,
  type AssistantEvaluation,
  assistantCaseResource,
} from '@balcao/contract/automation/assistants/evaluation.ts'
import { type KnowledgeBase, knowledgeBaseResource } from '@balcao/contract/automation/assistants/knowledge.ts'
import type { Page } from '@balcao/contract/common.ts'
import type { BulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../kit/api.ts'
import { longTimeoutMs } from '../../../kit/api-client.ts'
import { allRows, readAll } from '../../../kit/resource-api.ts'

const pathOf = (id: string): `/${string}` => `/assistants/${id}`
export const editorPath = (id: string) => `/assistentes/${id}`

export const assistantQuery = (id: string) =>
  queryOptions({
    queryKey: ['resource', assistantResource.event, 'row', id],
    queryFn: ({ signal }) => api.get<Assistant>(pathOf(id), { signal }),
  })
const allAccountsQuery = queryOptions({
  queryKey: ['assistant-accounts'],
  queryFn: ({ signal }) => api.get<AssistantAccounts>('/assistant-accounts', { signal }),
})
export const accountsQuery = queryOptions({ ...allAccountsQuery, select: ({ items }: AssistantAccounts) => items })
export const embeddersQuery = queryOptions({
  ...allAccountsQuery,
  select: ({ embedders }: AssistantAccounts) => embedders,
})
export const calendarsQuery = queryOptions({
  ...allAccountsQuery,
  select: ({ calendars }: AssistantAccounts) => calendars,
})
export const basesQuery = allRows<KnowledgeBase>(knowledgeBaseResource)

type Draft = { name: string; config: AssistantConfig } & Partial<Assistant>
export const saveAssistant = (id: string, values: Draft, version: number) =>
  api.put<Assistant>(pathOf(id), { ...values, version })
export const publishAssistant = (id: string, body: { version: number; note: string; signedReason: string }) =>
  api.post<Assistant>(`${pathOf(id)}/publish`, body, { timeoutMs: longTimeoutMs, quiet: true })

export const versionsQuery = (id: string) =>
  queryOptions({
    queryKey: ['assistant-versions', id],
    queryFn: ({ signal }) => api.get<Page<AssistantVersion>>(`${pathOf(id)}/versions`, { signal }),
  })
export const goBackTo = (id: string, versionId: string) =>
  api.post<Assistant>(`${pathOf(id)}/versions/${versionId}/publish`, {})

export type TalkLine = { from: 'customer' | 'assistant'; text: string }
export const rehearse = (id: string, config: AssistantConfig, lines: readonly TalkLine[]) =>
  api.post<Rehearsed>(`${pathOf(id)}/rehearse`, { config, lines }, { timeoutMs: longTimeoutMs, quiet: true })

export const casesQuery = (id: string) =>
  queryOptions({
    queryKey: ['resource', assistantCaseResource.event, 'of', id],
    queryFn: ({ signal }) => readAll<AssistantCase>(assistantCaseResource.path, { assistantId: id }, signal, 200),
  })
export const evaluationsQuery = (id: string) =>
  queryOptions({
    queryKey: ['assistant-evaluations', id],
    queryFn: async ({ signal }) =>
      (await api.get<{ items: AssistantEvaluation[] }>(`${pathOf(id)}/evaluations`, { signal })).items,
  })
/** Which version, by which account; null: the draft, and its own. */
export type Candidate = { versionId: string | null; integrationId: string | null }
export const evaluate = (id: string, candidates: readonly Candidate[]) =>
  api.post<BulkJob>(`${pathOf(id)}/evaluation-jobs`, { candidates })
/** Plays the cases in the background, and publishes what is as good. */
export const evaluateAndPublish = (id: string, publish: { version: number; note: string }) =>
  api.post<BulkJob>(`${pathOf(id)}/evaluation-jobs`, { publish }, { quiet: true })

export const ticketAssistantsQuery = (ticketId: string, updatedAt: string) =>
  queryOptions({
    queryKey: ['tickets', 'assistants', ticketId, updatedAt],
    queryFn: async ({ signal }) =>
      (await api.get<TicketAssistants>(`/tickets/${ticketId}/assistants`, { signal, quiet: true })).items,
  })
export const ticketRunsQuery = (ticketId: string, updatedAt: string) =>
  queryOptions({
    queryKey: ['tickets', 'assistant-runs', ticketId, updatedAt],
    queryFn: async ({ signal }) =>
      (await api.get<{ items: AssistantRun[] }>(`/tickets/${ticketId}/assistant-runs`, { signal, quiet: true })).items,
  })
