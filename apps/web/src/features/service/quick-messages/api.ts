import type { QuickMessage } from '@balcao/contract/service/quick-messages.ts'
import { queryOptions } from '@tanstack/react-query'
import { readAll } from '../../../kit/resource-api.ts'

/** The canned replies this person may use; the key is that of their screen, so that events renew both. */
export const quickMessages = queryOptions({
  queryKey: ['resource', 'quickMessage', 'all'],
  queryFn: ({ signal }) => readAll<QuickMessage>('/fastreply', {}, signal, 5_000),
  staleTime: 300_000,
})
