import type { FlowEffect, FlowEvent } from '@balcao/contract/automation/flows/run.ts'
import { cutText } from '@balcao/contract/core/cut-text.ts'
import { v5 } from 'uuid'
import type { Prepared, Tx } from '../../../db/database.ts'
import type { CalendarRequest, CallRequest, PictureRequest } from '../../../db/schema/automation/flows.ts'
import { checkEgressUrl } from '../../../kit/egress.ts'
import { announce } from '../../../kit/signals/signals.ts'
import { type Conversation, filledFor } from '../../conversations/messages/system-messages.ts'
import type { Directory } from '../../core/directory/directory.ts'
import type { Run } from './runs.rows.ts'

type Asking = { tx: Tx; directory: Directory; run: Run; conversation: Conversation }
type Asked = Extract<FlowEffect, { kind: 'call' }>

/** Leaves a call to be made once this transaction is committed: its id, and with it the key, follows from run and step. */
export const askCall = async ({ tx, directory, run, conversation }: Asking, { request, vars, stepId }: Asked) => {
  const fill = (text: string) => filledFor(conversation, directory, text, null, vars)
  const body = request.body.trim() ? fillJson(request.body, fill) : JSON.stringify(usualBody(run, conversation, vars))
  const filled: CallRequest = {
    method: request.method,
    url: fillEach(request.url, (one) => encodeURIComponent(fill(one))),
    headers: request.headers.map(({ name, value }) => ({ name, value: fill(value) })),
    body: request.method === 'GET' ? '' : body,
    timeoutMs: request.timeoutMs,
    retries: request.retries,
    retryDelayMs: request.retryDelayMs,
    saves: request.saves,
  }
  const refused = refusalOf(filled.url)
  const row = [tx.tenantId, v5(`call:${stepId}`, run.id), run.id, run.ticketId, stepId, JSON.stringify(filled)]
  await tx.rows(insert, [...row, refused === null ? 'waiting' : 'failed', refused])
  tx.afterCommit(() => announce('flowCalls.waiting'))
}

/** Leaves a picture of this Pix code to be drawn and stored, as a call is left to be made. */
export const askPicture = async ({ tx, run, conversation }: Asking, { stepId }: { stepId: string }, code: string) => {
  const asked: PictureRequest = { draws: code, contactId: conversation.contactId, retries: 2, retryDelayMs: 2_000 }
  const id = v5(`call:${stepId}`, run.id)
  await tx.rows(insert, [tx.tenantId, id, run.id, run.ticketId, stepId, JSON.stringify(asked), 'waiting', null])
  tx.afterCommit(() => announce('flowCalls.waiting'))
}

/** What an address of the call cannot be; null: it may be called. */
const refusalOf = (url: string): string | null => {
  try {
    checkEgressUrl(url)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Leaves a calendar to be asked for its free times, or one of them to be booked. */
export const askCalendar = async (
  { tx, directory, run, conversation }: Asking,
  { asks, at, vars, stepId }: Extract<FlowEffect, { kind: 'calendar' }>,
) => {
  const fill = (text: string) => filledFor(conversation, directory, text, null, vars)
  const asked: CalendarRequest = {
    calendar: { ...asks, title: cutText(fill(asks.title), 300), description: fill(asks.description) },
    ...{ at, queueId: asks.queueId || conversation.queueId, retries: 3, retryDelayMs: 3_000 },
  }
  const id = v5(`call:${stepId}`, run.id)
  await tx.rows(insert, [tx.tenantId, id, run.id, run.ticketId, stepId, JSON.stringify(asked), 'waiting', null])
  tx.afterCommit(() => announce('flowCalls.waiting'))
}

const placeholders = /\{\{[^{}]*\}\}/g
const fillEach = (text: string, fill: (placeholder: string) => string) => text.replace(placeholders, fill)
/** What stands for a placeholder inside of JSON is part of a text there. */
const fillJson = (body: string, fill: (text: string) => string) =>
  /^\s*[[{]/.test(body) ? fillEach(body, (one) => JSON.stringify(fill(one)).slice(1, -1)) : fill(body)

const usualBody = ({ id, flowId }: Run, { id: ticketId, protocol, contact }: Conversation, vars: Asked['vars']) => ({
  runId: id,
  flowId,
  ticket: { id: ticketId, protocol },
  contact: { name: contact.name, number: contact.number, email: contact.email, businessName: contact.businessName },
  vars,
})

type Answer = Pick<Extract<FlowEvent, { kind: 'called' }>, 'ok' | 'vars' | 'port' | 'note' | 'times'>
/** What came of a call; undefined while it is on its way. */
export const answerOf = async (tx: Tx, run: Run, stepId: string): Promise<Answer | undefined> => {
  const [row] = await tx.rows<AnswerRow>(answer, [tx.tenantId, run.id, stepId])
  // A call that is not there any more will never be answered.
  if (!row) return { ok: false, vars: {} }
  if (row.state === 'waiting') return undefined
  const { [portKey]: port, [timesKey]: times, ...vars } = row.vars
  return {
    ok: row.state === 'done',
    vars,
    ...(port !== undefined && { port, note: row.answer ?? '' }),
    ...(times !== undefined && { times: times.split(' ').filter(Boolean) }),
  }
}

type AnswerRow = { state: string; vars: Record<string, string>; answer: string | null }
/** Among what is kept of an answer: the way it goes on. No variable can be called so. */
export const portKey = '>'
export const timesKey = '@'

const insert: Prepared = {
  name: 'chat_flow_call_insert',
  text: `insert into chat_flow_calls (tenant_id, id, run_id, ticket_id, step_id, request, state, answer)
    values ($1, $2, $3, $4, $5, $6::jsonb, $7, $8) on conflict do nothing`,
}
const answer: Prepared = {
  name: 'chat_flow_call_answer',
  text: 'select state, vars, answer from chat_flow_calls where tenant_id = $1 and run_id = $2 and step_id = $3',
}
