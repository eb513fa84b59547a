import type { Contact } from '@balcao/contract/contacts/contacts.ts'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import type { VariableContext } from '@balcao/contract/variables.ts'
import { useMemo } from 'react'
import { useCurrentSession } from '../../../kit/session.ts'

/** What the placeholders stand for in this conversation. */
export const useContactContext = (ticket: Ticket, contact: Contact | undefined): VariableContext => {
  const { user, username } = useCurrentSession()
  const { name, protocol } = ticket
  const { number } = ticket.contact
  return useMemo(
    () => ({
      name: contact?.name ?? name,
      protocol,
      email: contact?.email,
      phoneNumber: contact?.number ?? number,
      businessName: contact?.businessName,
      user: username,
      userEmail: user.email,
      extra: contact?.extraInfo,
      timeZone: user.tenant.timezone,
    }),
    [contact, name, protocol, number, username, user.email, user.tenant.timezone],
  )
}
