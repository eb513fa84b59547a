import type { ContactImport } from '@balcao/contract/contacts/imports.ts'
import { and, eq, getTableColumns } from 'drizzle-orm'
import type { Tx } from '../../../db/database.ts'
import { contactImports } from '../../../db/schema/contacts/imports.ts'
import { bulkJobs } from '../../../db/schema/operations/bulk-jobs.ts'
import { users } from '../../../db/schema/people/users.ts'
import { AppError } from '../../../kit/errors.ts'
import { emit } from '../../../kit/outbox.ts'

export type ImportRow = typeof contactImports.$inferSelect

const one = (tx: Tx, id: string) => and(eq(contactImports.tenantId, tx.tenantId), eq(contactImports.id, id))

export const findImport = async (tx: Tx, id: string, lock?: 'lock'): Promise<ImportRow> => {
  const asked = tx.db.select().from(contactImports).where(one(tx, id))
  const [row] = await (lock ? asked.for('update') : asked)
  if (!row) throw new AppError('ERR_NOT_FOUND')
  return row
}

export const saveImport = (tx: Tx, id: string, change: Partial<ImportRow>) =>
  tx.db.update(contactImports).set(change).where(one(tx, id))

const dayMs = 24 * 60 * 60_000
/** How long rows may take to come in, wait for somebody to decide, and serve to take back what was done. */
const keptMs = { reading: dayMs, waiting: 7 * dayMs, done: 30 * dayMs }
export const rowsUntil = (what: keyof typeof keptMs): Date => new Date(Date.now() + keptMs[what])

/** Tells those who import that it is not what it was. */
export const emitImport = (tx: Tx, id: string) =>
  emit(tx, 'contactImport.updated', { id }, { kind: 'permission', can: 'contacts.import' })
/** Tells whoever has a list of contacts open: many changed at once, and no list is told of each. */
export const emitContactsChanged = (tx: Tx) =>
  emit(tx, 'contacts.changed', {}, { kind: 'permission', can: 'contacts.read' })

/** What shows a consent that came with an import. */
export const proofOf = ({ name, options, createdAt }: ImportRow): string =>
  `Importação de ${name} em ${createdAt.toLocaleDateString('pt-BR', { timeZone: 'America/Sao_Paulo' })}: ${options.consent?.proof ?? ''}`

/** Imports with who made them and how their work stands. */
export const selectImports = (tx: Tx) =>
  tx.db
    .select({ ...getTableColumns(contactImports), userName: users.name, jobState: bulkJobs.state })
    .from(contactImports)
    .innerJoin(users, and(eq(users.tenantId, contactImports.tenantId), eq(users.id, contactImports.userId)))
    .leftJoin(bulkJobs, and(eq(bulkJobs.tenantId, contactImports.tenantId), eq(bulkJobs.id, contactImports.jobId)))

export const readImport = async (tx: Tx, id: string): Promise<ContactImport> => {
  const [row] = await selectImports(tx).where(one(tx, id))
  if (!row) throw new AppError('ERR_NOT_FOUND')
  return presentImport(row)
}

type Joined = Awaited<ReturnType<typeof selectImports>>[number]
const working = ['checking', 'running', 'undoing']
/** Work that was canceled, that failed, or whose job is long gone. */
const isStopped = ({ state, jobState }: Joined) =>
  working.includes(state) && !['pending', 'running', 'paused'].includes(jobState ?? '')

export const presentImport = (row: Joined): ContactImport => {
  const state = isStopped(row) ? 'stopped' : row.state
  const isWritten =
    row.counts.created + row.counts.updated > 0 || (row.startedAt !== null && row.options.consent !== null)
  return {
    ...{ id: row.id, source: row.source, name: row.name, size: row.size, reading: row.reading, headings: row.headings },
    ...{ mapping: row.mapping, options: row.options, state, total: row.total, counts: row.counts, error: row.error },
    jobId: row.jobId,
    user: { id: row.userId, name: row.userName },
    canUndo:
      isWritten && row.rowsUntil !== null && (state === 'done' || (state === 'stopped' && row.startedAt !== null)),
    undoUntil: isWritten ? (row.rowsUntil?.toISOString() ?? null) : null,
    rowsAreGone: row.rowsUntil === null,
    undoneAt: row.undoneAt?.toISOString() ?? null,
    startedAt: row.startedAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  }
}
