import type { Page } from '@balcao/contract/common.ts'
import type { BulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import { type AutoReply, type AutoReplyChoice, autoReplyResource } from '@balcao/contract/service/auto-replies.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../kit/api.ts'
import { type QueryValue, said } from '../../../kit/api-client.ts'
import { pagedList, pageSize } from '../../../kit/paged-list.ts'
import { allRows } from '../../../kit/resource-api.ts'

/** All of them in their order; the key is that of their screen, so that events renew both. */
export const autoReplies = queryOptions({ ...allRows<AutoReply>(autoReplyResource), staleTime: 60_000 })
export const orderAutoReplies = (ids: readonly string[]) => api.put('/auto-reply/order', { ids })

type Query = Record<string, QueryValue>
export const choicesList = (query: Query) =>
  pagedList<Page<AutoReplyChoice>>(
    ['autoReplyChoices', query],
    '/auto-reply/choices',
    { ...query, limit: pageSize },
    { counts: true },
  )
export const exportChoices = (query: Query) => api.post<BulkJob>('/auto-reply/choices/export', said(query))
