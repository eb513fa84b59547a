import type { Passage } from '@balcao/contract/automation/assistants/assistants.ts'
import {
  type GapState,
  type KnowledgeBase,
  type KnowledgeGap,
  type KnowledgeSource,
  type KnowledgeSourceBody,
  knowledgeBaseResource,
} from '@balcao/contract/automation/assistants/knowledge.ts'
import type { Page } from '@balcao/contract/common.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../kit/api.ts'
import { pagedList } from '../../../kit/paged-list.ts'

export const basePath = (id: string) => `/conhecimento/${id}`
export const baseQuery = (id: string) =>
  queryOptions({
    queryKey: ['resource', knowledgeBaseResource.event, 'row', id],
    queryFn: ({ signal }) => api.get<KnowledgeBase>(`${knowledgeBaseResource.path}/${id}`, { signal }),
  })
export const sourcesQuery = (baseId: string) =>
  queryOptions({
    queryKey: ['knowledge-sources', baseId],
    queryFn: async ({ signal }) =>
      (await api.get<{ items: KnowledgeSource[] }>(`${knowledgeBaseResource.path}/${baseId}/sources`, { signal }))
        .items,
  })
export const addSource = (baseId: string, body: KnowledgeSourceBody) =>
  api.post<KnowledgeSource>(`${knowledgeBaseResource.path}/${baseId}/sources`, body)
export const changeSource = (id: string, body: { name?: string; body?: string; refreshHours?: number | null }) =>
  api.put<KnowledgeSource>(`/knowledge-sources/${id}`, body)
export const refreshSource = (id: string) => api.post<KnowledgeSource>(`/knowledge-sources/${id}/refresh`, {})
export const removeSource = (id: string) => api.delete(`/knowledge-sources/${id}`)

export const searchQuery = (q: string, baseId: string | null) =>
  queryOptions({
    queryKey: ['knowledge-search', q, baseId],
    queryFn: async ({ signal }) =>
      (await api.get<{ items: Passage[] }>('/knowledge-search', { query: { q, baseId: baseId ?? undefined }, signal }))
        .items,
  })
export const gapsList = (filter: { state: GapState; searchParam: string }) =>
  pagedList<Page<KnowledgeGap>>(['knowledge-gaps', filter], '/knowledge-gaps', filter)
export const settleGap = (id: string, body: { state: GapState; answer?: { baseId: string; body: string } }) =>
  api.put<KnowledgeGap>(`/knowledge-gaps/${id}`, body)
