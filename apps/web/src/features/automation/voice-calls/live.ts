import type { Live } from '../../../kit/live.ts'
import { callListKey, voiceCallsQuery, wholeCallQuery } from './api.ts'

export const voiceCallsLive: Live = {
  'voiceCall.changed': (cache, { id, ticketId }) => {
    if (ticketId) void cache.invalidateQueries({ queryKey: voiceCallsQuery(ticketId).queryKey, exact: true })
    void cache.invalidateQueries({ queryKey: callListKey })
    void cache.invalidateQueries({ queryKey: wholeCallQuery(id).queryKey, exact: true })
  },
}
