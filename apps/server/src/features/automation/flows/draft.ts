import type { FlowDraft, FlowDraftChange, flowDraftChanged } from '@balcao/contract/automation/flows/flows.ts'
import { type FlowGraph, type FlowNode, flowSettings, startId } from '@balcao/contract/automation/flows/graph.ts'
import type { z } from 'zod'
import { type Prepared, type Tx, withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { emit } from '../../../kit/outbox.ts'
import { storedFiles } from '../../conversations/parts/parts.ts'
import { presentMedia } from '../../core/media/media.present.ts'
import { sendableFiles } from '../../core/media/stored-files.ts'
import { type DraftNode, type FlowRow, findFlow, lockFlow, readDraft, stampDraft, writeDraft } from './draft.rows.ts'
import { presentFlow } from './flows.rows.ts'

export const getDraft = (actor: Actor, id: string): Promise<FlowDraft> =>
  withTenant(actor.tenantId, async (tx) => {
    const { revision, settings, settingsRevision, settingsUserId } = await findFlow(tx, id)
    const rows = await readDraft(tx, id)
    const nodes = rows.flatMap(({ node }) => node ?? [])
    const parts = nodes.flatMap((node) => (node.kind === 'message' ? node.data.parts : []))
    return {
      revision,
      nodes,
      media: [...(await storedFiles(tx, parts)).values()].map((file) => presentMedia(file, tx)),
      settings: flowSettings.parse(settings),
      revisions: Object.fromEntries(rows.map((row) => [row.nodeId, row.revision])),
      authors: Object.fromEntries(rows.flatMap(({ nodeId, userId }) => (userId ? [[nodeId, userId]] : []))),
      settingsRevision,
      settingsUserId,
    }
  })

type Changed = z.output<typeof flowDraftChanged>
/** Changes steps that nobody else has changed since `base`; else nothing is written, and what they have is told (409). */
export const changeDraft = (actor: Actor, id: string, change: FlowDraftChange): Promise<Changed> =>
  withTenant(actor.tenantId, async (tx) => {
    const { base, upserts, removes, settings } = change
    const flow = await lockFlow(tx, id)
    const touched = [...new Set([...upserts.map((node) => node.id), ...removes])]
    const stored = await tx.rows<DraftNode>(touchedNodes, [tx.tenantId, id, touched])
    const conflicts = stored
      .filter(({ revision }) => revision > base)
      .map(({ nodeId, node, userId }) => ({ id: nodeId, node, userId }))
    const isTheirs = settings !== undefined && flow.settingsRevision > base
    if (conflicts.length || isTheirs) {
      const theirs = isTheirs ? flow : { settings: null, settingsUserId: null }
      const { settings, settingsUserId } = theirs
      const details: Changed = { revision: flow.revision, conflicts, settings, settingsUserId }
      throw new AppError('ERR_CONFLICT', { details })
    }
    if (removes.includes(startId)) throw fieldErrors({ path: 'removes', message: 'O início não pode ser excluído.' })
    if (!touched.length && !settings) return written(flow.revision)
    await requireFiles(tx, actor, upserts)
    const revision = flow.revision + 1
    await writeDraft(tx, id, { revision, upserts, removes, userId: actor.userId })
    await stampDraft(tx, id, { revision, settings, userId: actor.userId })
    await tellDraft(tx, actor, flow, { revision, upserts, removes, settings: settings ?? null })
    return written(revision)
  })

const written = (revision: number): Changed => ({ revision, conflicts: [], settings: null, settingsUserId: null })

type Told = {
  revision: number
  upserts: readonly FlowNode[]
  removes: readonly string[]
  settings: FlowGraph['settings'] | null
}
/** To whoever has it open; and to lists, once it stands ahead of what is published. */
export const tellDraft = async (
  tx: Tx,
  { userId }: Pick<Actor, 'userId'>,
  before: FlowRow,
  { upserts, removes, ...told }: Told,
) => {
  const audience = { kind: 'permission', can: 'flows.write' } as const
  const payload = { id: before.id, ...told, upserts: [...upserts], removes: [...removes], userId }
  await emit(tx, 'chatFlow.draftChanged', payload, audience)
  const after = await presentFlow(tx, await findFlow(tx, before.id))
  if (after.isChanged && after.published && !(await presentFlow(tx, before)).isChanged)
    await emit(tx, 'chatFlow.updated', after, audience)
}

/** Files that come into a flow are this person's to send, or some flow sends them already. */
const requireFiles = async (tx: Tx, actor: Actor, nodes: readonly FlowNode[]) => {
  const named = nodes
    .flatMap((node) => (node.kind === 'message' ? node.data.parts : []))
    .flatMap(({ mediaId }) => mediaId ?? [])
  const ids = [...new Set(named)]
  if (!ids.length) return
  const theirs = await tx.rows<{ id: string }>(sendableFiles, [tx.tenantId, ids, actor.userId, actor.queueIds])
  const used = await tx.rows<{ id: string }>(usedFiles, [tx.tenantId, ids])
  const known = new Set([...theirs, ...used].map((file) => file.id))
  if (ids.some((id) => !known.has(id)))
    throw fieldErrors({ path: 'upserts', message: 'O arquivo não foi encontrado. Envie-o novamente.' })
}

const touchedNodes: Prepared = {
  name: 'chat_flow_draft_touched',
  text: `select node_id as "nodeId", node, revision, user_id as "userId" from chat_flow_nodes
    where tenant_id = $1 and flow_id = $2 and node_id = any($3::text[])`,
}
const usedFiles: Prepared = {
  name: 'chat_flow_files_used',
  text: 'select distinct media_id as id from chat_flow_files where tenant_id = $1 and media_id = any($2::uuid[])',
}
