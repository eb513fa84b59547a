import { Readable } from 'node:stream'
import type { BulkJob, BulkJobKind } from '@balcao/contract/operations/bulk-jobs.ts'
import type { Permission } from '@balcao/contract/permissions.ts'
import type { z } from 'zod'
import { withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import type { writeAudit } from '../../../kit/audit.ts'
import { type CsvColumn, csvBody, csvHead } from '../../../kit/csv.ts'
import { pageTurn } from '../../../kit/fair-turn.ts'
import type { Directory } from '../directory/directory.ts'
import { defineMaking } from './job-kinds.ts'
import { enqueueJob } from './jobs.service.ts'

/** What is in hand when the young generation is swept moves to the old one, which is swept late: it is to be little. */
const pageSize = 250

type Asking = Pick<Actor, 'tenantId' | 'userId' | 'profile' | 'permissions'>
type Page<Row> = { items: Row[]; nextCursor: string | null }
type Definition<Query extends object, Row> = {
  kind: BulkJobKind
  can: Permission
  params: z.ZodType<Query>
  /** "auditoria": the file is auditoria.csv. */
  file: string
  columns: (directory: Directory) => readonly CsvColumn<Row>[]
  count: (actor: Asking, query: Query) => Promise<number>
  /** The list as its screen reads it, page by page. */
  read: (
    actor: Asking,
    query: Query & { limit: number; cursor: string | undefined; pageNumber: 1 },
  ) => Promise<Page<Row>>
  /** What it is about, where that is one thing. */
  subject?: (actor: Asking, query: Query) => Promise<string>
  subjectParam?: keyof Query & string
  /** What the company reads of who asked for it. */
  audit: (query: Query) => Parameters<typeof writeAudit>[2]
}

/** A list as a spreadsheet, however long it is: the job that writes it, and how one is asked for. */
export const defineCsvExport = <Query extends object, Row>(definition: Definition<Query, Row>) => {
  const { kind, can, params, file, columns, count, read, subject, subjectParam, audit } = definition
  const job = defineMaking({
    ...{ kind, can, params, subjectParam },
    make: async ({ directory, actor, params: query, signal, tell }) => {
      const total = await count(actor, query)
      const readPage = (cursor?: string) => {
        signal.throwIfAborted()
        return pageTurn(actor.tenantId, () => read(actor, { ...query, cursor, pageNumber: 1, limit: pageSize }))
      }
      const told = (done: number) => tell(done, total)
      const stream = Readable.from(lines(columns(directory), readPage, told), { highWaterMark: 1 })
      return { name: `${file}.csv`, stream }
    },
  })
  const enqueue = async (actor: Actor, asked: Query): Promise<BulkJob> => {
    const query = { ...asked, cursor: undefined }
    const total = await count(actor, query)
    const about = await subject?.(actor, query)
    return withTenant(actor.tenantId, (tx) =>
      enqueueJob(tx, actor, { kind, params: query, total, subject: about, audit: audit(asked) }),
    )
  }
  return { job, enqueue }
}

async function* lines<Row>(
  columns: readonly CsvColumn<Row>[],
  readPage: (cursor?: string) => Promise<Page<Row>>,
  tell: (done: number) => void,
) {
  yield csvHead(columns)
  let done = 0
  for (let next: Promise<Page<Row>> | undefined = readPage(); next; ) {
    const { items, nextCursor }: Page<Row> = await next
    // Read while this page is written down.
    next = nextCursor ? readPage(nextCursor) : undefined
    next?.catch(() => undefined) // told when it is awaited
    yield csvBody(columns, items)
    done += items.length
    tell(done)
  }
}
