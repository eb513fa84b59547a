import type { TicketMark, ticketMarks } from '@balcao/contract/conversations/tickets.ts'
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { z } from 'zod'
import { api } from '../../../kit/api.ts'
import { mentionCounts } from '../mentions/api.ts'

export type MarksReply = z.output<typeof ticketMarks>
/** What the person pins, follows, and where they were called and have not looked. */
export type Marks = { pinned: ReadonlySet<string>; followed: ReadonlySet<string>; mentioned: ReadonlySet<string> }

export const marksQuery = queryOptions({
  queryKey: ['tickets', 'marks'],
  queryFn: ({ signal }) => api.get<MarksReply>('/ticketMarks', { signal, quiet: true }),
  staleTime: 300_000,
})

export const putMarks = (ticketId: string, marks: { isPinned?: boolean; isFollowed?: boolean }) =>
  api.put<TicketMark>(`/tickets/${ticketId}/marks`, marks)

export const noMarks: Marks = { pinned: new Set(), followed: new Set(), mentioned: new Set() }
const known = new WeakMap<MarksReply, Omit<Marks, 'mentioned'>>()
/** The same sets for the same answer, so that rows need not be drawn anew. */
const setsOf = (reply: MarksReply | undefined): Omit<Marks, 'mentioned'> => {
  if (!reply) return noMarks
  const before = known.get(reply)
  if (before) return before
  const idsWith = (flag: 'isPinned' | 'isFollowed') =>
    new Set(reply.items.filter((one) => one[flag]).map((one) => one.ticketId))
  const sets = { pinned: idsWith('isPinned'), followed: idsWith('isFollowed') }
  known.set(reply, sets)
  return sets
}

export const useMarks = (): Marks => {
  const reply = useQuery(marksQuery).data
  const called = useQuery(mentionCounts).data?.ticketIds
  return useMemo(() => ({ ...setsOf(reply), mentioned: called ? new Set(called) : noMarks.mentioned }), [reply, called])
}
/** The same, for events. */
export const knownMarks = (cache: QueryClient): Marks => ({
  ...setsOf(cache.getQueryData(marksQuery.queryKey)),
  mentioned: new Set(cache.getQueryData(mentionCounts.queryKey)?.ticketIds),
})

export const withMark = (now: MarksReply, mark: TicketMark): MarksReply => ({
  ...now,
  items: [
    ...(mark.isPinned || mark.isFollowed ? [mark] : []),
    ...now.items.filter((one) => one.ticketId !== mark.ticketId),
  ],
})
