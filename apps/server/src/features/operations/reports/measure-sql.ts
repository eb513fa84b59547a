import type { MeasureKey } from '@balcao/contract/operations/reports/measures.ts'
import { type SQL, sql } from 'drizzle-orm'

/** A column that has a version of business time. */
type Timed = 'wait' | 'first_answer' | 'handling' | 'paused' | 'resolution'
export type TimeOf = (column: Timed) => SQL

const seconds = { calendar: '_s', business: '_business_s' } as const
export const timeOf =
  (time: keyof typeof seconds): TimeOf =>
  (column) =>
    sql.raw(`e.${column}${seconds[time]}`)

/** What a number is made of: a sum, and how many it is divided by where it is a mean or a share. Of parts of a whole both add up. */
export type Parts = { sum: SQL; per?: SQL }
/** The number of its parts. */
export const valueSql = ({ sum, per }: Parts): SQL => (per ? sql`${sum} / nullif(${per}, 0)` : sum)

const number = (where: string) => sql.raw(`count(*) filter (where ${where})::float8`)
const count = (where: string): Parts => ({ sum: number(where) })
const mean = (value: SQL): Parts => ({ sum: sql`sum(${value})::float8`, per: sql`count(${value})::float8` })
const share = (part: string, of: string): Parts => ({ sum: sql`100 * ${number(part)}`, per: number(of) })

/** Each measure of the contract as aggregates over `ticket_episodes e`; the words for it stand there. */
export const measureSql: { [Key in MeasureKey]: (time: TimeOf) => Parts } = {
  tickets: () => count('true'),
  receptive: () => count(`e.opened_by_kind = 'contact'`),
  proactive: () => count(`e.opened_by_kind <> 'contact'`),
  active: () => count('e.closed_at is null'),
  waiting: () => count('e.closed_at is null and e.accepted_at is null'),
  closed: () => count('e.closed_at is not null'),
  reopened: () => count('e.ordinal > 1'),
  reopenedShare: () => share('e.ordinal > 1', 'true'),
  transferred: () => share('e.transfers > 0', 'true'),
  transfers: () => mean(sql.raw('e.transfers')),
  wait: (time) => mean(time('wait')),
  firstAnswer: (time) => mean(time('first_answer')),
  resolution: (time) => mean(time('resolution')),
  handling: (time) => mean(time('handling')),
  paused: (time) => mean(time('paused')),
  firstAnswerMet: () => share('e.is_first_answer_met', 'e.is_first_answer_met is not null'),
  resolutionMet: () => share('e.is_resolution_met', 'e.is_resolution_met is not null'),
  unanswered: () => count(`e.closed_at is not null and e.opened_by_kind = 'contact' and e.first_answered_at is null`),
  messagesIn: () => mean(sql.raw('e.messages_in')),
  messagesOut: () => mean(sql.raw('e.messages_out')),
  graded: () => count('e.grade is not null'),
  grade: () => mean(sql.raw('e.grade')),
  value: () => ({ sum: sql.raw('sum(e.value)::float8') }),
}
