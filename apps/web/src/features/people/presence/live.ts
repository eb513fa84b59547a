import type { EventPayload } from '@balcao/contract/events.ts'
import { queryOptions } from '@tanstack/react-query'
import type { Live } from '../../../kit/live.ts'

type TicketPresence = Omit<EventPayload<'presence.ticket'>, 'ticketId'>

const nobody: TicketPresence = { viewers: [], contactTyping: false }

/** Who looks at a conversation and who writes in it. Only told, never asked for: nobody, until an event says more. */
export const ticketPresence = (ticketId: string) =>
  queryOptions({ queryKey: ['presence', ticketId], queryFn: () => nobody, staleTime: Number.POSITIVE_INFINITY })

export const presenceLive: Live = {
  'presence.ticket': (cache, { ticketId, ...presence }) =>
    void cache.setQueryData(ticketPresence(ticketId).queryKey, presence),
}
