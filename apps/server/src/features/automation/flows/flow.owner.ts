import { newRun } from '@balcao/contract/automation/flows/engine.ts'
import type { Tx } from '../../../db/database.ts'
import { type RunStart, runStarts } from '../../../db/schema/automation/flows.ts'
import { lockConversation } from '../../conversations/messages/system-messages.ts'
import { commitTicketChange } from '../../conversations/tickets/commit-ticket-changes.ts'
import { lockTicket } from '../../conversations/tickets/ticket-rows.ts'
import { wakeDistribution } from '../../conversations/tickets/wake-distribution.ts'
import type { Alarm, OwnerWork, Turn } from '../../conversations/turns/owners.ts'
import type { Directory } from '../../core/directory/directory.ts'
import { drive, ledAsks, ledFrom } from './drive.ts'
import { authorOf } from './effects.ts'
import { findRun, insertRun, lastOfOurs, type Run, readUnheard, saveRun } from './runs.rows.ts'
import { startOf } from './starts.ts'

/** Flows: what leads a conversation is asked first, then what begins with a word. Nothing behind a person who attends. */
export const flow: OwnerWork = {
  claims: (heard) => {
    const { chatFlowId, status, userId } = heard.ticket
    if (status === 'open' && userId) return undefined
    if (chatFlowId) return { ownerId: chatFlowId }
    const start = startOf(heard)
    return start && { ownerId: start.flow.id, payload: { start: start.by } }
  },
  reads: ledAsks,
  run: async (tx, turn, directory, read) => {
    const led = ledFrom(read, turn.ticketId)
    if (!led) return undefined
    const { run } = led
    const start = runStarts.find((one) => one === turn.payload.start)
    if (run && start !== 'hand') return drive(tx, { ...led, run, directory })
    // Somebody handed it over and the customer wrote before it began.
    const begins = start ?? (led.conversation.chatFlowId ? 'hand' : undefined)
    return begins && begin(tx, turn, begins, directory)
  },
  giveUp: async (tx, { ticketId }, directory) => {
    const [before, run] = [await lockTicket(tx, ticketId), await findRun(tx, ticketId)]
    if (run) saveRun(tx, run, [], { why: 'failed', to: 'person' })
    if (before?.chatFlowId && before.status !== 'closed')
      await commitTicketChange(
        tx,
        { before, set: { chatFlowId: null } },
        authorOf(directory, { flowId: before.chatFlowId }),
      )
    wakeDistribution(tx)
  },
}

/** The published version leads from now on; it has heard what nobody has answered yet. */
const begin = async (tx: Tx, turn: Turn, startedBy: RunStart, directory: Directory): Promise<Alarm | undefined> => {
  const card = directory.flows.get(turn.ownerId ?? '')
  const before = await lockTicket(tx, turn.ticketId)
  if (!before) return undefined
  const author = authorOf(directory, { flowId: turn.ownerId ?? '' })
  if (!card?.isActive || !card.publishedId) {
    // It was switched off meanwhile: whoever waits is a person's again.
    if (before.chatFlowId) await commitTicketChange(tx, { before, set: { chatFlowId: null } }, author)
    wakeDistribution(tx)
    return undefined
  }
  const answeredUpTo = await lastOfOurs(tx, turn.ticketId)
  const heard = await readUnheard(tx, turn.ticketId, answeredUpTo)
  const run: Run = await insertRun(tx, {
    ticketId: turn.ticketId,
    flowId: card.id,
    versionId: card.publishedId,
    state: newRun(card.publishedId),
    heardSeq: heard.at(-1)?.seq ?? answeredUpTo,
    startedBy,
    userId: typeof turn.payload.userId === 'string' ? turn.payload.userId : null,
  })
  const logs =
    startedBy === 'hand' ? [] : [{ type: 'bot' as const, userId: null, queueId: before.queueId, note: card.name }]
  await commitTicketChange(
    tx,
    { before, set: { chatFlowId: card.id, chatFlowAt: 'now', bot: null }, logs, cause: { kind: 'flow', id: card.id } },
    author,
  )
  const conversation = await lockConversation(tx, turn.ticketId)
  if (!conversation) return undefined
  return drive(tx, { run, conversation, directory }, { kind: 'begin', said: heard.map(({ said }) => said) })
}
