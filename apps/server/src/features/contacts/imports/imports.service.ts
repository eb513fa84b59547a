import type { Readable } from 'node:stream'
import type { Page } from '@balcao/contract/common.ts'
import {
  type ContactImport,
  type ContactImportMapping,
  type ContactImportOptions,
  type ContactImportReading,
  importOptions,
  noCounts,
} from '@balcao/contract/contacts/imports.ts'
import { and, desc, eq, sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import { z } from 'zod'
import { type Prepared, type Tx, withTenant } from '../../../db/database.ts'
import { contactImports } from '../../../db/schema/contacts/imports.ts'
import type { Actor } from '../../../kit/actor.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { readCursor, toPage } from '../../../kit/cursor.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { enqueueJob } from '../../core/jobs/jobs.service.ts'
import { safeName } from '../../core/media/media.service.ts'
import {
  emitImport,
  findImport,
  presentImport,
  readImport,
  rowsUntil,
  saveImport,
  selectImports,
} from './import-rows.ts'
import { headingsKeyOf, suggestMapping } from './reading/headings.ts'
import type { Wanted } from './reading/read-file.task.ts'
import { receiveFile, rowsIn } from './receive-file.ts'
import { stageRows } from './rows.queries.ts'
import { listOwnFields } from './words.ts'

const rowsAtOnce = 1_000

type Upload = { name: string; stream: Readable; wanted: Wanted; start?: boolean; signal?: AbortSignal }
/** A file becomes an import whose columns wait to be named, or with `start`, as they seem to be, goes on by itself. */
export const uploadImport = (actor: Actor, { name, stream, wanted, start, signal }: Upload): Promise<ContactImport> =>
  receiveFile({ tenantId: actor.tenantId, stream, wanted, ...(signal && { signal }) }, async (file) => {
    const { reading, headings, columns, total, size, sha256 } = file
    const rows = rowsIn(file.rowsPath, rowsAtOnce)
    const described = { name: safeName(name), reading, size, sha256, headings, columns, total }
    const made = await beginImport(actor, { source: 'file', ...described, hasHeadings: file.hasHeadings }, rows)
    return start ? checkImport(actor, made.id, { isAutomatic: true }) : made
  })

type Described = {
  source: ContactImport['source']
  name: string
  reading: ContactImportReading | null
  size: number | null
  sha256: string | null
  headings: string[]
  columns: number
  total: number
  hasHeadings: boolean
  /** What the columns are, where that is known. */
  mapping?: ContactImportMapping
  options?: Partial<ContactImportOptions>
}
type Rows = AsyncIterable<[line: number, cells: string[]][]> | Iterable<[line: number, cells: string[]][]>

/** Writes the rows down as they came; they are an import only once all of them are there. */
export const beginImport = async (actor: Actor, described: Described, rows: Rows): Promise<ContactImport> => {
  const { columns, hasHeadings, mapping, options, ...columnsOfRow } = described
  const id = v7()
  const { tenantId, userId } = actor
  await withTenant(tenantId, (tx) =>
    tx.db.insert(contactImports).values({
      ...columnsOfRow,
      ...{ tenantId, id, userId, mapping: mapping ?? [], counts: noCounts },
      headingsKey: headingsKeyOf(described.headings),
      options: importOptions.parse({ ...options, hasHeadings }),
      rowsUntil: rowsUntil('reading'),
    }),
  )
  try {
    const sample: string[][] = []
    for await (const some of rows) {
      if (sample.length < rowsAtOnce) sample.push(...some.slice(0, 50).map(([, cells]) => cells))
      await withTenant(tenantId, (tx) => stageRows(tx, id, some))
    }
    return await withTenant(tenantId, async (tx) => {
      const suggested = mapping ?? (await mappingFor(tx, { headings: described.headings, columns, sample }))
      await saveImport(tx, id, { state: 'read', mapping: suggested, rowsUntil: rowsUntil('waiting') })
      await emitImport(tx, id)
      return readImport(tx, id)
    })
  } catch (error) {
    await withTenant(tenantId, (tx) => dropImport(tx, id))
    throw error
  }
}

/** As the company named these columns the last time; else by their words. */
const mappingFor = async (tx: Tx, file: { headings: string[]; columns: number; sample: string[][] }) => {
  const fields = await listOwnFields(tx)
  const [known] = file.headings.length
    ? await tx.rows<{ mapping: ContactImportMapping }>(lastMapping, [tx.tenantId, headingsKeyOf(file.headings)])
    : []
  const keys = new Set(fields.map(({ key }) => `extra.${key}`))
  if (known?.mapping.length === file.columns)
    return known.mapping.map((target) => (target?.startsWith('extra.') && !keys.has(target) ? null : target))
  return suggestMapping(file, fields)
}
const lastMapping: Prepared = {
  name: 'import_last_mapping',
  text: `select mapping from contact_imports where tenant_id = $1 and headings_key = $2 and started_at is not null
    order by created_at desc limit 1`,
}

const dropImport = (tx: Tx, id: string) =>
  tx.db.delete(contactImports).where(and(eq(contactImports.tenantId, tx.tenantId), eq(contactImports.id, id)))

const pageSize = 20
/** Past imports, newest first. */
export const listImports = (
  actor: Actor,
  { cursor, limit = pageSize }: { cursor?: string | undefined; limit?: number | undefined },
): Promise<Page<ContactImport>> =>
  withTenant(actor.tenantId, async (tx) => {
    const after = cursor ? readCursor(cursor, z.tuple([z.iso.datetime(), z.uuid()])) : undefined
    const rows = await selectImports(tx)
      .where(
        and(
          eq(contactImports.tenantId, tx.tenantId),
          after &&
            sql`(${contactImports.createdAt}, ${contactImports.id}) < (${after[0]}::timestamptz, ${after[1]}::uuid)`,
        ),
      )
      .orderBy(desc(contactImports.createdAt), desc(contactImports.id))
      .limit(limit + 1)
    const { items, ...more } = toPage(rows, limit, (row) => [row.createdAt.toISOString(), row.id])
    return { ...more, items: items.map(presentImport) }
  })

export const getImport = (actor: Actor, id: string): Promise<ContactImport> =>
  withTenant(actor.tenantId, (tx) => readImport(tx, id))

const busy = () =>
  new AppError('ERR_CONFLICT', { message: 'Esta importação está em andamento. Espere ou cancele antes.' })
const over = () =>
  new AppError('ERR_CONFLICT', { message: 'Esta importação já foi feita. Envie o arquivo de novo para refazê-la.' })

type Changes = {
  mapping?: ContactImportMapping | undefined
  options?: ContactImportOptions | undefined
  isAutomatic?: boolean
}
/** Checks every row by these columns and options; nothing is written to the contacts. */
export const checkImport = (
  actor: Actor,
  id: string,
  { mapping, options, isAutomatic = false }: Changes,
): Promise<ContactImport> =>
  withTenant(actor.tenantId, async (tx) => {
    const row = await findImport(tx, id, 'lock')
    const { state } = await readImport(tx, id)
    if (state === 'checking' || state === 'running' || state === 'undoing' || state === 'reading') throw busy()
    if (row.startedAt || !row.rowsUntil) throw over()
    const changed = { ...row, ...(mapping && { mapping }), ...(options && { options }) }
    await refuseMapping(tx, changed.mapping)
    await refuseOptions(tx, changed.options)
    const job = await enqueueJob(tx, actor, {
      ...{ kind: 'checkContactImport', params: { importId: id }, total: row.total, subject: row.name },
      audit: { action: 'contact.importChecked', entity: 'contactImport', entityId: id, after: { name: row.name } },
    })
    await saveImport(tx, id, {
      ...{ mapping: changed.mapping, options: changed.options, isAutomatic, counts: noCounts },
      ...{ state: 'checking', jobId: job.id, error: null, rowsUntil: rowsUntil('waiting') },
    })
    await emitImport(tx, id)
    return readImport(tx, id)
  })

const refuseMapping = async (tx: Tx, mapping: ContactImportMapping) => {
  const named = mapping.flatMap((target) => target ?? [])
  const isKnown = named.some((target) => target === 'phone' || target === 'email' || target === 'document')
  if (!isKnown)
    throw fieldErrors({ path: 'mapping', message: 'Diga qual coluna é o telefone. Sem ele, use o e-mail ou o CPF.' })
  const twice = named.find((target, at) => target !== 'phone' && named.indexOf(target) < at)
  if (twice)
    throw fieldErrors({ path: 'mapping', message: 'Duas colunas são o mesmo campo. Só o telefone pode repetir.' })
  const own = new Set((await listOwnFields(tx)).map(({ key }) => `extra.${key}`))
  const gone = named.find((target) => target.startsWith('extra.') && !own.has(target))
  if (gone)
    throw fieldErrors({ path: 'mapping', message: 'Um dos campos escolhidos não existe mais. Escolha de novo.' })
}

/** What everybody is to get must be there. */
const refuseOptions = async (tx: Tx, { tagIds, walletIds, kanban }: ContactImportOptions) => {
  const [there] = await tx.rows<{ tags: number; users: number; lanes: number }>(optionRows, [
    ...[tx.tenantId, [...new Set(tagIds)], [...new Set(walletIds)], kanban],
  ])
  if ((there?.tags ?? 0) < new Set(tagIds).size)
    throw fieldErrors({ path: 'options.tagIds', message: 'Uma das etiquetas escolhidas não existe mais.' })
  if ((there?.users ?? 0) < new Set(walletIds).size)
    throw fieldErrors({ path: 'options.walletIds', message: 'Um dos responsáveis escolhidos não existe mais.' })
  if (kanban && !there?.lanes) throw fieldErrors({ path: 'options.kanban', message: 'Esta etapa não existe mais.' })
}
const optionRows: Prepared = {
  name: 'import_option_rows',
  text: `select (select count(*)::int from tags where tenant_id = $1 and id = any($2::uuid[])) as tags,
    (select count(*)::int from users where tenant_id = $1 and id = any($3::uuid[]) and deleted_at is null) as users,
    (select count(*)::int from lanes where tenant_id = $1 and id = $4::uuid) as lanes`,
}

/** Writes what was checked; one that stopped halfway goes on where it was. */
export const runImport = (actor: Actor, id: string): Promise<ContactImport> =>
  withTenant(actor.tenantId, async (tx) => {
    const row = await findImport(tx, id, 'lock')
    const { state } = await readImport(tx, id)
    const mayRun = state === 'checked' || (state === 'stopped' && row.state === 'running')
    if (!mayRun)
      throw state === 'read'
        ? new AppError('ERR_CONFLICT', { message: 'Confira as linhas antes de importar.' })
        : row.startedAt
          ? over()
          : busy()
    if (row.error) throw new AppError('ERR_CONTACT_LIMIT', { message: row.error })
    const { create, update, same } = row.counts
    const total = create + update + (row.options.consent ? same : 0)
    if (!total) throw new AppError('ERR_CONFLICT', { message: 'Não há nada para importar neste arquivo.' })
    const job = await enqueueJob(tx, actor, {
      ...{ kind: 'importContacts', params: { importId: id }, total, subject: row.name },
      audit: {
        ...{ action: 'contact.imported', entity: 'contactImport', entityId: id },
        after: { name: row.name, total: row.total, create, update },
      },
    })
    const startedAt = row.startedAt ?? new Date()
    await saveImport(tx, id, { state: 'running', jobId: job.id, startedAt, rowsUntil: rowsUntil('done') })
    await emitImport(tx, id)
    return readImport(tx, id)
  })

/** Takes it back, within thirty days. */
export const undoImport = (actor: Actor, id: string): Promise<ContactImport> =>
  withTenant(actor.tenantId, async (tx) => {
    const row = await findImport(tx, id, 'lock')
    const { canUndo, state } = await readImport(tx, id)
    const goesOn = state === 'stopped' && row.state === 'undoing'
    if (!canUndo && !goesOn)
      throw new AppError('ERR_CONFLICT', { message: 'Esta importação não pode mais ser desfeita.' })
    const { created, updated } = row.counts
    const job = await enqueueJob(tx, actor, {
      ...{ kind: 'undoContactImport', params: { importId: id }, total: created + updated, subject: row.name },
      audit: {
        ...{ action: 'contact.importUndone', entity: 'contactImport', entityId: id },
        after: { name: row.name, created, updated },
      },
    })
    await saveImport(tx, id, { state: 'undoing', jobId: job.id })
    await emitImport(tx, id)
    return readImport(tx, id)
  })

/** One that was never run leaves nothing behind. */
export const discardImport = (actor: Actor, id: string): Promise<void> =>
  withTenant(actor.tenantId, async (tx) => {
    const row = await findImport(tx, id, 'lock')
    const { state } = await readImport(tx, id)
    if (row.startedAt) throw over()
    if (state === 'checking') throw busy()
    await writeAudit(tx, actor, {
      action: 'contact.importDiscarded',
      entity: 'contactImport',
      entityId: id,
      before: { name: row.name },
    })
    await dropImport(tx, id)
    await emitImport(tx, id)
  })
