import type { MeasureKey } from '@balcao/contract/operations/reports/measures.ts'
import { type SQL, sql } from 'drizzle-orm'

/** A column that has a version of business time. */
type Timed = 'wait' | 'first_answer' | 'handling' | 'paused' | 'resolution'
export type TimeOf = (column: Timed) => string

const seconds = { calendar: '_s', business: '_business_s' } as const
export const timeOf =
  (time: keyof typeof seconds): TimeOf =>
  (column) =>
    `${column}${seconds[time]}`

/** What a number is made of: a sum, and how many it is divided by where it is a mean or a share. Of parts of a whole both add up. */
export type Parts = { sum: SQL; per?: SQL }
/** The number of its parts. */
export const valueSql = ({ sum, per }: Parts): SQL => (per ? sql`${sum} / nullif(${per}, 0)` : sum)

const total = (column: string) => sql.raw(`sum(p.${column})::float8`)
const count = (column: string): Parts => ({ sum: total(column) })
const left = (all: string, without: string): Parts => ({ sum: sql.raw(`sum(p.${all} - p.${without})::float8`) })
const mean = (column: string, per: string): Parts => ({ sum: total(column), per: total(per) })
const share = (part: string, of: string): Parts => ({ sum: sql`100 * ${total(part)}`, per: total(of) })

/**
 * Each measure of the contract as sums over `p`: what each episode adds (`episode_parts`), or what those of an hour add up to
 * (`episode_sums`). The words for it stand in the contract.
 */
export const measureSql: { [Key in MeasureKey]: (time: TimeOf) => Parts } = {
  tickets: () => count('tickets'),
  receptive: () => count('receptive'),
  proactive: () => left('tickets', 'receptive'),
  active: () => left('tickets', 'closed'),
  waiting: () => count('waiting'),
  closed: () => count('closed'),
  reopened: () => count('reopened'),
  reopenedShare: () => share('reopened', 'tickets'),
  transferred: () => share('transferred', 'tickets'),
  transfers: () => mean('transfers', 'tickets'),
  wait: (time) => mean(time('wait'), 'waits'),
  firstAnswer: (time) => mean(time('first_answer'), 'first_answers'),
  resolution: (time) => mean(time('resolution'), 'resolutions'),
  handling: (time) => mean(time('handling'), 'handlings'),
  paused: (time) => mean(time('paused'), 'closed'),
  firstAnswerMet: () => share('first_answers_met', 'first_answers_due'),
  resolutionMet: () => share('resolutions_met', 'resolutions_due'),
  unanswered: () => count('unanswered'),
  messagesIn: () => mean('messages_in', 'closed'),
  messagesOut: () => mean('messages_out', 'closed'),
  graded: () => count('graded'),
  grade: () => mean('grade', 'graded'),
  value: () => ({ sum: sql.raw('case when sum(p.valued) > 0 then sum(p.value)::float8 end') }),
}

export type Summed = Record<`s${number}` | `p${number}`, number | null>
/** Measures of a grouped statement as its columns, and what they are of any of its rows together. */
export const summing = (keys: readonly MeasureKey[], time: TimeOf) => {
  const parts = keys.map((key) => measureSql[key](time))
  const columns = parts.flatMap(({ sum, per }, at) => [
    sql`${sum} as ${sql.raw(`s${at}`)}`,
    ...(per ? [sql`${per} as ${sql.raw(`p${at}`)}`] : []),
  ])
  const valuesOf = (rows: readonly Summed[]) =>
    parts.map(({ per }, at) => {
      const told = rows.flatMap((row) => row[`s${at}`] ?? [])
      const sum = told.reduce((all, one) => all + one, 0)
      const times = rows.reduce((all, row) => all + (row[`p${at}`] ?? 0), 0)
      return per ? (times ? sum / times : null) : told.length || rows.length === 0 ? sum : null
    })
  return { columns: sql.join(columns, sql`, `), valuesOf }
}
