import type { Page } from '@balcao/contract/common.ts'
import type { InboxPage } from '@balcao/contract/conversations/inbox-page.ts'
import { ticketsOfInbox } from '@balcao/contract/conversations/ticket-row.ts'
import type {
  Ticket,
  TicketPatch,
  ticketCheck,
  ticketLog,
  visibilityReason,
} from '@balcao/contract/conversations/tickets.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { api } from '../../../kit/api.ts'
import type { QueryValue } from '../../../kit/api-client.ts'
import { pagedList } from '../../../kit/paged-list.ts'
import { type ListFilter, type Narrowing, queryOfFilter, queryOfNarrowing } from './filter.ts'
import type { Counters } from './views.ts'

export const ticketListsKey = ['tickets', 'list'] as const
export const waysKey = ['tickets', 'ways'] as const
export const countersKey = ['tickets', 'counters'] as const

export const ticketList = (filter: ListFilter) => ({
  ...pagedList<Page<Ticket>>(
    [...ticketListsKey, filter],
    '/tickets',
    { ...queryOfFilter(filter), view: 'inbox' },
    { read: readInbox },
  ),
  // Events keep the lists; a list nobody looked at for a while is read again.
  staleTime: 120_000,
  structuralSharing: false, // comparing thousands of rows with each event costs more than drawing the few in sight
})
const readInbox = async (query: Record<string, QueryValue>, signal: AbortSignal): Promise<Page<Ticket>> => {
  const { rows, refs, ...page } = await api.get<InboxPage>('/tickets', { query, signal, revalidate: true })
  return { ...page, items: ticketsOfInbox({ rows, refs }) }
}

export const ticketQuery = (id: string) =>
  queryOptions({
    queryKey: ['tickets', 'one', id],
    queryFn: ({ signal }) => api.get<Ticket>(`/tickets/${id}`, { signal }),
  })

/** Is somebody serving this contact on this channel; whose it is only where this person may see it. */
export const ticketCheckQuery = (contactId: string, connectionId: string) =>
  queryOptions({
    queryKey: ['tickets', 'check', contactId, connectionId],
    queryFn: ({ signal }) =>
      api.get<z.output<typeof ticketCheck>>(`/ticketscheck/${contactId}/${connectionId}`, { signal }),
    staleTime: 0,
  })

export const countersQuery = (narrowing: Narrowing) =>
  queryOptions({
    queryKey: [...countersKey, narrowing],
    queryFn: ({ signal }) =>
      api.get<Counters>('/tickets/counters', { query: queryOfNarrowing(narrowing), signal, quiet: true }),
    // Events keep them while they are on screen; what an event could not tell is put right within the minute.
    staleTime: 0,
    refetchInterval: 60_000,
    placeholderData: keepPreviousData,
  })

export type TicketLog = z.output<typeof ticketLog>
export const logsQuery = (id: string, version: number) => ({
  ...pagedList<Page<TicketLog>>(['tickets', 'logs', id, version], `/tickets/${id}/logs`, {}, { quiet: true }),
  placeholderData: keepPreviousData,
})

/** Every conversation with the contact, newest first. */
export const contactTickets = (contactId: string) =>
  queryOptions({
    queryKey: ['tickets', 'contact', contactId],
    queryFn: ({ signal }) =>
      api.get<Page<Ticket>>('/tickets', {
        query: { contactId, status: ['open', 'pending', 'closed'], showAll: true, limit: 30 },
        signal,
        quiet: true,
      }),
  })

type Visibility = z.output<typeof visibilityReason>
export const visibilityQuery = (id: string, userId: string) =>
  queryOptions({
    queryKey: ['tickets', 'visibility', id, userId],
    queryFn: ({ signal }) => api.get<Visibility>(`/tickets/${id}/visibility`, { query: { userId }, signal }),
    staleTime: 0,
  })

export const putTicket = (id: string, patch: Partial<TicketPatch>) => api.put<Ticket>(`/tickets/${id}`, patch)
/** Closes without reason and message. */
export const forceTicket = (id: string) => api.put<Ticket>(`/ticketsForce/${id}`)
export const readTicket = (id: string) => api.post(`/messages/${id}/read`, {}, { quiet: true })
