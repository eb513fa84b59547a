import { platformRows } from '../../../db/database.ts'
import { repeat } from '../../../kit/repeat.ts'

const everyMs = 30_000

/**
 * Ends the questions nobody answered in time. Readers go by the clock already, so nothing waits for this round and two
 * processes may make it at once.
 */
export const startRatingExpiry = () => repeat('rating expiry', everyMs, expireRatings)

export const expireRatings = async () => {
  await platformRows(expire, [])
}

const expire = {
  name: 'ratings_expire',
  text: `update ratings set status = 'expired' where status = 'pending' and expires_at <= now()`,
}
