import type { Passage } from '@balcao/contract/automation/assistants/assistants.ts'
import type {
  KnowledgeBase,
  KnowledgeGap,
  KnowledgeSource,
  KnowledgeSourceBody,
  knowledgeBaseResource,
  knowledgeGapBody,
  knowledgeGapsQuery,
  knowledgeSearchQuery,
  knowledgeSourcePatch,
} from '@balcao/contract/automation/assistants/knowledge.ts'
import { mostWithoutPgvector } from '@balcao/contract/automation/assistants/knowledge.ts'
import type { Page } from '@balcao/contract/common.ts'
import { cutText } from '@balcao/contract/core/cut-text.ts'
import { and, eq } from 'drizzle-orm'
import { v7 } from 'uuid'
import { z } from 'zod'
import { type Prepared, type Tx, withTenant } from '../../../db/database.ts'
import { knowledgeBases, knowledgeGaps, knowledgeSources } from '../../../db/schema/automation/knowledge.ts'
import type { Actor } from '../../../kit/actor.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { counted } from '../../../kit/counted.ts'
import type { CrudOptions } from '../../../kit/crud-rows.ts'
import { beyondAll, likePattern, readCursor, toPage } from '../../../kit/cursor.ts'
import { checkEgressUrl } from '../../../kit/egress.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { findFile } from '../../core/media/media.service.ts'
import { searchKnowledge } from './search.ts'

type Stored = typeof knowledgeBases.$inferSelect

export const baseOptions: CrudOptions<typeof knowledgeBaseResource, typeof knowledgeBases> = {
  table: knowledgeBases,
  search: [knowledgeBases.name, knowledgeBases.description],
  beforeWrite: async (tx, { input: { integrationId }, before }) => {
    if (!integrationId || integrationId === before?.integrationId) return {}
    const [account] = await tx.rows(embedder, [tx.tenantId, integrationId])
    if (!account)
      throw fieldErrors({
        path: 'integrationId',
        message: 'Esta conta não tem um modelo de embeddings. Escolha outra.',
      })
    // What its passages mean is asked for by whoever reads its sources.
    if (before) await tx.rows(readAgain, [tx.tenantId, before.id])
    return {}
  },
  beforeDelete: async (_actor, { id }, tx) => {
    const using = (await tellBases(tx, [id]))[0]?.assistants ?? []
    if (using.length)
      throw new AppError('ERR_IN_USE', {
        message: `Esta base é usada por ${counted(using.length, 'assistente', 'assistentes')}: ${using.map(({ name }) => name).join(', ')}. Tire-a de lá antes.`,
      })
  },
  present: async (tx, rows) => {
    const told = new Map(
      (
        await tellBases(
          tx,
          rows.map(({ id }) => id),
        )
      ).map((one) => [one.id, one]),
    )
    return rows.map((row: Stored) => ({ ...row, ...told.get(row.id) }))
  },
}
type ToldBase = Pick<KnowledgeBase, 'id' | 'sources' | 'chunks' | 'failed' | 'embedded' | 'isTooLarge' | 'assistants'>
const tellBases = (tx: Tx, ids: readonly string[]) => tx.rows<ToldBase>(told, [tx.tenantId, ids, mostWithoutPgvector])

const requireBase = async (tx: Tx, id: string) => {
  const [found] = await tx.db
    .select({ id: knowledgeBases.id })
    .from(knowledgeBases)
    .where(and(eq(knowledgeBases.tenantId, tx.tenantId), eq(knowledgeBases.id, id)))
  if (!found) throw new AppError('ERR_NOT_FOUND')
}

export const listSources = (actor: Actor, baseId: string): Promise<KnowledgeSource[]> =>
  withTenant(actor.tenantId, async (tx) => {
    await requireBase(tx, baseId)
    return (await tx.rows<SourceRow>(sources, [tx.tenantId, baseId, null])).map(presentSource)
  })

