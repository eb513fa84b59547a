import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { Select } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../kit/api.ts'
import { messageOf } from '../../../kit/api-error.ts'
import { useCan } from '../../../kit/use-can.ts'
import { notify } from '../../../ui/notify.ts'
import { receiveTicket } from '../../conversations/tickets/live.ts'
import { ticketAssistantsQuery } from './api.ts'

/** Which assistant answers a conversation, or that none does. Turning one on gives it the conversation. */
export const AssistantSwitch = ({ ticket }: { ticket: Ticket }) => {
  const cache = useQueryClient()
  const canWrite = useCan('tickets.write')
  const assistants = useQuery({
    ...ticketAssistantsQuery(ticket.id, ticket.updatedAt),
    enabled: canWrite && !ticket.isGroup,
    placeholderData: (before) => before,
  })
  const turn = useMutation({
    mutationFn: (id: string | null) => {
      const chosen = assistants.data?.find((one) => one.id === id)
      return api.put<Ticket>(`/ticketsChatBot/${ticket.id}`, {
        bot: chosen?.bot ?? null,
        assistantId: chosen?.id ?? null,
      })
    },
    onSuccess: (next) => receiveTicket(cache, next),
    onError: (error) => notify.error(messageOf(error)),
  })
  const all = assistants.data ?? []
  if (!canWrite || (!all.length && !ticket.bot)) return null
  return (
    <Select
      size="xs"
      label="Quem responde sozinho"
      description={ticket.status === 'open' ? 'Ao ligar, a conversa sai de quem atende e volta à espera.' : undefined}
      placeholder="Ninguém"
      mb="sm"
      clearable
      clearButtonProps={{ 'aria-label': 'Desligar o assistente' }}
      disabled={ticket.status === 'closed' || turn.isPending}
      data={all.map(({ id, name }) => ({ value: id, label: name }))}
      value={all.find(({ isAnswering }) => isAnswering)?.id ?? null}
      onChange={(id) => turn.mutate(id)}
    />
  )
}
