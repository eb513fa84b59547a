import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Navigate } from 'react-router'
import { linkToTicket } from '../../../features/conversations/tickets/address.ts'
import { ticketQuery } from '../../../features/conversations/tickets/api.ts'
import { knownTicket } from '../../../features/conversations/tickets/live.ts'
import { isApiError, messageOf } from '../../../kit/api-error.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import classes from './chat.module.css'
import { type ChatProps, OpenChat } from './open-chat.tsx'

/** One conversation by its id: loading, gone, or whole. */
export const Chat = (props: ChatProps) => {
  const { ticketId, onBack } = props
  const cache = useQueryClient()
  const ticket = useQuery({ ...ticketQuery(ticketId), placeholderData: () => knownTicket(cache, ticketId) })
  if (isApiError(ticket.error) && [404, 422].includes(ticket.error.status))
    return (
      <div className={classes.gone}>
        <ErrorState
          title="Atendimento não encontrado"
          message="Ele pode ter sido transferido para uma fila que você não vê."
        />
        <Button variant="default" onClick={onBack}>
          Voltar à lista
        </Button>
      </div>
    )
  if (ticket.data?.mergedIntoId) {
    const messageId = new URLSearchParams(window.location.search).get('m') ?? undefined
    return <Navigate replace to={linkToTicket(ticket.data.mergedIntoId, messageId)} />
  }
  if (ticket.data) return <OpenChat {...props} ticket={ticket.data} />
  if (ticket.isError) return <ErrorState message={messageOf(ticket.error)} onRetry={() => void ticket.refetch()} />
  return <SkeletonList rows={6} height={72} />
}
