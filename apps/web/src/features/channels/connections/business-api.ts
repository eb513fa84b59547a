import type { BusinessNumber, BusinessProfile, ShownProfile } from '@balcao/contract/channels/business.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../kit/api.ts'
import { connectionList } from './api.ts'

const slow = { timeoutMs: 60_000, quiet: true }
export const profileOf = (id: string) =>
  queryOptions({
    queryKey: ['business', id, 'profile'],
    queryFn: ({ signal }) => api.get<ShownProfile>(`/wabametaGetProfile/${id}`, { signal, ...slow }),
    retry: false,
  })
export const numberOf = (id: string) =>
  queryOptions({
    queryKey: ['business', id, 'number'],
    queryFn: ({ signal }) => api.get<BusinessNumber>(`/wabametaVerifyPhone/${id}`, { signal, ...slow }),
    retry: false,
  })

type ProfileChange = BusinessProfile & { mediaId: string | null }
export const useChangeProfile = (id: string) => {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (change: ProfileChange) => api.post<ShownProfile>(`/wabametaUpdateProfile/${id}`, change, slow),
    onSuccess: (now) => cache.setQueryData(profileOf(id).queryKey, now),
  })
}

export type NumberStep =
  | { to: 'code'; method: 'SMS' | 'VOICE' }
  | { to: 'verify'; code: string }
  | { to: 'register'; pin: string }
  | { to: 'pin'; pin: string }
  | { to: 'webhook' }
/** What is done with the number itself, one after the other. */
export const useNumberStep = (id: string) => {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (step: NumberStep) => {
      if (step.to === 'code') return api.post(`/wabametaRequestVerificationCode/${id}`, { method: step.method }, slow)
      if (step.to === 'verify') return api.post(`/wabametaVerifyCode/${id}`, { code: step.code }, slow)
      if (step.to === 'register') return api.post(`/wabametaRegisterPhone/${id}`, { pin: step.pin }, slow)
      if (step.to === 'pin') return api.put(`/wabametaPin/${id}`, { pin: step.pin }, slow)
      return api.post(`/wabametaOverrideCallbackUrl/${id}`, {}, slow)
    },
    onSuccess: () => cache.invalidateQueries({ queryKey: numberOf(id).queryKey }),
  })
}

export const useClearAlerts = () => {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api.delete(`/whatsapp/${id}/alerts`),
    onSuccess: (_, id) =>
      cache.setQueryData(connectionList.queryKey, (known) =>
        known?.map((one) => (one.id === id ? { ...one, alerts: [] } : one)),
      ),
  })
}
