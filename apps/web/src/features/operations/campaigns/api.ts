import type { Page } from '@balcao/contract/common.ts'
import type { BulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import type {
  Campaign,
  CampaignPatch,
  CampaignRecipient,
  CampaignRehearsal,
  CampaignReport,
  CampaignRow,
  CampaignsQuery,
  RecipientsQuery,
} from '@balcao/contract/operations/campaigns/campaigns.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../../kit/api.ts'
import { longTimeoutMs } from '../../../kit/api-client.ts'
import { pagedList, pageSize } from '../../../kit/paged-list.ts'
import { readAll } from '../../../kit/resource-api.ts'

/** What a view asks for; keys begin like those of every resource, so that events renew them. */
export type CampaignsAsked = Partial<Omit<CampaignsQuery, 'cursor' | 'pageNumber' | 'limit' | 'count'>>
export type RecipientsAsked = Partial<Omit<RecipientsQuery, 'cursor' | 'pageNumber' | 'limit' | 'count'>>

export const campaignsKey = ['resource', 'campaign'] as const

export const campaignList = (asked: CampaignsAsked) =>
  pagedList<Page<CampaignRow>>([...campaignsKey, 'list', asked], '/campaigns', { ...asked, limit: pageSize })

const monthLimit = 1_000
/** Every one that runs on some days: what a calendar shows. */
export const campaignsBetween = (asked: CampaignsAsked & { dateFrom: string; dateTo: string }) =>
  queryOptions({
    queryKey: [...campaignsKey, 'days', asked],
    queryFn: ({ signal }) => readAll<CampaignRow>('/campaigns', asked, signal, monthLimit),
  })

/** Every one that was sent to somebody: whom another one may be sent to. */
export const begunCampaigns = queryOptions({
  queryKey: [...campaignsKey, 'begun'],
  queryFn: async ({ signal }) => {
    const rows = await readAll<CampaignRow>('/campaigns', {}, signal, monthLimit)
    return rows.filter(({ startedAt }) => startedAt !== null)
  },
})

export const campaignQuery = (id: string) =>
  queryOptions({
    queryKey: [...campaignsKey, 'row', id],
    queryFn: ({ signal }) => api.get<Campaign>(`/campaigns/${id}`, { signal, quiet: true }),
    // Hours that end or begin are no event.
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? 60_000 : false),
  })

export const campaignReport = (id: string) =>
  queryOptions({
    queryKey: [...campaignsKey, 'report', id],
    queryFn: ({ signal }) => api.get<CampaignReport>(`/campaigns/${id}/report`, { signal, quiet: true }),
    placeholderData: keepPreviousData,
  })

export const recipientList = (id: string, asked: RecipientsAsked) =>
  pagedList<Page<CampaignRecipient>>(['campaignRecipients', id, asked], `/campaigns/contacts/${id}`, {
    ...asked,
    limit: pageSize,
  })

/** A draft with the name that screens give; an earlier one of this person in which nothing was written gives way to it. */
export const beginCampaign = async (
  userId: string,
  draft: CampaignPatch & { id: string; name: string },
): Promise<Campaign> => {
  const made = await api.post<Campaign>('/campaigns', draft)
  void dropBlank(userId, made).catch(() => undefined) // it is there the next time
  return made
}
const blankForMs = 3_600_000
const dropBlank = async (userId: string, made: Campaign) => {
  const query = { state: ['draft'], origin: [made.origin], limit: pageSize }
  const { items } = await api.get<Page<CampaignRow>>('/campaigns', { query, quiet: true })
  const untouched = items.filter(
    ({ id, version, createdBy, name, createdAt }) =>
      id !== made.id &&
      version === 1 &&
      createdBy?.id === userId &&
      / de \d\d\/\d\d\/\d{4}/.test(name) &&
      // In another window one may have just been begun, to be written in.
      Date.parse(createdAt) < Date.parse(made.createdAt) - blankForMs,
  )
  for (const { id } of untouched) {
    const { steps, audience } = await api.get<Campaign>(`/campaigns/${id}`, { quiet: true })
    if (!steps.length && !audience.include.length) await api.delete(`/campaigns/${id}`, undefined, { quiet: true })
  }
}
export const saveCampaign = (id: string, patch: CampaignPatch) => api.put<Campaign>(`/campaigns/${id}`, patch)
export const deleteCampaign = (id: string) => api.delete(`/campaigns/${id}`)
export const duplicateCampaign = (id: string, newId: string) =>
  api.post<Campaign>(`/campaigns/${id}/duplicate`, { id: newId })
/** What would happen; nothing is written. */
export const rehearse = (id: string) =>
  api.post<CampaignRehearsal>(`/campaigns/${id}/rehearsal`, {}, { timeoutMs: longTimeoutMs, quiet: true })
/** A job that asks the network of a phone which numbers of the audience it knows. */
export const checkNumbers = (id: string, connectionId: string) =>
  api.post<BulkJob>(`/campaigns/${id}/checkNumbers`, { connectionId })
/** As one recipient would get it, to a phone or e-mail of one's own. */
export const sendTest = (id: string, to: { step: number; variant: number; connectionId: string; to: string }) =>
  api.post(`/campaigns/${id}/test`, to)

export type CampaignAct = 'start' | 'cancel' | 'pause' | 'resume' | 'proceed' | 'approve' | 'withdraw' | 'finish'
export const actOnCampaign = (id: string, act: CampaignAct) =>
  api.post<Campaign>(act === 'start' || act === 'cancel' ? `/campaigns/${act}/${id}` : `/campaigns/${id}/${act}`)
export const rejectCampaign = (id: string, reason: string) => api.post<Campaign>(`/campaigns/${id}/reject`, { reason })
export const removeRecipient = (id: string, contactId: string) => api.delete(`/campaigns/contacts/${id}/${contactId}`)

/** Jobs that make a file. */
export const exportCampaigns = (asked: CampaignsAsked) => api.post<BulkJob>('/campaigns/export', asked)
export const exportRecipients = (id: string, asked: RecipientsAsked & { format: 'csv' | 'xlsx' }) =>
  api.post<BulkJob>(`/campaigns/contacts/${id}/export`, asked)
