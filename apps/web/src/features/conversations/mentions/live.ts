import type { Live } from '../../../kit/live.ts'
import { mentionCounts } from './api.ts'

export const mentionsLive: Live = {
  'ticket.notice': (cache, { kind }) => {
    if (kind === 'mention') void cache.invalidateQueries({ queryKey: mentionCounts.queryKey })
  },
  'mention.read': (cache) => void cache.invalidateQueries({ queryKey: mentionCounts.queryKey }),
}
