import { type Part, wordsOf } from '@balcao/contract/conversations/parts.ts'
import type { CsvImportReport } from '@balcao/contract/core/csv-imports.ts'
import { quickFolder } from '@balcao/contract/service/quick-messages.ts'
import { and, eq, inArray } from 'drizzle-orm'
import { v7 } from 'uuid'
import { type Prepared, type Tx, withTenant } from '../../../db/database.ts'
import { quickFolders, quickMessageParts, quickMessages } from '../../../db/schema/service/library.ts'
import type { Actor } from '../../../kit/actor.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { withTextDates } from '../../../kit/crud-fields.ts'
import { readCsv } from '../../../kit/csv-read.ts'
import { emitAll } from '../../../kit/outbox.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { sendableFiles } from '../../core/media/stored-files.ts'
import { presentQuick } from './present-quick.ts'
import { quickHeads, type ReadQuick, readQuickLines } from './quick-csv.ts'
import { partsOf } from './quick-messages.queries.ts'
import { audienceOf, mayWrite, readableBy, type Scoped } from './scope.ts'

type Row = typeof quickMessages.$inferSelect
type Planned = { id: string; isNew: boolean; read: ReadQuick; owner: Scoped; folder: string }

/** Quick messages from a file: what is new is made, what differs is changed, the rest is told with its reason. */
export const importQuick = async (
  actor: Actor,
  { csv, dryRun }: { csv: string; dryRun: boolean },
): Promise<CsvImportReport> => {
  const lines = readCsv(csv, { heads: quickHeads, required: ['Atalho', 'Mensagem'] })
  const { read, refused } = readQuickLines(lines)
  const { queues } = await getDirectory(actor.tenantId)
  const queueIds = new Map([...queues.values()].map(({ id, name }) => [plain(name), id]))
  return withTenant(actor.tenantId, async (tx) => {
    const known = await tx.db
      .select()
      .from(quickMessages)
      .where(and(eq(quickMessages.tenantId, tx.tenantId), readableBy(actor, quickMessages)))
    const parts = Map.groupBy(
      await partsOf(
        tx,
        known.map((row) => row.id),
      ),
      (one) => one.quickMessageId,
    )
    const files = await sendable(tx, actor, read)
    const folders = await readFolders(tx, actor)
    const byName = new Map(known.map((row) => [nameOf(row, row.key), row]))
    const planned = new Map<string, Planned>()
    let same = 0
    for (const one of read) {
      const refuse = (reason: string) => refused.push({ line: one.line, name: `/${one.key}`, reason })
      const queueId = one.scope === 'queue' ? (queueIds.get(plain(one.queue)) ?? null) : null
      const owner: Scoped = { scope: one.scope, userId: actor.userId, queueId }
      const name = nameOf(owner, one.key)
      const before = byName.get(name)
      const problem = problemOf(actor, { one, queueId, files, isTwice: planned.has(name) })
      if (problem) refuse(problem)
      else if (before && isSame(before, { one, parts: parts.get(before.id) ?? [], folders })) same += 1
      else
        planned.set(name, {
          id: before?.id ?? v7(),
          isNew: !before,
          read: one,
          owner,
          folder: folderKey(owner, one.folder),
        })
    }
    const all = [...planned.values()]
    const missing = new Map(
      all.filter(({ read, folder }) => read.folder && !folders.has(folder)).map((one) => [one.folder, one]),
    )
    const created = all.filter(({ isNew }) => isNew).length
    const report = {
      created,
      changed: all.length - created,
      same,
      folders: [...missing.values()].map(({ read }) => read.folder),
      refused: refused.toSorted((a, b) => a.line - b.line),
    }
    if (dryRun || !all.length) return report
    await makeFolders(tx, missing, folders)
    await write(tx, all, folders)
    await tell(tx, actor, all, report)
    return report
  })
}

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').trim().toLowerCase()
const nameOf = ({ scope, queueId }: Pick<Scoped, 'scope' | 'queueId'>, key: string) =>
  [scope, queueId ?? '', key].join('\n')
const folderKey = ({ scope, queueId }: Pick<Scoped, 'scope' | 'queueId'>, name: string) =>
  [scope, queueId ?? '', name.toLowerCase()].join('\n')

type Asked = { one: ReadQuick; queueId: string | null; files: ReadonlyMap<string, string>; isTwice: boolean }
const problemOf = (actor: Actor, { one, queueId, files, isTwice }: Asked): string | undefined => {
  if (!mayWrite(actor, one.scope)) return 'Seu perfil só pode criar mensagens para uso próprio.'
  if (one.scope === 'queue' && !queueId)
    return one.queue ? `A fila “${one.queue}” não existe.` : 'Informe a fila na coluna “Fila”.'
  if (isTwice) return 'Este atalho aparece mais de uma vez no arquivo para as mesmas pessoas.'
  const lost = one.parts.find(({ mediaId }) => mediaId && !files.has(mediaId))
  if (lost) return 'O arquivo desta mensagem não está aqui. Crie-a na tela, anexando o arquivo.'
  const mute = one.parts.find(({ kind, mediaId }) => kind === 'voice' && files.get(mediaId ?? '') !== 'audio')
  return mute && 'O arquivo desta mensagem não é um áudio.'
}

