import type { Reason } from '@balcao/contract/conversations/reasons.ts'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import type { Farewell } from '@balcao/contract/service/farewells.ts'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../../kit/api-error.ts'
import { readAll } from '../../../kit/resource-api.ts'
import { notify } from '../../../ui/notify.ts'
import { connectionList } from '../../channels/connections/api.ts'
import type { TicketActions } from './use-ticket-actions.ts'

/** What the company lets an agent choose from while closing. */
export type Choices = {
  reasons: Reason[]
  farewells: Farewell[]
  /** What the connection says by itself; empty: nothing. */
  ownFarewell: string
  /** The connection asks for a grade. */
  isAsking: boolean
}

// Events renew them, as the lists of their screens; the age is for what an event missed.
const freshMs = 300_000
/** Somebody waits: without a network they hear so, and no question opens minutes later over something else. */
const atOnce = { networkMode: 'always', retry: false } as const
export const reasonOptions = queryOptions({
  queryKey: ['resource', 'reason', 'all'],
  queryFn: ({ signal }) => readAll<Reason>('/reasons', {}, signal, 5_000),
  staleTime: freshMs,
})
const farewellOptions = queryOptions({
  queryKey: ['resource', 'farewell', 'all'],
  queryFn: ({ signal }) => readAll<Farewell>('/farewellPrivateMessage', {}, signal, 5_000),
  staleTime: freshMs,
})

/** Closing: at once where the company has nothing to choose from, otherwise after a question. */
export const useClosing = (ticket: Ticket, actions: TicketActions) => {
  const cache = useQueryClient()
  const [isLoading, setLoading] = useState(false)
  const [choices, setChoices] = useState<Choices | null>(null)

  const begin = async () => {
    if (isLoading || choices) return
    setLoading(true)
    try {
      const [reasons, farewells, connections] = await Promise.all([
        cache.fetchQuery({ ...reasonOptions, ...atOnce }),
        cache.fetchQuery({ ...farewellOptions, ...atOnce }),
        cache.fetchQuery({ ...connectionList, ...atOnce, staleTime: freshMs }),
      ])
      const active = reasons.filter((reason) => reason.isActive)
      const connection = connections.find((one) => one.id === ticket.whatsappId)
      const ownFarewell = ticket.isGroup ? '' : (connection?.farewellMessage ?? '')
      const isAsking = !ticket.isGroup && ticket.status === 'open' && (connection?.sendEvaluation ?? false)
      if (active.length || farewells.length) setChoices({ reasons: active, farewells, ownFarewell, isAsking })
      else await actions.close()
    } catch (error) {
      notify.error(messageOf(error))
    } finally {
      setLoading(false)
    }
  }
  return {
    isLoading,
    /** Not null while the question stands; a colleague may close it meanwhile. */
    choices: ticket.status === 'closed' ? null : choices,
    begin,
    end: () => setChoices(null),
  }
}
