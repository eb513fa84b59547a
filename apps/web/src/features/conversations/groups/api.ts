import type { Contact } from '@balcao/contract/contacts/contacts.ts'
import type { GroupCard } from '@balcao/contract/conversations/groups.ts'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../kit/api.ts'

/** The group of a conversation, with everybody in it. */
export const groupQuery = (ticketId: string) =>
  queryOptions({
    queryKey: ['groups', ticketId],
    queryFn: ({ signal }) => api.get<GroupCard>(`/tickets/${ticketId}/group`, { signal, quiet: true }),
    staleTime: 60_000,
  })

/** The same, asked of the channel now. */
export const askGroup = (ticketId: string) =>
  api.get<GroupCard>(`/tickets/${ticketId}/group?fresh=true`, { quiet: true })

export const contactOfMember = (ticketId: string, memberId: string) =>
  api.post<Contact>(`/tickets/${ticketId}/group/contact`, { memberId })
