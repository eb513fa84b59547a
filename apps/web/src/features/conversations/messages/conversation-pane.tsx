import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { messageOf } from '../../../kit/api-error.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { SkeletonList } from '../../../ui/skeleton-list.tsx'
import { conversationQuery } from './api.ts'
import type { Conversation } from './conversation.ts'
import classes from './conversation-pane.module.css'
import { useOutgoing } from './outbox-entries.ts'
import { TicketConversation } from './ticket-conversation.tsx'

const nothing: Conversation = { items: [], hasOlder: false }

/** A conversation as far as it could be loaded; what one sends is in view in any case. */
export const ConversationPane = (props: Omit<ComponentProps<typeof TicketConversation>, 'conversation'>) => {
  const { ticket, unreadAtOpen } = props
  const { data, error, isError, isFetching, refetch } = useQuery(conversationQuery(ticket.id, unreadAtOpen))
  const isSending = useOutgoing().some((entry) => entry.message.ticketId === ticket.id)
  const conversation = data ?? (isSending ? nothing : undefined)
  if (!conversation && isError) return <ErrorState message={messageOf(error)} onRetry={() => void refetch()} />
  if (!conversation)
    return (
      <div className={classes.waiting}>
        <SkeletonList rows={7} height={64} />
      </div>
    )
  return (
    <>
      {((isError && !data) || data?.isPartial) && (
        <div className={classes.problem} role="alert">
          <span>Não conseguimos carregar o resto da conversa. {error && messageOf(error)}</span>
          <Button size="compact-sm" variant="subtle" loading={isFetching} onClick={() => void refetch()}>
            Tentar de novo
          </Button>
        </div>
      )}
      <TicketConversation {...props} conversation={conversation} />
    </>
  )
}
