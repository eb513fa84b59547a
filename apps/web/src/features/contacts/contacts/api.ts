import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import type { BulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import { useMutation } from '@tanstack/react-query'
import { api } from '../../../kit/api.ts'
import type { QueryValue } from '../../../kit/api-client.ts'

/** Asks for the contacts of these filters as a file: the job shows when it can be fetched. */
export const exportContacts = (query: Record<string, QueryValue>) => api.post<BulkJob>('/contacts/export', query)

/** Opens an attendance of mine with the contact on a connection. */
export const useStartConversation = () =>
  useMutation({
    mutationFn: (wish: { contactId: string; channelId: string }) => api.post<Ticket>('/tickets', wish),
  })