type Current = { one: ReadQuick; parts: readonly Part[]; folders: ReadonlyMap<string, string> }
const isSame = (before: Row, { one, parts, folders }: Current) =>
  before.isActive === one.isActive &&
  before.folderId === (one.folder ? (folders.get(folderKey(before, one.folder)) ?? '') : null) &&
  JSON.stringify(parts.map(bare)) === JSON.stringify(one.parts.map(bare))
const bare = ({ kind, body, mediaId, interactive }: Part) => [
  kind,
  body,
  mediaId,
  interactive && [
    ...[interactive.kind, interactive.header, interactive.footer, interactive.button],
    interactive.options.map(({ title, description }) => [title, description]),
  ],
]

/** Of the files that are named, those this person may send, with their kind. A code that is none is no file. */
const sendable = async (tx: Tx, actor: Actor, read: readonly ReadQuick[]) => {
  const ids = read.flatMap(({ parts }) => parts.flatMap(({ mediaId }) => mediaId ?? []))
  if (!ids.length) return new Map<string, string>()
  const rows = await tx.rows<{ id: string; kind: string }>(sendableFiles, [
    tx.tenantId,
    [...new Set(ids)],
    actor.userId,
    actor.queueIds,
  ])
  return new Map(rows.map(({ id, kind }) => [id, kind]))
}

const readFolders = async (tx: Tx, actor: Actor) => {
  const rows = await tx.db
    .select()
    .from(quickFolders)
    .where(and(eq(quickFolders.tenantId, tx.tenantId), readableBy(actor, quickFolders)))
  return new Map(rows.map((row) => [folderKey(row, row.name), row.id]))
}
const makeFolders = async (tx: Tx, missing: ReadonlyMap<string, Planned>, folders: Map<string, string>) => {
  if (!missing.size) return
  const rows = [...missing].map(([key, { owner, read }]) => ({ key, id: v7(), name: read.folder, ...owner }))
  const made = await tx.db
    .insert(quickFolders)
    .values(rows.map(({ key: _key, ...row }) => ({ ...row, tenantId: tx.tenantId })))
    .returning()
  await emitAll(
    tx,
    made.map((row) => ({
      name: 'quickFolder.created',
      payload: quickFolder.parse(withTextDates(row)),
      audience: audienceOf(row),
    })),
  )
  for (const { key, id } of rows) folders.set(key, id)
}

const write = async (tx: Tx, all: readonly Planned[], folders: ReadonlyMap<string, string>) => {
  const { tenantId } = tx
  const rows = all.map(({ id, isNew, read, owner, folder }) => ({
    ...{ id, isNew, ...owner, key: read.key, isActive: read.isActive },
    message: wordsOf(read.parts),
    folderId: read.folder ? (folders.get(folder) ?? null) : null,
  }))
  const made = rows.filter(({ isNew }) => isNew)
  if (made.length)
    await tx.db.insert(quickMessages).values(made.map(({ isNew: _new, ...row }) => ({ ...row, tenantId })))
  const changed = rows.filter(({ isNew }) => !isNew)
  if (changed.length) {
    await tx.rows(change, [tenantId, JSON.stringify(changed)])
    const ids = changed.map(({ id }) => id)
    await tx.db
      .delete(quickMessageParts)
      .where(and(eq(quickMessageParts.tenantId, tenantId), inArray(quickMessageParts.quickMessageId, ids)))
  }
  const parts = all.flatMap(({ id, read }) =>
    read.parts.map((one, position) => ({ ...one, tenantId, quickMessageId: id, position })),
  )
  for (let at = 0; at < parts.length; at += 2_000)
    await tx.db.insert(quickMessageParts).values(parts.slice(at, at + 2_000)) // as many values as one statement takes
}
const change: Prepared = {
  name: 'quick_messages_import_change',
  text: `update quick_messages q set message = n.message, folder_id = n."folderId", is_active = n."isActive",
      version = q.version + 1, updated_at = now()
    from jsonb_to_recordset($2::jsonb) as n(id uuid, message text, "folderId" uuid, "isActive" boolean)
    where q.tenant_id = $1 and q.id = n.id`,
}

/** One entry, and one event for each who hears of it: their lists are read anew, whichever row it names. */
const tell = async (tx: Tx, actor: Actor, all: readonly Planned[], report: CsvImportReport) => {
  const { refused, same: _same, ...after } = report
  await writeAudit(tx, actor, {
    action: 'quickMessage.imported',
    entity: 'quickMessage',
    entityId: 'all',
    after: { ...after, failed: refused.length },
  })
  const one = new Map(all.map(({ id, owner }) => [JSON.stringify(audienceOf(owner)), id]))
  const rows = await tx.db
    .select()
    .from(quickMessages)
    .where(and(eq(quickMessages.tenantId, tx.tenantId), inArray(quickMessages.id, [...one.values()])))
  const shown = await presentQuick(tx, rows)
  await emitAll(
    tx,
    shown.map((row) => ({ name: 'quickMessage.updated', payload: row, audience: audienceOf(row) })),
  )
}
