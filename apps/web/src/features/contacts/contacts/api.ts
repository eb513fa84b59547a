import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { useMutation } from '@tanstack/react-query'
import { api } from '../../../kit/api.ts'
import { longTimeoutMs, type QueryValue } from '../../../kit/api-client.ts'
import { downloadText } from '../../../kit/csv.ts'

/** The contacts of these filters, all of them, as the server writes them. */
export const exportContacts = async (query: Record<string, QueryValue>) => {
  const text = await api.get<string>('/contacts/export.csv', { query, timeoutMs: longTimeoutMs })
  downloadText(text.startsWith('\uFEFF') ? text : `\uFEFF${text}`, 'contatos.csv') // reading the reply takes its mark away
}

/** Opens an attendance of mine with the contact on a connection. */
export const useStartConversation = () =>
  useMutation({
    mutationFn: (wish: { contactId: string; channelId: string }) => api.post<Ticket>('/tickets', wish),
  })
