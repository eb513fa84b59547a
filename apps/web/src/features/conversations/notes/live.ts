import type { QueryClient } from '@tanstack/react-query'
import type { Live } from '../../../kit/live.ts'

const calmMs = 1_000
let isWaiting = false

/** A burst of new tickets costs the open list one reading. */
const renewProtocols = (cache: QueryClient) => {
  if (isWaiting) return
  isWaiting = true
  setTimeout(() => {
    isWaiting = false
    void cache.invalidateQueries({ queryKey: ['protocols'] })
  }, calmMs)
}

export const notesLive: Live = {
  'message.created': (cache, { message }) => {
    if (message.type === 'note') void cache.invalidateQueries({ queryKey: ['notes'] })
  },
  'message.updated': (cache, message) => {
    if (message.type === 'note') void cache.invalidateQueries({ queryKey: ['notes'] })
  },
  'ticket.created': renewProtocols,
  'ticket.hidden': renewProtocols,
}
