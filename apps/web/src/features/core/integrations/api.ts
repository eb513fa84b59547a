import type { Integration, integrationConsent, integrationTest } from '@balcao/contract/core/integrations/index.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
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

/** Takes the browser to the page where the account's owner consents; it comes back to this screen. */
export const useConsent = () =>
  useMutation({
    mutationFn: (id: string) => api.post<z.output<typeof integrationConsent>>(`/integrations/${id}/consent`),
    onSuccess: ({ url }) => window.location.assign(url),
  })
