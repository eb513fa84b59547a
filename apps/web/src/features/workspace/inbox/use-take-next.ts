import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../kit/api.ts'
import { isApiError, messageOf } from '../../../kit/api-error.ts'
import { notify } from '../../../ui/notify.ts'
import { ticketQuery } from '../../conversations/tickets/api.ts'
import { receiveTicket } from '../../conversations/tickets/live.ts'

/** "Assumir próximo": whoever waits longest of those one may take; nobody else gets the same. */
export const useTakeNext = (onAsked: () => { taken: (ticketId: string) => void; failed: () => void }) => {
  const cache = useQueryClient()
  const [isBusy, setBusy] = useState(false)
  const take = async () => {
    if (isBusy) return
    setBusy(true)
    const asked = onAsked()
    try {
      const ticket = await api.post<Ticket>('/tickets/next')
      cache.setQueryData(ticketQuery(ticket.id).queryKey, ticket)
      receiveTicket(cache, ticket)
      asked.taken(ticket.id)
    } catch (error) {
      asked.failed()
      if (isApiError(error, 'ERR_NOBODY_WAITING')) notify.info(messageOf(error))
      else notify.error(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, take: () => void take() }
}
