import type { Contact } from '@balcao/contract/contacts/contacts.ts'
import { type Lane, laneResource } from '@balcao/contract/contacts/lanes.ts'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import type { VariableContext } from '@balcao/contract/variables.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { allRows } from '../../../kit/resource-api.ts'
import { useCurrentSession } from '../../../kit/session.ts'

/** What the placeholders stand for in this conversation. */
export const useContactContext = (ticket: Ticket, contact: Contact | undefined): VariableContext => {
  const { user, username } = useCurrentSession()
  const { name, protocol } = ticket
  const { number } = ticket.contact
  const kanban = useLaneName(contact?.kanban)
  return useMemo(
    () => ({
      name: contact?.name ?? name,
      protocol,
      email: contact?.email,
      phoneNumber: contact?.number ?? number,
      businessName: contact?.businessName,
      kanban,
      user: username,
      userEmail: user.email,
      extra: contact?.extraInfo,
      timeZone: user.tenant.timezone,
    }),
    [contact, kanban, name, protocol, number, username, user.email, user.tenant.timezone],
  )
}

/** What the stage is called in which a contact stands on the board. */
export const useLaneName = (id: string | null | undefined): string | undefined =>
  useQuery({ ...allRows<Lane>(laneResource), enabled: Boolean(id) }).data?.find((lane) => lane.id === id)?.name
