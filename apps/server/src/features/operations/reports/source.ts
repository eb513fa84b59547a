import type { DimensionKey, ReportDefinition } from '@balcao/contract/operations/reports/definitions.ts'
import type { AnyMeasureKey } from '@balcao/contract/operations/reports/measures.ts'
import type { ReportQuery } from '@balcao/contract/operations/reports/reports.ts'
import type { Tx } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import type { Directory } from '../../core/directory/directory.ts'
import type { Days } from './report-filters.ts'

/** Who asks for a report, for what days, of what. */
export type Asked = {
  tx: Tx
  actor: Pick<Actor, 'tenantId' | 'userId' | 'permissions'>
  directory: Directory
  report: ReportDefinition
  dimension: DimensionKey
  query: ReportQuery
  days: Days
}
export type Counted = {
  /** In the order of the report's measures, or of `columns`. */
  rows: { id: string | null; label?: string; color?: string | null; values: (number | null)[] }[]
  total: (number | null)[]
  /** Where they are others than the report names. */
  columns?: { key: AnyMeasureKey; label: string }[]
  isCut?: boolean
}
/** Where the numbers of a report come from. */
export type Source = (asked: Asked) => Promise<Counted>
/** Rows a report answers at most; of more, the largest. */
export const mostRows = 500
