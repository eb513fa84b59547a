import type { Tag } from '@balcao/contract/contacts/tags.ts'
import type { Queue } from '@balcao/contract/service/queues.ts'
import { queryOptions } from '@tanstack/react-query'
import { readAll } from '../../../kit/resource-api.ts'

const pickersFreshMs = 300_000

// The keys are those of the screens that administer them, so that events renew both.
export const tagOptions = queryOptions({
  queryKey: ['resource', 'tag', 'all'],
  queryFn: ({ signal }) => readAll<Tag>('/tags', {}, signal, 5_000),
  staleTime: pickersFreshMs,
})
export const queueOptions = queryOptions({
  queryKey: ['resource', 'queue', 'all'],
  queryFn: ({ signal }) => readAll<Queue>('/queue', {}, signal, 5_000),
  staleTime: pickersFreshMs,
})
