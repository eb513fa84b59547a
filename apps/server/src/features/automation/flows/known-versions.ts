import { type FlowGraph, type FlowNode, flowGraph } from '@balcao/contract/automation/flows/graph.ts'
import type { Prepared, Tx } from '../../../db/database.ts'

/** Versions never change: they are read once. */
const known = new Map<string, Loaded>()
const mostKnown = 200
export type Loaded = { flowId: string; number: number; graph: FlowGraph }

/** A version as runs read it; undefined where its flow is gone. */
export const loadVersion = async (tx: Tx, versionId: string): Promise<Loaded | undefined> => {
  const key = `${tx.tenantId}:${versionId}`
  const kept = known.get(key)
  if (kept) {
    known.delete(key)
    known.set(key, kept)
    return kept
  }
  const [row] = await tx.rows<{ flowId: string; number: number; nodes: FlowNode[] }>(load, [tx.tenantId, versionId])
  if (!row) return undefined
  const loaded = { flowId: row.flowId, number: row.number, graph: flowGraph.parse(row) }
  known.set(key, loaded)
  const [oldest] = known.keys()
  if (known.size > mostKnown && oldest) known.delete(oldest)
  return loaded
}

const load: Prepared = {
  name: 'chat_flow_version_load',
  text: 'select flow_id as "flowId", number, nodes, settings from chat_flow_versions where tenant_id = $1 and id = $2',
}
