import { isIPv6 } from 'node:net'
import { type Prepared, platformRows } from '../../../db/database.ts'
import { hashToken } from '../../../kit/crypto.ts'

/** At most `max` attempts with one `key` (an account, an address) in a window of `windowS` seconds. */
export type Limit = { scope: string; key: string; max: number; windowS: number }
type Counted = Pick<Limit, 'scope' | 'key'>
type Exceeded = { scope: string; retryAfterS: number }

/**
 * Counts an attempt against every limit before it is made, in one statement, so that a hundred at once cannot pass
 * together. Answers the limit that was reached, if any; a window is never prolonged by trying on.
 */
export const reserveAttempt = async (limits: Limit[]): Promise<Exceeded | undefined> => {
  // Always in the same order, so that two attempts cannot wait for each other's rows.
  const ordered = limits.toSorted((a, b) => (a.scope < b.scope ? -1 : 1))
  const rows = await platformRows<Exceeded & { count: number }>(reserve, [
    ordered.map((limit) => limit.scope),
    ordered.map((limit) => hashToken(limit.key)),
    ordered.map((limit) => limit.windowS),
  ])
  const reached = rows.filter((row) => row.count > (limits.find((limit) => limit.scope === row.scope)?.max ?? 0))
  return reached.toSorted((a, b) => b.retryAfterS - a.retryAfterS)[0]
}

/** An attempt that turned out well is given back: only failures fill a limit. */
export const returnAttempt = (limits: Counted[]) =>
  platformRows(giveBack, [limits.map((limit) => limit.scope), limits.map((limit) => hashToken(limit.key))])

/** Starts the limits anew. */
export const clearAttempts = (limits: Counted[]) =>
  platformRows(clear, [limits.map((limit) => limit.scope), limits.map((limit) => hashToken(limit.key))])

/** True the first time within `days`: what may be presented once only. */
export const isFirstUse = async (scope: string, key: string, days: number) =>
  (await platformRows(once, [scope, hashToken(key), days])).length === 1

/** An address to count by: the whole /64 of IPv6, of which one customer has plenty. */
export const addressKey = (ip: string) => {
  if (!isIPv6(ip)) return ip
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)
  if (mapped?.[1]) return mapped[1]
  const [head = '', tail = ''] = ip.split('::')
  const left = head ? head.split(':') : []
  const right = tail ? tail.split(':') : []
  const groups = [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right]
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}

/** Whole ones. Moments are kept to the millisecond, rounded: what is left of the last one is no further second. */
export const secondsUntil = (moment: string) => `greatest(1, ceil(extract(epoch from ${moment} - now()) - 0.001))::int`

const reserve: Prepared = {
  name: 'attempts_reserve',
  text: `insert into attempts as a (scope, key, count, window_ends_at)
    select l.scope, l.key, 1, now() + make_interval(secs => l.seconds)
      from unnest($1::text[], $2::text[], $3::int[]) as l(scope, key, seconds)
    on conflict (scope, key) do update set
      count = case when a.window_ends_at <= now() then 1 else a.count + 1 end,
      window_ends_at = case when a.window_ends_at <= now() then excluded.window_ends_at else a.window_ends_at end
    returning scope, count, ${secondsUntil('window_ends_at')} as "retryAfterS"`,
}
const giveBack: Prepared = {
  name: 'attempts_return',
  text: `update attempts a set count = greatest(0, a.count - 1) from unnest($1::text[], $2::text[]) as l(scope, key)
    where a.scope = l.scope and a.key = l.key`,
}
const clear: Prepared = {
  name: 'attempts_clear',
  text: `delete from attempts a using unnest($1::text[], $2::text[]) as l(scope, key) where a.scope = l.scope and a.key = l.key`,
}
const once: Prepared = {
  name: 'attempts_once',
  text: `insert into attempts (scope, key, count, window_ends_at) values ($1, $2, 1, now() + make_interval(days => $3::int))
    on conflict do nothing returning 1`,
}
