import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { useQuery } from '@tanstack/react-query'
import { useNow } from '../../../ui/clock.ts'
import { contactTickets } from '../tickets/api.ts'
import { type Channel, windowEnd } from './abilities.ts'
import { soonMs } from './window-clock.tsx'

/**
 * Until when free text may be sent in this conversation. The window is the contact's on this connection: another
 * conversation may have opened it, so one that seems to end is only known to end once those were read.
 */
export const useWindow = (ticket: Ticket, channel: Channel | undefined) => {
  const own = windowEnd(channel, ticket.lastInboundAt)
  const now = useNow(own)
  const asksOthers = own !== null && own - now <= soonMs
  const others = useQuery({ ...contactTickets(ticket.contactId), enabled: asksOthers })
  const moments = (others.data?.items ?? [])
    .filter((one) => one.whatsappId === ticket.whatsappId)
    .flatMap((one) => one.lastInboundAt ?? [])
    .concat(ticket.lastInboundAt ?? [])
  const endsAt = windowEnd(channel, moments.toSorted().at(-1) ?? null)
  const moment = useNow(endsAt)
  return {
    endsAt,
    left: endsAt === null ? null : endsAt - moment,
    isOver: endsAt !== null && endsAt <= moment,
    isKnown: channel !== undefined && (own === null || own > now || !others.isPending),
  }
}
