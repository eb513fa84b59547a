import type { Author, Cause } from '@balcao/contract/conversations/authors.ts'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import type { Tx } from '../../../db/database.ts'
import { type Directory, getDirectory } from '../../core/directory/directory.ts'
import { planAction } from '../tickets/action-catalogue.ts'
import { beforeClose } from '../tickets/before-close.ts'
import { commitTicketChange } from '../tickets/commit-ticket-changes.ts'
import type { Told } from '../tickets/ticket-changes.ts'
import { findActiveTicket, lockTicket } from '../tickets/ticket-rows.ts'
import { byContact } from '../timeline/ticket-facts.ts'

type How = {
  directory: Directory
  author: Author
  told: Told
  cause?: Cause
  /** Said to the customer in the place of the words their queue has for it. */
  text?: string
}
/** Nobody of the team decided it: the customer is told goodbye and asked for a grade, and it rests with whoever had it. */
export const closeByItself = async (tx: Tx, before: Ticket, { directory, author, told, cause, text }: How) => {
  await beforeClose.say(tx, { actor: null, directory, ticketId: before.id, text })
  const change = await planAction({ kind: 'forceClose' }, { tx, directory, by: { author }, told })(before)
  if (change) await commitTicketChange(tx, { ...change, cause }, author)
}

/** The customer ended the conversation: their active ticket, if there is one, is closed. */
export const closeByContact = async (
  tx: Tx,
  by: ({ ticketId: string } | { connectionId: string; contactId: string }) & { line: string },
) => {
  const ticketId =
    'ticketId' in by ? by.ticketId : (await findActiveTicket(tx, by.connectionId, by.contactId))?.ticketId
  const before = ticketId && (await lockTicket(tx, ticketId))
  if (!before || before.status === 'closed') return
  await closeByItself(tx, before, {
    directory: await getDirectory(tx.tenantId),
    author: byContact(before),
    told: { log: 'customerClose', note: by.line, line: by.line },
  })
}
