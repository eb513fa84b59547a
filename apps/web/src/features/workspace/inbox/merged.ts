import type { QueryClient } from '@tanstack/react-query'
import type { Live } from '../../../kit/live.ts'
import { conversationQuery } from '../../conversations/messages/api.ts'
import { ticketQuery } from '../../conversations/tickets/api.ts'

/** A conversation that was taken in leads to the one that took it in, whose messages are read anew. */
export const forgetMerged = (cache: QueryClient, sourceId: string, targetId: string) => {
  cache.removeQueries({ queryKey: conversationQuery(sourceId).queryKey, exact: true })
  void cache.resetQueries({ queryKey: conversationQuery(targetId).queryKey, exact: true })
  void cache.invalidateQueries({ queryKey: ticketQuery(sourceId).queryKey })
}

export const mergedLive: Live = {
  'ticket.updated': (cache, { id, mergedIntoId }) => {
    if (mergedIntoId && cache.getQueryData(conversationQuery(id).queryKey)) forgetMerged(cache, id, mergedIntoId)
    else if (mergedIntoId && cache.getQueryData(conversationQuery(mergedIntoId).queryKey))
      void cache.resetQueries({ queryKey: conversationQuery(mergedIntoId).queryKey, exact: true })
  },
}
