import type { FlowState, FlowStep, Said } from '@balcao/contract/automation/flows/run.ts'
import type { ContactFacts } from '@balcao/contract/contacts/segments/fields.ts'
import type { Segment } from '@balcao/contract/contacts/segments/segments.ts'
import { v7 } from 'uuid'
import type { Prepared, Together, Tx } from '../../../db/database.ts'
import type { Ask } from '../../../db/one-trip.ts'
import type { RunEnd, RunStart } from '../../../db/schema/automation/flows.ts'

export type Run = {
  id: string
  ticketId: string
  flowId: string
  versionId: string
  state: FlowState
  heardSeq: number
}

/** The run that leads a conversation. */
export const findRun = async (tx: Tx, ticketId: string): Promise<Run | undefined> =>
  (await tx.rows<Run>(...runsAsk(tx.tenantId, [ticketId])))[0]
/** As a part of a trip: answers the runs that lead these conversations, each a `Run`. */
export const runsAsk = (tenantId: number, ticketIds: readonly string[]) => [active, [tenantId, ticketIds]] satisfies Ask

type NewRun = Omit<Run, 'id'> & { startedBy: RunStart; userId: string | null }
/** One run at a time: another that leads the conversation ends. */
export const insertRun = async (tx: Tx, run: NewRun): Promise<Run> => {
  const id = v7()
  const { ticketId, flowId, versionId, startedBy, userId, state, heardSeq } = run
  await tx.rows(endActive, [tx.tenantId, ticketId])
  await tx.rows(insert, [
    ...[tx.tenantId, id, ticketId, flowId, versionId, startedBy, userId, JSON.stringify(state), heardSeq],
  ])
  return { id, ticketId, flowId, versionId, state, heardSeq }
}

export type Traced = FlowStep & {
  flowId: string
  problem: string | null
  ms: number
  endedTo?: 'person' | 'closed'
  endedWhy?: RunEnd
}
type Over = { why: RunEnd; to: 'person' | 'closed' }
/** Where a run stands now, with the steps it did to come there; written with the commit. */
export const saveRun = (tx: Tx, run: Run, steps: readonly Traced[], end: Over | null) =>
  tx.lateTogether(saved, { run, steps, end })
type Saved = { run: Run; steps: readonly Traced[]; end: Over | null }

export type Unheard = { seq: number; said: Said }
type UnheardRow = Said & { seq: number; ticketId: string }
/** What the customer wrote after this, oldest first. */
export const readUnheard = async (tx: Tx, ticketId: string, afterSeq: number): Promise<Unheard[]> =>
  unheardFrom(await tx.rows(unheard, [tx.tenantId, ticketId, afterSeq]), ticketId)
/** As a part of a trip: what the runs that lead these conversations have not heard; `unheardFrom` reads it. */
export const unheardAsk = (tenantId: number, ticketIds: readonly string[]) =>
  [unheardOfActive, [tenantId, ticketIds]] satisfies Ask
export const unheardFrom = (rows: object[], ticketId: string): Unheard[] =>
  (rows as UnheardRow[])
    .filter((row) => row.ticketId === ticketId)
    .map(({ seq, ticketId: _, ...said }) => ({ seq, said }))
/** The last message of ours: what came after it nobody has answered. */
export const lastOfOurs = async (tx: Tx, ticketId: string): Promise<number> =>
  (await tx.rows<{ seq: number }>(ours, [tx.tenantId, ticketId]))[0]?.seq ?? 0

