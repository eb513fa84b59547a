import { z } from 'zod'
import { id, moment, pageOf, pageQuery, timeOfDay } from '../common.ts'
import { ticketNoticeKinds } from '../conversations/tickets.ts'
import { noticeWays } from './notices.ts'

/** What the bell tells of: a conversation nobody has, a customer's message in one of mine, what else is mine to see. */
export const notificationKinds = [
  'waiting',
  'message',
  ...ticketNoticeKinds,
  'task',
  'taskSoon',
  'taskAsked',
  'schedule',
  'channel',
  'template',
  'campaign',
  'ai',
] as const
export type NotificationKind = (typeof notificationKinds)[number]

/** How each kind is called: above its text in the bell, and where a person chooses what to be told of. */
export const notificationTitles: Record<NotificationKind, string> = {
  waiting: 'Nova conversa aguardando',
  message: 'Mensagem de cliente',
  mention: 'Você foi mencionado',
  slaBreach: 'Prazo vencido',
  distributed: 'Novo atendimento para você',
  shared: 'Atendimento compartilhado',
  followed: 'Novidade no que você segue',
  woke: 'Fim da pausa',
  call: 'Estão chamando você',
  notSent: 'Mensagem não enviada',
  held: 'Sua resposta não saiu',
  task: 'Prazo de tarefa',
  taskSoon: 'Lembrete de tarefa',
  taskAsked: 'Prazo do que você pediu',
  schedule: 'Mensagem agendada não saiu',
  channel: 'Canal com problema',
  template: 'Modelo de mensagem',
  campaign: 'Campanha',
  ai: 'Inteligência artificial',
}

export const notification = z.object({
  id,
  kind: z.enum(notificationKinds),
  title: z.string(),
  body: z.string(),
  /** The page it leads to. A conversation opens with the filter of the list the person is in. */
  link: z.string(),
  ticketId: id.nullable(),
  /** How many of the same came before it was read: they are one line. */
  times: z.int().positive(),
  at: moment,
  readAt: moment.nullable(),
})
export type Notification = z.output<typeof notification>

export const notificationsQuery = pageQuery.pick({ cursor: true, limit: true })
export const notificationPage = pageOf(notification)

/** How many are unread (counted to a hundred), and of which conversations. */
export const notificationCount = z.object({ unread: z.int(), ticketIds: z.array(id) })

/** These, those of one conversation, or all of them. */
export const notificationsRead = z.strictObject({
  ids: z.array(id).min(1).max(200).optional(),
  ticketId: id.optional(),
})

/** What a person turned off, and when they want peace: from a time of the company's day to another, over midnight too. */
export const noticePreferences = z.strictObject({
  off: z.partialRecord(z.enum(notificationKinds), z.array(z.enum(noticeWays)).max(noticeWays.length)).default({}),
  quiet: z.strictObject({ from: timeOfDay, to: timeOfDay }).nullable().default(null),
})
export type NoticePreferences = z.output<typeof noticePreferences>
