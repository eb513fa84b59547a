import type { Page } from '@balcao/contract/common.ts'
import type { Contact } from '@balcao/contract/contacts/contacts.ts'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import type { BulkJob, ContactAction } from '@balcao/contract/operations/bulk-jobs.ts'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { api } from '../../../kit/api.ts'
import type { QueryValue } from '../../../kit/api-client.ts'

/** Asks for the contacts of these filters as a file: the job shows when it can be fetched. */
export const exportContacts = (query: Record<string, QueryValue>) => api.post<BulkJob>('/contacts/export', query)

/** Asks for a change of the chosen contacts, or of all those that filters find. */
export const changeContacts = (whom: Record<string, QueryValue>, action: ContactAction) =>
  api.post<BulkJob>('/contacts/change', { ...whom, action })
/** How many contacts these filters find. */
export const contactCountQuery = (listed: Record<string, QueryValue>) =>
  queryOptions({
    queryKey: ['contacts', 'count', listed],
    queryFn: async ({ signal }) =>
      (await api.get<Page<Contact>>('/contacts', { query: { ...listed, limit: 1, count: true }, signal })).count ?? 0,
    staleTime: 0,
  })

/** Opens an attendance of mine with the contact on a connection. */
export const useStartConversation = () =>
  useMutation({
    mutationFn: (wish: { contactId: string; channelId: string }) => api.post<Ticket>('/tickets', wish),
  })
