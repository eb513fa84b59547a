import type { Live } from '../../../kit/live.ts'
import { groupQuery } from './api.ts'

export const groupsLive: Live = {
  'group.updated': (cache, { ticketId }) =>
    void cache.invalidateQueries({ queryKey: groupQuery(ticketId).queryKey, exact: true }),
}
