import { id, moment, type Page } from '@balcao/contract/common.ts'
import { stateNames } from '@balcao/contract/contacts/segments/places.ts'
import { dimensions } from '@balcao/contract/operations/reports/definitions.ts'
import {
  type ContactsReportQuery,
  type ReportContact,
  reportQuery,
} from '@balcao/contract/operations/reports/reports.ts'
import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Tx, withReplica } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { likePattern, readCursor, toPage } from '../../../kit/cursor.ts'
import { laneName } from '../../contacts/lanes/lane-name.ts'
import { type Directory, getDirectory } from '../../core/directory/directory.ts'
import { contactsBehind, rowAsked } from './behind-row.ts'
import { contactsWhere, dddSql, stateOf } from './other.sources.ts'
import { daysOf, upToCursor } from './report-filters.ts'
import { requireReport } from './run-report.ts'

type Asking = Pick<Actor, 'tenantId' | 'userId' | 'permissions'>
const pageSize = 40
type Row = Omit<ReportContact, 'createdAt' | 'tags' | 'wallets' | 'estado'> & {
  ddd: string | null
  createdAt: Date
  tagIds: string[]
  walletIds: string[]
}

/** The contacts of a report, newest first, of those this person may see. */
export const listReportContacts = async (actor: Asking, asked: ContactsReportQuery): Promise<Page<ReportContact>> => {
  const directory = await getDirectory(actor.tenantId)
  const limit = asked.limit ?? pageSize
  return withReplica(actor, async (tx) => {
    const after = asked.cursor ? readCursor(asked.cursor, cursorKey) : undefined
    const whole = await whereOf(tx, actor, directory, asked)
    const where = after ? await whereOf(tx, actor, directory, asked, after) : whole
    const count = asked.count
      ? (await tx.db.execute<{ total: number }>(sql`select count(*)::int as total from contacts c where ${whole}`))
          .rows[0]?.total
      : undefined
    const beyond = after ? sql`and (c.created_at, c.id) < (${after[0]}::timestamptz, ${after[1]}::uuid)` : sql``
    const skip = after ? 0 : (asked.pageNumber - 1) * limit
    const { rows } = await tx.db.execute<Row>(
      sql`select c.id, c.name, c.number, c.email, c.extra_info as "extraInfo", ${dddSql} as ddd, c.created_at as "createdAt",
          ${sql.raw(laneName)} as kanban,
          array(select x.tag_id from contact_tags x where x.tenant_id = c.tenant_id and x.contact_id = c.id) as "tagIds",
          array(select x.user_id from contact_wallets x where x.tenant_id = c.tenant_id and x.contact_id = c.id) as "walletIds"
        from contacts c where ${where} ${beyond} order by c.created_at desc, c.id desc limit ${limit + 1} offset ${skip}`,
    )
    const { items, ...page } = toPage(rows, limit, (row) => [new Date(row.createdAt).toISOString(), row.id])
    return { ...page, items: items.map((row) => present(row, directory)), ...(count === undefined ? {} : { count }) }
  })
}
const cursorKey = z.tuple([moment, id])

export const countReportContacts = async (actor: Asking, query: ContactsReportQuery): Promise<number> =>
  (await listReportContacts(actor, { ...query, cursor: undefined, limit: 1, pageNumber: 1, count: true })).count ?? 0

const whereOf = async (
  tx: Tx,
  actor: Asking,
  directory: Directory,
  asked: ContactsReportQuery,
  after?: [string, string],
): Promise<SQL> => {
  const report = asked.report === undefined ? undefined : requireReport(asked.report)
  const row = rowAsked(asked)
  const query = {
    ...reportQuery.parse({}),
    ...asked,
    dateFrom: asked.dateFrom ?? asked.startDate,
    dateTo: asked.dateTo ?? asked.endDate,
    tagIds: [...asked.tagIds, ...asked.tags],
    kanbanIds: [...asked.kanbanIds, ...asked.kanban],
    walletIds: [...asked.walletIds, ...asked.wallets],
  }
  const days = daysOf(query, directory, report?.days)
  const behind = report && row ? await contactsBehind({ tx, actor, report, row, query, days }) : undefined
  // Filters of such a report are of what it counts, not of contacts.
  const ofContacts = behind?.isByItsMoment ? reportQuery.parse({}) : query
  const isOfDays = row && dimensions[row.dimension].kind === 'time' && !behind?.isByItsMoment
  const conditions = [
    ...(await contactsWhere({
      ...{ tx, actor, days: upToCursor(days, after) },
      query: isOfDays ? { ...query, dateFrom: days.from } : ofContacts,
    })),
    ...(behind?.where ?? []),
  ]
  const words = asked.searchParam.replaceAll('\0', '').trim()
  if (words) conditions.push(sql`c.search like norm(${likePattern(words)})`)
  return sql.join(conditions, sql` and `)
}

const present = ({ tagIds, walletIds, createdAt, ddd, ...row }: Row, { tags, people }: Directory): ReportContact => {
  const state = stateOf(ddd)
  return {
    ...row,
    estado: state && stateNames[state as keyof typeof stateNames],
    tags: tagIds.flatMap((one) => tags.get(one)?.name ?? []),
    wallets: walletIds.flatMap((one) => people.get(one)?.name ?? []),
    createdAt: new Date(createdAt).toISOString(),
  }
}
