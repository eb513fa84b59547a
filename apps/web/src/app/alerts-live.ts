import type { EventPayload } from '@balcao/contract/events.ts'
import type { Message } from '@balcao/contract/messages.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { linkToTicket } from '../features/tickets/address.ts'
import { pushAlert } from '../kit/alerts.ts'
import { api } from '../kit/api.ts'
import { formatDateTime } from '../kit/format.ts'
import type { Live } from '../kit/live.ts'
import { session } from '../kit/session.ts'
import { notify } from '../ui/notify.ts'
import { router } from './router.tsx'

/** What rings the bell: a new conversation nobody has yet, a customer's message in one of mine, and what is mine to mend. */
export const alertsLive: Live = {
  'ticket.created': (_cache, ticket) => {
    if (ticket.status !== 'pending' || ticket.userId || !isMyQueue(ticket.queueId) || isInView(ticket.id)) return
    pushAlert({
      id: ticket.id,
      title: ticket.name || ticket.contact.name,
      body: ticket.lastMessage || 'Novo atendimento',
      to: () => linkToTicket(ticket.id),
    })
  },
  'message.created': (cache, { message, ticket }) => {
    if (message.fromMe || message.type === 'system' || message.type === 'note') return
    if (ticket.status === 'closed') return // a grade: nothing waits for an answer
    if (ticket.userId !== session.get()?.userId || isInView(ticket.id)) return
    const told = cache.fetchQuery({
      queryKey: ['alerts', 'ticket', ticket.id],
      queryFn: () => api.get<Ticket>(`/tickets/${ticket.id}`, { quiet: true }),
      staleTime: 300_000,
    })
    told
      .then((known) =>
        pushAlert({
          id: ticket.id,
          title: known.name || known.contact.name,
          body: previewOf(message),
          to: () => linkToTicket(ticket.id),
        }),
      )
      .catch(() => undefined) // gone or no longer mine: nothing to ring for
  },
  'ticket.notice': (_cache, { ticketId, kind, text }) => {
    if (isInView(ticketId) && kind !== 'call') return
    pushAlert({ id: ticketId, title: noticeTitles[kind], body: text, to: () => linkToTicket(ticketId) })
    if (!isInView(ticketId)) offer(text, () => linkToTicket(ticketId))
  },
  'task.due': (_cache, { id, name, limitDate }) => {
    const to = () => `/tarefas?registro=${id}`
    pushAlert({ id: `task:${id}`, title: name, body: `Prazo: ${limitDate ? formatDateTime(limitDate) : 'agora'}`, to })
    offer(`Chegou o prazo da tarefa “${name}”.`, to)
  },
  'schedule.updated': (_cache, { id, state, createdBy, contact, error }) => {
    if (state !== 'failed' || createdBy.id !== session.get()?.userId) return
    const title = `A mensagem agendada para ${contact.name} não saiu`
    const to = () => `/agendamentos?registro=${id}`
    pushAlert({ id: `schedule:${id}`, title, body: error ?? 'Abra para ver o que houve.', to })
    offer(`${title}.`, to)
  },
}

const offer = (text: string, to: () => string) => {
  if (!document.hidden) notify.info(text, { label: 'Abrir', onClick: () => void router.navigate(to()) })
}

const noticeTitles: Record<EventPayload<'ticket.notice'>['kind'], string> = {
  mention: 'Você foi mencionado',
  slaBreach: 'Prazo vencido',
  distributed: 'Novo atendimento para você',
  shared: 'Atendimento compartilhado',
  followed: 'Novidade no que você segue',
  woke: 'Fim da pausa',
  call: 'Estão chamando você',
  notSent: 'Mensagem não enviada',
  held: 'Sua resposta não saiu',
}

const isMyQueue = (queueId: string | null) =>
  queueId === null || (session.get()?.user.queues.some((queue) => queue.id === queueId) ?? false)
const isInView = (ticketId: string) =>
  !document.hidden && window.location.pathname.startsWith(`/atendimento/${ticketId}`)

const names: Partial<Record<Message['type'], string>> = {
  image: 'Imagem',
  audio: 'Áudio',
  video: 'Vídeo',
  document: 'Documento',
  sticker: 'Figurinha',
  location: 'Localização',
  contact: 'Contato',
}
const previewOf = ({ body, type }: Message) => body.slice(0, 140) || (names[type] ?? 'Nova mensagem')
