import { type HandOverReason, handOverReasonLabels } from '@balcao/contract/automation/assistants/config.ts'
import { variableName } from '@balcao/contract/automation/flows/graph.ts'
import { asksFor } from '@balcao/contract/automation/flows/understand.ts'
import type { Prepared, Tx } from '../../../db/database.ts'
import { commitTicketChange } from '../../conversations/tickets/commit-ticket-changes.ts'
import { lockTicket } from '../../conversations/tickets/ticket-rows.ts'
import { leaveTurn } from '../../conversations/timeline/leave-turn.ts'
import type { ChatLine } from '../../conversations/timeline/lines.ts'
import type { AssistantCard } from '../../core/directory/directory.ts'
import { type Loan, returnLoan } from '../flows/loans.ts'
import { openSession, type Session, saveSession } from './runs.rows.ts'

type Lent = { ticketId: string; assistantId: string; heardSeq: number; vars: Readonly<Record<string, string>> }
/** A flow lends a conversation: the assistant begins anew with what the flow knows, and remembers the talk. */
export const takeLent = async (tx: Tx, { ticketId, assistantId, heardSeq, vars }: Lent) => {
  const session = await openSession(tx, ticketId)
  const fresh = { turns: 0, botSession: null, pending: null, vars: { ...vars } }
  await saveSession(tx, ticketId, { ...session, ...fresh, assistantId, heardSeq })
  await leaveTurn(tx, ticketId, { owner: 'assistant', ownerId: assistantId, payload: { start: 'hand' } })
}

type Told = {
  author: Pick<AssistantCard, 'id' | 'name'>
  port: string
  note: string
  /** Where the team finds it, if the flow has no way of its own. */
  queueId?: string | undefined
  lines?: ChatLine[]
  vars?: Record<string, string>
  heardSeq?: number
}
/** The flow that lent it goes on, with what the bot has kept and what was said last. */
export const giveBack = async (
  tx: Tx,
  ticketId: string,
  loan: Loan,
  { author, port, note, queueId, lines = [], vars = {}, heardSeq }: Told,
) => {
  const before = await lockTicket(tx, ticketId)
  if (!before) return
  const session = await openSession(tx, ticketId)
  const set = { bot: null, ...(queueId && { queueId }) }
  await commitTicketChange(
    tx,
    { before, set, lines, cause: { kind: 'assistant', id: author.id || undefined } },
    {
      ...{ kind: 'assistant', id: author.id || null, name: author.name },
    },
  )
  await returnLoan(tx, ticketId, loan, {
    ...{ port, note, heardSeq: heardSeq ?? session.heardSeq },
    vars: { ...(await keptOf(tx, ticketId, loan, session)), ...vars },
  })
}
/** What the assistant has kept of a conversation that nobody gives back: the flow takes it by itself. */
export const readKept = async (tx: Tx, ticketId: string, loan: Loan) =>
  keptOf(tx, ticketId, loan, await openSession(tx, ticketId))
const keptOf = async (tx: Tx, ticketId: string, { loan, fromSeq }: Loan, { vars }: Session) => {
  const [last] = loan.variable ? await tx.rows<{ answer: string }>(lastAnswer, [tx.tenantId, ticketId, fromSeq]) : []
  const kept = Object.entries(vars).filter(([name]) => variableName.test(name))
  return { ...Object.fromEntries(kept), ...(last && { [loan.variable]: last.answer }) }
}

/** Which way a flow goes on after a hand-over for this reason. */
export const portOf = (reason: HandOverReason) => (reason === 'failed' || reason === 'budget' ? reason : 'handOver')
export const noteOf = (reason: HandOverReason) => `${handOverReasonLabels[reason]}.`

/** A word of the flow's own among what the customer said since: the flow hears it. */
export const flowWordIn = (
  { loan, fromSeq }: Loan,
  heard: readonly { seq: number; body: string }[],
): string | undefined => heard.find(({ seq, body }) => seq > fromSeq && asksFor(body, loan.words))?.body

const lastAnswer: Prepared = {
  name: 'assistant_last_answer',
  text: `select answer from assistant_runs where tenant_id = $1 and ticket_id = $2 and heard_seq >= $3::bigint and answer <> ''
      and outcome in ('answered', 'handedOver') order by created_at desc, id desc limit 1`,
}
