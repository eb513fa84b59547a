import type { Page } from '@balcao/contract/common.ts'
import type { BulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import type {
  ReportAgentState,
  ReportContact,
  ReportFile,
  ReportResult,
  ReportTicket,
} from '@balcao/contract/operations/reports/reports.ts'
import { type ReportView, reportViewResource } from '@balcao/contract/operations/reports/views.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../kit/api.ts'
import { longTimeoutMs, type QueryValue, said } from '../../../kit/api-client.ts'
import { messageOf } from '../../../kit/api-error.ts'
import { downloadFile } from '../../../kit/download.ts'
import { pagedList, pageSize } from '../../../kit/paged-list.ts'
import { allRows } from '../../../kit/resource-api.ts'
import { notify } from '../../../ui/notify.ts'

export type Query = Record<string, QueryValue>

export const reportResultQuery = (key: string, query: Query) =>
  queryOptions({
    queryKey: ['reports', key, query],
    queryFn: ({ signal }) =>
      api.get<ReportResult>(`/reports/${key}`, { query, signal, quiet: true, timeoutMs: longTimeoutMs }),
    staleTime: 30_000,
  })

export const reportTicketList = (query: Query) =>
  pagedList<Page<ReportTicket>>(['reports', 'tickets', query], '/tickets-report', { ...query, limit: pageSize })
export const reportContactList = (query: Query) =>
  pagedList<Page<ReportContact>>(['reports', 'contacts', query], '/contacts-report', { ...query, limit: pageSize })
export const reportAgentStateList = (query: Query) =>
  pagedList<Page<ReportAgentState>>(['reports', 'agentStates', query], '/agent-states-report', {
    ...query,
    limit: pageSize,
  })

export const downloadReport = (key: string, format: ReportFile, query: Query) =>
  downloadFile({ path: `/reports/${key}/file/${format}`, query })
/** A job that makes the file. */
export const exportList = (list: 'tickets' | 'contacts', format: 'csv' | 'xlsx', query: Query) =>
  api.post<BulkJob>(`/${list}-report/export/${format}`, said(query))

/** The screen of a saved report. It is named in the address, so that what is changed there can be saved in its place. */
export const addressOfView = ({ id, report, query }: Pick<ReportView, 'id' | 'report' | 'query'>) => {
  const params = new URLSearchParams(query)
  params.set(viewParam, id)
  return `/relatorios/${report}?${params}`
}
export const viewParam = 'salvo'

export const reportViewList = allRows<ReportView>(reportViewResource)
type Write = Partial<Omit<ReportView, 'createdAt' | 'updatedAt' | 'userId' | 'mailAt'>>
export const useReportViews = () => {
  const cache = useQueryClient()
  const onSuccess = () => cache.invalidateQueries({ queryKey: ['resource', reportViewResource.event] })
  return {
    /** Its errors are shown in the form. */
    save: useMutation({
      mutationFn: ({ id, ...write }: Write) =>
        id
          ? api.put<ReportView>(`${reportViewResource.path}/${id}`, write, { quiet: true })
          : api.post<ReportView>(reportViewResource.path, write, { quiet: true }),
      onSuccess,
    }),
    remove: useMutation({
      mutationFn: (id: string) => api.delete(`${reportViewResource.path}/${id}`),
      onSuccess,
      onError: (error) => notify.error(messageOf(error)),
    }),
  }
}
