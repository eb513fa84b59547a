import { tag, tagGroup, tagResource } from '@balcao/contract/contacts/tags.ts'
import type { CsvImportReport } from '@balcao/contract/core/csv-imports.ts'
import { eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { type Tx, withTenant } from '../../../db/database.ts'
import { tagGroups, tags } from '../../../db/schema/contacts/tags.ts'
import type { Actor } from '../../../kit/actor.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { withTextDates } from '../../../kit/crud-fields.ts'
import { type CsvLine, readCsv } from '../../../kit/csv-read.ts'
import { emit } from '../../../kit/outbox.ts'
import { invalidateDirectory } from '../../core/directory/directory.ts'
import { changeTags } from './tags.queries.ts'

const heads = ['Nome', 'Cor', 'Grupo', 'Ativa'] as const
type Row = typeof tags.$inferSelect
type Read = { line: number; name: string; color: string | null; group: string; isActive: boolean }
type Planned = { id: string; isNew: boolean; name: string; color: string; group: string; isActive: boolean }

/** Tags from a file: what is new is made, what differs is changed, the rest is told with its reason. */
export const importTags = async (
  actor: Actor,
  { csv, dryRun }: { csv: string; dryRun: boolean },
): Promise<CsvImportReport> => {
  const lines = readCsv(csv, { heads, required: ['Nome'] })
  return withTenant(actor.tenantId, async (tx) => {
    const known = await tx.db.select().from(tags).where(eq(tags.tenantId, tx.tenantId))
    const groups = await tx.db.select().from(tagGroups).where(eq(tagGroups.tenantId, tx.tenantId))
    const groupIds = new Map(groups.map(({ id, name }) => [name.toLowerCase(), id]))
    const byName = new Map(known.map((row) => [row.name.toLowerCase(), row]))
    const planned = new Map<string, Planned>()
    const refused: CsvImportReport['refused'] = []
    let same = 0
    for (const line of lines) {
      const read = readLine(line)
      const refuse = (reason: string) => refused.push({ line: line.line, name: line.cells.Nome.trim(), reason })
      if (typeof read === 'string') {
        refuse(read)
        continue
      }
      const key = read.name.toLowerCase()
      const before = byName.get(key)
      if (planned.has(key)) refuse('Esta etiqueta aparece mais de uma vez no arquivo.')
      else if (before && isSame(before, read, groupIds)) same += 1
      else
        planned.set(key, {
          ...{ id: before?.id ?? v7(), isNew: !before, name: read.name },
          ...{ color: read.color ?? before?.color ?? plainColor, group: read.group, isActive: read.isActive },
        })
    }
    const all = [...planned.values()]
    const created = all.filter(({ isNew }) => isNew).length
    const missing = new Map(
      all.flatMap(({ group }) => (group && !groupIds.has(group.toLowerCase()) ? [[group.toLowerCase(), group]] : [])),
    )
    const report = { created, changed: all.length - created, same, folders: [...missing.values()], refused }
    if (dryRun || !all.length) return report
    for (const key of missing.keys()) groupIds.set(key, v7())
    if (missing.size) {
      const rows = [...missing].map(([key, name]) => ({ id: groupIds.get(key), name, color: plainColor }))
      const [first] = await tx.db
        .insert(tagGroups)
        .values(rows.map((row) => ({ ...row, tenantId: tx.tenantId })))
        .returning()
      if (first) await emit(tx, 'tagGroup.created', tagGroup.parse(withTextDates(first)), readers)
    }
    await write(tx, all, groupIds)
    await tell(tx, actor, all, report)
    return report
  })
}

const readers = { kind: 'permission', can: 'tags.read' } as const
/** Where the file names none. */
const plainColor = '#64748b'

const readLine = ({ line, cells }: CsvLine<(typeof heads)[number]>): Read | string => {
  const isActive = { '': true, sim: true, não: false, nao: false }[cells.Ativa.trim().toLowerCase()]
  if (isActive === undefined) return '“Ativa” só pode ser Sim ou Não.'
  const color = cells.Cor.trim() || null
  const { data, error } = tagResource.write.safeParse({ name: cells.Nome, color: color ?? plainColor, isActive })
  if (!data) return error.issues[0]?.message ?? 'Linha inválida.'
  const group = cells.Grupo.trim()
  if (group.length > 60) return 'O nome do grupo tem no máximo 60 caracteres.'
  return { line, name: data.name, color, group, isActive }
}

const isSame = (before: Row, read: Read, groupIds: ReadonlyMap<string, string>) =>
  before.name === read.name &&
  (read.color === null || before.color.toLowerCase() === read.color.toLowerCase()) &&
  before.isActive === read.isActive &&
  before.groupId === (read.group ? (groupIds.get(read.group.toLowerCase()) ?? '') : null)

const write = async (tx: Tx, all: readonly Planned[], groupIds: ReadonlyMap<string, string>) => {
  const rows = all.map(({ group, ...row }) => ({ ...row, groupId: groupIds.get(group.toLowerCase()) ?? null }))
  const made = rows.filter(({ isNew }) => isNew)
  if (made.length)
    await tx.db.insert(tags).values(made.map(({ isNew: _new, ...row }) => ({ ...row, tenantId: tx.tenantId })))
  const changed = rows.filter(({ isNew }) => !isNew)
  if (changed.length) await tx.rows(changeTags, [tx.tenantId, JSON.stringify(changed)])
  tx.afterCommit(() => invalidateDirectory(tx.tenantId))
}

/** One entry and one event: the lists are read anew, whichever row it names. */
const tell = async (tx: Tx, actor: Actor, all: readonly Planned[], report: CsvImportReport) => {
  const { refused, same: _same, ...after } = report
  const entry = { ...after, failed: refused.length }
  await writeAudit(tx, actor, { action: 'tag.imported', entity: 'tag', entityId: 'all', after: entry })
  const [row] = await tx.db
    .select()
    .from(tags)
    .where(eq(tags.id, all[0]?.id ?? ''))
  if (row) await emit(tx, 'tag.updated', tag.parse(withTextDates(row)), readers)
}
