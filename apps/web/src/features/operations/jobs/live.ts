import type { Page } from '@balcao/contract/common.ts'
import type { BulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import type { InfiniteData } from '@tanstack/react-query'
import type { Live } from '../../../kit/live.ts'
import { session } from '../../../kit/session.ts'
import { type JobScope, jobListsKey } from './api.ts'
import { withJob } from './with-job.ts'

export const jobsLive: Live = {
  'job.updated': (cache, job) => {
    const scopes: JobScope[] = job.userId === session.get()?.userId ? ['mine', 'all'] : ['all']
    for (const scope of scopes)
      cache.setQueryData<InfiniteData<Page<BulkJob>>>([...jobListsKey, scope], (now) => now && withJob(now, job))
  },
}
