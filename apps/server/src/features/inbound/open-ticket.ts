import { type BusinessDay, isOpenAt } from '@balcao/contract/business-hours.ts'
import type { Prepared, Tx } from '../../db/database.ts'
import { AppError } from '../../kit/errors.ts'
import { emit } from '../../kit/outbox.ts'
import type { OpenConnection } from '../connections/context.ts'
import type { Directory } from '../directory/directory.ts'
import { takeTurn } from '../distribution/distribute.ts'
import { factsOf } from '../tickets/tickets.present.ts'
import { createTicket, getTicketRow, logTicket } from '../tickets/tickets.service.ts'

type Wanted = { connection: OpenConnection; directory: Directory; contactId: string; isGroup: boolean }

/**
 * The customer wrote and has no active ticket: a new one, waiting in the connection's queue; with
 * `DirectTicketsToWallets` born open with the contact's owner who has the fewest. Is none of the owners there or free,
 * it waits for them, or with `transbordo` for anybody. A group keeps its one ticket for ever. Another process may be
 * faster: then its ticket is the one.
 */
export const openTicketFor = async (tx: Tx, { connection, directory, contactId, isGroup }: Wanted) => {
  if (isGroup && (await reopenGroup(tx, connection.id, contactId))) return
  const queue = connection.queueId ? directory.queues.get(connection.queueId) : undefined
  const owner =
    directory.settings.DirectTicketsToWallets && !isGroup ? await findOwner(tx, directory, contactId) : undefined
  const isOpen = owner?.isFree === true
  const isTheirs = isOpen || !directory.settings.transbordo
  try {
    await createTicket(tx, {
      contactId,
      connectionId: connection.id,
      status: isOpen ? 'open' : 'pending',
      userId: (isTheirs && owner?.userId) || null,
      queueId: queue?.isActive ? queue.id : null,
      isGroup,
      createdBy: null,
    })
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'ERR_OTHER_OPEN_TICKET')) throw error
  }
}

type Owner = {
  userId: string
  load: number
  capacity: number | null
  isThere: boolean
  allowedHours: BusinessDay[]
}
/** The owner with the fewest conversations: of those who are free, else of all. */
const findOwner = async (tx: Tx, directory: Directory, contactId: string) => {
  const read = () => tx.rows<Owner>(ownersByLoad, [tx.tenantId, contactId])
  let owners = await read()
  if (owners.some(({ capacity }) => capacity !== null)) {
    // The last free place is given once: distribution, and other messages, come before or after.
    await tx.rows(takeTurn, [tx.tenantId])
    owners = await read()
  }
  const now = new Date()
  const able = owners
    .filter(({ userId }) => directory.people.get(userId)?.permissions.has('tickets.write'))
    .map(({ userId, load, capacity, isThere, allowedHours }) => ({
      userId,
      isFree: isThere && (capacity === null || load < capacity) && isOpenAt(allowedHours, [], now, directory.timezone),
    }))
  return able.find(({ isFree }) => isFree) ?? able[0]
}

const reopenGroup = async (tx: Tx, connectionId: string, contactId: string): Promise<boolean> => {
  const [last] = await tx.rows<{ id: string; status: string }>(lastOfGroup, [tx.tenantId, connectionId, contactId])
  if (last?.status !== 'closed') return last !== undefined
  const before = await getTicketRow(tx, last.id)
  await tx.rows(backToPending, [tx.tenantId, last.id])
  await logTicket(tx, { ticketId: last.id, type: 'reopen' })
  const after = await getTicketRow(tx, last.id)
  if (!before || !after) throw new AppError('ERR_CREATING_TICKET')
  await emit(tx, 'ticket.updated', after, { kind: 'ticket', facts: factsOf(after), before: factsOf(before) })
  return true
}

const ownersByLoad: Prepared = {
  name: 'inbound_owners',
  text: `select w.user_id as "userId", u.capacity, u.allowed_hours as "allowedHours", u.is_online and u.away_since is null as "isThere",
      (select count(*) from tickets t where t.tenant_id = $1 and t.user_id = w.user_id and t.status in ('open', 'pending')) as load
    from contact_wallets w join users u on u.tenant_id = $1 and u.id = w.user_id and u.deleted_at is null and not u.is_blocked
    where w.tenant_id = $1 and w.contact_id = $2 order by load, w.user_id`,
}
const lastOfGroup: Prepared = {
  name: 'inbound_group_ticket',
  text: `select id, status from tickets where tenant_id = $1 and connection_id = $2 and contact_id = $3
    order by created_at desc limit 1 for no key update`,
}
const backToPending: Prepared = {
  name: 'inbound_group_reopen',
  text: `update tickets set status = 'pending', user_id = null, closed_at = null, started_at = null, reason_id = null, updated_at = now(), version = version + 1
    where tenant_id = $1 and id = $2`,
}
