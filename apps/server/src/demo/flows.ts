import { advance, newRun } from '@balcao/contract/automation/flows/engine.ts'
import { readyFlowOf } from '@balcao/contract/automation/flows/gallery/index.ts'
import type { AnswerKind, FlowGraph, FlowNode } from '@balcao/contract/automation/flows/graph.ts'
import type { FlowEvent, FlowState, FlowStep, FlowWorld, Said } from '@balcao/contract/automation/flows/run.ts'
import { defaultSettings } from '@balcao/contract/people/settings.ts'
import { sql } from 'drizzle-orm'
import { v7 } from 'uuid'
import type { Tx } from '../db/database.ts'
import {
  chatFlowNodes,
  chatFlowRuns,
  chatFlowSteps,
  chatFlows,
  chatFlowVersions,
} from '../db/schema/automation/flows.ts'
import { noFacts } from '../features/automation/flows/runs.rows.ts'

const hour = 3_600_000
const runsOfDemo = 40

/** A ready flow of the company's trade, published, with two weeks of conversations it led; it begins with a word. */
export const seedFlow = async (
  tx: Tx,
  { model, word, userId }: { model: string; word: string; userId: string | null },
) => {
  const ready = readyFlowOf(model)
  if (!ready) return
  const made = ready.graph()
  const settings = { ...made.settings, keywords: [{ text: word, mode: 'contains' as const }] }
  const graph: FlowGraph = { ...made, settings }
  const { tenantId } = tx
  const [flowId, versionId] = [v7(), v7()]
  const createdAt = new Date(Date.now() - 15 * 24 * hour)
  await tx.db.insert(chatFlows).values({
    ...{ tenantId, id: flowId, name: ready.name, description: ready.description, model, userId, settings },
    ...{ publishedId: versionId, createdAt, updatedAt: createdAt },
  })
  await tx.db
    .insert(chatFlowNodes)
    .values(graph.nodes.map((node) => ({ tenantId, flowId, nodeId: node.id, node, revision: 1 })))
  await tx.db.insert(chatFlowVersions).values({
    ...{ tenantId, id: versionId, flowId, number: 1, revision: 1, nodes: graph.nodes, settings, userId, createdAt },
    note: 'Primeira versão',
  })
  await seedRuns(tx, { flowId, versionId, graph })
}

const seedRuns = async (
  tx: Tx,
  { flowId, versionId, graph }: { flowId: string; versionId: string; graph: FlowGraph },
) => {
  const { tenantId } = tx
  const { rows: tickets } = await tx.db.execute<{
    id: string
    contact: string
    createdAt: Date
  }>(sql`select t.id, c.name as contact, t.created_at as "createdAt" from tickets t
    join contacts c on c.tenant_id = t.tenant_id and c.id = t.contact_id
    where t.tenant_id = ${tenantId} and not t.is_group and t.status = 'closed' and t.created_at > now() - interval '15 days'
    order by md5(t.id::text) limit ${runsOfDemo}`)
  for (const [n, { id: ticketId, contact, createdAt }] of tickets.entries()) {
    const startedAt = new Date(createdAt).getTime() + 1_000
    const runId = v7()
    const { state, steps, end } = rehearsed(graph, { runId, versionId, n, contact, startedAt })
    const at = (index: number) => new Date(startedAt + index * 4_000)
    await tx.db.insert(chatFlowRuns).values({
      ...{ tenantId, id: runId, ticketId, flowId, versionId, startedBy: 'keyword', state, createdAt: at(0) },
      ...{ endedAt: at(steps.length), endedWhy: end.why, endedTo: end.to },
    })
    const isLast = (index: number) => index === steps.length - 1
    await tx.db.insert(chatFlowSteps).values(
      steps.map((step, index) => ({
        ...{ ...step, tenantId, id: v7(), runId, flowId, ms: 2 + ((n + index) % 5), createdAt: at(index) },
        ...(isLast(index) && { endedTo: end.to, endedWhy: end.why }),
      })),
    )
  }
}

type Rehearsal = { runId: string; versionId: string; n: number; contact: string; startedAt: number }
/** One conversation as the engine leads it, with a customer who answers, changes their mind or says nothing more. */
const rehearsed = (graph: FlowGraph, { runId, versionId, n, contact, startedAt }: Rehearsal) => {
  const steps: FlowStep[] = []
  let state: FlowState = newRun(versionId)
  let event: FlowEvent = { kind: 'begin', said: [said('oi')] }
  for (let turn = 0; turn < 60; turn += 1) {
    const world = worldOf(graph, { versionId, runId, now: new Date(startedAt + turn * 20_000) })
    const isSilent = event.kind === 'due'
    const advanced = advance(state, event, isSilent ? { ...world, now: new Date(startedAt + 60 * 24 * hour) } : world)
    state = advanced.state
    steps.push(...advanced.steps)
    if (advanced.end) return { state, steps, end: advanced.end }
    const node = graph.nodes.find(({ id }) => id === state.nodeId)
    if (advanced.status === 'more') event = { kind: 'on' }
    else if (state.wait?.for === 'call') event = { kind: 'called', id: state.wait.id, ok: true, vars: {} }
    else if (state.wait?.for !== 'answer' || (n + turn) % 11 === 10) event = { kind: 'due' }
    else event = { kind: 'said', said: [said(answerTo(node, n + turn, contact))] }
  }
  return { state, steps, end: { why: 'silence' as const, to: 'person' as const } }
}

const said = (text: string): Said => ({ text, type: 'text', choiceId: null, fileId: null, location: null })
const answers: Record<AnswerKind, string> = {
  text: 'Pode ser amanhã à tarde',
  name: 'Maria Lima',
  email: 'maria.lima@exemplo.com.br',
  cpf: '529.982.247-25',
  cnpj: '11.222.333/0001-81',
  phone: '(11) 98765-4321',
  date: '20/03/2027',
  number: '2',
  file: 'atendente',
  location: 'atendente',
}
const answerTo = (node: FlowNode | undefined, n: number, contact: string): string => {
  if (node?.kind === 'menu')
    return n % 9 === 8 ? 'hum' : (node.data.options[n % Math.max(1, node.data.options.length)]?.title ?? 'atendente')
  if (node?.kind === 'rating') return String(3 + (n % 3))
  if (node?.kind !== 'ask') return 'ok'
  return node.data.as === 'name' ? contact : answers[node.data.as]
}

type At = { versionId: string; runId: string; now: Date }
const worldOf = (graph: FlowGraph, { versionId, runId, now }: At): FlowWorld => ({
  now,
  runId,
  timezone: 'America/Sao_Paulo',
  graphOf: (id) => (id === versionId ? graph : undefined),
  publishedOf: () => undefined,
  contact: noFacts,
  ticket: {
    ...{ queueId: null, connectionId: '', channel: 'waba' },
    ...{ priority: 'normal', tagIds: [], isFirst: false },
  },
  abilities: { supports: [], buttonLimits: null },
  segments: new Map(),
  rating: {
    question: defaultSettings.rating.question,
    retry: defaultSettings.rating.retry,
    grades: defaultSettings.rating.options,
  },
  isOpen: () => true,
  fill: (text) => text,
})
