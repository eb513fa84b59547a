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
  /** Asked of one contact by its id and search text alone, where nothing else of it is at hand. */
  test?: SQL
  /** Instead of `where`: everybody who is in none of them, where those are rows, too. */
  others?: SQL
  facets?: Facets
}
/** Whoever is in the rows has one of `any`, whoever is not has `none`, where there is such a one (`contact_facets`). */
type Facets = { any: SQL[]; none?: SQL }
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

/** What facets tell of a part: one of each group is there, none of `without` is; the rest they do not tell. */
type Faceted = { told: Part[]; groups: SQL[][]; without: SQL[]; rest: Part[] }
export const facetedOf = (part: Part): Faceted => {
  const group = groupOf(part)
  if (group) return { told: [part], groups: [group], without: [], rest: [] }
  if ('all' in part) return together(part.all)
  if ('not' in part) {
    const { not } = part
    if ('not' in not) return facetedOf(not.not)
    if ('any' in not) return together(not.any.map((one) => ({ not: one })))
    const others = groupOf(not)
    if (others) return { told: [], groups: [], without: others, rest: [] }
  }
  return { told: [], groups: [], without: [], rest: [part] }
}
const together = (parts: Part[]): Faceted => {
  const each = parts.map(facetedOf)
  return {
    told: each.flatMap(({ told }) => told),
    groups: each.flatMap(({ groups }) => groups),
    without: each.flatMap(({ without }) => without),
    rest: each.flatMap(({ rest }) => rest),
  }
}
/** Facets of which whoever belongs to it has one, and nobody else. */
const groupOf = (part: Part): SQL[] | undefined => {
  if ('rows' in part) return part.rows.facets?.any
  if ('not' in part) {
    const none = 'rows' in part.not ? part.not.rows.facets?.none : undefined
    return none && [none]
  }
  if ('all' in part) return part.all.length === 1 && part.all[0] ? groupOf(part.all[0]) : undefined
  const groups = part.any.map(groupOf)
  return groups.length && groups.every((one) => one !== undefined) ? groups.flat() : undefined
}
/** Facets are asked where they leave out more than one condition by itself: each has an index of its own. */
export const isMany = ({ groups, without }: Faceted) =>
  groups.length > 0 && groups.length + Math.min(1, without.length) > 1

/** The contact `c` belongs to it: asked of one after the other, each by its keys. */
export const testOf = (part: Part): SQL => {
  if ('not' in part) return sql`not ${testOf(part.not)}`
  if ('all' in part) {
    const faceted = facetedOf(part)
    const tests = isMany(faceted) ? [testOfFacets(faceted), ...faceted.rest.map(testOf)] : part.all.map(testOf)
    return joined(tests, sql` and `, sql`true`)
  }
  if ('any' in part) return joined(part.any.map(testOf), sql` or `, sql`false`)
  const { from, id, where, isOwn, having, test } = part.rows
  if (test) return test
  if (isOwn) return sql`coalesce(${where}, false)`
  const group = having ? sql`group by ${id} having ${having}` : sql``
  // A subquery for a value stays one: `exists` becomes a join, and a join may read the whole set for some contacts.
  return sql`coalesce((select true from ${from} where ${where} and ${id} = c.id ${group} limit 1), false)`
}
const testOfFacets = ({ groups, without }: Faceted) => {
  const asked = [
    ...groups.map((group) => sql`f.facets && ${arrayOf(group)}`),
    ...(without.length ? [sql`not f.facets && ${arrayOf(without)}`] : []),
  ]
  return sql`coalesce((select ${sql.join(asked, sql` and `)} from contact_facets f
    where f.tenant_id = current_setting('app.tenant_id')::int and f.contact_id = c.id), false)`
}
/**
 * How many rows it looks up where it is asked of one contact after the other, about: of conditions that all must hold the
 * cheapest is asked first, and few are left for the others.
 */
export const lookupsOf = (part: Part): number => {
  if ('not' in part) return lookupsOf(part.not)
  if ('rows' in part) return part.rows.test ? 0.1 : part.rows.isOwn ? 0.5 : 1
  if ('any' in part) return part.any.reduce((sum, one) => sum + lookupsOf(one), 0.1)
  const faceted = facetedOf(part)
  const each = isMany(faceted) ? [1, ...faceted.rest.map(lookupsOf)] : part.all.map(lookupsOf)
  const [first = 0.1, ...others] = each.toSorted((a, b) => a - b)
  return first + others.reduce((sum, one) => sum + one, 0) / 10
}
/** Asked of one contact after the other, it looks at the contact itself. */
export const readsContact = (part: Part): boolean => {
  if ('not' in part) return readsContact(part.not)
  if ('any' in part) return part.any.some(readsContact)
  if ('rows' in part) return Boolean(part.rows.isOwn && !part.rows.test)
  const faceted = facetedOf(part)
  return (isMany(faceted) ? faceted.rest : part.all).some(readsContact)
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
type Ids = {
  ids: SQL
  isNot: boolean
  isUnique: boolean
  others?: SQL | undefined
  own?: Own | undefined
  /** The sets it is put together from: whoever is in one of them is in it. */
  either?: SQL[]
}

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
  if ('all' in part) {
    const faceted = facetedOf(part)
    return isMany(faceted) ? both([idsOfFacets(faceted), ...faceted.rest.map(idsOf)]) : both(part.all.map(idsOf))
  }
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

const idsOfFacets = ({ groups, without }: Faceted): Ids => ({
  ids: sql`select c.id from ${contactsWith({ groups, without })} c`,
  isNot: false,
  isUnique: true,
})
/** Whom facets tell, at most so many. */
export const toldBy = (faceted: Faceted, most: number): SQL => {
  const [only] = faceted.told.map((part) => positively(idsOf(part)))
  return only && !only.isNot && !isMany(faceted)
    ? sql`select ${only.isUnique ? sql`` : sql`distinct`} f.id from (${only.ids}) f(id) limit ${most}`
    : sql`select f.id from ${contactsWith(faceted, most)} f`
}
const contactsWith = ({ groups, without }: Pick<Faceted, 'groups' | 'without'>, most?: number) => {
  const every = groups.flatMap((group) => (group.length === 1 ? group : []))
  const several = groups.filter((group) => group.length > 1).map((group) => sql`${arrayOf(group)}::text`)
  return sql`contacts_with(${arrayOf(every)}, array[${sql.join(several, sql`, `)}]::text[], ${arrayOf(without)}, ${most ?? null}::int)`
}
const arrayOf = (facets: SQL[]) => sql`array[${sql.join(facets, sql`, `)}]::bigint[]`

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
  return { ids, isNot: false, isUnique: true, either: parts.map((one) => one.ids) }
}

const both = (given: Ids[]): Ids => {
  const [only] = given
  if (only && given.length === 1) return only
  const parts = withOwnTogether(given.map(positively))
  const within = parts
    .filter(({ isNot }) => !isNot)
    .toSorted(
      (a, b) => Number(b.isUnique) - Number(a.isUnique) || Number(Boolean(a.either)) - Number(Boolean(b.either)),
    )
  const outside = parts.filter(({ isNot }) => isNot).map((one) => ({ ...one, isNot: false }))
  const [first, ...others] = within
  if (!first) return { ...united(outside), isNot: true }
  if (parts.length === 1) return first
  const conditions = [
    // Sets side by side are hashed each; put together first, whoever is in two of them would have to be found.
    ...others.map(({ ids, either = [ids] }) =>
      joined(
        either.map((set) => sql`p.id in (${set})`),
        sql` or `,
        sql`false`,
      ),
    ),
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
