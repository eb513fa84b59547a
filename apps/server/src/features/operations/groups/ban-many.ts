import { cutText } from '@balcao/contract/core/cut-text.ts'
import { mostPlaces } from '@balcao/contract/operations/group-acts.ts'
import { type BansReport, banRule, type bansBody, mostBannedAtOnce } from '@balcao/contract/operations/group-rules.ts'
import { and, arrayContains, eq, ne, or } from 'drizzle-orm'
import { v7 } from 'uuid'
import type { z } from 'zod'
import type { Prepared, Tx } from '../../../db/database.ts'
import { groupBans } from '../../../db/schema/operations/group-rules.ts'
import type { Actor } from '../../../kit/actor.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { withTextDates } from '../../../kit/crud-fields.ts'
import { cellsOf } from '../../../kit/csv-read.ts'
import { fieldErrors } from '../../../kit/errors.ts'
import { emit } from '../../../kit/outbox.ts'
import { foldPhone } from '../../../kit/phone-numbers.ts'
import { isMeantAsPhone, parsePhone } from '../../contacts/contacts/phone.ts'
import { banThoseThere } from './log-rules.ts'

type Place = { whatsappId: string; groupIds: string[] }
type Present = (tx: Tx, rows: (typeof groupBans.$inferSelect)[]) => Promise<object[]>

/** Bans every number of a list that is none yet; what is left out is told by its line. */
export const banMany = async (
  tx: Tx,
  actor: Actor,
  { text, reason, dryRun, ...place }: z.output<typeof bansBody>,
  present: Present,
): Promise<BansReport> => {
  const refusedBy = await refusals(tx, place)
  const refused: BansReport['refused'] = []
  const meant = new Map<string, { line: number; reason: string }>()
  for (const { line, said, cells, why } of linesOf(text)) {
    const refuse = (text: string, reason: string) => refused.push({ line, text: cutText(text, 60), reason })
    if (!cells.length) refuse(said, 'Não há um telefone nesta linha.')
    for (const typed of cells) {
      const number = parsePhone(typed)
      const before = number && meant.get(number)
      const problem = !number
        ? 'Confira o número: DDD e telefone.'
        : before
          ? `Repetido: está também na linha ${before.line}.`
          : refusedBy(number)
      if (problem) refuse(typed, problem)
      else if (number) meant.set(number, { line, reason: cutText(why, 200) || reason })
    }
  }
  if (meant.size > mostBannedAtOnce)
    throw fieldErrors({ path: 'text', message: 'Informe no máximo 20.000 números de cada vez.' })
  if (meant.size * place.groupIds.length > mostPlaces)
    throw fieldErrors({
      path: 'groupIds',
      message: 'São números demais para tantos grupos. Escolha todos os grupos, ou divida a lista.',
    })
  if (dryRun || !meant.size) return { banned: meant.size, refused }

  const ids = [...meant].map(() => v7())
  const reasons = [...meant.values()].map((one) => one.reason)
  await tx.rows(ban, [tx.tenantId, place.whatsappId, place.groupIds, ids, [...meant.keys()], reasons])
  await banThoseThere(tx, ids)
  const after = { count: ids.length, failed: refused.length, whatsappId: place.whatsappId }
  await writeAudit(tx, actor, { action: 'groupBan.imported', entity: 'groupBan', entityId: 'all', after })
  // One event: the lists are read anew, whichever row it names.
  const rows = await tx.db
    .select()
    .from(groupBans)
    .where(and(eq(groupBans.tenantId, tx.tenantId), eq(groupBans.id, ids[0] ?? '')))
  const [first] = await present(tx, rows)
  if (first) await emit(tx, 'groupBan.created', banRule.parse(withTextDates(first)), readers)
  return { banned: ids.length, refused }
}
const readers = { kind: 'permission', can: 'groups.read' } as const
const ban: Prepared = {
  name: 'group_bans_add',
  text: `insert into group_bans (tenant_id, id, connection_id, group_ids, number, reason)
    select $1, n.id, $2, $3::uuid[], n.number, n.reason from unnest($4::uuid[], $5::text[], $6::text[]) as n(id, number, reason)`,
}

/** Why a number is not to be banned in these groups; undefined where it may be. `exceptId`: the rule that is being changed. */
export const refusals = async (tx: Tx, { whatsappId, groupIds }: Place, exceptId?: string) => {
  const rules = await tx.db
    .select({ number: groupBans.number, isActive: groupBans.isActive })
    .from(groupBans)
    .where(
      and(
        eq(groupBans.tenantId, tx.tenantId),
        eq(groupBans.whatsappId, whatsappId),
        exceptId ? ne(groupBans.id, exceptId) : undefined,
        // It holds in all of these groups.
        or(eq(groupBans.groupIds, []), groupIds.length ? arrayContains(groupBans.groupIds, groupIds) : undefined),
      ),
    )
  const known = new Map(rules.map((rule) => [rule.number, rule.isActive]))
  const ours = new Set(
    (await tx.rows<{ number: string }>(ourNumbers, [tx.tenantId])).map(({ number }) =>
      foldPhone(number.replace(/\D/g, '')),
    ),
  )
  return (number: string): string | undefined => {
    if (ours.has(number)) return 'É o número de um dos seus canais.'
    const isActive = known.get(number)
    return isActive === undefined ? undefined : isActive ? 'Já está na lista.' : 'Já está na lista, desligado.'
  }
}

type Line = { line: number; said: string; cells: string[]; why: string }
/** Telephones of each line, and what stands beside them; of a spreadsheet with a column of reasons, that. */
const linesOf = (text: string): Line[] => {
  const rows = text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
    .map((line, at) => ({
      line: at + 1,
      said: line.trim(),
      cells: cellsOf(line.replaceAll('\0', '')).map((cell) => cell.replace(/^'/, '')),
    }))
    .filter(({ cells }) => cells.some(Boolean))
  const [head] = rows
  const isHeaded = head && !head.cells.some((cell) => /\d/.test(cell)) && head.cells.some((cell) => isWord(cell, heads))
  const whyAt = isHeaded ? head.cells.findIndex((cell) => isWord(cell, ['motivo', 'razao'])) : -1
  return rows.slice(isHeaded ? 1 : 0).map(({ line, said, cells }) => ({
    ...{ line, said },
    cells: cells.filter((cell, at) => at !== whyAt && isMeantAsPhone(cell)),
    why: (isHeaded ? cells[whyAt] : cells.find((cell) => cell && !isMeantAsPhone(cell))) ?? '',
  }))
}
const heads = ['numero', 'numeros', 'telefone', 'telefones', 'celular', 'whatsapp', 'motivo', 'razao', 'nome']
const isWord = (cell: string, words: string[]) =>
  words.includes(cell.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase())
const ourNumbers: Prepared = {
  name: 'group_bans_our_numbers',
  text: `select account->>'number' as number from connections
    where tenant_id = $1 and deleted_at is null and account->>'number' is not null`,
}