export type TicketFacts = { priority: string; tagIds: string[]; isFirst: boolean }
/** Of a conversation whose conditions nobody asks about. */
export const noTicketFacts: TicketFacts = { priority: 'normal', tagIds: [], isFirst: false }
export const readTicketFacts = async (tx: Tx, ticketId: string): Promise<TicketFacts> => {
  const [row] = await tx.rows<TicketFacts>(facts, [tx.tenantId, ticketId])
  return row ?? noTicketFacts
}
export const readSegments = async (tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, Segment>> => {
  if (!ids.length) return new Map()
  const rows = await tx.rows<{ id: string; rules: Segment }>(segments, [tx.tenantId, ids])
  return new Map(rows.map(({ id, rules }) => [id, rules]))
}

/** Of a contact whose conditions nobody asks about. */
export const noFacts: ContactFacts = {
  name: '',
  email: null,
  businessName: '',
  documentKind: null,
  number: null,
  birthdayDate: null,
  city: '',
  state: '',
  createdAt: new Date(0).toISOString(),
  extraInfo: [],
  isGroup: false,
  isBlocked: false,
  laneId: null,
  importId: null,
  tagIds: [],
  walletIds: [],
  identityKinds: [],
  consents: {},
  lastInAt: null,
  lastOutAt: null,
  connectionIds: [],
  reasonIds: [],
  tickets: 0,
  hasOpenTicket: false,
  lastClosedAt: null,
  grades: [],
}

const active: Prepared = {
  name: 'chat_flow_run_active',
  text: `select id, ticket_id as "ticketId", flow_id as "flowId", version_id as "versionId", state, heard_seq::float8 as "heardSeq"
    from chat_flow_runs where tenant_id = $1 and ticket_id = any($2::uuid[]) and ended_at is null`,
}
const endActive: Prepared = {
  name: 'chat_flow_run_overtaken',
  text: `update chat_flow_runs set ended_at = now(), ended_why = 'taken', ended_to = 'person'
    where tenant_id = $1 and ticket_id = $2 and ended_at is null`,
}
const insert: Prepared = {
  name: 'chat_flow_run_insert',
  text: `insert into chat_flow_runs (tenant_id, id, ticket_id, flow_id, version_id, started_by, user_id, state, heard_seq)
    values ($1, $2, $3, $4, $5, $6, $7, $8::jsonb, $9)`,
}
const save: Prepared = {
  name: 'chat_flow_run_save',
  text: `with stood as (
      update chat_flow_runs q set state = r.state, heard_seq = r."heardSeq", ended_at = case when r."endedWhy" is null then q.ended_at else now() end,
        ended_why = r."endedWhy", ended_to = r."endedTo"
      from jsonb_to_recordset($2::jsonb) as r(id uuid, state jsonb, "heardSeq" bigint, "endedWhy" text, "endedTo" text)
      where q.tenant_id = $1 and q.id = any($3::uuid[]) and q.id = r.id
    )
    insert into chat_flow_steps (tenant_id, id, run_id, flow_id, version_id, step_id, node_id, port, note, problem, ms, ended_to, ended_why)
    select $1, s.id, s."runId", s."flowId", s."versionId", s."stepId", s."nodeId", s.port, s.note, s.problem, s.ms, s."endedTo", s."endedWhy"
    from jsonb_to_recordset($4::jsonb) as s(id uuid, "runId" uuid, "flowId" uuid, "versionId" uuid, "stepId" text, "nodeId" text, port text,
      note text, problem text, ms real, "endedTo" text, "endedWhy" text)`,
}
const saved: Together<Saved> = {
  statement: save,
  valuesOf: (tenantId, all) => {
    const runs = new Map(all.map((one) => [one.run.id, one]))
    const stood = [...runs.values()].map(({ run: { id, state, heardSeq }, end }) => ({
      ...{ id, state, heardSeq, endedWhy: end?.why, endedTo: end?.to },
    }))
    const steps = all.flatMap(({ run, steps }) => steps.map((step) => ({ ...step, id: v7(), runId: run.id })))
    return [tenantId, JSON.stringify(stood), [...runs.keys()], JSON.stringify(steps)]
  },
}
const said = `m.seq::float8 as seq, m.ticket_id as "ticketId", m.body as text, m.type, m.payload ->> 'choice' as "choiceId", case when m.media_state <> 'none' then m.id end as "fileId", m.location`
/** An audio that is being written down is heard with its words, and what was said after it then. */
const fromCustomer = `not m.from_me and m.type not in ('system', 'note', 'reaction') and not m.is_deleted
  and not exists (select from audio_transcripts w where w.tenant_id = m.tenant_id and w.ticket_id = m.ticket_id
    and w.state = 'waiting' and w.seq <= m.seq) order by m.seq limit 100`
const unheard: Prepared = {
  name: 'chat_flow_unheard',
  text: `select ${said} from messages m where m.tenant_id = $1 and m.ticket_id = $2 and m.seq > $3 and ${fromCustomer}`,
}
const unheardOfActive: Prepared = {
  name: 'chat_flow_unheard_of_active',
  text: `select u.* from chat_flow_runs r cross join lateral (
      select ${said} from messages m
      where m.tenant_id = $1 and m.ticket_id = r.ticket_id and m.seq > r.heard_seq and ${fromCustomer}) u
    where r.tenant_id = $1 and r.ticket_id = any($2::uuid[]) and r.ended_at is null order by u.seq`,
}
const ours: Prepared = {
  name: 'chat_flow_last_of_ours',
  text: `select seq::float8 as seq from messages where tenant_id = $1 and ticket_id = $2 and from_me and type not in ('system', 'note')
    order by seq desc limit 1`,
}
const facts: Prepared = {
  name: 'chat_flow_ticket_facts',
  text: `select t.priority, array(select g.tag_id::text from ticket_tags g where g.tenant_id = $1 and g.ticket_id = t.id) as "tagIds",
      not exists (select from tickets o where o.tenant_id = $1 and o.contact_id = t.contact_id and o.created_at < t.created_at) as "isFirst"
    from tickets t where t.tenant_id = $1 and t.id = $2`,
}
const segments: Prepared = {
  name: 'chat_flow_segments',
  text: 'select id, rules from segments where tenant_id = $1 and id = any($2::uuid[]) and is_shared',
}
