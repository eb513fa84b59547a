import type { Tx } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import type { Directory } from '../../core/directory/directory.ts'

/** A conversation about to be closed, locked by the caller. */
export type Closing = {
  directory: Directory
  ticketId: string
  /** Who closes; null when the customer or the clock does. */
  actor: Pick<Actor, 'userId' | 'name'> | null
  /** A closing message of the library; null: none at all; left out: the connection's own, where a person closes. */
  farewellId?: string | null
  /** Said when the clock closes. */
  text?: string
}
/** What the customer is told at the end. */
export type Goodbye = { farewell: { body: string; userId?: string | null } | undefined; asksRating: boolean }

type BeforeClose = {
  /** What would be said, or an error that refuses the closing; says nothing yet. */
  prepare: (tx: Tx, closing: Closing) => Promise<Goodbye>
  /** Says it, in the transaction that closes. */
  say: (tx: Tx, closing: Closing) => Promise<void>
}
let handler: BeforeClose = { prepare: async () => ({ farewell: undefined, asksRating: false }), say: async () => {} }

/** The feature that says goodbye registers here. */
export const onBeforeClose = (given: BeforeClose) => {
  handler = given
}
export const beforeClose: BeforeClose = {
  prepare: (tx, closing) => handler.prepare(tx, closing),
  say: (tx, closing) => handler.say(tx, closing),
}
