import type { Notification } from '@balcao/contract/notifications.ts'
import type { QueryClient } from '@tanstack/react-query'
import { readNotifications, receiveNotification, renewNotifications } from '../features/notifications/api.ts'
import { chime } from '../features/notifications/chime.ts'
import { linkOf } from '../features/notifications/link.ts'
import type { Live } from '../kit/live.ts'
import { session } from '../kit/session.ts'
import { notify } from '../ui/notify.ts'
import { router } from './router.tsx'

/** What rings the bell: the server decides and keeps it, every window shows it. */
export const alertsLive: Live = {
  'notification.created': (cache, notification) => {
    receiveNotification(cache, notification)
    const { ticketId, kind } = notification
    // Between the server's look at who sees the conversation and now it may have come on the screen.
    if (ticketId && kind !== 'call' && isInView(ticketId)) return void readNotifications(cache, { ticketId })
    if (session.get()?.user.configs.sound) chime()
    if (kind !== 'message' && kind !== 'waiting' && !(ticketId && isInView(ticketId))) offer(cache, notification)
  },
  'notification.read': (cache) => renewNotifications(cache),
}

/** Rarer than messages, and somebody is asked to act: told on the page as well. */
const offer = (cache: QueryClient, notification: Notification) => {
  if (document.hidden) return
  const { id, ticketId, title, body } = notification
  notify.info(ticketId ? body : `${title}. ${body}`, {
    label: 'Abrir',
    onClick: () => {
      void readNotifications(cache, { ids: [id] })
      void router.navigate(linkOf(notification))
    },
  })
}

const isInView = (ticketId: string) =>
  !document.hidden && window.location.pathname.startsWith(`/atendimento/${ticketId}`)
