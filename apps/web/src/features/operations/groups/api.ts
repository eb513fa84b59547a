import type { Page } from '@balcao/contract/common.ts'
import type { BulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import type {
  createGroupsBody,
  GroupActRow,
  GroupActState,
  groupActBody,
  groupScheduleBody,
  groupScheduled,
} from '@balcao/contract/operations/group-acts.ts'
import type { GroupRow, GroupWithMembers, groupsRefresh } from '@balcao/contract/operations/group-list.ts'
import type { BansReport, bansBody, GroupLog } from '@balcao/contract/operations/group-rules.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { api } from '../../../kit/api.ts'
import { longTimeoutMs, type QueryValue, said } from '../../../kit/api-client.ts'
import { pagedList, pageSize } from '../../../kit/paged-list.ts'
import { readAll } from '../../../kit/resource-api.ts'
import { groupActRowsKey, groupLogsKey, groupsKey } from './live.ts'

type Query = Record<string, QueryValue>

export const groupList = (query: Query) =>
  pagedList<Page<GroupRow>>([...groupsKey, 'list', query], '/groups', { ...query, limit: pageSize }, { counts: true })
/** So many are chosen one by one; of more, all that the list shows are meant. */
export const mostChosen = 1_000
/** Every group that a list shows, to choose them all. */
export const allGroups = (query: Query) => readAll<GroupRow>('/groups', query, undefined, mostChosen)
const mostOfConnection = 2_000
/** Every group of a connection: what a rule may be for. */
export const groupsOf = (connectionId: string) =>
  queryOptions({
    queryKey: [...groupsKey, 'of', connectionId],
    queryFn: ({ signal }) => readAll<GroupRow>('/groups', { connectionIds: [connectionId] }, signal, mostOfConnection),
  })
export const groupCard = (whatsappId: string, groupId: string) =>
  queryOptions({
    queryKey: [...groupsKey, 'card', whatsappId, groupId],
    queryFn: ({ signal }) =>
      api.post<GroupWithMembers>('/listGroupById', { whatsappId, groupId }, { signal, timeoutMs: longTimeoutMs }),
  })
export const exportGroups = (query: Query) => api.post<BulkJob>('/groups/export', said(query))
export const refreshGroups = () =>
  api.post<z.output<typeof groupsRefresh>>('/groups/refresh', {}, { timeoutMs: longTimeoutMs })
export const enqueueGroupAct = (body: z.input<typeof groupActBody>) => api.post<BulkJob>('/groupActs', body)
export const scheduleToGroups = (body: z.input<typeof groupScheduleBody>) =>
  api.post<z.output<typeof groupScheduled>>('/groups/schedule', body)
export const createGroups = (body: z.input<typeof createGroupsBody>) => api.post<BulkJob>('/createGroups', body)

type Bans = z.input<typeof bansBody>
export const banMany = (body: Bans) =>
  api.post<BansReport>('/banList/import', { ...body, dryRun: false }, { timeoutMs: longTimeoutMs })
/** What a list would do. */
export const bansPreview = (body: Bans) =>
  queryOptions({
    queryKey: [...groupsKey, 'bans', body],
    queryFn: ({ signal }) =>
      api.post<BansReport>('/banList/import', { ...body, dryRun: true }, { signal, quiet: true }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })

export const groupActRows = (jobId: string, state: GroupActState[]) =>
  pagedList<Page<GroupActRow>>([...groupActRowsKey(jobId), state], `/groupActs/${jobId}/rows`, {
    limit: pageSize,
    state,
  })
export const allActRows = (jobId: string) => readAll<GroupActRow>(`/groupActs/${jobId}/rows`, {})
export const exportGroupActRows = (jobId: string) => api.post<BulkJob>(`/groupActs/${jobId}/export`, {})

export const groupLogs = (query: Query) =>
  pagedList<Page<GroupLog>>([...groupLogsKey, query], '/groupLogs', { ...query, limit: pageSize })
export const exportGroupLogs = (query: Query) => api.post<BulkJob>('/groupLogs/export', said(query))
