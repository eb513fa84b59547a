import { Readable } from 'node:stream'
import type { BulkJob } from '@balcao/contract/operations/bulk-jobs.ts'
import { type AuditEntry, type AuditQuery, auditQuery } from '@balcao/contract/platform/audit.ts'
import { withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { type CsvColumn, csvBody, csvHead } from '../../../kit/csv.ts'
import { pageTurn } from '../../../kit/fair-turn.ts'
import { defineMaking } from '../../core/jobs/job-kinds.ts'
import { enqueueJob } from '../../core/jobs/jobs.service.ts'
import { countAudit, listAudit } from './audit.queries.ts'
import { columnsIn } from './columns.ts'

const pageSize = 1_000

/** The audit as a spreadsheet, however long it is. */
export const exportAuditJob = defineMaking({
  kind: 'exportAudit',
  can: 'audit.read',
  params: auditQuery,
  make: async ({ directory: { tenantId, timezone }, params, signal, tell }) => {
    const total = await countAudit(tenantId, params)
    const readPage = (cursor?: string) => {
      signal.throwIfAborted()
      return pageTurn(tenantId, () => listAudit(tenantId, { ...params, cursor, pageNumber: 1, limit: pageSize }))
    }
    const stream = Readable.from(lines(columnsIn(timezone), readPage, (done) => tell(done, total)))
    return { name: 'auditoria.csv', stream }
  },
})

type ReadPage = (cursor?: string) => ReturnType<typeof listAudit>
async function* lines(columns: CsvColumn<AuditEntry>[], readPage: ReadPage, tell: (done: number) => void) {
  yield csvHead(columns)
  let done = 0
  for (let cursor: string | undefined; ; ) {
    const page = await readPage(cursor)
    yield csvBody(columns, page.items)
    done += page.items.length
    tell(done)
    if (!page.nextCursor) return
    cursor = page.nextCursor
  }
}

export const enqueueExport = async (actor: Actor, asked: AuditQuery): Promise<BulkJob> => {
  const params = { ...asked, cursor: undefined }
  const total = await countAudit(actor.tenantId, params)
  return withTenant(actor.tenantId, (tx) =>
    enqueueJob(tx, actor, { kind: 'exportAudit', params, total, audit: auditOf(asked) }),
  )
}

export const auditOf = (query: AuditQuery) => ({
  action: 'audit.exported',
  entity: 'audit',
  entityId: '',
  after: daysOf(query),
})

/** The days alone: whatever else was asked for is the asker's word, and no fact to keep. */
export const daysOf = ({ dateFrom, dateTo }: { dateFrom?: string; dateTo?: string }) => ({ dateFrom, dateTo })
