import type { Page } from '@balcao/contract/common.ts'
import type { TicketProtocol } from '@balcao/contract/conversations/notes.ts'
import { api } from '../../../kit/api.ts'
import type { LinkOption } from '../../core/pickers/link-select.tsx'

const most = 20

export const findTickets = async (searchParam: string, signal: AbortSignal): Promise<LinkOption[]> => {
  const page = await api.get<Page<TicketProtocol>>('/ticketProtocols', { query: { searchParam, limit: most }, signal })
  return page.items.map(({ id, protocol, contact }) => ({ value: id, label: `${protocol} · ${contact.name}` }))
}
