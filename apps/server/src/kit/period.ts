import type { Bind } from './sql.ts'

/** Conditions that hold a column between two days of the company's calendar, both included. */
export const withinDays = (
  column: string,
  { dateFrom, dateTo }: { dateFrom?: string; dateTo?: string },
  timeZone: string,
  bind: Bind,
): string[] => [
  ...(dateFrom ? [`${column} >= ${bind(dateFrom)}::date::timestamp at time zone ${bind(timeZone)}`] : []),
  ...(dateTo ? [`${column} < (${bind(dateTo)}::date + 1)::timestamp at time zone ${bind(timeZone)}`] : []),
]
