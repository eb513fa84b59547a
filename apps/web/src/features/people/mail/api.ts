import type { Page } from '@balcao/contract/common.ts'
import type { Mail, TenantMail } from '@balcao/contract/people/mails.ts'
import { keepPreviousData, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../kit/api.ts'
import { pagedList, pageSize } from '../../../kit/paged-list.ts'

export type MailFilter = { searchParam: string; state: string[] }

/** The mails sent to the team, newest first. */
export const mailList = (filter: MailFilter) => ({
  ...pagedList<Page<Mail>>(['mails', 'list', filter], '/mails', { ...filter, limit: pageSize }),
  placeholderData: keepPreviousData,
})

/** Those of every company, or of one. */
export const tenantMailList = (filter: MailFilter & { tenantId: number | undefined }) => ({
  ...pagedList<Page<TenantMail>>(['mails', 'tenants', filter], '/tenantMails', { ...filter, limit: pageSize }),
  placeholderData: keepPreviousData,
})

export const useRetryMail = () => {
  const cache = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api.post<Mail>(`/mails/${id}/retry`),
    onSettled: () => cache.invalidateQueries({ queryKey: ['mails'] }),
  })
}
