import { type Prepared, platformRows, type Tx, withTenant } from '../../../db/database.ts'
import { bySystem } from '../../../kit/actor.ts'
import { log } from '../../../kit/log.ts'
import type { Round } from '../../../kit/workers.ts'
import { type Conversation, lockConversation } from '../../conversations/messages/system-messages.ts'
import { commitTicketChanges } from '../../conversations/tickets/commit-ticket-changes.ts'
import { findActiveTicket, findTicket } from '../../conversations/tickets/ticket-rows.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { say } from './say-goodbye.ts'

const batch = 50

/** What can no longer be taken back is told to the customer. Two processes may look at the same rows: each is said once. */
export const sayDueGoodbyes = async (): Promise<Round> => {
  const due = await platformRows<Due>(findDue, [batch])
  for (const one of due) await attempt(one)
  return { did: due.length, isMore: due.length === batch }
}

type Due = { tenantId: number; id: string; ticketId: string }
type Taken = {
  kind: 'close' | 'transfer'
  farewell: { body: string; userId: string | null } | null
  asksRating: boolean
}

const attempt = async ({ tenantId, id, ticketId }: Due) => {
  try {
    await withTenant(tenantId, async (tx) => {
      const conversation = await lockConversation(tx, ticketId)
      const [taken] = await tx.rows<Taken>(take, [tenantId, id])
      if (!conversation || !taken) return
      if (taken.kind === 'close' && (await isOver(tx, conversation))) {
        const { farewell, asksRating } = taken
        await say(tx, await getDirectory(tenantId), conversation, {
          farewell: farewell ? { ...farewell, sendType: 'farewell' } : undefined,
          asksRating,
        })
      }
      if (conversation.kind === 'webchat') await tellWindow(tx, ticketId)
    })
  } catch (error) {
    log.error({ err: error, tenantId, ticketId }, 'goodbye not said')
    // It rests a while, so that it does not stand before the others.
    await platformRows(postpone, [tenantId, id])
  }
}

/** Begun again meanwhile, by us or by the customer, nobody is leaving. */
const isOver = async (tx: Tx, { status, connectionId, contactId }: Conversation) =>
  status === 'closed' && !(await findActiveTicket(tx, connectionId, contactId))

/** The visitor's window was told nothing so far; the team hears the same once more. */
const tellWindow = async (tx: Tx, ticketId: string) => {
  const ticket = await findTicket(tx, ticketId)
  if (ticket) await commitTicketChanges(tx, [{ before: ticket }], bySystem)
}

export const isGoodbyeDue = 'select from ticket_undos where due_at <= now()'
const findDue: Prepared = {
  name: 'goodbyes_due',
  text: `select tenant_id as "tenantId", id, ticket_id as "ticketId" from ticket_undos where due_at <= now() order by due_at limit $1`,
}
const take: Prepared = {
  name: 'goodbye_take',
  text: `delete from ticket_undos where tenant_id = $1 and id = $2 and due_at <= now()
    returning kind, farewell, asks_rating as "asksRating"`,
}
const postpone: Prepared = {
  name: 'goodbye_postpone',
  text: `update ticket_undos set due_at = now() + interval '1 minute' where tenant_id = $1 and id = $2`,
}
