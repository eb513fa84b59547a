import type { FlowGraph } from '@balcao/contract/automation/flows/graph.ts'
import type { FlowWorld } from '@balcao/contract/automation/flows/run.ts'
import type { Tx } from '../../../db/database.ts'
import { readFacts } from '../../contacts/membership/facts.ts'
import { type Conversation, filledFor } from '../../conversations/messages/system-messages.ts'
import type { Directory } from '../../core/directory/directory.ts'
import { type Loaded, loadVersion } from './known-versions.ts'
import { segmentIdsOf } from './problems.ts'
import { noFacts, noTicketFacts, type Run, readSegments, readTicketFacts } from './runs.rows.ts'
import { isOpen } from './starts.ts'

/** Versions at hand: the one it stands in, and those it goes back to. */
export const loadVersions = async (tx: Tx, { state }: Run): Promise<ReadonlyMap<string, Loaded>> => {
  const found = new Map<string, Loaded>()
  for (const id of new Set([state.versionId, ...state.above.map(({ versionId }) => versionId)])) {
    const version = await loadVersion(tx, id)
    if (version) found.set(id, version)
  }
  return found
}

type Seen = { run: Run; conversation: Conversation; directory: Directory; versions: ReadonlyMap<string, Loaded> }
/** What a run sees at this moment; of the contact only what its versions ask about. */
export const readWorld = async (tx: Tx, { run, conversation, directory, versions }: Seen): Promise<FlowWorld> => {
  const now = new Date()
  const { id, contactId, queueId, connectionId, kind, abilities } = conversation
  const graphs = [...versions.values()].map(({ graph }) => graph)
  const asksContact = graphs.some((graph) => needsOf(graph).asksContact)
  const asksTicket = graphs.some((graph) => needsOf(graph).asksTicket)
  const contact = asksContact ? (await readFacts(tx, [contactId])).get(contactId) : undefined
  const { options, question, retry } = directory.settings.rating
  return {
    now,
    timezone: directory.timezone,
    runId: run.id,
    graphOf: (versionId) => versions.get(versionId)?.graph,
    publishedOf: (flowId) => {
      const flow = directory.flows.get(flowId)
      return flow?.isActive ? (flow.publishedId ?? undefined) : undefined
    },
    contact: contact ?? noFacts,
    ticket: {
      ...{ queueId, connectionId, channel: kind },
      ...(asksTicket ? await readTicketFacts(tx, id) : noTicketFacts),
    },
    abilities,
    segments: await readSegments(
      tx,
      graphs.flatMap((graph) => needsOf(graph).segmentIds),
    ),
    rating: { question, retry, grades: options },
    isOpen: (asked) => isOpen(directory, asked ?? queueId, now),
    fill: (text, vars) => filledFor(conversation, directory, text, null, vars),
  }
}

/** Of a graph, once: it never changes. */
const needs = new WeakMap<FlowGraph, { asksContact: boolean; asksTicket: boolean; segmentIds: string[] }>()
const needsOf = (graph: FlowGraph) => {
  const known = needs.get(graph) ?? needsFor(graph)
  needs.set(graph, known)
  return known
}
const needsFor = (graph: FlowGraph) => {
  const asked = new Set(
    graph.nodes.flatMap((node) =>
      node.kind === 'condition' ? node.data.branches.flatMap(({ tests }) => tests.map(({ on }) => on)) : [],
    ),
  )
  return {
    asksContact: asked.has('contact') || asked.has('segment'),
    asksTicket: asked.has('ticket') || graph.settings.firstContact !== null,
    segmentIds: segmentIdsOf(graph.nodes).map(({ id }) => id),
  }
}
