import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useCurrentSession } from '../../../kit/session.ts'
import { onConnected, tell } from '../../../kit/socket.ts'
import { ticketPresence } from './live.ts'

/** Tells the server that this conversation is on screen, and who else is there. */
export const useTicketPresence = (ticketId: string) => {
  useEffect(() => {
    const stop = onConnected(() => tell('ticket.view', { ticketId }))
    return () => {
      stop()
      tell('ticket.leave', { ticketId })
    }
  }, [ticketId])
  const { userId } = useCurrentSession()
  const { data } = useQuery(ticketPresence(ticketId))
  return {
    others: (data?.viewers ?? []).filter((viewer) => viewer.userId !== userId),
    isContactTyping: data?.contactTyping ?? false,
  }
}
