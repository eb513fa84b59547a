import type { FlowLoan } from '@balcao/contract/automation/flows/run.ts'
import { v5 } from 'uuid'
import type { Prepared, Tx } from '../../../db/database.ts'
import type { LoanRequest } from '../../../db/schema/automation/flows.ts'
import { leaveTurn } from '../../conversations/timeline/leave-turn.ts'
import { portKey } from './calls.ts'
import type { Run } from './runs.rows.ts'

/** Nobody has answered the customer for so long: it goes on without the assistant. */
const answersWithinMin = 10
/** While somebody is at it. */
const lookAgainS = 30

/**
 * A conversation that a flow has lent to an assistant: a row the run waits for as for a call. Whoever ends what the assistant
 * does gives it back; where nobody does, the loop of calls finds the customer, or the assistant, silent.
 */
export type Loan = { id: string; runId: string; flowId: string; loan: FlowLoan; fromSeq: number }

/** Leaves the row the run waits for; `refused`: it is answered at once. */
export const askLoan = async (
  tx: Tx,
  run: Run,
  { loan, stepId, refused }: { loan: FlowLoan; stepId: string; refused: string | null },
) => {
  const asked: LoanRequest = { lends: loan, fromSeq: run.heardSeq, retries: 0, retryDelayMs: 0 }
  const vars = refused === null ? {} : { [portKey]: 'failed' }
  await tx.rows(insert, [
    ...[tx.tenantId, v5(`call:${stepId}`, run.id), run.id, run.ticketId, stepId, JSON.stringify(asked)],
    ...[refused === null ? 'waiting' : 'failed', JSON.stringify(vars), refused, firstLookS(loan)],
  ])
}
const firstLookS = ({ silenceMinutes }: FlowLoan) => Math.min(silenceMinutes || answersWithinMin, answersWithinMin) * 60

/** What a flow has lent of this conversation; undefined: nothing. */
export const findLoan = async (tx: Tx, ticketId: string): Promise<Loan | undefined> =>
  (await tx.rows<Loan>(lent, [tx.tenantId, ticketId]))[0]

type GivenBack = {
  /** The way the flow goes on: one of the step's ports, or `words`. */
  port: string
  note: string
  vars?: Readonly<Record<string, string>>
  /** The last word of the customer that was answered. */
  heardSeq?: number
}
/** The flow leads again; the caller holds the conversation and has taken the flag of the assistant. */
export const returnLoan = async (
  tx: Tx,
  ticketId: string,
  { id, runId, flowId }: Loan,
  { port, note, vars = {}, heardSeq = 0 }: GivenBack,
) => {
  const isOk = port !== 'failed' && port !== 'budget'
  await tx.rows(settle, [
    ...[tx.tenantId, id, isOk ? 'done' : 'failed', JSON.stringify({ ...vars, [portKey]: port }), note],
    ...[runId, heardSeq],
  ])
  await leaveTurn(tx, ticketId, { owner: 'flow', ownerId: flowId })
}

export type LoanLook = { over: Pick<GivenBack, 'port' | 'note'> } | { againS: number }
/** What has become of a loan whose moment has come. */
export const lookAtLoan = async (tx: Tx, ticketId: string, { silenceMinutes }: FlowLoan): Promise<LoanLook> => {
  const [now] = await tx.rows<Look>(look, [tx.tenantId, ticketId])
  if (!now?.isLent) return { over: { port: 'failed', note: 'O assistente foi desligado nesta conversa.' } }
  const { isCustomers, quietS, isThinking } = now
  const limitS = (isCustomers ? answersWithinMin : silenceMinutes) * 60
  if (!limitS) return { againS: answersWithinMin * 60 }
  if (quietS < limitS) return { againS: Math.max(1, Math.ceil(limitS - quietS)) }
  if (!isCustomers) return { over: { port: 'silence', note: 'O cliente não respondeu.' } }
  return isThinking ? { againS: lookAgainS } : { over: { port: 'failed', note: 'O assistente não respondeu a tempo.' } }
}
type Look = { isLent: boolean; isCustomers: boolean; quietS: number; isThinking: boolean }

const insert: Prepared = {
  name: 'chat_flow_loan_insert',
  text: `insert into chat_flow_calls (tenant_id, id, run_id, ticket_id, step_id, request, state, vars, answer, due_at)
    values ($1, $2, $3, $4, $5, $6::jsonb, $7, $8::jsonb, $9, now() + make_interval(secs => $10)) on conflict do nothing`,
}
const lent: Prepared = {
  name: 'chat_flow_loan_of_ticket',
  text: `select c.id, c.run_id as "runId", r.flow_id as "flowId", c.request -> 'lends' as loan, (c.request -> 'fromSeq')::float8 as "fromSeq"
    from chat_flow_runs r join chat_flow_calls c on c.tenant_id = r.tenant_id and c.run_id = r.id and c.step_id = r.state -> 'wait' ->> 'id'
    where r.tenant_id = $1 and r.ticket_id = $2 and r.ended_at is null and c.state = 'waiting' and c.request ? 'lends'`,
}
const settle: Prepared = {
  name: 'chat_flow_loan_settle',
  text: `with run as (update chat_flow_runs set heard_seq = greatest(heard_seq, $7::bigint) where tenant_id = $1 and id = $6 and ended_at is null)
    update chat_flow_calls set state = $3, vars = $4::jsonb, answer = $5 where tenant_id = $1 and id = $2 and state = 'waiting'`,
}
const look: Prepared = {
  name: 'chat_flow_loan_look',
  text: `select t.bot is not null and t.chat_flow_id is not null as "isLent", coalesce(not m.from_me, false) as "isCustomers",
      extract(epoch from now() - coalesce(m.created_at, t.created_at))::float8 as "quietS",
      exists (select from turns w where w.tenant_id = $1 and w.ticket_id = $2 and w.state = 'waiting' and w.owner = 'assistant') as "isThinking"
    from tickets t left join lateral (select from_me, created_at from messages
      where tenant_id = $1 and ticket_id = $2 and not is_deleted and type not in ('system', 'note', 'reaction') order by seq desc limit 1) m on true
    where t.tenant_id = $1 and t.id = $2`,
}
