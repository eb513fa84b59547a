import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { readTicket, ticketQuery } from '../../../features/conversations/tickets/api.ts'
import { receiveTicket } from '../../../features/conversations/tickets/live.ts'
import { useReadNotifications } from '../../../features/operations/notifications/use-read-notifications.ts'
import { useCurrentSession } from '../../../kit/session.ts'
import { useFocused } from './use-focused.ts'

/** A conversation of mine, on screen in a focused window, is read. A pending one never is. */
export const useMarkRead = (ticket: Ticket) => {
  const cache = useQueryClient()
  const { userId } = useCurrentSession()
  const isFocused = useFocused()
  const tried = useRef(-1)
  const isRead = isFocused && ticket.status === 'open' && ticket.userId === userId
  useReadNotifications(ticket.id, isFocused)
  useEffect(() => {
    if (!isRead || ticket.unreadMessages === 0 || tried.current === ticket.version) return
    tried.current = ticket.version
    receiveTicket(cache, { ...ticket, unreadMessages: 0 })
    readTicket(ticket.id).catch(() => cache.invalidateQueries({ queryKey: ticketQuery(ticket.id).queryKey }))
  }, [cache, isRead, ticket])
}