const mostSources = 500
/** It is read right after, by a worker. */
export const addSource = async (actor: Actor, baseId: string, body: KnowledgeSourceBody): Promise<KnowledgeSource> => {
  const made = await sourceOf(actor, body)
  return withTenant(actor.tenantId, async (tx) => {
    await requireBase(tx, baseId)
    const count = await tx.db.$count(
      knowledgeSources,
      and(eq(knowledgeSources.tenantId, tx.tenantId), eq(knowledgeSources.baseId, baseId)),
    )
    if (count >= mostSources)
      throw fieldErrors({ path: 'kind', message: `Uma base tem no máximo ${mostSources} fontes.` })
    const id = v7()
    await tx.db.insert(knowledgeSources).values({ tenantId: tx.tenantId, id, baseId, ...made })
    await writeAudit(tx, actor, {
      ...{ action: 'knowledgeSource.created', entity: 'knowledgeSource', entityId: id },
      after: { name: made.name, kind: made.kind, url: 'url' in made ? made.url : undefined },
    })
    return getSource(tx, id)
  })
}
const sourceOf = async (actor: Actor, body: KnowledgeSourceBody) => {
  switch (body.kind) {
    case 'file': {
      const file = await findFile(actor.tenantId, body.mediaId)
      if (!file) throw fieldErrors({ path: 'mediaId', message: 'O arquivo não existe mais.' })
      return { kind: body.kind, name: cutText(file.name, 120), mediaId: file.id }
    }
    case 'page':
      checkEgressUrl(body.url)
      return { kind: body.kind, name: body.url.slice(0, 120), url: body.url, refreshHours: body.refreshHours }
    case 'text':
      return { kind: body.kind, name: body.name, body: body.body }
    case 'quick':
      return { kind: body.kind, name: 'Mensagens rápidas' }
  }
}

export const changeSource = (
  actor: Actor,
  id: string,
  patch: z.output<typeof knowledgeSourcePatch>,
): Promise<KnowledgeSource> =>
  withTenant(actor.tenantId, async (tx) => {
    const before = await getSource(tx, id)
    if (patch.body !== undefined && before.kind !== 'text')
      throw fieldErrors({ path: 'body', message: 'Só o conteúdo de um texto pode ser alterado aqui.' })
    await tx.db
      .update(knowledgeSources)
      .set({ ...patch, ...(patch.body !== undefined && { dueAt: new Date(), state: 'waiting' as const }) })
      .where(and(eq(knowledgeSources.tenantId, tx.tenantId), eq(knowledgeSources.id, id)))
    await writeAudit(tx, actor, {
      ...{ action: 'knowledgeSource.updated', entity: 'knowledgeSource', entityId: id },
      before: { name: before.name, refreshHours: before.refreshHours },
      after: { name: patch.name, refreshHours: patch.refreshHours },
    })
    return getSource(tx, id)
  })

/** Read anew now. */
export const refreshSource = (actor: Actor, id: string): Promise<KnowledgeSource> =>
  withTenant(actor.tenantId, async (tx) => {
    await getSource(tx, id)
    await tx.db
      .update(knowledgeSources)
      .set({ dueAt: new Date(), state: 'waiting', attempts: 0, problem: null })
      .where(and(eq(knowledgeSources.tenantId, tx.tenantId), eq(knowledgeSources.id, id)))
    return getSource(tx, id)
  })

export const removeSource = (actor: Actor, id: string): Promise<void> =>
  withTenant(actor.tenantId, async (tx) => {
    const before = await getSource(tx, id)
    await tx.db
      .delete(knowledgeSources)
      .where(and(eq(knowledgeSources.tenantId, tx.tenantId), eq(knowledgeSources.id, id)))
    await writeAudit(tx, actor, {
      ...{ action: 'knowledgeSource.deleted', entity: 'knowledgeSource', entityId: id },
      before: { name: before.name, kind: before.kind },
    })
  })

const getSource = async (tx: Tx, id: string): Promise<KnowledgeSource> => {
  const [row] = await tx.rows<SourceRow>(sources, [tx.tenantId, null, id])
  if (!row) throw new AppError('ERR_NOT_FOUND')
  return presentSource(row)
}
type SourceRow = Omit<KnowledgeSource, 'readAt' | 'createdAt'> & { readAt: Date | null; createdAt: Date }
const presentSource = (row: SourceRow): KnowledgeSource => ({
  ...row,
  readAt: row.readAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
})

/** What an assistant would be given for this question. */
export const tryKnowledge = async (
  { tenantId }: Actor,
  { q, baseId }: z.output<typeof knowledgeSearchQuery>,
): Promise<Passage[]> => {
  const baseIds = await withTenant(tenantId, async (tx) => {
    if (baseId) await requireBase(tx, baseId)
    const all = await tx.db
      .select({ id: knowledgeBases.id })
      .from(knowledgeBases)
      .where(eq(knowledgeBases.tenantId, tx.tenantId))
    return baseId ? [baseId] : all.map(({ id }) => id)
  })
  return searchKnowledge({ tenantId, baseIds, question: q })
}

const pageSize = 40
export const listGaps = (
  actor: Actor,
  { state, cursor, searchParam = '', ...query }: z.output<typeof knowledgeGapsQuery>,
): Promise<Page<KnowledgeGap>> =>
  withTenant(actor.tenantId, async (tx) => {
    const limit = query.limit ?? pageSize
    const [at, id] = cursor
      ? readCursor(cursor, z.tuple([z.iso.datetime(), z.uuid()]))
      : [beyondAll.moment, beyondAll.id]
    const rows = await tx.rows<GapRow>(gaps, [
      ...[tx.tenantId, state, at, id, limit + 1, searchParam ? likePattern(searchParam) : null],
    ])
    const page = toPage(rows, limit, (row) => [row.lastAt.toISOString(), row.id])
    return { ...page, items: page.items.map(presentGap) }
  })

