import type { Page } from '@balcao/contract/common.ts'
import type { BulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import {
  type ActionPreview,
  type ActionRun,
  pipelineActionResource,
  ticketActionResource,
} from '@balcao/contract/operations/funnel-actions.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../kit/api.ts'
import { type QueryValue, said } from '../../../kit/api-client.ts'
import { pagedList, pageSize } from '../../../kit/paged-list.ts'

export const funnelActionsKey = ['funnelActions'] as const

export type ActionKind = 'pipeline' | 'ticket'
const pathOf = { pipeline: pipelineActionResource.path, ticket: ticketActionResource.path }
/** Whom it would touch now; asked for anew each time it is opened. */
export const actionPreview = (kind: ActionKind, id: string) =>
  queryOptions({
    queryKey: [...funnelActionsKey, 'preview', kind, id],
    queryFn: ({ signal }) => api.get<ActionPreview>(`${pathOf[kind]}/${id}/preview`, { signal, quiet: true }),
    gcTime: 0,
  })
export const toggleAction = (kind: ActionKind, id: string, active: boolean) =>
  api.put(`${pathOf[kind]}/${id}/toggle-active`, { active })

type Query = Record<string, QueryValue>
export const actionRuns = (tenantId: number, query: Query) =>
  pagedList<Page<ActionRun>>(
    [...funnelActionsKey, 'runs', query],
    `/pipeline-action-log/tenant/${tenantId}`,
    { ...query, limit: pageSize },
    { counts: true },
  )
export const exportActionRuns = (query: Query) => api.post<BulkJob>('/pipeline-action-log/export', said(query))
