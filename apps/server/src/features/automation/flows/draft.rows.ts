import {
  type FlowGraph,
  type FlowNode,
  flowNode,
  flowSettings,
  mostNodes,
} from '@balcao/contract/automation/flows/graph.ts'
import { and, eq, sql } from 'drizzle-orm'
import type { Prepared, Tx } from '../../../db/database.ts'
import { chatFlows } from '../../../db/schema/automation/flows.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'

export type FlowRow = typeof chatFlows.$inferSelect

export const findFlow = async (tx: Tx, id: string): Promise<FlowRow> =>
  found(await tx.db.select().from(chatFlows).where(isFlow(tx, id)))
/** The same, locked until the transaction ends. */
export const lockFlow = async (tx: Tx, id: string): Promise<FlowRow> =>
  found(await tx.db.select().from(chatFlows).where(isFlow(tx, id)).for('no key update'))

const isFlow = (tx: Tx, id: string) => and(eq(chatFlows.tenantId, tx.tenantId), eq(chatFlows.id, id))
const found = ([row]: FlowRow[]) => {
  if (!row) throw new AppError('ERR_NOT_FOUND')
  return row
}

export type DraftNode = { nodeId: string; node: FlowNode | null; revision: number; userId: string | null }
/** The steps of a draft, those that were removed among them. */
export const readDraft = async (tx: Tx, flowId: string): Promise<DraftNode[]> =>
  (await tx.rows<DraftNode>(read, [tx.tenantId, flowId])).map((row) => ({
    ...row,
    node: row.node && flowNode.parse(row.node),
  }))

export const graphOfDraft = (flow: Pick<FlowRow, 'settings'>, draft: readonly DraftNode[]): FlowGraph => ({
  nodes: draft.flatMap(({ node }) => node ?? []),
  settings: flowSettings.parse(flow.settings),
})

type Written = { revision: number; upserts: readonly FlowNode[]; removes: readonly string[] }
type By = { userId: string | null }
/** Puts steps into a draft and takes others away, under one revision. */
export const writeDraft = async (tx: Tx, flowId: string, { revision, upserts, removes, userId }: Written & By) => {
  const rows = [...removes.map((id) => ({ id, node: null })), ...upserts.map((node) => ({ id: node.id, node }))]
  if (!rows.length) return
  await tx.rows(write, [tx.tenantId, flowId, revision, JSON.stringify(rows), userId])
  const [row] = await tx.rows<{ count: number }>(count, [tx.tenantId, flowId])
  if ((row?.count ?? 0) > mostNodes)
    throw fieldErrors({ path: 'upserts', message: `Use no máximo ${mostNodes} passos.` })
  await tx.rows(keepFiles, [tx.tenantId, flowId])
}

/** The draft becomes this graph; who has it open is told what changed. */
export const replaceDraft = async (tx: Tx, { userId }: By, flow: FlowRow, graph: FlowGraph): Promise<Written> => {
  const revision = flow.revision + 1
  const kept = new Set(graph.nodes.map(({ id }) => id))
  const removes = (await readDraft(tx, flow.id)).flatMap(({ nodeId, node }) =>
    node && !kept.has(nodeId) ? nodeId : [],
  )
  await writeDraft(tx, flow.id, { revision, upserts: graph.nodes, removes, userId })
  await stampDraft(tx, flow.id, { revision, settings: graph.settings, userId })
  return { revision, upserts: graph.nodes, removes }
}

export const stampDraft = async (
  tx: Tx,
  flowId: string,
  { revision, settings, userId }: { revision: number; settings?: FlowGraph['settings'] } & By,
) => {
  await tx.db
    .update(chatFlows)
    .set({
      revision,
      ...(settings && { settings, settingsRevision: revision, settingsUserId: userId }),
      updatedAt: sql`now()`,
    })
    .where(isFlow(tx, flowId))
}

const read: Prepared = {
  name: 'chat_flow_draft',
  text: `select node_id as "nodeId", node, revision, user_id as "userId" from chat_flow_nodes where tenant_id = $1 and flow_id = $2
    order by node_id <> 'start', node_id`,
}
const write: Prepared = {
  name: 'chat_flow_draft_write',
  text: `insert into chat_flow_nodes (tenant_id, flow_id, node_id, node, revision, user_id)
    select $1, $2, g.id, nullif(g.node, 'null'::jsonb), $3, $5::uuid from jsonb_to_recordset($4::jsonb) as g(id text, node jsonb)
    on conflict (tenant_id, flow_id, node_id) do update
      set node = excluded.node, revision = excluded.revision, user_id = excluded.user_id`,
}
const count: Prepared = {
  name: 'chat_flow_draft_count',
  text: 'select count(node)::int as count from chat_flow_nodes where tenant_id = $1 and flow_id = $2',
}
/** Files of a draft stay as long as a step of it sends them. */
const keepFiles: Prepared = {
  name: 'chat_flow_draft_files',
  text: `with named as (
      select distinct (p ->> 'mediaId')::uuid as id from chat_flow_nodes n, jsonb_array_elements(n.node -> 'data' -> 'parts') p
      where n.tenant_id = $1 and n.flow_id = $2 and n.node ->> 'kind' = 'message' and p ->> 'mediaId' is not null
    ), gone as (
      delete from chat_flow_files where tenant_id = $1 and flow_id = $2 and version_id is null and media_id not in (select id from named)
    )
    insert into chat_flow_files (tenant_id, id, flow_id, media_id) select $1, gen_random_uuid(), $2, id from named
    on conflict do nothing`,
}
