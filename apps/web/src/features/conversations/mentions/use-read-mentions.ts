import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { mentionCounts, readMentions } from './api.ts'

/** A conversation on the screen of a focused window: its notes that call me are read. */
export const useReadMentions = (ticketId: string, isSeen: boolean) => {
  const cache = useQueryClient()
  const { data } = useQuery(mentionCounts)
  const isCalled = data?.ticketIds.includes(ticketId) ?? false
  useEffect(() => {
    if (!isCalled || !isSeen) return
    cache.setQueryData(
      mentionCounts.queryKey,
      (now) => now && { ...now, ticketIds: now.ticketIds.filter((id) => id !== ticketId) },
    )
    readMentions(ticketId).catch(() => undefined) // read again the next time it is on the screen
  }, [cache, isCalled, isSeen, ticketId])
}
