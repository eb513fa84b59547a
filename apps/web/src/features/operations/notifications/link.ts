import type { Notification } from '@balcao/contract/operations/notifications.ts'
import { linkToTicket } from '../../conversations/tickets/address.ts'

/** A conversation opens with the filter of the list one is in. */
export const linkOf = ({ ticketId, link }: Notification) => (ticketId ? linkToTicket(ticketId) : link)
