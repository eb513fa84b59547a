import type { Page } from '@balcao/contract/common.ts'
import {
  type GroupActRow,
  type GroupActRowsQuery,
  groupActRowsQuery,
  groupActStateLabels,
  type PersonResult,
} from '@balcao/contract/operations/group-acts.ts'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { z } from 'zod'
import { type Tx, withTenant } from '../../../db/database.ts'
import { connections } from '../../../db/schema/channels/connections.ts'
import { connectionGroups } from '../../../db/schema/conversations/connection-groups.ts'
import { bulkJobs } from '../../../db/schema/operations/bulk-jobs.ts'
import { groupActRows } from '../../../db/schema/operations/group-acts.ts'
import type { Actor } from '../../../kit/actor.ts'
import { type CsvColumn, momentText } from '../../../kit/csv.ts'
import { readCursor, toPage } from '../../../kit/cursor.ts'
import { AppError } from '../../../kit/errors.ts'
import { defineCsvExport } from '../../core/jobs/csv-export.ts'

type Asking = Pick<Actor, 'tenantId'>
const pageSize = 50

/** What became of each group of a job, in its order. */
export const listActRows = (
  { tenantId }: Asking,
  jobId: string,
  query: GroupActRowsQuery,
): Promise<Page<GroupActRow>> =>
  withTenant(tenantId, async (tx) => {
    await requireJob(tx, jobId)
    const { cursor, limit = pageSize, state } = query
    const after = cursor === undefined ? -1 : readCursor(cursor, z.tuple([z.int()]))[0]
    const rows = await tx.db
      .select({ row: groupActRows, connectionName: connections.name, linkNow: connectionGroups.inviteUrl })
      .from(groupActRows)
      .innerJoin(connections, and(eq(connections.tenantId, tenantId), eq(connections.id, groupActRows.connectionId)))
      .leftJoin(
        connectionGroups,
        and(
          eq(connectionGroups.tenantId, tenantId),
          eq(connectionGroups.connectionId, groupActRows.connectionId),
          eq(connectionGroups.groupId, groupActRows.groupId),
        ),
      )
      .where(
        and(
          eq(groupActRows.tenantId, tenantId),
          eq(groupActRows.jobId, jobId),
          sql`${groupActRows.place} > ${after}`,
          state.length ? inArray(groupActRows.state, state) : undefined,
        ),
      )
      .orderBy(groupActRows.place)
      .limit(limit + 1)
    const page = toPage(rows, limit, ({ row }) => [row.place])
    return {
      ...page,
      items: page.items.map(({ row, connectionName, linkNow }) => {
        const isLinkOld = row.inviteUrl !== null && linkNow !== null && row.inviteUrl !== linkNow
        return {
          ...{ id: row.id, groupId: row.groupId, name: row.name, state: row.state, reason: row.reason },
          connection: { id: row.connectionId, name: connectionName },
          part: ('part' in row.act && row.act.part) || null,
          people: row.people,
          inviteUrl: isLinkOld ? null : row.inviteUrl,
          isLinkOld,
          doneAt: row.doneAt?.toISOString() ?? null,
        }
      }),
    }
  })

const requireJob = async (tx: Tx, jobId: string) => {
  const [job] = await tx.db
    .select({ subject: bulkJobs.subject })
    .from(bulkJobs)
    .where(
      and(
        eq(bulkJobs.tenantId, tx.tenantId),
        eq(bulkJobs.id, jobId),
        inArray(bulkJobs.kind, ['groupAct', 'undoGroupAct']),
      ),
    )
  if (!job) throw new AppError('ERR_NOT_FOUND')
  return job
}

const peopleText = (people: PersonResult[]) =>
  people.map(({ number, outcome, reason }) => `${number}: ${reason ?? outcomeTexts[outcome]}`).join('; ')
const outcomeTexts = { done: 'feito', already: 'já estava', invited: 'convidado', refused: 'não foi feito' }
const columnsIn = (timeZone: string): CsvColumn<GroupActRow>[] => [
  { label: 'Grupo', value: (row) => row.name },
  { label: 'Canal', value: (row) => row.connection.name },
  { label: 'Parte da lista', value: ({ part }) => part && `${part.from} a ${part.to} de ${part.of}` },
  { label: 'Resultado', value: (row) => groupActStateLabels[row.state] },
  { label: 'Motivo', value: (row) => row.reason },
  { label: 'Pessoas', value: (row) => peopleText(row.people) },
  { label: 'Link de convite', value: (row) => row.inviteUrl },
  { label: 'Quando', value: ({ doneAt }) => momentText(timeZone)(doneAt) },
]
/** The same as a spreadsheet. */
export const groupActsExport = defineCsvExport({
  kind: 'exportGroupActs',
  can: 'groups.read',
  params: groupActRowsQuery.extend({ jobId: z.uuid() }),
  file: 'resultado-dos-grupos',
  columns: ({ timezone }) => columnsIn(timezone),
  count: ({ tenantId }, { jobId }) =>
    withTenant(tenantId, (tx) =>
      tx.db.$count(groupActRows, and(eq(groupActRows.tenantId, tenantId), eq(groupActRows.jobId, jobId))),
    ),
  read: (actor, { jobId, ...query }) => listActRows(actor, jobId, query),
  subject: ({ tenantId }, { jobId }) => withTenant(tenantId, async (tx) => (await requireJob(tx, jobId)).subject ?? ''),
  audit: ({ jobId }) => ({ action: 'bulk.exported', entity: 'bulkJob', entityId: jobId, after: {} }),
})
