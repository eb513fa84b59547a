import { type Part, tidyPart } from '@balcao/contract/conversations/parts.ts'
import type { FieldProblem } from '@balcao/contract/errors.ts'
import { autoReplyActions, autoReplyProblems, type autoReplyResource } from '@balcao/contract/service/auto-replies.ts'
import { and, eq } from 'drizzle-orm'
import type { Tx } from '../../../db/database.ts'
import { autoReplies, autoReplyParts } from '../../../db/schema/service/auto-replies.ts'
import type { Actor } from '../../../kit/actor.ts'
import { counted } from '../../../kit/counted.ts'
import type { CrudOptions } from '../../../kit/crud-rows.ts'
import { fieldErrors } from '../../../kit/errors.ts'
import { parsePhone } from '../../contacts/contacts/phone.ts'
import { problemsOf } from '../../conversations/actions/check-actions.ts'
import { requireParts, showParts } from '../../conversations/parts/parts.ts'
import { byPerson } from '../../conversations/tickets/action-catalogue.ts'
import { getDirectory, invalidateDirectory } from '../../core/directory/directory.ts'

/** Every message of the company is compared with all of them. */
const mostRules = 500

export const autoReplyOptions: CrudOptions<typeof autoReplyResource, typeof autoReplies> = {
  table: autoReplies,
  search: [autoReplies.name],
  inUse: {
    auto_reply_choices: {
      code: 'ERR_AUTO_REPLY_RELATIONED_TICKET',
      says: (uses) =>
        `Esta resposta já foi dada ${counted(uses, 'vez', 'vezes')} nos últimos 90 dias e não pode ser excluída. Desative-a.`,
    },
    auto_replies: {
      code: 'ERR_IN_USE',
      says: (uses) =>
        `${uses === 1 ? 'Outra resposta depende' : `Outras ${uses} respostas dependem`} desta: vem depois dela, ou ela continua nesta. Mude isso antes.`,
    },
  },
  beforeWrite: async (tx, { actor, before, input }) => {
    const said = before ? await partsOf(tx, [before.id]) : []
    const next = { ...defaultsOf(before), parts: said, ...input }
    const problems = [...autoReplyProblems(next), ...(await namedProblems(tx, actor, before, next))]
    if (problems.length) throw fieldErrors(...problems)
    const kept = said.map(({ mediaId }) => mediaId)
    if (input.parts) await requireParts(tx, actor, input.parts, { before: kept })
    const place = before || input.position ? {} : await lastPlace(tx)
    return {
      ...place,
      ...(input.celularTeste !== undefined && {
        celularTeste: input.celularTeste && (parsePhone(input.celularTeste) ?? null),
      }),
      ...(!before && { userId: actor.userId }),
    }
  },
  afterWrite: async (tx, { id, input, isNew }) => {
    if (!input.parts) return
    if (!isNew) await tx.db.delete(autoReplyParts).where(ofRule(tx, id))
    const rows = input.parts.map((one, position) => ({
      ...tidyPart(one),
      tenantId: tx.tenantId,
      autoReplyId: id,
      position,
    }))
    if (rows.length) await tx.db.insert(autoReplyParts).values(rows)
  },
  present: async (tx, rows) => {
    const ids = rows.map(({ id }) => id)
    const parts = Map.groupBy(await showParts(tx, await partsOf(tx, ids)), ({ autoReplyId }) => autoReplyId)
    const last = await lastUses(tx, ids)
    return rows.map((row) => ({
      ...row,
      parts: (parts.get(row.id) ?? []).map(({ autoReplyId: _, ...part }) => part),
      lastAt: last.get(row.id)?.toISOString() ?? null,
    }))
  },
  afterCommit: invalidateDirectory,
}

const ofRule = (tx: Tx, id: string) => and(eq(autoReplyParts.tenantId, tx.tenantId), eq(autoReplyParts.autoReplyId, id))

/** What these say, in order. */
const partsOf = (tx: Tx, ids: readonly string[]) =>
  tx.rows<Part & { autoReplyId: string }>(
    {
      name: 'auto_reply_parts_read',
      text: `select auto_reply_id as "autoReplyId", kind, body, media_id as "mediaId", interactive
        from auto_reply_parts where tenant_id = $1 and auto_reply_id = any($2::uuid[]) order by auto_reply_id, position`,
    },
    [tx.tenantId, ids],
  )

type Stored = typeof autoReplies.$inferSelect
const defaultsOf = (before: Stored | undefined) => ({
  starts: before?.starts ?? ('any' as const),
  keywords: before?.keywords ?? [],
  actions: before?.actions ?? [],
  isFirstOnly: before?.isFirstOnly ?? true,
  afterId: before?.afterId ?? null,
  nextId: before?.nextId ?? null,
  connectionIds: before?.connectionIds ?? [],
  celularTeste: before?.celularTeste ?? null,
})

