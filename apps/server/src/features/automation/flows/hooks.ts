import type { Busy } from '@balcao/contract/automation/flows/free-times.ts'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import type { Tx } from '../../../db/database.ts'
import type { Directory } from '../../core/directory/directory.ts'
import type { Loan } from './loans.ts'

/** A calendar of the company: throws an IntegrationError. */
export type CalendarDoor = {
  /** What is taken between these moments. */
  busy: (tenantId: number, calendarId: string, from: Date, to: Date) => Promise<Busy[]>
  /** Books it under this key, once however often it is asked; false: the time is taken. */
  book: (tenantId: number, calendarId: string, booking: Booking) => Promise<boolean>
}
export type Booking = { key: string; from: Date; to: Date; title: string; description: string }

/** What flows ask of features of their own rank. */
export type FlowHooks = {
  /** Offers a conversation that waits in a queue to one of its people: each in turn, or whoever has least. */
  offer: (tx: Tx, directory: Directory, ticket: Ticket, way: 'roundRobin' | 'fewest') => Promise<void>
  /** Keeps a grade the customer gave while the conversation is still on. */
  rate: (tx: Tx, directory: Directory, given: { ticketId: string; grade: number }) => Promise<void>
  calendar: CalendarDoor
  /** This assistant answers from what came after this message, knowing the variables of the flow, until it gives the conversation back. */
  lend: (
    tx: Tx,
    given: { ticketId: string; assistantId: string; heardSeq: number; vars: Readonly<Record<string, string>> },
  ) => Promise<void>
  /** What that assistant has kept so far: its variables, and its last answer under the name the flow gave it. */
  kept: (tx: Tx, ticketId: string, loan: Loan) => Promise<Record<string, string>>
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
