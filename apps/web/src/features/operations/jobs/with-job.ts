import type { Page } from '@balcao/contract/common.ts'
import type { BulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import type { InfiniteData } from '@tanstack/react-query'

/** The list with what became of a job: in its place, or at the top when it is new. */
export const withJob = (now: InfiniteData<Page<BulkJob>>, job: BulkJob): InfiniteData<Page<BulkJob>> => {
  const isListed = now.pages.some(({ items }) => items.some(({ id }) => id === job.id))
  const pages = now.pages.map((page, n) => {
    if (isListed) return { ...page, items: page.items.map((one) => (one.id === job.id ? job : one)) }
    return n === 0 ? { ...page, items: [job, ...page.items] } : page
  })
  return { ...now, pages }
}
