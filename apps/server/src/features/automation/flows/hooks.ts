import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import type { Tx } from '../../../db/database.ts'
import type { Directory } from '../../core/directory/directory.ts'

/** What flows ask of features of their own rank. */
export type FlowHooks = {
  /** Offers a conversation that waits in a queue to one of its people: each in turn, or whoever has least. */
  offer: (tx: Tx, directory: Directory, ticket: Ticket, way: 'roundRobin' | 'fewest') => Promise<void>
  /** Keeps a grade the customer gave while the conversation is still on. */
  rate: (tx: Tx, directory: Directory, given: { ticketId: string; grade: number }) => Promise<void>
  /** This assistant answers from what came after this message, knowing the variables of the flow, until it gives the conversation back. */
  lend: (
    tx: Tx,
    given: { ticketId: string; assistantId: string; heardSeq: number; vars: Readonly<Record<string, string>> },
  ) => Promise<void>
}
let hooks: FlowHooks | undefined
/** Handed in by the one file that knows all features. */
export const registerFlowHooks = (given: FlowHooks) => {
  hooks = given
}
export const flowHooks = (): FlowHooks => {
  if (!hooks) throw new Error('No hooks of flows are registered')
  return hooks
}
