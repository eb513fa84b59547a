import type { FlowProblem } from '@balcao/contract/automation/flows/flows.ts'
import type { FlowGraph, FlowNode } from '@balcao/contract/automation/flows/graph.ts'
import { problemsIn } from '@balcao/contract/automation/flows/problems.ts'
import type { Abilities } from '@balcao/contract/channels/abilities.ts'
import { type ChannelKind, channels } from '@balcao/contract/channels/index.ts'
import { type Prepared, type Tx, withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { problemsOf } from '../../conversations/actions/check-actions.ts'
import { byPerson } from '../../conversations/tickets/action-catalogue.ts'
import { type Directory, getDirectory } from '../../core/directory/directory.ts'
import { integrationsOfFamily } from '../../core/integrations/integrations.service.ts'
import { findFlow, graphOfDraft, readDraft } from './draft.rows.ts'
import { findFlowsNaming } from './flows-naming.ts'
import { pixKey } from './pix.ts'

/** What is wrong with a draft before it can run. */
export const draftProblems = (actor: Actor, id: string): Promise<FlowProblem[]> =>
  withTenant(actor.tenantId, async (tx) =>
    problemsOfFlow(tx, actor, id, graphOfDraft(await findFlow(tx, id), await readDraft(tx, id))),
  )

/** The same of any steps of a flow: by themselves, on the channels it starts on, and with what they name. */
export const problemsOfFlow = async (
  tx: Tx,
  actor: Actor,
  flowId: string,
  graph: FlowGraph,
): Promise<FlowProblem[]> => {
  const rows = await tx.rows<{ kind: ChannelKind; abilities: Abilities; isPossible: boolean }>(channelsOf, [
    tx.tenantId,
    flowId,
  ])
  const isCalled = (await findFlowsNaming(tx, flowId)).some(({ id }) => id !== flowId)
  const found = [
    ...problemsIn(
      graph,
      rows.map(({ kind, abilities, isPossible }) => ({ ...abilities, label: channels[kind].label, isPossible })),
      isCalled,
    ),
    ...(await namedProblems(tx, actor, graph)),
  ]
  return [...new Map(found.map((one) => [`${one.nodeId}\0${one.path}\0${one.message}`, one])).values()]
}

/** What only the server knows: that what a step names is there, and is its author's to use. */
export const namedProblems = async (tx: Tx, actor: Actor, graph: FlowGraph): Promise<FlowProblem[]> => {
  const directory = await getDirectory(tx.tenantId)
  const at = { tx, directory, by: byPerson(actor) }
  const problems: FlowProblem[] = []
  for (const node of graph.nodes) {
    problems.push(...refsOf(node).flatMap((ref) => missing(directory, node.id, ref)))
    if (node.kind === 'pix' && node.data.key.trim() && !pixKey(node.data.key))
      problems.push({ nodeId: node.id, path: 'key', message: 'Esta não é uma chave Pix.', level: 'error' })
    if (node.kind !== 'action') continue
    for (const { path, message } of await problemsOf(node.data.actions, at))
      problems.push({ nodeId: node.id, path, message, level: 'error' })
  }
  problems.push(...settingRefs(graph).flatMap((ref) => missing(directory, null, ref)))
  return [
    ...problems,
    ...(await calendarProblems(tx, graph)),
    ...(await missingFiles(tx, graph)),
    ...(await missingSegments(tx, graph)),
  ]
}

type Ref = { path: string; of: 'queues' | 'people' | 'reasons' | 'flows' | 'assistants'; id: string }
const words = {
  queues: 'Fila não encontrada.',
  people: 'Pessoa não encontrada.',
  reasons: 'Motivo não encontrado.',
  flows: 'Fluxo não encontrado.',
  assistants: 'Assistente não encontrado.',
} as const

const missing = (directory: Directory, nodeId: string | null, { path, of, id }: Ref): FlowProblem[] => {
  if (!id) return []
  if (!directory[of].has(id)) return [{ nodeId, path, message: words[of], level: 'error' }]
  const isOff =
    of === 'queues' ? !directory.queues.get(id)?.isActive : of === 'people' && directory.people.get(id)?.isBlocked
  if (isOff)
    return [
      {
        nodeId,
        path,
        message: of === 'queues' ? 'Esta fila está inativa.' : 'Este usuário está bloqueado.',
        level: 'error',
      },
    ]
  const assistant = of === 'assistants' ? directory.assistants.get(id) : undefined
  if (assistant && !(assistant.isActive && assistant.publishedId))
    return [
      {
        ...{ nodeId, path, level: 'error' },
        message: assistant.isActive ? 'Este assistente ainda não foi publicado.' : 'Este assistente está desligado.',
      },
    ]
  if (of === 'flows' && !directory.flows.get(id)?.publishedId)
    return [
      { nodeId, path, message: 'Este fluxo ainda não foi publicado: até lá, o passo é pulado.', level: 'warning' },
    ]
  return []
}

const refsOf = (node: FlowNode): Ref[] => {
  switch (node.kind) {
    case 'hours':
      return [{ path: 'queueId', of: 'queues', id: node.data.queueId }]
    case 'flow':
      return [{ path: 'flowId', of: 'flows', id: node.data.flowId }]
    case 'assistant':
      return [{ path: 'assistantId', of: 'assistants', id: node.data.assistantId }]
    case 'calendar':
      return [{ path: 'queueId', of: 'queues', id: node.data.queueId }]
    case 'handOver':
      return [
        { path: 'queueId', of: 'queues', id: node.data.queueId },
        { path: 'userId', of: 'people', id: node.data.userId },
      ]
    case 'close':
      return [{ path: 'reasonId', of: 'reasons', id: node.data.reasonId }]
    default:
      return []
  }
}

const settingRefs = ({ settings }: FlowGraph): Ref[] =>
  [
    { path: 'retries.to', to: settings.retries.to },
    { path: 'silence.to', to: settings.silence.to },
    { path: 'outOfHours.to', to: settings.outOfHours.to },
    { path: 'firstContact', to: settings.firstContact },
    { path: 'person', to: settings.person },
  ].flatMap(({ path, to }): Ref[] => {
    if (to?.kind === 'queue') return [{ path, of: 'queues', id: to.id }]
    if (to?.kind === 'user') return [{ path, of: 'people', id: to.id }]
    return to?.kind === 'close' ? [{ path, of: 'reasons', id: to.id }] : []
  })

const calendarProblems = async (tx: Tx, { nodes }: FlowGraph): Promise<FlowProblem[]> => {
  const named = nodes.flatMap((node) => (node.kind === 'calendar' && node.data.calendarId ? [node] : []))
  if (!named.length) return []
  const known = await integrationsOfFamily(tx, 'calendar')
  return named.flatMap(({ id, data }) => {
    const calendar = known.find((one) => one.id === data.calendarId)
    if (calendar?.isAuthorized) return []
    const message = calendar ? 'Esta agenda ainda não foi autorizada.' : 'Agenda não encontrada.'
    return { nodeId: id, path: 'calendarId', message, level: 'error' as const }
  })
}

const missingFiles = async (tx: Tx, { nodes }: FlowGraph): Promise<FlowProblem[]> => {
  const named = nodes.flatMap((node) =>
    node.kind === 'message'
      ? node.data.parts.flatMap(({ mediaId }, at) => (mediaId ? { nodeId: node.id, at, mediaId } : []))
      : [],
  )
  const known = await idsOf(
    tx,
    files,
    named.map(({ mediaId }) => mediaId),
  )
  return named.flatMap(({ nodeId, at, mediaId }) =>
    known.has(mediaId)
      ? []
      : {
          nodeId,
          path: `parts.${at}.mediaId`,
          message: 'O arquivo não foi encontrado. Envie-o novamente.',
          level: 'error' as const,
        },
  )
}

const missingSegments = async (tx: Tx, { nodes }: FlowGraph): Promise<FlowProblem[]> => {
  const named = segmentIdsOf(nodes)
  const known = await idsOf(
    tx,
    segments,
    named.map(({ id }) => id),
  )
  return named.flatMap(({ nodeId, path, id }) =>
    known.has(id) ? [] : { nodeId, path, message: 'Segmento não encontrado.', level: 'error' as const },
  )
}
/** Saved segments that conditions ask about. */
export const segmentIdsOf = (nodes: readonly FlowNode[]) =>
  nodes.flatMap((node) =>
    node.kind === 'condition'
      ? node.data.branches.flatMap(({ tests }, branch) =>
          tests.flatMap((test, at) =>
            test.on === 'segment' && test.segmentId
              ? { nodeId: node.id, path: `branches.${branch}.tests.${at}.segmentId`, id: test.segmentId }
              : [],
          ),
        )
      : [],
  )

const idsOf = async (tx: Tx, statement: Prepared, ids: string[]): Promise<ReadonlySet<string>> => {
  const uuids = [...new Set(ids)].filter((id) => uuid.test(id))
  if (!uuids.length) return new Set()
  return new Set((await tx.rows<{ id: string }>(statement, [tx.tenantId, uuids])).map(({ id }) => id))
}
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i
const files: Prepared = {
  name: 'chat_flow_files_there',
  text: 'select id from files where tenant_id = $1 and id = any($2::uuid[])',
}
const segments: Prepared = {
  name: 'chat_flow_segments_there',
  text: 'select id from segments where tenant_id = $1 and id = any($2::uuid[]) and is_shared',
}
/** Those that name it; where none does, all of them: it starts by a queue, a word or by hand. */
const channelsOf: Prepared = {
  name: 'chat_flow_channels',
  text: `select distinct on (kind) kind, abilities, options ->> 'chatFlowId' is distinct from $2::text as "isPossible" from connections where tenant_id = $1 and deleted_at is null
      and (options ->> 'chatFlowId' = $2::text or not exists (
        select from connections n where n.tenant_id = $1 and n.deleted_at is null and n.options ->> 'chatFlowId' = $2::text))
    order by kind, id`,
}