/** What it names is there, and is its author's to use. */
const namedProblems = async (
  tx: Tx,
  actor: Actor,
  before: Stored | undefined,
  next: ReturnType<typeof defaultsOf>,
): Promise<FieldProblem[]> => {
  const directory = await getDirectory(actor.tenantId)
  const { connectionIds, celularTeste, actions, afterId, nextId } = next
  const problems: FieldProblem[] = []
  if (connectionIds.some((id) => !directory.connections.has(id)))
    problems.push({ path: 'connectionIds', message: 'Canal não encontrado.' })
  if (celularTeste && !parsePhone(celularTeste))
    problems.push({ path: 'celularTeste', message: 'Informe um celular com DDD, como (11) 98765-4321.' })
  actions.forEach(({ kind }, at) => {
    if (!autoReplyActions.includes(kind))
      problems.push({ path: `actions.${at}.kind`, message: 'Este passo precisa de uma pessoa.' })
  })
  problems.push(...(await problemsOf(actions, { tx, directory, by: byPerson(actor) })))
  problems.push(...(await placeProblems(tx, before?.id, { afterId, nextId })))
  if (!before) {
    const [row] = await tx.rows<{ count: number }>(howMany, [tx.tenantId])
    if ((row?.count ?? 0) >= mostRules)
      problems.push({ path: 'name', message: `A empresa já tem ${mostRules} respostas automáticas. Exclua alguma.` })
  }
  return problems
}

/** A rule comes after one that is there, and not after itself however many stand between. */
const placeProblems = async (
  tx: Tx,
  id: string | undefined,
  { afterId, nextId }: { afterId: string | null; nextId: string | null },
): Promise<FieldProblem[]> => {
  const wanted = [afterId, nextId].flatMap((one) => one ?? [])
  if (!wanted.length) return []
  const rows = await tx.rows<{ id: string; isBelow: boolean }>(placed, [tx.tenantId, wanted, id ?? null])
  const known = new Map(rows.map((row) => [row.id, row]))
  const gone = 'Resposta não encontrada.'
  return [
    ...(afterId && !known.has(afterId) ? [{ path: 'afterId', message: gone }] : []),
    ...(nextId && !known.has(nextId) ? [{ path: 'nextId', message: gone }] : []),
    ...(afterId && known.get(afterId)?.isBelow
      ? [{ path: 'afterId', message: 'Esta já vem depois da que você está mudando.' }]
      : []),
    ...(nextId && nextId === id ? [{ path: 'nextId', message: 'Escolha outra resposta.' }] : []),
  ]
}

const lastPlace = async (tx: Tx) => {
  const [row] = await tx.rows<{ next: number }>(nextPlace, [tx.tenantId])
  return { position: row?.next ?? 0 }
}

const lastUses = async (tx: Tx, ids: string[]): Promise<ReadonlyMap<string, Date>> => {
  const rows = ids.length ? await tx.rows<{ id: string; at: Date | null }>(lastAnswered, [tx.tenantId, ids]) : []
  return new Map(rows.flatMap(({ id, at }) => (at ? [[id, at] as const] : [])))
}

const howMany = {
  name: 'auto_replies_count',
  text: 'select count(*)::int as count from auto_replies where tenant_id = $1',
}
const nextPlace = {
  name: 'auto_replies_next_place',
  text: 'select coalesce(max(position) + 1, 0) as next from auto_replies where tenant_id = $1',
}
const lastAnswered = {
  name: 'auto_replies_last',
  text: `select r.id, (select max(c.created_at) from auto_reply_choices c where c.tenant_id = $1 and c.auto_reply_id = r.id) as at
    from unnest($2::uuid[]) r(id)`,
}
const placed = {
  name: 'auto_replies_placed',
  text: `with recursive above as (
      select id, after_id, id as of_id from auto_replies where tenant_id = $1 and id = any($2::uuid[])
      union select a.id, a.after_id, b.of_id from auto_replies a join above b on a.tenant_id = $1 and a.id = b.after_id
    )
    select of_id as id, bool_or(id = $3) as "isBelow" from above group by of_id`,
}

/** Those given stand first, in this order, then the others as they stood. */
export const orderAutoReplies = (tx: Tx, ids: readonly string[]) =>
  tx.rows<{ id: string }>(
    {
      name: 'auto_replies_reorder',
      text: `with given as (select id, n from unnest($2::uuid[]) with ordinality g(id, n)),
        ranked as (select a.id, row_number() over (order by g.n nulls last, a.position, a.id) - 1 as place
          from auto_replies a left join given g on g.id = a.id where a.tenant_id = $1)
      update auto_replies a set position = r.place, version = a.version + 1, updated_at = now() from ranked r
        where a.tenant_id = $1 and a.id = r.id and a.position <> r.place returning a.id`,
    },
    [tx.tenantId, ids],
  )
