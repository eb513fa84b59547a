import type { pauseBody, Ticket, ticketNotified } from '@balcao/contract/conversations/tickets.ts'
import type { z } from 'zod'
import { api } from '../../../kit/api.ts'

/** What can be done with a conversation beside answering it. */
export const pauseTicket = (id: string, body: z.input<typeof pauseBody>) =>
  api.post<Ticket>(`/ticketsPause/${id}/pause`, body)
export const resumeTicket = (id: string) => api.post<Ticket>(`/ticketsPause/${id}/pause/end`)
export const shareTicket = (ticketId: string, userIds: string[]) =>
  api.post<Ticket>('/ticket-shared', { ticketId, userIds })
export const unshareTicket = (ticketId: string, userId: string) => api.delete(`/ticket-shared/${ticketId}/${userId}`)
export const mergeTicket = (id: string, intoId: string) => api.post<Ticket>(`/tickets/${id}/merge`, { intoId })
export const changeChannel = (id: string, whatsappId: string) =>
  api.put<Ticket>(`/ticketsChannelId/${id}`, { whatsappId })
export const releaseTicket = (id: string) => api.put<Ticket>(`/ticketsNull/${id}`, { status: 'pending', userId: null })
/** From its beginning, until it hands over. */
export const handToFlow = (id: string, chatFlowId: string) => api.put<Ticket>(`/ticketsChatBot/${id}`, { chatFlowId })
/** Whatever answered by itself stops. */
export const switchBotOff = (id: string) => api.put<Ticket>(`/ticketsChatBot/${id}`, { bot: null, chatFlowId: null })
export const callResponsible = (id: string) =>
  api.post<z.output<typeof ticketNotified>>(`/ticketsNotification/${id}`, { type: 'responsible' })
