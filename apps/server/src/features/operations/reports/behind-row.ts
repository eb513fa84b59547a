import type { DimensionKey, ReportDefinition, ReportSource } from '@balcao/contract/operations/reports/definitions.ts'
import type { ReportQuery } from '@balcao/contract/operations/reports/reports.ts'
import { type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../../../db/database.ts'
import { behindActivity } from './activity.sources.ts'
import { behindContacts, newIn, stoppedAt } from './other.sources.ts'
import { type Asking, type Days, dayOf, dimensionSql } from './report-filters.ts'

export type ReportRowKey = { dimension: DimensionKey; within: string }
/** What a list is narrowed to, and whether the period of the report says nothing of its own rows. */
export type Behind = { where: SQL[]; isByItsMoment?: boolean }

/** A row by its name, where one is asked for. */
export const rowAsked = ({ dimension, within }: Partial<ReportRowKey>): ReportRowKey | undefined =>
  dimension && within !== undefined ? { dimension, within } : undefined

type Of = { source: ReportSource | undefined; row: ReportRowKey | undefined; column: SQL; days: Days }
/** The episodes behind a row of a report: `ticket_episodes e`. */
export const episodesBehind = ({ source, row, column, days }: Of): Behind => {
  switch (source) {
    case 'ai':
    case 'assistants':
    case 'voiceCalls': {
      const { where, isByItsMoment } = behindActivity(source, row, { column, days })
      return { where: [where], isByItsMoment }
    }
    case 'backlog': {
      const { end } = row ? dayOf(row.within, days) : days
      return {
        where: [sql`e.opened_at < ${end}::timestamptz and (e.closed_at is null or e.closed_at >= ${end}::timestamptz)`],
        isByItsMoment: true,
      }
    }
    case 'flows':
      return { where: [stoppedAt(row?.within, days)], isByItsMoment: true }
    default:
      return { where: row ? withinEpisodes(row, column, days) : [] }
  }
}

const withinEpisodes = ({ dimension, within }: ReportRowKey, column: SQL, { timezone }: Days): SQL[] => {
  if (dimension === 'tag')
    return [within === '' ? sql`e.tag_ids = '{}'` : sql`${within}::text = any(e.tag_ids::text[])`]
  const by = dimensionSql(dimension, column, timezone)
  return by ? [within === '' ? sql`${by.key} is null` : sql`(${by.key})::text = ${within}`] : []
}

type OfContacts = { tx: Tx; actor: Asking; report: ReportDefinition; row: ReportRowKey; query: ReportQuery; days: Days }
/** The contacts behind a row of a report: `contacts c`. */
export const contactsBehind = async ({ tx, actor, report, row, query, days }: OfContacts): Promise<Behind> => {
  switch (report.source) {
    case 'campaigns':
      return {
        where: [
          sql`c.id in (select r.contact_id from campaign_recipients r where r.tenant_id = ${actor.tenantId}
            and r.campaign_id::text = ${row.within} and (r.sent_at is not null or r.failed_at is not null))`,
        ],
        isByItsMoment: true,
      }
    case 'cohort':
      return { where: [await newIn({ tx, actor, query, days }, row.within)], isByItsMoment: true }
    default:
      return { where: behindContacts(row, days) }
  }
}
