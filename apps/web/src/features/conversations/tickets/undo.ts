import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import type { QueryClient } from '@tanstack/react-query'
import { api } from '../../../kit/api.ts'
import { messageOf } from '../../../kit/api-error.ts'
import { dismissToast, notify } from '../../../ui/notify.ts'
import { ticketQuery } from './api.ts'
import { showAgain } from './live.ts'

type Act = { ticketId: string; toast: number; cache: QueryClient; onUndone: (ticketId: string) => void; until: number }
type Offer = { ticketId: string; message: string; cache: QueryClient; onUndone: (ticketId: string) => void }

const offeredMs = 8_000
let last: Act | undefined

/** The last closing or transfer can be taken back for some seconds: by the toast, or by its key. */
export const offerUndo = ({ message, ...act }: Offer) => {
  const toast = notify.success(message, { label: 'Desfazer', onClick: () => void undoLast() })
  last = { ...act, toast, until: Date.now() + offeredMs }
}

/** False when there is nothing to take back. */
export const undoLast = (): boolean => {
  const act = last
  if (!act || Date.now() > act.until) return false
  last = undefined
  dismissToast(act.toast)
  void undo(act)
  return true
}

const undo = async ({ ticketId, cache, onUndone }: Act) => {
  try {
    const ticket = await api.post<Ticket>(`/tickets/${ticketId}/undo`)
    cache.setQueryData(ticketQuery(ticketId).queryKey, ticket)
    showAgain(cache, ticket)
    onUndone(ticketId)
  } catch (error) {
    notify.error(messageOf(error))
    void cache.invalidateQueries({ queryKey: ticketQuery(ticketId).queryKey })
  }
}