/** Answered puts the answer into a base, under the question. */
export const settleGap = async (
  actor: Actor,
  id: string,
  { state, answer }: z.output<typeof knowledgeGapBody>,
): Promise<KnowledgeGap> => {
  const before = await withTenant(actor.tenantId, (tx) => getGap(tx, id))
  if (answer)
    await addSource(actor, answer.baseId, {
      ...{ kind: 'text', name: cutText(before.question, 120), body: `# ${before.question}\n${answer.body}` },
    })
  return withTenant(actor.tenantId, async (tx) => {
    await tx.db
      .update(knowledgeGaps)
      .set({ state })
      .where(and(eq(knowledgeGaps.tenantId, tx.tenantId), eq(knowledgeGaps.id, id)))
    await writeAudit(tx, actor, {
      ...{ action: 'knowledgeGap.updated', entity: 'knowledgeGap', entityId: id },
      ...{ before: { state: before.state }, after: { state } },
    })
    return presentGap(await getGap(tx, id))
  })
}
type GapRow = Omit<KnowledgeGap, 'lastAt'> & { lastAt: Date }
const getGap = async (tx: Tx, id: string): Promise<GapRow> => {
  const [row] = await tx.rows<GapRow>(gap, [tx.tenantId, id])
  if (!row) throw new AppError('ERR_NOT_FOUND')
  return row
}
const presentGap = (row: GapRow): KnowledgeGap => ({ ...row, lastAt: row.lastAt.toISOString() })

const embedder: Prepared = {
  name: 'knowledge_embedder',
  text: `select from integrations where tenant_id = $1 and id = $2 and coalesce(config ->> 'embeddingModel', '') <> ''`,
}
const readAgain: Prepared = {
  name: 'knowledge_sources_read_again',
  text: `update knowledge_sources set due_at = now() where tenant_id = $1 and base_id = $2`,
}
const told: Prepared = {
  name: 'knowledge_bases_told',
  text: `select b.id, (select count(*)::int from knowledge_sources s where s.tenant_id = $1 and s.base_id = b.id) as sources,
      (select count(*)::int from knowledge_sources s where s.tenant_id = $1 and s.base_id = b.id and s.state = 'failed') as failed,
      c.count as chunks, c.embedded,
      b.integration_id is not null and c.count > $3 and not exists (select from pg_extension where extname = 'vector') as "isTooLarge",
      coalesce((select jsonb_agg(jsonb_build_object('id', a.id, 'name', a.name) order by lower(a.name)) from assistants a
        where a.tenant_id = $1 and a.config -> 'knowledgeIds' ? b.id::text), '[]') as assistants
    from knowledge_bases b
      left join integrations i on i.tenant_id = $1 and i.id = b.integration_id
      cross join lateral (select count(*)::int as count,
        count(*) filter (where c.embedded_by = i.kind || ':' || (i.config ->> 'embeddingModel'))::int as embedded
        from knowledge_chunks c where c.tenant_id = $1 and c.base_id = b.id) c
    where b.tenant_id = $1 and b.id = any($2::uuid[])`,
}
const sources: Prepared = {
  name: 'knowledge_sources',
  text: `select s.id, s.base_id as "baseId", s.kind, s.name, s.url, s.media_id as "mediaId", s.body, s.refresh_hours as "refreshHours",
      s.state, s.problem, (select count(*)::int from knowledge_chunks c where c.tenant_id = $1 and c.source_id = s.id) as chunks,
      s.read_at as "readAt", s.created_at as "createdAt"
    from knowledge_sources s where s.tenant_id = $1 and ($2::uuid is null or s.base_id = $2) and ($3::uuid is null or s.id = $3)
    order by s.created_at desc, s.id desc limit 500`,
}
const gapColumns = `g.id, g.question, g.times, g.state, g.ticket_id as "ticketId", g.last_at as "lastAt",
      case when a.id is not null then jsonb_build_object('id', a.id, 'name', a.name) end as assistant
    from knowledge_gaps g left join assistants a on a.tenant_id = g.tenant_id and a.id = g.assistant_id`
const gaps: Prepared = {
  name: 'knowledge_gaps',
  text: `select ${gapColumns} where g.tenant_id = $1 and g.state = $2
      and (g.last_at, g.id) < ($3::timestamptz, $4::uuid) and ($6::text is null or norm(g.question) like norm($6))
    order by g.last_at desc, g.id desc limit $5`,
}
const gap: Prepared = { name: 'knowledge_gap', text: `select ${gapColumns} where g.tenant_id = $1 and g.id = $2` }
