import type { Action } from '@balcao/contract/conversations/actions/index.ts'
import type { Cause } from '@balcao/contract/conversations/authors.ts'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { v5 } from 'uuid'
import type { Tx } from '../../../db/database.ts'
import { databaseProblem } from '../../../kit/database-problem.ts'
import { AppError, fieldErrors, sentenceOf } from '../../../kit/errors.ts'
import type { Directory } from '../../core/directory/directory.ts'
import { type AtContact, type By, doerOf, type Here, workOf } from '../tickets/action-catalogue.ts'
import { commitTicketChange } from '../tickets/commit-ticket-changes.ts'
import { lockTicket } from '../tickets/ticket-rows.ts'
import { applyPatch, lockVisibleTicket } from '../tickets/tickets.service.ts'
import { writeLines } from '../timeline/lines.ts'
import { mayDo, problemOf } from './check-actions.ts'

type Run = {
  directory: Directory
  by: By
  ticketId: string
  actions: readonly Action[]
  cause?: Cause
  /** Of this run: what its steps write has ids that follow from it. */
  runId: string
  vars?: Here['vars']
}
/** Steps that were done, of so many; the first that was refused, and why: the following ones were not tried. */
export type RunOutcome = {
  done: number
  total: number
  refused: { step: number; kind: string; message: string } | null
}

/**
 * Does actions to one conversation in order, in the caller's transaction. One that is refused leaves nothing behind and
 * ends the run; what came before it stays.
 */
export const runActions = async (tx: Tx, { actions, ticketId, runId, ...rest }: Run): Promise<RunOutcome> => {
  const total = actions.length
  for (const [at, action] of actions.entries()) {
    const stepId = v5(`${tx.tenantId}:${at}`, runId)
    try {
      await tx.part(() => runAction(tx, action, { ...rest, ticketId, stepId }))
    } catch (thrown) {
      const error = databaseProblem(thrown)
      if (!(error instanceof AppError)) throw error
      return { done: at, total, refused: { step: at + 1, kind: action.kind, message: sentenceOf(error) } }
    }
  }
  return { done: total, total, refused: null }
}

type Step = Pick<Run, 'directory' | 'by' | 'cause' | 'vars'> & { ticketId: string; stepId: string }
const runAction = async (tx: Tx, action: Action, { directory, by, cause, vars, ticketId, stepId }: Step) => {
  const ticket = await lockFor(tx, by, ticketId)
  if (!mayDo(action, by)) throw new AppError('ERR_NO_PERMISSION')
  const problem = await problemOf(action, { tx, directory, by })
  if (problem) throw fieldErrors(problem)
  const here: Here = { tx, directory, by, cause, ticket, stepId, vars }
  const work = workOf(action.kind)
  if ('patch' in work) {
    await applyPatch(tx, ticket, work.patch(action, ticket), { by: doerOf(by), author: by.author, directory, cause })
    return
  }
  if ('change' in work) {
    const change = await work.change(action, ticket, here)
    if (change) await commitTicketChange(tx, { cause, ...change }, by.author)
    return
  }
  if ('onContact' in work) await work.onContact(action, { tx, directory, by, contactId: ticket.contactId })
  else await work.run(action, here)
  const sentence = await work.sentence?.(action, directory, tx)
  if (!sentence) return
  const line = { type: 'system' as const, body: `${by.author.name} ${sentence}.` }
  await writeLines(tx, by.author, [{ ticket, lines: [line] }])
}

/** Does an action of the contact alone, where there need be no conversation; an AppError refuses it. */
export const runOnContact = async (tx: Tx, action: Action, at: Omit<AtContact, 'tx'>): Promise<void> => {
  const { directory, by } = at
  if (!mayDo(action, by)) throw new AppError('ERR_NO_PERMISSION')
  const problem = await problemOf(action, { tx, directory, by })
  if (problem) throw fieldErrors(problem)
  const work = workOf(action.kind)
  if (!('onContact' in work)) throw new Error(`${action.kind} is done to a conversation`)
  await work.onContact(action, { ...at, tx })
}

const lockFor = async (tx: Tx, { actor }: By, ticketId: string): Promise<Ticket> => {
  if (actor) return lockVisibleTicket(tx, actor, ticketId)
  const ticket = await lockTicket(tx, ticketId)
  if (!ticket) throw new AppError('ERR_NO_TICKET_FOUND')
  return ticket
}
