import type { FlowEnd, FlowState } from '@balcao/contract/automation/flows/run.ts'
import { blankPart } from '@balcao/contract/conversations/parts.ts'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { cutText } from '@balcao/contract/core/cut-text.ts'
import { AppError, sentenceOf } from '../../../kit/errors.ts'
import { commitTicketChange, type TicketChange } from '../../conversations/tickets/commit-ticket-changes.ts'
import { planForcedClose, toCommit } from '../../conversations/tickets/ticket-changes.ts'
import { lockTicket } from '../../conversations/tickets/ticket-rows.ts'
import { wakeDistribution } from '../../conversations/tickets/wake-distribution.ts'
import type { ChatLine } from '../../conversations/timeline/lines.ts'
import type { Directory } from '../../core/directory/directory.ts'
import { authorOf, type Doing, sayPart } from './effects.ts'
import { flowHooks } from './hooks.ts'
import type { Loaded } from './known-versions.ts'

/** The flow is through: its last words, then the conversation is over, or somebody of the team goes on. What could not be done. */
export const endRun = async (doing: Doing, end: FlowEnd, version: Loaded | undefined): Promise<string | null> => {
  const problem = await sayLast(doing, end)
  const { tx, run, directory, conversation } = doing
  const before = await lockTicket(tx, conversation.id)
  if (!before || before.status === 'closed') return problem
  const author = authorOf(directory, run)
  const by = { userId: null, name: author.name }
  const cause = { kind: 'flow' as const, id: run.flowId }
  if (end.to === 'closed') {
    const reason = end.reasonId ? directory.reasons.get(end.reasonId) : undefined
    const line = `O fluxo ${author.name} encerrou o atendimento.${reason ? ` Motivo: ${reason.name}` : ''}`
    const change = planForcedClose(before, by, { note: reason?.name ?? null, line })
    await commitTicketChange(tx, { ...toCommit(before, { ...change, reasonId: reason?.id ?? null }, cause) }, author)
    return problem
  }
  const handedOver = await commitTicketChange(
    tx,
    { ...handOver(before, end, directory, { author, state: run.state }), cause },
    author,
  )
  const way = version?.graph.settings.distribution ?? 'N'
  if (way !== 'N' && !handedOver.userId)
    await flowHooks().offer(tx, directory, handedOver, way === 'R' ? 'roundRobin' : 'fewest')
  wakeDistribution(tx)
  return problem
}

const sayLast = async (doing: Doing, { body }: FlowEnd): Promise<string | null> => {
  if (!body.trim()) return null
  try {
    const { run } = doing
    await sayPart(doing, { ...blankPart('text'), body }, { stepId: `end:${run.state.steps}`, vars: run.state.vars })
    return null
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return sentenceOf(error)
  }
}

type Told = { author: ReturnType<typeof authorOf>; state: FlowState }
/** It waits for the team, in the queue or for the person the flow named where they are still there. */
const handOver = (
  before: Ticket,
  end: Extract<FlowEnd, { to: 'person' }>,
  { queues, people }: Directory,
  { author, state }: Told,
): TicketChange => {
  const queue = end.queueId ? queues.get(end.queueId) : undefined
  const person = end.userId ? people.get(end.userId) : undefined
  const isThere = person && !person.isBlocked && person.permissions.has('tickets.write')
  const queueId = queue?.isActive ? queue.id : before.queueId
  const userId = isThere ? person.id : null
  const to = [userId && person?.name, queue?.isActive && `a fila ${queue.name}`].filter(Boolean).join(', ')
  const lines: ChatLine[] = [
    { type: 'system', body: `O fluxo ${author.name} passou o atendimento para ${to || 'a equipe'}.` },
    ...(end.summary && state.answers.length ? [{ type: 'note' as const, body: summaryOf(author.name, state) }] : []),
  ]
  return {
    before,
    set: { chatFlowId: null, status: 'pending', queueId, userId },
    logs: [{ type: 'bot', userId: null, queueId, note: to || null }],
    lines,
    ...(userId && {
      notices: [{ kind: 'distributed' as const, text: `${before.name} espera por você.`, userIds: [userId] }],
    }),
  }
}

const asked = (question: string) => {
  const line = question.replace(/\s+/g, ' ').trim()
  return /[?!.:…]$/.test(line) ? line : `${line}:`
}
const summaryOf = (name: string, { answers }: FlowState) =>
  cutText(
    [`Resumo do fluxo ${name}:`, ...answers.map(({ question, answer }) => `• ${asked(question)} ${answer}`)].join('\n'),
    4_000,
  )
