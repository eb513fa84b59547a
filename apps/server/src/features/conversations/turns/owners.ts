import type { Message } from '@balcao/contract/conversations/messages.ts'
import { isOpenAt } from '@balcao/contract/core/business-hours.ts'
import type { Tx } from '../../../db/database.ts'
import type { Ask } from '../../../db/one-trip.ts'
import { type TurnOwner, turnOwners } from '../../../db/schema/conversations/turns.ts'
import type { Directory } from '../../core/directory/directory.ts'
import { calendarOf } from '../deadlines/targets.ts'
import type { TicketState } from '../timeline/ticket-state.ts'
import type { NewTurn } from '../timeline/turns.ts'

/** A word in a conversation, with the conversation as it stands then. */
export type Heard = {
  directory: Directory
  ticket: TicketState
  message: Pick<Message, 'fromMe' | 'type' | 'body'>
  /** The customer's phones, as far as the channel tells. */
  phones: readonly string[]
  now: Date
}
export type Turn = { ticketId: string; owner: TurnOwner; ownerId: string | null; payload: Record<string, unknown> }

/** A turn in hand: which try it is. */
export type TakenTurn = Pick<Turn, 'ticketId' | 'ownerId' | 'payload'> & {
  tenantId: number
  version: number
  attempts: number
}

/** When its owner has to look at the conversation again, if nothing comes before. */
export type Alarm = { dueAt: Date; payload: Record<string, unknown> }

/** Somebody who answers by itself. */
export type OwnerWork = {
  /** Whether it has anything to do about this word, and what it has to know then. Pure: asked inside the inbound transaction. */
  claims: (heard: Heard) => Omit<NewTurn, 'owner'> | undefined
  /**
   * Of `thinkingOwners`: what comes between taking a turn and holding it, outside of any transaction, as long as calling
   * somebody else takes (`thinkingS` at most). What it found it keeps in rows of its own, which `run` gives or drops: the
   * turn may be another's by then. An error comes again.
   */
  thinks?: (turn: TakenTurn) => Promise<void>
  /** What it reads of the conversations whose turns it is given, in the trip that locks them. */
  reads?: (tenantId: number, ticketIds: readonly string[]) => Ask[]
  /**
   * Does it, in a transaction that holds conversation and turn, with what `reads` answered: turns of several conversations
   * share one. What cannot be done any more is left out; an error comes again. An alarm it answers is the turn from then on; without one the turn is done.
   */
  run: (tx: Tx, turn: Turn, directory: Directory, read: object[][]) => Promise<Alarm | undefined> | Promise<void>
  /** It failed too often and will not be tried again: puts the conversation where people find it. */
  giveUp?: (tx: Tx, turn: Pick<Turn, 'ticketId'>, directory: Directory) => Promise<void>
}
export type Owners = Partial<Record<TurnOwner, OwnerWork>>

let owners: Owners = {}
/** Who there is, handed in by the one file that knows all features. */
export const registerOwners = (given: Owners) => {
  owners = given
}
export const ownerWork = (owner: TurnOwner): OwnerWork | undefined => owners[owner]

/**
 * Who owns a conversation after this word, and so answers it: one at a time, in the order of `turnOwners`. Null: a person,
 * or nobody; what was left before is then overtaken.
 */
export const decideTurn = (heard: Heard, those: Owners = owners): NewTurn | null => {
  const { ticket, message } = heard
  if (message.fromMe || ticket.isGroup || ticket.status === 'closed') return null
  for (const owner of turnOwners) {
    if (isBehindPerson(owner) && isAttended(heard)) return null
    const claimed = those[owner]?.claims(heard)
    if (claimed) return { owner, ...claimed }
  }
  return null
}

/** Only what the customer asks for themself comes before the person who attends. */
const isBehindPerson = (owner: TurnOwner) => owner !== 'customer'

/** Somebody accepted it, and these are the hours in which they answer. */
const isAttended = ({ directory, ticket: { status, userId, queueId }, now }: Heard) => {
  if (status !== 'open' || !userId) return false
  const { hours, holidays, timeZone } = calendarOf(directory, { queueId, userId: null })
  return isOpenAt(hours, holidays, now, timeZone)
}
