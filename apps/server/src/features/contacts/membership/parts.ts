import { type SQL, sql } from 'drizzle-orm'

/** Rows that speak of contacts: who is in one of them belongs to it. */
export type Rows = {
  from: SQL
  /** The contact of a row. */
  id: SQL
  where: SQL
  /** No contact is in two of them. */
  isUnique?: true
  /** They are the contacts themselves, as `c`. */
  isOwn?: true
  /** Of all rows of a contact together. */
  having?: SQL
  /** A shorter way to them, as `c` with what contacts are asked for, where there is one. */
  found?: SQL
  /** Instead of `where`: everybody who is in none of them, where those are rows, too. */
  others?: SQL
}
/** A set of contacts, put together from rows. Of no parts, `all` is everybody and `any` nobody. */
export type Part = { rows: Rows } | { all: Part[] } | { any: Part[] } | { not: Part }

/** How many sets stand within each other. */
export const depthOf = (part: Part): number => {
  if ('rows' in part) return 1
  if ('not' in part) return depthOf(part.not)
  const inner = 'all' in part ? part.all : part.any
  const own = inner.length > 1 ? 1 : 0
  return own + Math.max(0, ...inner.map(depthOf))
}

/** The contact `c` belongs to it: asked of one after the other, each by its keys. */
export const testOf = (part: Part): SQL => {
  if ('not' in part) return sql`not ${testOf(part.not)}`
  if ('all' in part) return joined(part.all.map(testOf), sql` and `, sql`true`)
  if ('any' in part) return joined(part.any.map(testOf), sql` or `, sql`false`)
  const { from, id, where, isOwn, having } = part.rows
  if (isOwn) return sql`coalesce(${where}, false)`
  const group = having ? sql`group by ${id} having ${having}` : sql``
  // A subquery for a value stays one: `exists` becomes a join, and a join may read the whole set for some contacts.
  return sql`coalesce((select true from ${from} where ${where} and ${id} = c.id ${group} limit 1), false)`
}
const joined = (parts: SQL[], by: SQL, none: SQL) => (parts.length ? sql`(${sql.join(parts, by)})` : none)

/** As `testOf`, where it is asked of very many: all ids are read and hashed once, then each is looked up there. */
export const lookupOf = (part: Part, id: SQL = sql`c.id`): SQL => {
  const { ids, isNot } = idsOf(part)
  // Inside `coalesce` it stays a filter: as a join it would lose the order in which the contacts come.
  return sql`${isNot ? sql`not` : sql``} coalesce(${id} in (${ids}), false)`
}

/** The contacts themselves, as `c`, and how they were found where that was a shorter way. */
type Own = { where: SQL; found: SQL | undefined }
/** Ids of everybody in it, or of everybody who is not; `others`: of the rest, where they are rows, too. */
type Ids = { ids: SQL; isNot: boolean; isUnique: boolean; others?: SQL | undefined; own?: Own | undefined }

/**
 * All of them together: every part is read by its own index and the database joins them, the smaller first; what is asked
 * of the contacts themselves is asked at once. What is left out is joined against; of parts that are only left out, everybody
 * but them remains.
 */
export const idsOf = (part: Part): Ids => {
  if ('not' in part) {
    const { isNot, ...inner } = idsOf(part.not)
    return { ...inner, isNot: !isNot }
  }
  if ('any' in part) {
    const parts = part.any.map(idsOf)
    if (parts.some(({ isNot }) => isNot)) {
      const { isNot, ...inner } = both(parts.map((one) => ({ ...one, isNot: !one.isNot })))
      return { ...inner, isNot: !isNot }
    }
    return united(parts)
  }
  if ('all' in part) return both(part.all.map(idsOf))
  const { from, id, where, having, isUnique, isOwn, found, others } = part.rows
  const group = having ? sql`group by ${id} having ${having}` : sql``
  return {
    ids: found ? sql`select c.id from ${found}` : sql`select ${id} as id from ${from} where ${where} ${group}`,
    own: isOwn && { where, found },
    isNot: false,
    isUnique: Boolean(isUnique ?? having),
    others: others && sql`select ${id} as id from ${from} where ${others}`,
  }
}

/** Who is in none of some rows, by the rows of the others where there are such. */
export const positively = (given: Ids): Ids =>
  given.isNot && given.others ? { ids: given.others, isNot: false, isUnique: true, others: given.ids } : given

const united = (parts: Ids[]): Ids => {
  const [first] = parts
  if (first && parts.length === 1) return first
  const none = sql`select null::uuid as id where false`
  const ids = parts.length
    ? sql.join(
        parts.map((one) => one.ids),
        sql` union `,
      )
    : none
  return { ids, isNot: false, isUnique: true }
}

const both = (given: Ids[]): Ids => {
  const [only] = given
  if (only && given.length === 1) return only
  const parts = withOwnTogether(given.map(positively))
  const within = parts.filter(({ isNot }) => !isNot).toSorted((a, b) => Number(b.isUnique) - Number(a.isUnique))
  const outside = parts.filter(({ isNot }) => isNot).map((one) => ({ ...one, isNot: false }))
  const [first, ...others] = within
  if (!first) return { ...united(outside), isNot: true }
  if (parts.length === 1) return first
  const conditions = [
    ...others.map(({ ids }) => sql`p.id in (${ids})`),
    ...outside.map(({ ids }) => sql`not exists (select from (${ids}) o(id) where o.id = p.id)`),
  ]
  return {
    ids: sql`select p.id from (${first.ids}) p(id) where ${sql.join(conditions, sql` and `)}`,
    isNot: false,
    isUnique: first.isUnique,
  }
}

/** Of what is asked of the contacts themselves one part, as far as any of it finds some. */
const withOwnTogether = (parts: Ids[]): Ids[] => {
  const own = parts.flatMap((one) => (one.own ? { ...one.own, isNot: one.isNot } : []))
  if (own.length < 2 || own.every(({ isNot }) => isNot)) return parts
  const quick = own.find(({ found, isNot }) => found && !isNot)
  const asked = own
    .filter((one) => one !== quick)
    .map(({ where, isNot }) => (isNot ? sql`not coalesce(${where}, false)` : where))
  const ids = sql`select c.id from ${quick?.found ?? sql`contacts c`} where ${sql.join(asked, sql` and `)}`
  return [{ ids, isNot: false, isUnique: true }, ...parts.filter((one) => !one.own)]
}
