import { platformRows } from '../../../db/database.ts'
import type { Round } from '../../../kit/workers.ts'

/**
 * Ends the questions nobody answered in time. Readers go by the clock already, so nothing waits for this round and two
 * processes may make it at once.
 */
export const expireRatings = async (): Promise<Round> => ({ did: (await platformRows(expire, [])).length })

const expire = {
  name: 'ratings_expire',
  text: `update ratings set status = 'expired' where status = 'pending' and expires_at <= now() returning id`,
}
