import type { Page } from '@balcao/contract/common.ts'
import type { Delivery, Undelivered, WholeDelivery } from '@balcao/contract/core/integrations/deliveries.ts'
import type {
  ConsentOutcome,
  Integration,
  IntegrationKind,
  installationClients,
  integrationConsent,
  integrationTest,
} from '@balcao/contract/core/integrations/index.ts'
import type { ModelsOffered, modelsAsked } from '@balcao/contract/core/integrations/models.ts'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { api } from '../../../kit/api.ts'
import { pagedList, pageSize } from '../../../kit/paged-list.ts'

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

/** The models an account offers, by what stands in its form; asked for when somebody opens the list. */
export const modelsQuery = (asked: z.input<typeof modelsAsked>) =>
  queryOptions({
    queryKey: ['integrations', 'models', asked],
    queryFn: () => api.post<ModelsOffered>('/integrations/models', asked, { timeoutMs: testTimeoutMs }),
    staleTime: 60_000,
    gcTime: 60_000,
    retry: false,
  })

/** What a system was told and what it was not, newest first. */
export const deliveryList = (id: string, state: string[]) => ({
  ...pagedList<Page<Delivery>>([...deliveryListKey(id), state], `/integrations/${id}/deliveries`, {
    state,
    limit: pageSize,
  }),
  placeholderData: keepPreviousData,
})
export const deliveryListKey = (id: string) => ['deliveries', id, 'list']

/** One with what was sent and what came back; read again when it was tried again. */
export const wholeDeliveryQuery = (id: string, delivery: number) =>
  queryOptions({
    queryKey: ['deliveries', id, 'one', delivery],
    queryFn: () => api.get<WholeDelivery>(`/integrations/${id}/deliveries/${delivery}`),
  })

/** How many wait, and how many could not be delivered. */
export const undeliveredQuery = (id: string) =>
  queryOptions({
    queryKey: ['deliveries', id, 'undelivered'],
    queryFn: () => api.get<Undelivered>(`/integrations/${id}/undelivered`),
  })

/** Everything that failed. */
export const useRetryAll = (id: string) => {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: () => api.post<Undelivered>(`/integrations/${id}/deliveries/retry`),
    onSuccess: (now) => cache.setQueryData(undeliveredQuery(id).queryKey, now),
  })
}
/** This one alone; the list hears of it as everybody does. */
export const useRetryOne = (id: string) => {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (delivery: number) => api.post<WholeDelivery>(`/integrations/${id}/deliveries/${delivery}/retry`),
    onSuccess: (now) => cache.setQueryData(wholeDeliveryQuery(id, now.id).queryKey, now),
  })
}

/** Kinds of account the company connects without a client of its own. */
export const clientsQuery = queryOptions({
  queryKey: ['integrations', 'clients'],
  queryFn: () => api.get<z.output<typeof installationClients>>('/integrations/clients'),
  staleTime: Infinity,
})

/** Takes the browser to the page where the account's owner consents; it comes back to this screen. */
export const useConsent = () =>
  useMutation({
    mutationFn: (id: string) => askConsent(id, false),
    onSuccess: ({ url }) => window.location.assign(url),
  })
const askConsent = (id: string, inWindow: boolean) =>
  api.post<z.output<typeof integrationConsent>>(`/integrations/${id}/consent`, { inWindow })

type Account = { kind: IntegrationKind; name: string; address: string; known: Integration | undefined }
/**
 * An account of the installation's client, made where it is not there yet, and its owner's consent in a window of its own:
 * what stands in the form stays. `url` is for whose browser opens none. Live updates tell when it is given.
 */
export const useConnectAccount = (onMade: (id: string) => void) => {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: async ({ account, opened }: { account: Account; opened: Window | null }) => {
      const { kind, name, address, known } = account
      try {
        const config = { from: address, ownClient: false }
        const { id } = known ?? (await api.post<Integration>('/integrations', { kind, name, config }))
        await cache.invalidateQueries({ queryKey: ['resource', 'integration'] })
        onMade(id)
        const { url } = await askConsent(id, true)
        if (opened) opened.location.href = url
        return { url: opened ? null : url }
      } catch (error) {
        opened?.close()
        throw error
      }
    },
  })
}

/** The provider sent the browser back here; its state works once, so it is told once. */
export const consentQuery = ({ state, code }: { state: string; code: string | null }) =>
  queryOptions({
    queryKey: ['integrations', 'consent', state],
    queryFn: () => api.post<ConsentOutcome>('/oauth/callback', { state, ...(code && { code }) }),
    retry: false,
    staleTime: Infinity,
  })
