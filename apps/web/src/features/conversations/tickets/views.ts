import type { Ticket, TicketStatus, ticketCounters } from '@balcao/contract/conversations/tickets.ts'
import type { z } from 'zod'
import type { QueryValue } from '../../../kit/api-client.ts'
import type { Marks } from './marks.ts'

export const views = [
  'open',
  'pending',
  'closed',
  'notSent',
  'mentions',
  'groups',
  'bot',
  'paused',
  'scheduled',
  'shared',
  'followed',
] as const
export type View = (typeof views)[number]
export type Counters = z.output<typeof ticketCounters>

type Seen = Pick<Ticket, 'id' | 'status' | 'isGroup' | 'pausedAt' | 'userId'> &
  Partial<Pick<Ticket, 'bot' | 'chatFlowId' | 'sharedWith' | 'notSent'>>
type Definition = {
  /** As the address writes it. */
  path: string
  label: string
  status: readonly TicketStatus[]
  query: Record<string, QueryValue>
  /** Does a ticket of one of these statuses belong here? null: only the server can tell. */
  holds: (ticket: Seen, userId: string, marks: Marks) => boolean | null
  empty: { title: string; text: string }
}

const active: readonly TicketStatus[] = ['open', 'pending']
const every: readonly TicketStatus[] = ['open', 'pending', 'closed']

/** What the list can show, each as the server is asked for it and as an event is judged by it. */
export const viewOf: Record<View, Definition> = {
  open: {
    path: 'abertos',
    label: 'Abertos',
    status: ['open'],
    query: { isPaused: false },
    holds: (ticket) => !ticket.pausedAt,
    empty: { title: 'Nenhum atendimento aberto', text: 'Aceite um dos pendentes ou comece uma conversa.' },
  },
  pending: {
    path: 'pendentes',
    label: 'Pendentes',
    status: ['pending'],
    query: { isPaused: false },
    holds: (ticket) => !ticket.pausedAt,
    empty: { title: 'Ninguém esperando', text: 'Quando um cliente escrever, a conversa aparece aqui.' },
  },
  closed: {
    path: 'fechados',
    label: 'Fechados',
    status: ['closed'],
    query: {},
    holds: () => true,
    empty: { title: 'Nada encerrado ainda', text: 'As conversas encerradas ficam guardadas aqui.' },
  },
  notSent: {
    path: 'nao-enviadas',
    label: 'Não enviadas',
    status: active,
    query: { isNotSent: true },
    holds: ({ notSent }) => (notSent === undefined ? null : notSent !== null),
    empty: { title: 'Tudo foi enviado', text: 'Conversas com uma mensagem que não saiu aparecem aqui.' },
  },
  groups: {
    path: 'grupos',
    label: 'Grupos',
    status: active,
    query: { isGroup: true },
    holds: (ticket) => ticket.isGroup,
    empty: { title: 'Nenhum grupo', text: 'As conversas de grupo aparecem aqui.' },
  },
  bot: {
    path: 'robo',
    label: 'Com o robô',
    status: active,
    query: { isBot: true },
    holds: ({ userId, bot, chatFlowId }) => userId === null && Boolean(bot || chatFlowId),
    empty: { title: 'Nada com o robô', text: 'Aqui ficam as conversas que um robô responde, até alguém aceitar.' },
  },
  paused: {
    path: 'pausados',
    label: 'Pausados',
    status: active,
    query: { isPaused: true },
    holds: (ticket) => ticket.pausedAt !== null,
    empty: { title: 'Nada em pausa', text: 'O que você pausa espera aqui até a hora de voltar.' },
  },
  scheduled: {
    path: 'agendados',
    label: 'Agendados',
    status: active,
    query: { hasSchedule: true },
    holds: () => null,
    empty: { title: 'Nenhuma mensagem agendada', text: 'Conversas com uma mensagem agendada aparecem aqui.' },
  },
  mentions: {
    path: 'mencoes',
    label: 'Menções',
    status: every,
    query: { mentionsMe: true },
    holds: (ticket, _, marks) => marks.mentioned.has(ticket.id) || null,
    empty: { title: 'Nenhuma menção', text: 'Quando alguém chamar você com @ em uma nota, a conversa aparece aqui.' },
  },
  shared: {
    path: 'compartilhados',
    label: 'Comigo',
    status: active,
    query: { isShared: true },
    holds: (ticket, userId) => ticket.sharedWith?.includes(userId) ?? false,
    empty: {
      title: 'Nada compartilhado com você',
      text: 'Conversas para as quais um colega chamou você aparecem aqui.',
    },
  },
  followed: {
    path: 'seguidos',
    label: 'Seguidos',
    status: every,
    query: { isFollowed: true },
    holds: (ticket, _, marks) => marks.followed.has(ticket.id),
    empty: { title: 'Você não segue nenhuma conversa', text: 'Siga uma conversa no menu dela para saber o que muda.' },
  },
}

/** Always offered; the others where they can hold something. */
export const everydayViews = ['open', 'pending', 'closed'] as const satisfies readonly View[]

/** The server counts no further. */
export const countedUpTo = 1_000
export const countOf = (counters: Counters | undefined, view: View): number | null => counters?.[view] ?? null
