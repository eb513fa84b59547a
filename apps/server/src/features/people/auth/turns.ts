import { type Prepared, platformRows } from '../../../db/database.ts'
import { hashToken } from '../../../kit/crypto.ts'
import { secondsUntil } from './attempts.ts'

/** Guesses at one thing: the first `free` as they come, then one after 1, 2, 4, 8 and from then on 15 minutes. */
export type Turns = { scope: string; key: string; free: number }

/**
 * Counts an attempt before it is made, so that a hundred at once cannot pass together; `waitS` is 0 when it may be made.
 * What is refused changes nothing: trying on prolongs no pause. A day without attempts forgets.
 */
export const takeTurn = async ({ scope, key, free }: Turns): Promise<{ count: number; waitS: number }> =>
  (await platformRows<{ count: number; waitS: number }>(take, [scope, hashToken(key), free]))[0] ?? aMomentAgo

/** Somebody else's first attempt was being counted while this one looked. */
const aMomentAgo = { count: 0, waitS: 1 }

const opensAt = `a.window_ends_at - interval '1 day' + least(interval '15 minutes', interval '1 minute' * 2 ^ least(a.count - $3, 4))`
const take: Prepared = {
  name: 'turns_take',
  text: `with taken as (
      insert into attempts as a (scope, key, count, window_ends_at) values ($1, $2, 1, now() + interval '1 day')
      on conflict (scope, key) do update set
        count = case when a.window_ends_at <= now() then 1 else a.count + 1 end, window_ends_at = excluded.window_ends_at
        where a.window_ends_at <= now() or a.count < $3 or ${opensAt} <= now()
      returning count)
    select count, 0 as "waitS" from taken union all
    select a.count, ${secondsUntil(opensAt)} from attempts a
      where a.scope = $1 and a.key = $2 and not exists (select from taken)`,
}
