import type { FlowNumbers, FlowRun, flowNumbersQuery } from '@balcao/contract/automation/flows/flows.ts'
import { type FlowNode, nodeLabels } from '@balcao/contract/automation/flows/graph.ts'
import { endReasonTexts, type FlowState } from '@balcao/contract/automation/flows/run.ts'
import { v5 } from 'uuid'
import type { z } from 'zod'
import { type Prepared, type Tx, withReport, withTenant } from '../../../db/database.ts'
import type { RunEnd, RunStart } from '../../../db/schema/automation/flows.ts'
import type { Actor } from '../../../kit/actor.ts'
import { getVisibleTicket } from '../../conversations/tickets/tickets.service.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { findFlow } from './draft.rows.ts'
import { type Loaded, loadVersion } from './known-versions.ts'

const mostRuns = 50
type RunRow = {
  id: string
  flow: { id: string; name: string }
  version: { id: string; number: number } | null
  versionId: string
  startedBy: RunStart
  by: string | null
  startedAt: Date
  endedAt: Date | null
  endedWhy: RunEnd | null
  endedTo: 'person' | 'closed' | null
  state: FlowState
}
type StepRow = Omit<FlowRun['steps'][number], 'at' | 'label' | 'said'> & { runId: string; at: Date }

/** What flows did in a conversation, newest first, for whoever may see it. */
export const readRuns = (actor: Actor, ticketId: string): Promise<FlowRun[]> =>
  withTenant(actor.tenantId, async (tx) => {
    await getVisibleTicket(tx, actor, ticketId)
    const rows = await tx.rows<RunRow>(runsOf, [tx.tenantId, ticketId, mostRuns])
    const steps = await tx.rows<StepRow>(stepsOf, [tx.tenantId, rows.map(({ id }) => id)])
    const versions = await loadAll(tx, [
      ...rows.map(({ state }) => state.versionId),
      ...rows.map(({ versionId }) => versionId),
      ...steps.map(({ versionId }) => versionId),
    ])
    const said = await readSaid(tx, ticketId, steps)
    const byRun = Map.groupBy(steps, ({ runId }) => runId)
    return rows.map((row) => ({
      id: row.id,
      flow: row.flow,
      version: row.version ?? { id: row.versionId, number: 0 },
      startedBy: row.startedBy === 'hand' && row.by ? `Por ${row.by}` : startTexts[row.startedBy],
      startedAt: row.startedAt.toISOString(),
      endedAt: row.endedAt?.toISOString() ?? null,
      outcome: row.endedWhy ? outcomeOf(row.endedWhy, row.endedTo) : waitText(row.state, versions),
      vars: { ...row.state.vars },
      steps: (byRun.get(row.id) ?? []).map(({ runId: _, at, ...step }, n, all) => ({
        ...step,
        said:
          all.findIndex(({ stepId }) => stepId === step.stepId) === n
            ? (said.get(`${row.id} ${step.stepId}`) ?? '')
            : '',
        label: labelOf(versions.get(step.versionId), step.nodeId),
        at: at.toISOString(),
      })),
    }))
  })

/** What each step said: its messages are called after it (`effects.ts`, `ending.ts`). */
const readSaid = async (tx: Tx, ticketId: string, steps: readonly StepRow[]): Promise<ReadonlyMap<string, string>> => {
  const stepOf = new Map(
    steps
      .slice(-newest)
      .flatMap(({ runId, stepId }) =>
        [`end:${stepId}`, ...Array.from({ length: mostSaid }, (_, n) => `${stepId}.${n}`)].map(
          (name) => [v5(name, runId), `${runId} ${stepId}`] as const,
        ),
      ),
  )
  const rows = await tx.rows<{ id: string; body: string }>(saidOf, [tx.tenantId, ticketId, [...stepOf.keys()]])
  const byStep = Map.groupBy(rows, ({ id }) => stepOf.get(id) ?? '')
  return new Map([...byStep].map(([step, some]) => [step, some.map(({ body }) => body).join('\n')]))
}
/** Effects of one event, and steps; what is beyond is read in the conversation. */
const mostSaid = 12
const newest = 300

const loadAll = async (tx: Tx, ids: string[]): Promise<ReadonlyMap<string, Loaded>> => {
  const found = new Map<string, Loaded>()
  for (const id of new Set(ids)) {
    const version = await loadVersion(tx, id)
    if (version) found.set(id, version)
  }
  return found
}

const startTexts: Record<RunStart, string> = {
  keyword: 'Palavra-chave',
  test: 'Celular de teste',
  connection: 'Canal',
  queue: 'Fila',
  company: 'Configuração da empresa',
  hand: 'Alguém da equipe',
  campaign: 'Resposta a uma campanha',
  funnel: 'Ação do funil',
}
const outcomeOf = (why: RunEnd, to: RunRow['endedTo']): string => {
  if (why === 'taken') return 'A equipe assumiu a conversa'
  if (why === 'failed') return 'Parou por um erro, e a equipe foi avisada'
  return `${endReasonTexts[why]}: ${to === 'closed' ? 'encerrado' : 'passado para a equipe'}`
}
const waitText = ({ wait, versionId, nodeId }: FlowState, versions: ReadonlyMap<string, Loaded>): string => {
  switch (wait?.for) {
    case 'answer':
      return 'Espera a resposta do cliente'
    case 'time':
      return wait.event ? `Espera o evento ${wait.event}` : 'Espera o tempo passar'
    case 'pause':
      return 'Faz uma pausa'
    case 'call':
      return versions.get(versionId)?.graph.nodes.find(({ id }) => id === nodeId)?.kind === 'assistant'
        ? 'Um assistente conversa com o cliente'
        : 'Espera a resposta de um sistema'
    default:
      return 'Em andamento'
  }
}
const labelOf = (version: Loaded | undefined, nodeId: string): string => {
  const node: FlowNode | undefined = version?.graph.nodes.find(({ id }) => id === nodeId)
  if (!node) return nodeId
  return node.name ? `${nodeLabels[node.kind]}: ${node.name}` : nodeLabels[node.kind]
}

