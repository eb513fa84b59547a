import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { notificationCounts, readNotifications } from './api.ts'

/** A conversation on the screen of a focused window: what the bell told of it is read. */
export const useReadNotifications = (ticketId: string, isSeen: boolean) => {
  const cache = useQueryClient()
  const isTold = useQuery(notificationCounts).data?.ticketIds.includes(ticketId) ?? false
  useEffect(() => {
    if (isTold && isSeen) void readNotifications(cache, { ticketId })
  }, [cache, isTold, isSeen, ticketId])
}
