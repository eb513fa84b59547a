import type { Live } from '../../../kit/live.ts'
import { voiceCallsQuery } from './api.ts'

export const voiceCallsLive: Live = {
  'voiceCall.changed': (cache, { ticketId }) =>
    void cache.invalidateQueries({ queryKey: voiceCallsQuery(ticketId).queryKey, exact: true }),
}