/** How many conversations came through each step in these days, where they stopped, and where a person took over. */
export const readNumbers = async (
  actor: Actor,
  flowId: string,
  { from, to, versionId }: z.output<typeof flowNumbersQuery>,
): Promise<FlowNumbers> => {
  const { timezone } = await getDirectory(actor.tenantId)
  return withReport(actor, async (tx) => {
    await findFlow(tx, flowId)
    const given = [tx.tenantId, flowId, from, to, timezone, versionId ?? null]
    const nodes = await tx.rows<FlowNumbers['nodes'][number]>(numbers, given)
    const [runs] = await tx.rows<Pick<FlowNumbers, 'started' | 'ended'>>(totals, given)
    return { nodes, started: runs?.started ?? 0, ended: runs?.ended ?? 0 }
  })
}

const runsOf: Prepared = {
  name: 'chat_flow_runs_of_ticket',
  text: `select r.id, jsonb_build_object('id', f.id, 'name', f.name) as flow, r.version_id as "versionId",
      (select jsonb_build_object('id', v.id, 'number', v.number) from chat_flow_versions v where v.tenant_id = $1 and v.id = r.version_id) as version,
      r.started_by as "startedBy", (select u.name from users u where u.tenant_id = $1 and u.id = r.user_id) as by,
      r.created_at as "startedAt", r.ended_at as "endedAt", r.ended_why as "endedWhy", r.ended_to as "endedTo", r.state
    from chat_flow_runs r join chat_flows f on f.tenant_id = r.tenant_id and f.id = r.flow_id
    where r.tenant_id = $1 and r.ticket_id = $2 order by r.created_at desc, r.id desc limit $3`,
}
const stepsOf: Prepared = {
  name: 'chat_flow_steps_of_runs',
  text: `select run_id as "runId", step_id as "stepId", version_id as "versionId", node_id as "nodeId", port, note, problem, ms, created_at as at
    from (select s.*, row_number() over (partition by run_id order by id desc) as back from chat_flow_steps s
      where tenant_id = $1 and run_id = any($2::uuid[])) s where back <= 500 order by id`,
}
const saidOf: Prepared = {
  name: 'chat_flow_said_by_steps',
  text: `select id, body from messages where tenant_id = $1 and ticket_id = $2 and id = any($3::uuid[]) and not is_deleted order by seq`,
}
const within = (column: string) =>
  `${column} >= $3::date::timestamp at time zone $5 and ${column} < ($4::date + 1)::timestamp at time zone $5`
const numbers: Prepared = {
  name: 'chat_flow_numbers',
  text: `with s as (
      select * from chat_flow_steps where tenant_id = $1 and flow_id = $2 and ${within('created_at')} and ($6::uuid is null or version_id = $6)
    ), here as (
      select state ->> 'nodeId' as node_id, count(*)::int as count from chat_flow_runs
      where tenant_id = $1 and ended_at is null and state ->> 'versionId' in (
        select id::text from chat_flow_versions where tenant_id = $1 and flow_id = $2 and ($6::uuid is null or id = $6))
      group by 1
    ), ways as (
      select node_id, jsonb_object_agg(port, count) as ports from (
        select node_id, port, count(distinct run_id)::int as count from s where port is not null group by 1, 2) p group by 1
    ), passed as (
      select node_id, count(distinct run_id)::int as passed,
        count(distinct run_id) filter (where port = 'silence' or ended_why = 'silence')::int as dropped,
        count(distinct run_id) filter (where ended_to = 'person')::int as to_person
      from s group by 1
    )
    select coalesce(p.node_id, h.node_id) as "nodeId", coalesce(p.passed, 0) as passed, coalesce(w.ports, '{}') as ports,
      coalesce(h.count, 0) as waiting, coalesce(p.dropped, 0) as dropped, coalesce(p.to_person, 0) as "toPerson"
    from passed p full join here h on h.node_id = p.node_id left join ways w on w.node_id = p.node_id order by 1`,
}
const totals: Prepared = {
  name: 'chat_flow_numbers_totals',
  text: `select count(*) filter (where ${within('created_at')})::int as started, count(*) filter (where ${within('ended_at')})::int as ended
    from chat_flow_runs where tenant_id = $1 and flow_id = $2 and ($6::uuid is null or version_id = $6)
      and created_at < ($4::date + 1)::timestamp at time zone $5 and (ended_at is null or ended_at >= $3::date::timestamp at time zone $5)`,
}
