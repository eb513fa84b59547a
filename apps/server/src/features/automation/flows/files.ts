import {
  type Flow,
  flowFile,
  type flowImported,
  flowResource,
  type ImportNote,
} from '@balcao/contract/automation/flows/flows.ts'
import { type FlowGraph, type FlowNode, nodeLabels } from '@balcao/contract/automation/flows/graph.ts'
import { importIzing, isIzing, type KnownAssistant } from '@balcao/contract/automation/flows/izing.ts'
import { getTableColumns } from 'drizzle-orm'
import type { z } from 'zod'
import { withTenant } from '../../../db/database.ts'
import { chatFlows } from '../../../db/schema/automation/flows.ts'
import type { Actor } from '../../../kit/actor.ts'
import { type PlainOptions, rowsOf } from '../../../kit/crud-rows.ts'
import { fieldErrors } from '../../../kit/errors.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { findFlow, graphOfDraft, lockFlow, readDraft } from './draft.rows.ts'
import { flowOptions } from './flows.rows.ts'
import { namedProblems } from './problems.ts'
import { audit, putIntoDraft } from './versions.ts'

/** Written as by the form: checked, audited and told of. */
const rows = rowsOf(flowResource, flowOptions as unknown as PlainOptions, getTableColumns(chatFlows)) // as crud() takes them

const readGraph = (actor: Actor, id: string) =>
  withTenant(actor.tenantId, async (tx) => {
    const flow = await findFlow(tx, id)
    return { flow, graph: graphOfDraft(flow, await readDraft(tx, id)) }
  })

/** Another one with the same steps: not published, and started by no word of its own. */
export const duplicateFlow = async (actor: Actor, id: string): Promise<Flow> => {
  const { flow, graph } = await readGraph(actor, id)
  const names = await withTenant(actor.tenantId, (tx) => tx.db.select({ name: chatFlows.name }).from(chatFlows))
  const name = freeName(flow.name, new Set(names.map((one) => one.name.toLowerCase())))
  const settings = { ...graph.settings, keywords: [] }
  const { description, model } = flow
  const created = await rows.create(actor, { name, description, model, isActive: true, graph: { ...graph, settings } })
  return created as unknown as Flow // as its schema made it
}
const freeName = (name: string, taken: ReadonlySet<string>) => {
  for (let n = 1; ; n += 1) {
    const end = n === 1 ? ' (cópia)' : ` (cópia ${n})`
    const found = `${name.slice(0, 60 - end.length)}${end}`
    if (!taken.has(found.toLowerCase())) return found
  }
}

export const exportFlow = async (actor: Actor, id: string): Promise<z.output<typeof flowFile>> => {
  const { flow, graph } = await readGraph(actor, id)
  return { product: 'balcao', format: 1, name: flow.name, ...graph }
}

/** The draft becomes what the file holds; the report says what of it is not as it was there. */
export const importFlow = (actor: Actor, id: string, file: unknown): Promise<z.output<typeof flowImported>> =>
  withTenant(actor.tenantId, async (tx) => {
    const { assistants } = await getDirectory(tx.tenantId)
    const working = [...assistants.values()].filter(({ isActive, publishedId }) => isActive && publishedId)
    const { from, name, graph: read, notes } = readFile(file, working)
    const flow = await lockFlow(tx, id)
    const problems = await namedProblems(tx, actor, read)
    const lost = new Set(problems.filter(({ path }) => path.endsWith('.mediaId')).map(({ nodeId }) => nodeId))
    const graph = { ...read, nodes: read.nodes.map((node) => (lost.has(node.id) ? withoutFiles(node) : node)) }
    const revision = await putIntoDraft(tx, actor, flow, graph)
    await audit(tx, actor, 'imported', id, { name: flow.name, from: name })
    const named = new Map(graph.nodes.map((node) => [node.id, nameOf(node)]))
    const missing = problems.map(({ nodeId, message }): ImportNote => {
      const level = lost.has(nodeId) ? 'lost' : 'changed'
      return { level, nodeId, what: named.get(nodeId ?? '') ?? 'Configurações', how: message }
    })
    return { revision, from, notes: [...notes, ...missing] }
  })

type Read = { from: 'balcao' | 'izing'; name: string; graph: FlowGraph; notes: ImportNote[] }
const readFile = (file: unknown, assistants: readonly KnownAssistant[]): Read => {
  const ours = flowFile.safeParse(file)
  if (ours.success) {
    const { name, nodes, settings } = ours.data
    const kept = nodes.map(
      (node): ImportNote => ({ level: 'kept', nodeId: node.id, what: nameOf(node), how: 'Como estava.' }),
    )
    return { from: 'balcao', name, graph: { nodes, settings }, notes: kept }
  }
  if (isIzing(file)) return { from: 'izing', ...importIzing(file, assistants) }
  throw fieldErrors({ path: 'file', message: 'Este arquivo não é um fluxo que sabemos ler.' })
}

/** Files stay with their company. */
const withoutFiles = (node: FlowNode): FlowNode =>
  node.kind === 'message'
    ? { ...node, data: { parts: node.data.parts.map((part) => ({ ...part, mediaId: null })) } }
    : node
const nameOf = ({ kind, name }: FlowNode) => (name ? `${nodeLabels[kind]}: ${name}` : nodeLabels[kind])
