import type { Page } from '@balcao/contract/common.ts'
import type { DuplicatePair, MergeManyBody } from '@balcao/contract/contacts/duplicates.ts'
import type { BulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import { api } from '../../../kit/api.ts'
import { pagedList } from '../../../kit/paged-list.ts'
import { withoutRows } from '../../../kit/renew-head.ts'

const key = ['contacts', 'duplicates'] as const
export type DuplicatesFilter = { state: 'open' | 'apart'; reasons: string[] }
export const duplicatesKey = key
export const duplicatesList = (filter: DuplicatesFilter) =>
  pagedList<Page<DuplicatePair>>([...key, filter], '/contacts/duplicates', { ...filter, limit: 30 }, { counts: true })

const idsOf = (pairs: readonly DuplicatePair[]) => ({ pairs: pairs.map(({ a, b }) => ({ aId: a.id, bId: b.id })) })
export const keepApart = (pairs: readonly DuplicatePair[]) => api.post('/contacts/duplicates/apart', idsOf(pairs))
export const suggestAgain = (pairs: readonly DuplicatePair[]) => api.post('/contacts/duplicates/suggest', idsOf(pairs))
export const mergeMany = (
  body: Pick<MergeManyBody, 'keep'> & { pairs?: readonly DuplicatePair[]; reasons?: string[] },
) =>
  api.post<BulkJob>('/contacts/duplicates/merge', {
    keep: body.keep,
    reasons: body.reasons ?? [],
    ...(body.pairs && idsOf(body.pairs)),
  })

type List = InfiniteData<Page<DuplicatePair>>
/** They are on no list any more, until it is read again. */
export const dropPairs = (cache: QueryClient, isGone: (pair: DuplicatePair) => boolean) =>
  cache.setQueriesData<List>({ queryKey: key }, (now) => withoutRows(now, isGone))
/** Who became part of somebody is no pair with anybody. */
export const dropContact = (cache: QueryClient, id: string) =>
  dropPairs(cache, ({ a, b }) => a.id === id || b.id === id)
