import type { Page } from '@balcao/contract/common.ts'
import type { Notification, notificationCount } from '@balcao/contract/operations/notifications.ts'
import { type InfiniteData, type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import { api } from '../../../kit/api.ts'
import { pagedList } from '../../../kit/paged-list.ts'

/** What I was told, newest first. */
export const notificationList = pagedList<Page<Notification>>(
  ['notifications', 'list'],
  '/notifications',
  {},
  { quiet: true },
)

/** How much of it I have not read, and of which conversations. */
export const notificationCounts = queryOptions({
  queryKey: ['notifications', 'count'],
  queryFn: ({ signal }) => api.get<z.output<typeof notificationCount>>('/notifications/count', { signal, quiet: true }),
  staleTime: 60_000,
})

export const useUnread = () => useQuery(notificationCounts).data?.unread ?? 0

export const renewNotifications = (cache: QueryClient) => void cache.invalidateQueries({ queryKey: ['notifications'] })

/** Puts a line on top: here at once, nothing is read anew for it. */
export const receiveNotification = (cache: QueryClient, next: Notification) => {
  const list = cache.getQueryData(notificationList.queryKey)
  const count = cache.getQueryData(notificationCounts.queryKey)
  if (count) {
    const isNew = next.times === 1 || (list !== undefined && !isUnreadIn(list, next.id))
    cache.setQueryData(notificationCounts.queryKey, {
      unread: count.unread + (isNew ? 1 : 0),
      ticketIds: next.ticketId ? [...new Set([...count.ticketIds, next.ticketId])] : count.ticketIds,
    })
  }
  if (list)
    cache.setQueryData(notificationList.queryKey, {
      ...list,
      pages: list.pages.map((page, n) => {
        const others = page.items.filter((one) => one.id !== next.id)
        return { ...page, items: n === 0 ? [next, ...others] : others }
      }),
    })
}

type Which = { ids?: string[]; ticketId?: string }
/** Read here at once, on the server after; the truth is read again when that fails. */
export const readNotifications = async (cache: QueryClient, which: Which) => {
  const isMeant = ({ id, ticketId }: Notification) =>
    (!which.ids || which.ids.includes(id)) && (!which.ticketId || which.ticketId === ticketId)
  const readAt = new Date().toISOString()
  cache.setQueryData(
    notificationList.queryKey,
    (now) =>
      now && {
        ...now,
        pages: now.pages.map((page) => ({
          ...page,
          items: page.items.map((one) => (isMeant(one) && !one.readAt ? { ...one, readAt } : one)),
        })),
      },
  )
  if (which.ticketId)
    cache.setQueryData(
      notificationCounts.queryKey,
      (now) => now && { ...now, ticketIds: now.ticketIds.filter((id) => id !== which.ticketId) },
    )
  await api.post('/notifications/read', which, { quiet: true }).catch(() => renewNotifications(cache))
}

const isUnreadIn = ({ pages }: InfiniteData<Page<Notification>>, id: string) =>
  pages.some(({ items }) => items.some((one) => one.id === id && !one.readAt))
