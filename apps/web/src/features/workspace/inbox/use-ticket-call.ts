import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import type { FieldProblem } from '@balcao/contract/errors.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf, problemsOf } from '../../../kit/api-error.ts'
import { notify } from '../../../ui/notify.ts'
import { receiveTicket } from '../../conversations/tickets/live.ts'
import { type OtherTicket, otherTicketIn } from './use-ticket-actions.ts'

/**
 * One call about a conversation at a time. What it answers goes into every list; what is wrong with a field is said under
 * it, anything else as a toast. True when it went well.
 */
export const useTicketCall = () => {
  const cache = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [problems, setProblems] = useState<FieldProblem[]>([])
  const [other, setOther] = useState<OtherTicket | null>(null)
  const run = async (call: () => Promise<Ticket | undefined>): Promise<boolean> => {
    if (busy) return false
    setBusy(true)
    setProblems([])
    try {
      const ticket = await call()
      if (ticket) receiveTicket(cache, ticket)
      return true
    } catch (error) {
      const told = problemsOf(error)
      const found = otherTicketIn(error)
      if (found) setOther(found)
      else if (told.length) setProblems(told)
      else notify.error(messageOf(error))
      return false
    } finally {
      setBusy(false)
    }
  }
  const problemOf = (path: string) => problems.find((one) => one.path === path)?.message
  return { busy, run, problemOf, other, dismissOther: () => setOther(null) }
}
