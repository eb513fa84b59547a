import type { Page } from '@balcao/contract/common.ts'
import type {
  BulkJob,
  bulkChosenBody,
  bulkCount,
  bulkCountQuery,
  JobRefusal,
} from '@balcao/contract/operations/bulk-jobs.ts'
import { funnelReplaceKinds, replaceKinds } from '@balcao/contract/operations/replace-kinds.ts'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { api } from '../../../kit/api.ts'
import type { Live } from '../../../kit/live.ts'
import { session } from '../../../kit/session.ts'

/** What this person asked for lately; events keep it. */
export const bulkJobsQuery = queryOptions({
  queryKey: ['bulkJobs'],
  queryFn: async ({ signal }) => (await api.get<Page<BulkJob>>('/bulkJobs', { signal, quiet: true })).items,
  staleTime: 300_000,
})
/** One that is not among those. */
export const bulkJobQuery = (id: string) =>
  queryOptions({
    queryKey: ['bulkJobs', id],
    queryFn: ({ signal }) => api.get<BulkJob>(`/bulkJobs/${id}`, { signal, quiet: true }),
    staleTime: 0,
  })
export type BulkTarget = Omit<z.input<typeof bulkCountQuery>, 'status'> & { status?: ('open' | 'pending')[] }
export const bulkCountOf = (target: BulkTarget) =>
  queryOptions({
    queryKey: ['bulkJobs', 'count', target],
    queryFn: ({ signal }) => api.get<z.output<typeof bulkCount>>('/bulkJobs/count', { query: target, signal }),
    staleTime: 0,
    gcTime: 0,
  })

export type ChosenJob = z.input<typeof bulkChosenBody>
export const postChosen = (job: ChosenJob) => api.post<BulkJob>('/bulkJobs', job)
export type JobChange = 'cancel' | 'pause' | 'resume' | 'undo' | 'retry'
export const changeJob = (id: string, change: JobChange) => api.post<BulkJob>(`/bulkJobs/${id}/${change}`)
/** Why some could not be done. */
export const jobRefusalsQuery = (id: string) =>
  queryOptions({
    queryKey: ['bulkJobs', id, 'refusals'],
    queryFn: ({ signal }) => api.get<JobRefusal[]>(`/bulkJobs/${id}/refusals`, { signal }),
  })

export const receiveJob = (cache: QueryClient, job: BulkJob): void => {
  cache.setQueryData(bulkJobsQuery.queryKey, (now) => {
    const before = now?.find((one) => one.id === job.id)
    // An answer that was overtaken by events must not turn the clock back.
    if (before && (before.finishedAt || before.done + before.failed > job.done + job.failed) && !job.finishedAt)
      return now
    return before ? now?.map((one) => (one.id === job.id ? job : one)) : [job, ...(now ?? [])]
  })
}

export const bulkLive: Live = {
  'job.updated': (cache, job) => {
    // Who looks after the company's hears of everybody's.
    if (job.userId === session.get()?.userId) receiveJob(cache, job)
    // What was replaced stood in rows that no event names one by one.
    if (job.state === 'done' && [...replaceKinds, ...funnelReplaceKinds].some((kind) => kind === job.kind))
      void cache.invalidateQueries({ queryKey: ['resource'] })
  },
}

export const isUnderWay = ({ state }: BulkJob) => state === 'pending' || state === 'running' || state === 'paused'
