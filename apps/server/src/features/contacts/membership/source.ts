import type { SegmentFieldKey } from '@balcao/contract/contacts/segments/fields.ts'
import type { SegmentValue } from '@balcao/contract/contacts/segments/kinds.ts'
import { type At, daysAgo, midnight } from '@balcao/contract/contacts/segments/moments.ts'
import { type SQL, sql } from 'drizzle-orm'
import type { Part, Rows } from './parts.ts'

/** A condition as its source is asked: the operator that is compared, never its opposite. */
export type Question = { tenantId: number; op: string; key: string; value: SegmentValue | undefined; at: At }
/** Where the rows of a field are. */
export type Source = (asked: Question) => Part
export type Sources = Record<SegmentFieldKey, Source>

let sources: Sources | undefined
/** Every field's source, handed in by the one file that knows all features. */
export const registerSegmentSources = (given: Sources) => {
  sources = given
}
export const sourceOf = (field: SegmentFieldKey): Source => {
  if (!sources) throw new Error('No sources of segments')
  return sources[field]
}

/** Rows of this tenant; `x` is theirs. */
type Place = Pick<Rows, 'from' | 'id' | 'isUnique' | 'isOwn'> & { where?: SQL }
type PlaceOf = (asked: Question) => Place
const within = ({ where, ...place }: Place, condition: SQL): Part => ({
  rows: { ...place, where: where ? sql`${where} and ${condition}` : condition },
})
const textOf = ({ value }: Question) => String(value ?? '')
export const listOf = ({ value }: Question): string[] => (Array.isArray(value) ? value : [])

/** One text of a contact, folded, by an index of it `collate "C"`. */
export const textRows =
  (placeOf: PlaceOf, text: SQL): Source =>
  (asked) => {
    const said = sql`norm(${textOf(asked)})`
    const conditions: Record<string, SQL> = {
      is: sql`${text} collate "C" = ${said}`,
      begins: sql`${text} collate "C" >= ${said} and ${text} collate "C" < ${said} || chr(1114111)`,
      contains: sql`position(${said} in ${text}) > 0`,
    }
    return within(placeOf(asked), conditions[asked.op] ?? sql`${text} <> ''`)
  }

export const numberRows =
  (placeOf: PlaceOf, number: SQL): Source =>
  (asked) => {
    const said = sql`${Number(asked.value ?? 0)}::float8`
    const conditions: Record<string, SQL> = {
      equals: sql`${number} = ${said}`,
      atLeast: sql`${number} >= ${said}`,
      atMost: sql`${number} <= ${said}`,
    }
    return within(placeOf(asked), conditions[asked.op] ?? sql`${number} is not null`)
  }

/** The moment a condition on moments is about; undefined where it only asks for any. */
const cutOf = ({ op, value, at }: Question): Date | undefined => {
  if (op === 'older' || op === 'within') return daysAgo(Number(value), at)
  return op === 'before' || op === 'from' ? midnight(String(value), at) : undefined
}
const isBefore = ({ op }: Question) => op === 'older' || op === 'before'

export const momentRows =
  (placeOf: PlaceOf, moment: SQL): Source =>
  (asked) => {
    const cut = cutOf(asked)?.toISOString()
    if (!cut) return within(placeOf(asked), sql`${moment} is not null`)
    return within(
      placeOf(asked),
      isBefore(asked) ? sql`${moment} < ${cut}::timestamptz` : sql`${moment} >= ${cut}::timestamptz`,
    )
  }

/** Of several values of a contact, each in a row of its own or all in one. */
export const setRows =
  (placeOf: PlaceOf, isIn: (values: string[]) => SQL, isThere: SQL = sql`true`): Source =>
  (asked) => {
    const place = placeOf(asked)
    const anyOf = (values: string[]) =>
      within({ ...place, isUnique: place.isOwn ?? (values.length === 1 ? place.isUnique : undefined) }, isIn(values))
    if (asked.op === 'any') return anyOf(listOf(asked))
    if (asked.op === 'all') return { all: listOf(asked).map((value) => anyOf([value])) }
    return within({ ...place, isUnique: place.isOwn }, isThere)
  }

/** Of a kind of few values that stands among a contact's facets, too (`contact_facets`). */
export const faceted =
  (
    kind: string,
    source: Source,
    facetsOf: (values: string[], asked: Question) => string[] | undefined = same,
  ): Source =>
  (asked) => {
    if (asked.op === 'all')
      return {
        all: listOf(asked).map((value) => faceted(kind, source, facetsOf)({ ...asked, op: 'any', value: [value] })),
      }
    const part = source(asked)
    const values = asked.op === 'any' ? facetsOf(listOf(asked), asked) : undefined
    if (!values?.length || !('rows' in part)) return part
    return { rows: { ...part.rows, facets: { any: values.map((value) => facet(asked, kind, value)) } } }
  }
export const facet = ({ tenantId }: Pick<Question, 'tenantId'>, kind: string, value: string) =>
  sql`facet(${tenantId}::int, ${kind}, ${value})`
const same = (values: string[]) => values

export const flagRows =
  (placeOf: PlaceOf, isSo: SQL = sql`true`): Source =>
  (asked) =>
    within(placeOf(asked), isSo)

export const uuids = (values: string[]) => sql`any(${sql.param(values)}::uuid[])`
export const texts = (values: string[]) => sql`any(${sql.param(values)}::text[])`
