/** Rows that are a queue, as SQL: the same few ways of taking from them, whatever the table. */

type Due = {
  table: string
  /** What names a row. */
  key: readonly string[]
  /** Which rows are due, and the column that says since when. */
  where: string
  order: string
  /** What becomes of a row that is taken, and what is told of it, as `q`. */
  set: string
  returning: string
}
/**
 * Takes up to `$1` rows that are due, the longest due first; what another process holds is passed over. They are chosen
 * apart from the update: a join may run a subquery once for each row, and each time it would lock `$1` more.
 */
export const takeDue = ({ table, key, where, order, set, returning }: Due) =>
  `with d as (
      select ${key.join(', ')} from ${table} where ${where} order by ${order} limit $1 for update skip locked)
    update ${table} q set ${set} from d
    where ${key.map((column) => `q.${column} = d.${column}`).join(' and ')}
    returning ${returning}`

/** One that was taken and not spoken of again, because its process ended, is due anew after `$2` seconds. */
export const leased = (due: string) => `attempts = q.attempts + 1, ${due} = now() + make_interval(secs => $2)`

/** For `with recursive`: the pairs of `key` that have rows, found by jumping from one to the next in their index. */
export const jumping = (table: string, key: readonly [string, string], where: string) => {
  const columns = key.join(', ')
  return `(select ${columns} from ${table} where ${where} order by ${columns} limit 1)
      union all
      select n.${key[0]}, n.${key[1]} from lanes l cross join lateral (
        select ${columns} from ${table} where ${where} and (${columns}) > (l.${key[0]}, l.${key[1]})
        order by ${columns} limit 1) n`
}
