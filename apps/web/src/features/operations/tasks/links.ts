import type { Page } from '@balcao/contract/common.ts'
import type { Contact } from '@balcao/contract/contacts/contacts.ts'
import type { TicketProtocol } from '@balcao/contract/conversations/notes.ts'
import { api } from '../../../kit/api.ts'
import type { LinkOption } from './link-select.tsx'

const most = 20

export const findContacts = async (searchParam: string, signal: AbortSignal): Promise<LinkOption[]> => {
  const page = await api.get<Page<Contact>>('/contacts', { query: { searchParam, limit: most }, signal })
  return page.items.map(({ id, name }) => ({ value: id, label: name }))
}

export const findTickets = async (searchParam: string, signal: AbortSignal): Promise<LinkOption[]> => {
  const page = await api.get<Page<TicketProtocol>>('/ticketProtocols', { query: { searchParam, limit: most }, signal })
  return page.items.map(({ id, protocol, contact }) => ({ value: id, label: `${protocol} · ${contact.name}` }))
}
