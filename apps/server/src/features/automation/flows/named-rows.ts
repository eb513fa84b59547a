import { flowGraph, flowSettings } from '@balcao/contract/automation/flows/graph.ts'
import { withRow } from '@balcao/contract/automation/flows/replace.ts'
import type { Prepared, Tx } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { graphOfDraft, lockFlow, readDraft, stampDraft, writeDraft } from './draft.rows.ts'
import { tellDraft } from './draft.ts'
import { findFlowsNaming } from './flows-naming.ts'
import { republish } from './versions.ts'

type By = Pick<Actor, 'userId' | 'impersonatorId'>
type Change = { id: string; replacementId: string; note: string }
/** Another row in its place: in the draft, and in what runs by a version more, as a version never changes. */
export const replaceInFlows = async (tx: Tx, by: By, { id: from, replacementId: to, note }: Change) => {
  for (const { id } of await findFlowsNaming(tx, from)) {
    const before = await lockFlow(tx, id)
    const draft = graphOfDraft(before, await readDraft(tx, id))
    const upserts = draft.nodes.flatMap((node) => {
      const next = withRow(node, from, to)
      return next === node ? [] : next
    })
    const changed = withRow(draft.settings, from, to)
    const settings = changed === draft.settings ? null : flowSettings.parse(changed)
    const isTouched = upserts.length > 0 || settings !== null
    const revision = before.revision + (isTouched ? 1 : 0)
    if (isTouched) {
      await writeDraft(tx, id, { revision, upserts, removes: [], userId: by.userId })
      await stampDraft(tx, id, { revision, userId: by.userId, ...(settings && { settings }) })
    }
    const [published] = await tx.rows<{ revision: number; nodes: unknown; settings: unknown }>(running, [
      ...[tx.tenantId, id],
    ])
    const graph = published && flowGraph.parse(published)
    const next = graph && withRow(graph, from, to)
    if (published && next && next !== graph) {
      // What ran was the draft, and is it still.
      const isDraft = published.revision === before.revision
      await republish(tx, by, before, { graph: next, revision: isDraft ? revision : published.revision, note })
    }
    if (isTouched) await tellDraft(tx, by, before, { revision, upserts, removes: [], settings })
  }
}

const running: Prepared = {
  name: 'flow_running_version',
  text: `select v.revision, v.nodes, v.settings from chat_flow_versions v
    join chat_flows f on f.tenant_id = v.tenant_id and f.published_id = v.id where f.tenant_id = $1 and f.id = $2`,
}
