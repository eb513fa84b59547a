import type { Page } from '@balcao/contract/common.ts'
import type { NewProtocolLink, ProtocolLink, protocolSent } from '@balcao/contract/service/protocols.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { api } from '../../../kit/api.ts'

/** The public addresses of a conversation's protocol; the address itself is known only when it is made. */
export const protocolLinks = (ticketId: string) =>
  queryOptions({
    queryKey: ['protocols', 'links', ticketId],
    queryFn: async ({ signal }) =>
      (await api.get<Page<ProtocolLink>>(`/ticketProtocols/${ticketId}/links`, { signal })).items,
    staleTime: 0,
  })

export const useProtocol = (ticketId: string) => {
  const cache = useQueryClient()
  const renew = () => cache.invalidateQueries({ queryKey: protocolLinks(ticketId).queryKey })
  return {
    send: useMutation({
      mutationFn: () => api.post<z.output<typeof protocolSent>>('/ticketProtocols', { ticketId }),
      onSuccess: renew,
    }),
    create: useMutation({
      mutationFn: () => api.post<NewProtocolLink>(`/ticketProtocols/${ticketId}/links`),
      onSuccess: renew,
    }),
    revoke: useMutation({
      mutationFn: (id: string) => api.delete(`/ticketProtocols/${ticketId}/links/${id}`),
      onSuccess: renew,
    }),
  }
}
