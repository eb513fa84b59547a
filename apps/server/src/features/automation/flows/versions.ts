import type { Flow, FlowVersion, flowVersionGraph } from '@balcao/contract/automation/flows/flows.ts'
import { type FlowGraph, flowGraph } from '@balcao/contract/automation/flows/graph.ts'
import type { Page } from '@balcao/contract/common.ts'
import { and, eq, sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import { z } from 'zod'
import { type Prepared, type Tx, withTenant } from '../../../db/database.ts'
import { chatFlows } from '../../../db/schema/automation/flows.ts'
import type { Actor } from '../../../kit/actor.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { readCursor, toPage } from '../../../kit/cursor.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { emit } from '../../../kit/outbox.ts'
import { invalidateDirectory } from '../../core/directory/directory.ts'
import { type FlowRow, findFlow, graphOfDraft, lockFlow, readDraft, replaceDraft } from './draft.rows.ts'
import { tellDraft } from './draft.ts'
import { presentFlow } from './flows.rows.ts'
import { problemsOfFlow } from './problems.ts'

/** The draft as of `revision` becomes the version that new conversations run. */
export const publishDraft = async (
  actor: Actor,
  id: string,
  { revision, note }: { revision: number; note: string },
): Promise<Flow> => {
  const after = await withTenant(actor.tenantId, async (tx) => {
    const flow = await lockFlow(tx, id)
    if (flow.revision !== revision) throw new AppError('ERR_CONFLICT', { details: { revision: flow.revision } })
    const graph = graphOfDraft(flow, await readDraft(tx, id))
    const errors = (await problemsOfFlow(tx, actor, id, graph)).filter(({ level }) => level === 'error')
    if (errors.length)
      throw fieldErrors(
        ...errors.map(({ nodeId, path, message }) => ({
          path: [nodeId ?? 'settings', path].filter(Boolean).join('.'),
          message,
        })),
      )
    const versionId = v7()
    await insertVersion(tx, actor, { flowId: id, versionId, graph, revision, note })
    await tx.rows(copyFiles, [tx.tenantId, versionId, id, null])
    return setPublished(tx, actor, flow, versionId)
  })
  invalidateDirectory(actor.tenantId)
  return after
}

/** An older version runs again; the draft stays as it is. */
export const publishVersion = async (actor: Actor, id: string, versionId: string): Promise<Flow> => {
  const after = await withTenant(actor.tenantId, async (tx) => {
    const flow = await lockFlow(tx, id)
    const { nodes, settings } = await findVersion(tx, id, versionId)
    const errors = (await problemsOfFlow(tx, actor, id, { nodes, settings })).filter(({ level }) => level === 'error')
    if (errors[0])
      throw fieldErrors({ path: 'versionId', message: `Esta versão não pode mais ser publicada: ${errors[0].message}` })
    return setPublished(tx, actor, flow, versionId)
  })
  invalidateDirectory(actor.tenantId)
  return after
}

type By = Parameters<typeof writeAudit>[1]
type Made = { graph: FlowGraph; revision: number; note: string }
/** What runs is this from now on, with the files it sends: it is what ran, but for what it names. */
export const republish = async (
  tx: Tx,
  by: Pick<Actor, 'userId' | 'impersonatorId'>,
  flow: FlowRow,
  made: Made,
): Promise<void> => {
  const versionId = v7()
  await insertVersion(tx, by, { flowId: flow.id, versionId, ...made })
  await tx.rows(copyFiles, [tx.tenantId, versionId, flow.id, flow.publishedId])
  await setPublished(tx, by, flow, versionId)
  tx.afterCommit(() => invalidateDirectory(tx.tenantId))
}

const insertVersion = (
  tx: Tx,
  { userId }: Pick<Actor, 'userId'>,
  { flowId, versionId, graph, revision, note }: Made & { flowId: string; versionId: string },
) => {
  const [nodes, settings] = [JSON.stringify(graph.nodes), JSON.stringify(graph.settings)]
  return tx.rows(insert, [tx.tenantId, versionId, flowId, nodes, settings, revision, note, userId])
}

const setPublished = async (tx: Tx, actor: By, before: FlowRow, publishedId: string): Promise<Flow> => {
  const [saved] = await tx.db
    .update(chatFlows)
    .set({ publishedId, version: sql`${chatFlows.version} + 1`, updatedAt: sql`now()` })
    .where(and(eq(chatFlows.tenantId, tx.tenantId), eq(chatFlows.id, before.id)))
    .returning()
  if (!saved) throw new AppError('ERR_NOT_FOUND')
  const after = await presentFlow(tx, saved)
  await audit(tx, actor, 'published', after.id, { name: after.name, number: after.published?.number })
  await emit(tx, 'chatFlow.updated', after, { kind: 'permission', can: 'flows.write' })
  return after
}

/** A version becomes the draft again, for everybody who has it open. */
export const restoreVersion = (actor: Actor, id: string, versionId: string): Promise<{ revision: number }> =>
  withTenant(actor.tenantId, async (tx) => {
    const flow = await lockFlow(tx, id)
    const { number, nodes, settings } = await findVersion(tx, id, versionId)
    const written = await putIntoDraft(tx, actor, flow, { nodes, settings })
    await audit(tx, actor, 'restored', id, { name: flow.name, number })
    return { revision: written }
  })

/** The draft is this graph from now on; answers its revision. */
export const putIntoDraft = async (tx: Tx, actor: Actor, flow: FlowRow, graph: FlowGraph): Promise<number> => {
  const { revision, ...changed } = await replaceDraft(tx, actor, flow, graph)
  await tellDraft(tx, actor, flow, { revision, ...changed, settings: graph.settings })
  return revision
}

const pageSize = 40
const cursorKey = z.tuple([z.int()])
export const listVersions = (
  actor: Actor,
  flowId: string,
  { limit = pageSize, cursor, pageNumber }: { limit?: number; cursor?: string; pageNumber: number },
): Promise<Page<FlowVersion>> =>
  withTenant(actor.tenantId, async (tx) => {
    await findFlow(tx, flowId)
    const [before] = cursor ? readCursor(cursor, cursorKey) : [beyondLast]
    const skip = cursor ? 0 : (pageNumber - 1) * limit
    const rows = await tx.rows<FlowVersion>(list, [tx.tenantId, flowId, before, limit + 1, skip])
    const { items, hasMore, nextCursor } = toPage(rows, limit, ({ number }) => [number])
    return { items: items.map(withMoment), hasMore, nextCursor }
  })

type Version = z.output<typeof flowVersionGraph>
export const getVersion = (actor: Actor, flowId: string, versionId: string): Promise<Version> =>
  withTenant(actor.tenantId, (tx) => findVersion(tx, flowId, versionId))

const findVersion = async (tx: Tx, flowId: string, versionId: string): Promise<Version> => {
  const [row] = await tx.rows<Version>(one, [tx.tenantId, flowId, versionId])
  if (!row) throw new AppError('ERR_NOT_FOUND')
  return { ...withMoment(row), ...flowGraph.parse(row) }
}
const withMoment = <Row extends { at: string }>(row: Row): Row => ({ ...row, at: new Date(row.at).toISOString() })

export const audit = (tx: Tx, actor: By, what: 'published' | 'restored' | 'imported', id: string, after: object) =>
  writeAudit(tx, actor, { action: `chatFlow.${what}`, entity: 'chatFlow', entityId: id, after })

const userOf = `(select jsonb_build_object('id', u.id, 'name', u.name) from users u where u.tenant_id = v.tenant_id and u.id = v.user_id) as "user"`
const insert: Prepared = {
  name: 'chat_flow_version_insert',
  text: `insert into chat_flow_versions (tenant_id, id, flow_id, nodes, settings, revision, note, user_id, number)
    select $1, $2, $3, $4::jsonb, $5::jsonb, $6, $7, $8, coalesce(max(number), 0) + 1 from chat_flow_versions
    where tenant_id = $1 and flow_id = $3`,
}
const copyFiles: Prepared = {
  name: 'chat_flow_version_files',
  text: `insert into chat_flow_files (tenant_id, id, flow_id, version_id, media_id)
    select tenant_id, gen_random_uuid(), flow_id, $2, media_id from chat_flow_files
    where tenant_id = $1 and flow_id = $3 and version_id is not distinct from $4::uuid`,
}
/** Of no version: the first page begins before it. */
const beyondLast = 2_147_483_647
const list: Prepared = {
  name: 'chat_flow_versions_list',
  text: `select v.id, v.number, v.created_at as at, v.note, ${userOf},
      jsonb_array_length(jsonb_path_query_array(v.nodes, '$[*] ? (@.kind != "comment" && @.kind != "group")')) as nodes,
      (select count(*)::int from chat_flow_runs r where r.tenant_id = v.tenant_id and r.flow_id = v.flow_id and r.version_id = v.id
        and r.ended_at is null) as running,
      exists (select from chat_flows f where f.tenant_id = v.tenant_id and f.published_id = v.id and f.id = v.flow_id) as "isPublished"
    from chat_flow_versions v where v.tenant_id = $1 and v.flow_id = $2 and v.number < $3
    order by v.number desc limit $4 offset $5`,
}
const one: Prepared = {
  name: 'chat_flow_version',
  text: `select v.id, v.number, v.created_at as at, v.note, ${userOf}, v.nodes, v.settings
    from chat_flow_versions v where v.tenant_id = $1 and v.flow_id = $2 and v.id = $3`,
}
