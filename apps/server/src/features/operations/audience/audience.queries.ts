import type { Prepared } from '../../../db/database.ts'
import { jumping } from '../../../kit/queue-sql.ts'
import { roomParts } from './room.ts'

export const isAudienceWaiting = `select from audience where state = 'waiting' and attempt_at <= now()`

/**
 * Who is next, of each connection as many as it has room for. A connection is found by a jump in the index, so that a
 * hundred thousand behind the first cost nothing.
 */
export const feedable: Prepared = {
  name: 'audience_feedable',
  text: `with recursive lanes as (
      ${jumping('audience', ['tenant_id', 'connection_id'], "state = 'waiting'")}
    ), ${roomParts('lanes')}
    select f.tenant_id as "tenantId", f.id, f.connection_id as "connectionId" from room r cross join lateral (
      select s.tenant_id, s.id, s.connection_id from audience s
      where s.tenant_id = r.tenant_id and s.connection_id = r.connection_id and s.state = 'waiting' and s.attempt_at <= now()
      order by s.attempt_at, s.id limit greatest(0, r.free)) f`,
}

export const postpone: Prepared = {
  name: 'audience_postpone',
  text: `update audience set attempts = attempts + 1, attempt_at = now() + make_interval(secs => least(300, 2 ^ least(attempts, 9)))
    where tenant_id = $1 and id = $2 and state = 'waiting'`,
}
