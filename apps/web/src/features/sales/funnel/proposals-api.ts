import type { Page } from '@balcao/contract/common.ts'
import type { NewProposal, OpportunityFile, Proposal, ProposalWrite } from '@balcao/contract/sales/proposals.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../kit/api.ts'
import { opportunitiesKey } from './api.ts'

export const proposalsQuery = (id: string) =>
  queryOptions({
    queryKey: [...opportunitiesKey, 'proposals', id],
    queryFn: async ({ signal }) => (await api.get<Page<Proposal>>(`/opportunities/${id}/proposals`, { signal })).items,
  })
export const createProposal = (id: string, values: ProposalWrite) =>
  api.post<NewProposal>(`/opportunities/${id}/proposals`, values)
export const revokeProposal = (id: string, proposalId: string) =>
  api.delete(`/opportunities/${id}/proposals/${proposalId}`)

export const filesQuery = (id: string) =>
  queryOptions({
    queryKey: [...opportunitiesKey, 'files', id],
    queryFn: async ({ signal }) =>
      (await api.get<Page<OpportunityFile>>(`/opportunities/${id}/files`, { signal })).items,
  })
export const addFile = async (id: string, mediaId: string) =>
  (await api.post<Page<OpportunityFile>>(`/opportunities/${id}/files`, { mediaId })).items
export const removeFile = async (id: string, fileId: string) =>
  (await api.delete<Page<OpportunityFile>>(`/opportunities/${id}/files/${fileId}`)).items
