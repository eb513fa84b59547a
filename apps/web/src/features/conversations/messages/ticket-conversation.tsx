import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import type { ComponentProps } from 'react'
import type { Abilities } from './abilities.ts'
import type { Conversation } from './conversation.ts'
import { ConversationView } from './conversation-view.tsx'
import { CustomerName } from './customer-name.ts'
import { useTicketSource } from './use-ticket-source.ts'

type Props = Omit<ComponentProps<typeof ConversationView>, 'source' | 'label'> & {
  ticket: Ticket
  conversation: Conversation
  abilities: Abilities
}

export const TicketConversation = ({ ticket, conversation, abilities, ...view }: Props) => (
  <CustomerName value={ticket.contact.name}>
    <ConversationView {...view} label="Mensagens" source={useTicketSource(ticket, conversation, abilities)} />
  </CustomerName>
)
