import type {
  Integration,
  integrationConsent,
  integrationDeliveries,
  integrationTest,
} from '@balcao/contract/core/integrations/index.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { api } from '../../../kit/api.ts'

export type IntegrationDraft = Pick<Integration, 'kind' | 'name' | 'config'>

const testTimeoutMs = 40_000

export const useSaveIntegration = () =>
  useMutation({
    mutationFn: ({ draft: { kind, ...draft }, row }: { draft: IntegrationDraft; row: Integration | null }) =>
      row
        ? api.put<Integration>(`/integrations/${row.id}`, { ...draft, version: row.version })
        : api.post<Integration>('/integrations', { kind, ...draft }),
  })

export const useTestIntegration = () => {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (id: string) =>
      api.post<z.output<typeof integrationTest>>(`/integrations/${id}/test`, {}, { timeoutMs: testTimeoutMs }),
    onSettled: () => cache.invalidateQueries({ queryKey: ['resource', 'integration'] }),
  })
}

type Deliveries = z.output<typeof integrationDeliveries>
/** Asked anew when the integration's state changes: it does when something could not be delivered. */
export const deliveriesQuery = ({ id, checkedAt }: Integration) =>
  queryOptions({
    queryKey: ['integration-deliveries', id, checkedAt],
    queryFn: () => api.get<Deliveries>(`/integrations/${id}/deliveries`),
  })
export const useRetryDeliveries = (row: Integration) => {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: () => api.post<Deliveries>(`/integrations/${row.id}/deliveries/retry`),
    onSuccess: (now) => cache.setQueryData(deliveriesQuery(row).queryKey, now),
  })
}

/** Takes the browser to the page where the account's owner consents; it comes back to this screen. */
export const useConsent = () =>
  useMutation({
    mutationFn: (id: string) => api.post<z.output<typeof integrationConsent>>(`/integrations/${id}/consent`),
    onSuccess: ({ url }) => window.location.assign(url),
  })
