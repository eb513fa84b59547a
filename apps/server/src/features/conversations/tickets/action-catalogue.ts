import type { Action, ActionKind, ActionParams } from '@balcao/contract/conversations/actions/index.ts'
import type { Author, Cause } from '@balcao/contract/conversations/authors.ts'
import type { Ticket, TicketPatch } from '@balcao/contract/conversations/tickets.ts'
import type { FieldProblem } from '@balcao/contract/errors.ts'
import type { Tx } from '../../../db/database.ts'
import { type Actor, byUser } from '../../../kit/actor.ts'
import type { Directory } from '../../core/directory/directory.ts'
import type { TicketChange } from './commit-ticket-changes.ts'
import { type Doer, planChange, type Told, toCommit } from './ticket-changes.ts'

/** Who does it: a person with what they may, or whatever acts by itself with what it was granted. */
export type By = { author: Author } & ({ actor: Actor } | { actor: null; grants: ReadonlySet<ActionKind> })
export const byPerson = (actor: Actor): By => ({ author: byUser(actor), actor })

/** Where an action is done: one locked conversation, in an open transaction. */
export type Here = {
  tx: Tx
  directory: Directory
  by: By
  ticket: Ticket
  /** What brought it about. */
  cause: Cause | undefined
  /** Of this very step, however often it is tried: what it writes is there once. */
  stepId: string
  /** What a flow has learned: texts may name it. */
  vars?: Readonly<Record<string, string>>
}
/** What changes conversations alone needs no more, and may be planned for many of them at once. */
export type Planning = Pick<Here, 'tx' | 'directory'> & {
  by: Pick<By, 'author'>
  /** Nobody of the team decided it on this very conversation: what is written of it, and whose it becomes. */
  told?: Told
}

/** Whom an action of the contact alone is done to. */
export type AtContact = Pick<Here, 'tx' | 'directory' | 'by'> & { contactId: string }

/** What an action does; nothing here writes by itself what `commitTicketChanges` or `writeOutgoing` is there for. */
export type ActionWork<Params> = {
  /** What is wrong with the choice in this company, beside rows it names that do not exist. */
  check?: (params: Params, at: { tx: Tx; directory: Directory; by: By }) => Promise<FieldProblem | undefined>
} & (
  | {
      /** What somebody would have asked for by hand. */
      patch: (params: Params, ticket: Ticket) => TicketPatch
      /** What it comes to where nobody decided it, if that is something else. */
      byItself?: (params: Params, ticket: Ticket, at: { by: Pick<By, 'author'>; told: Told }) => TicketChange
    }
  | {
      /** What the conversation becomes; an error refuses it. */
      change: (params: Params, ticket: Ticket, at: Planning) => Promise<TicketChange | undefined>
    }
  | ((
      | { run: (params: Params, here: Here) => Promise<void> }
      /** What it does to the contact alone, with or without a conversation. */
      | { onContact: (params: Params, at: AtContact) => Promise<void> }
    ) & {
      /** What the team reads in the conversation, after the author's name, where nothing else there tells of it. */
      sentence?: (params: Params, directory: Directory, tx: Tx) => string | Promise<string>
    })
)

export type Catalogue = { [K in ActionKind]: ActionWork<ActionParams<K>> }
let catalogue: Catalogue | undefined
/** What each action does, handed in by the one file that knows all features. */
export const registerActions = (given: Catalogue) => {
  catalogue = given
}
export const workOf = (kind: ActionKind): ActionWork<Action> => {
  if (!catalogue) throw new Error('No actions are registered')
  return catalogue[kind] as unknown as ActionWork<Action> // each is given its own parameters alone
}

/** What one action makes of locked conversations, for who commits many at once; an error refuses that one. */
export const planAction =
  (action: Action, at: Planning) =>
  async (ticket: Ticket): Promise<TicketChange | undefined> => {
    const work = workOf(action.kind)
    if ('change' in work) return work.change(action, ticket, at)
    if (!('patch' in work)) throw new Error(`${action.kind} is done to one conversation at a time`)
    const { told, by, directory } = at
    if (told && work.byItself) return work.byItself(action, ticket, { by, told })
    return toCommit(ticket, planChange(ticket, work.patch(action, ticket), doerOf(by), directory))
  }

export const doerOf = ({ author }: Pick<By, 'author'>): Doer => ({
  userId: author.kind === 'user' ? author.id : null,
  name: author.name,
})
