import { type BusinessDay, isOpenAt } from '@balcao/contract/core/business-hours.ts'
import type { Prepared, Tx } from '../../../db/database.ts'
import { AppError } from '../../../kit/errors.ts'
import type { OpenConnection } from '../../channels/connections/context.ts'
import { wantPicture } from '../../conversations/pictures/pictures.ts'
import { planAction } from '../../conversations/tickets/action-catalogue.ts'
import { commitTicketChange } from '../../conversations/tickets/commit-ticket-changes.ts'
import { lockTicket } from '../../conversations/tickets/ticket-rows.ts'
import { createTicket } from '../../conversations/tickets/tickets.service.ts'
import { byContact } from '../../conversations/timeline/ticket-facts.ts'
import type { Directory } from '../../core/directory/directory.ts'
import { takeTurn } from '../../service/distribution/distribute.ts'

type Wanted = {
  connection: OpenConnection
  directory: Directory
  contactId: string
  isGroup: boolean
  /** Nothing of it is meant for us yet, and only that would count. */
  isAside?: boolean
  /** We wrote first, on the phone itself: it is open, of nobody, and waits for nobody (docs/decisions/0015). */
  isOurs?: boolean
}

/**
 * The customer wrote and has no active ticket: a new one, waiting in the connection's queue; with
 * `DirectTicketsToWallets` born open with the contact's owner who has the fewest. Is none of the owners there or free,
 * it waits for them, or with `transbordo` for anybody. So it is with the person the connection names for who has no owner.
 * Another process may be faster: then its ticket is the one. Answers the ticket that the customer began.
 */
export const openTicketFor = async (
  tx: Tx,
  { connection, directory, contactId, isGroup, isAside, isOurs }: Wanted,
): Promise<string[]> => {
  const queue = connection.queueId ? directory.queues.get(connection.queueId) : undefined
  try {
    const { id } = await createTicket(tx, {
      contactId,
      connectionId: connection.id,
      ...(isOurs
        ? { status: 'open' as const }
        : isGroup
          ? { status: 'pending' as const }
          : await recipientOf(tx, directory, contactId, connection.options.userId)),
      queueId: queue?.isActive ? queue.id : null,
      isGroup,
      ...(isAside && { waitsFor: 'Esperando que nos mencionem' }),
    })
    await wantPicture(tx, connection, contactId)
    return isOurs ? [] : [id]
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'ERR_OTHER_OPEN_TICKET')) throw error
    return []
  }
}

/** The customer answered what we began for nobody: from now on it waits like what they begin themself. */
export const takeUpForCustomer = async (
  tx: Tx,
  { options }: Pick<OpenConnection, 'options'>,
  directory: Directory,
  ticketId: string,
) => {
  const before = await lockTicket(tx, ticketId)
  if (before?.status !== 'open' || before.userId) return
  const { status, userId } = await recipientOf(tx, directory, before.contactId, options.userId)
  const by = { author: byContact(before) }
  const change = await planAction(
    { kind: 'reopen', status },
    { tx, directory, by, told: { note: null, userId } },
  )(before)
  if (change) await commitTicketChange(tx, { ...change, cause: { kind: 'reply' } }, by.author)
}

const recipientOf = async (tx: Tx, directory: Directory, contactId: string, usual?: string) => {
  const ownersOf = directory.settings.DirectTicketsToWallets ? contactId : null
  const owner = ownersOf || usual ? await findOwner(tx, directory, ownersOf, usual) : undefined
  const isOpen = owner?.isFree === true
  const isTheirs = isOpen || !directory.settings.transbordo
  return { status: isOpen ? ('open' as const) : ('pending' as const), userId: (isTheirs && owner?.userId) || null }
}

type Owner = {
  userId: string
  load: number
  capacity: number | null
  isThere: boolean
  allowedHours: BusinessDay[]
}
/** The owner with the fewest conversations: of those who are free, else of all. Nobody's: whoever the connection names. */
const findOwner = async (tx: Tx, directory: Directory, contactId: string | null, usual?: string) => {
  const read = () => tx.rows<Owner>(ownersByLoad, [tx.tenantId, contactId, usual ?? null])
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

const ownersByLoad: Prepared = {
  name: 'inbound_owners',
  text: `select w.user_id as "userId", u.capacity, u.allowed_hours as "allowedHours", u.is_online and u.away_since is null as "isThere",
      (select count(*) from tickets t where t.tenant_id = $1 and t.user_id = w.user_id and t.status in ('open', 'pending')) as load
    from (select user_id from contact_wallets where tenant_id = $1 and contact_id = $2
      union select $3::uuid where $3 is not null and not exists (select from contact_wallets where tenant_id = $1 and contact_id = $2)) w
      join users u on u.tenant_id = $1 and u.id = w.user_id and u.deleted_at is null and not u.is_blocked
    order by load, w.user_id`,
}
