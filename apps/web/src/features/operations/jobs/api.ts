import type { Page } from '@balcao/contract/common.ts'
import type { BulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import { pagedList } from '../../../kit/paged-list.ts'

export type JobScope = 'mine' | 'all'
export const jobListsKey = ['jobList']
/** Mine, or the company's: events keep those on screen. */
export const jobList = (scope: JobScope) => pagedList<Page<BulkJob>>([...jobListsKey, scope], '/bulkJobs', { scope })
