import { wallTimeOf } from '@balcao/contract/core/wall-time.ts'
import { isToldBy, type NoticeWay } from '@balcao/contract/operations/notices.ts'
import type { Notification, NotificationKind } from '@balcao/contract/operations/notifications.ts'
import type { QueryClient } from '@tanstack/react-query'
import { readNotifications, receiveNotification, renewNotifications } from '../features/operations/notifications/api.ts'
import { chime } from '../features/operations/notifications/chime.ts'
import { offerOnce, showOnDesktop } from '../features/operations/notifications/device.ts'
import { linkOf } from '../features/operations/notifications/link.ts'
import type { Live } from '../kit/live.ts'
import { session } from '../kit/session.ts'
import { notify } from '../ui/notify.ts'
import { nowMs } from '../ui/server-time.ts'
import { router } from './router.tsx'

/** What rings the bell: the server decides and keeps it, every window shows it. */
export const alertsLive: Live = {
  'notification.created': (cache, { isQuiet, ...notification }) => {
    const { ticketId, kind } = notification
    const isKept = notification.readAt === null
    if (isKept) receiveNotification(cache, notification)
    // Between the server's look at who sees the conversation and now it may have come on the screen.
    if (ticketId && kind !== 'call' && isInView(ticketId)) return void readNotifications(cache, { ticketId })
    if (isQuiet) return
    const isTold = (way: NoticeWay) => isToldHere(way, kind)
    if (session.get()?.user.configs.sound && isTold('sound')) chime()
    if (isTold('desktop')) showOnDesktop(notification)
    if (isKept) offerOnce()
    if (isKept && kind !== 'message' && kind !== 'waiting' && !(ticketId && isInView(ticketId)))
      offer(cache, notification)
  },
  'notification.read': (cache) => renewNotifications(cache),
}

/** By the person's preferences and the clock of the company. */
const isToldHere = (way: NoticeWay, kind: NotificationKind) => {
  const user = session.get()?.user
  return (
    user !== undefined &&
    isToldBy(way, kind, user.configs.notices, wallTimeOf(new Date(nowMs()), user.tenant.timezone).slice(11))
  )
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
