import type { Author, Cause } from '@balcao/contract/conversations/authors.ts'
import type { Ticket, TicketPatch, ticketCreate } from '@balcao/contract/conversations/tickets.ts'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { type Tx, withTenant } from '../../../db/database.ts'
import { connections } from '../../../db/schema/channels/connections.ts'
import { tickets } from '../../../db/schema/conversations/tickets.ts'
import { type Actor, byUser } from '../../../kit/actor.ts'
import { type AuditEntry, writeAudit } from '../../../kit/audit.ts'
import { databaseProblem } from '../../../kit/database-problem.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { emit } from '../../../kit/outbox.ts'
import { readableContacts } from '../../contacts/contacts/contacts.policy.ts'
import { changeContactIn } from '../../contacts/contacts/contacts.service.ts'
import { type Directory, getDirectory } from '../../core/directory/directory.ts'
import { initialDeadlines } from '../deadlines/deadlines.ts'
import { leaveTurn } from '../timeline/leave-turn.ts'
import { writeLines } from '../timeline/lines.ts'
import { byContact, factsOf } from '../timeline/ticket-facts.ts'
import { planAction } from './action-catalogue.ts'
import { beforeClose } from './before-close.ts'
import { commitTicketChange } from './commit-ticket-changes.ts'
import { keepWayBack } from './keep-way-back.ts'
import { type Change, checkPerson, type Doer, planChange, planForcedClose, toCommit } from './ticket-changes.ts'
import { logTicket } from './ticket-history.ts'
import { findActiveTicket, findTicket, lockTicket, type OtherTicket } from './ticket-rows.ts'
import { canSee, viewerOf } from './tickets.policy.ts'
import { wakeDistribution } from './wake-distribution.ts'
import { takeWrittenEmail } from './written-email.ts'

/** The ticket, for somebody who may see it; for everybody else there is none (ERR_NO_TICKET_FOUND). */
export const getVisibleTicket = async (
  tx: Tx,
  actor: Pick<Actor, 'tenantId' | 'userId'>,
  ticketId: string,
): Promise<Ticket> => visibleTo(actor, await findTicket(tx, ticketId))

/** The same, locked until the transaction ends. */
export const lockVisibleTicket = async (
  tx: Tx,
  actor: Pick<Actor, 'tenantId' | 'userId'>,
  ticketId: string,
): Promise<Ticket> => visibleTo(actor, await lockTicket(tx, ticketId))

const visibleTo = async (actor: Pick<Actor, 'tenantId' | 'userId'>, ticket: Ticket | undefined) => {
  const directory = await getDirectory(actor.tenantId)
  if (!ticket || !canSee(viewerOf(directory, actor.userId), factsOf(ticket))) throw new AppError('ERR_NO_TICKET_FOUND')
  return ticket
}

export type NewTicket = {
  contactId: string
  connectionId: string
  status: 'open' | 'pending'
  userId?: string | null
  queueId?: string | null
  chatFlowId?: string | null
  isGroup?: boolean
  /** Put away from the beginning, until it is meant for us: why. */
  waitsFor?: string
  /** The customer, where nobody is named. */
  createdBy?: Author
}
/**
 * Opens a ticket and tells of it; ERR_OTHER_OPEN_TICKET when the contact has an active one on this connection. A group
 * keeps its one ticket for ever: it is opened again.
 */
export const createTicket = async (tx: Tx, given: NewTicket): Promise<Ticket> => {
  const { userId = null, queueId = null, isGroup = false } = given
  const again = isGroup && (await reopenGroup(tx, given))
  if (again) return again
  const { status } = given
  if (given.createdBy && !isGroup) await takeWrittenEmail(tx, given.contactId, given.connectionId)
  const promised = await initialDeadlines(tx, { status, userId, queueId, isGroup, priority: 'normal' }, new Date())
  const [row] = await tx.db
    .insert(tickets)
    .values({
      tenantId: tx.tenantId,
      protocol: sql`next_protocol()`,
      status: given.status,
      contactId: given.contactId,
      connectionId: given.connectionId,
      userId: given.userId ?? null,
      queueId: given.queueId ?? null,
      chatFlowId: given.chatFlowId ?? null,
      isGroup: given.isGroup ?? false,
      startedAt: given.status === 'open' ? sql`now()` : null,
      ...(given.waitsFor && { pausedAt: sql`now()`, pauseReason: given.waitsFor, wakesOnReply: true }),
      ...promised,
    })
    .onConflictDoNothing({
      target: [tickets.tenantId, tickets.connectionId, tickets.contactId],
      where: sql`status <> 'closed'`,
    })
    .returning({ id: tickets.id })
  if (!row) throw otherOpenTicket(await findActiveTicket(tx, given.connectionId, given.contactId))

  const created = await findTicket(tx, row.id)
  if (!created) throw new AppError('ERR_CREATING_TICKET')
  const { whatsappId, contactId } = created
  const { createdBy = byContact(created) } = given
  await logTicket(tx, createdBy, {
    ticketId: row.id,
    type: 'create',
    userId: createdBy.kind === 'user' ? createdBy.id : null,
    queueId: given.queueId,
    to: { status, userId, queueId, whatsappId, contactId },
  })
  await emit(tx, 'ticket.created', created, { kind: 'ticket', facts: factsOf(created) })
  if (created.status === 'pending' && !created.pausedAt) wakeDistribution(tx)
  return created
}

const reopenGroup = async (tx: Tx, given: NewTicket): Promise<Ticket | undefined> => {
  const [last] = await tx.rows<{ id: string }>(lastOfGroup, [tx.tenantId, given.connectionId, given.contactId])
  const before = last && (await findTicket(tx, last.id))
  if (before?.status !== 'closed') return undefined
  const author = given.createdBy ?? byContact(before)
  const at = {
    tx,
    directory: await getDirectory(tx.tenantId),
    by: { author },
    told: { note: null, userId: given.userId },
  }
  const change = await planAction({ kind: 'reopen', status: given.status }, at)(before)
  if (change && given.waitsFor)
    change.set = { ...change.set, pausedAt: 'now', pauseReason: given.waitsFor, wakesOnReply: true }
  return change && commitTicketChange(tx, change, author)
}
const lastOfGroup = {
  name: 'ticket_of_group',
  text: `select id from tickets where tenant_id = $1 and connection_id = $2 and contact_id = $3
    order by status = 'closed', created_at desc limit 1 for no key update`,
}

/** POST /tickets: somebody of the team begins a conversation, for themself or for a colleague. */
export const startTicket = async (actor: Actor, input: z.output<typeof ticketCreate>): Promise<Ticket> => {
  const directory = await getDirectory(actor.tenantId)
  const queue = input.queueId ? directory.queues.get(input.queueId) : undefined
  if (input.queueId && !queue) throw fieldErrors({ path: 'queueId', message: 'Fila não encontrada.' })
  if (queue && !queue.isActive) throw fieldErrors({ path: 'queueId', message: 'Esta fila está inativa.' })
  const userId = input.userId ?? (input.status === 'open' ? actor.userId : null)
  if (userId && userId !== actor.userId) checkPerson(directory, userId)
  const readable = (await readableContacts(actor)) ?? sql`true`

  return withTenant(actor.tenantId, async (tx) => {
    const found = await tx.db.execute<{ isGroup: boolean }>(sql`select c.is_group as "isGroup" from contacts c
      where c.tenant_id = ${tx.tenantId} and c.id = ${input.contactId} and c.merged_into_id is null and ${readable}`)
    const [contact] = found.rows
    if (!contact) throw new AppError('ERR_NO_CONTACT_FOUND')
    const [connection] = await tx.db
      .select({ queueId: connections.queueId })
      .from(connections)
      .where(
        and(eq(connections.tenantId, tx.tenantId), eq(connections.id, input.channelId), isNull(connections.deletedAt)),
      )
    if (!connection) throw new AppError('ERR_NO_WAPP_FOUND')

    const created = await createTicket(tx, {
      contactId: input.contactId,
      connectionId: input.channelId,
      status: input.status,
      userId,
      queueId: input.queueId ?? connection.queueId,
      isGroup: contact.isGroup,
      createdBy: byUser(actor),
    })
    const whose = userId && userId !== actor.userId ? ` para ${directory.people.get(userId)?.name}` : ''
    await writeLines(tx, byUser(actor), [
      { ticket: created, lines: [{ type: 'system', body: `${actor.name} iniciou o atendimento${whose}.` }] },
    ])
    return created
  })
}

/** PUT /tickets/{id}: one decision at a time per ticket, whoever asks first wins. `first` is done before, or not at all. */
export const updateTicket = async (
  actor: Actor,
  ticketId: string,
  patch: TicketPatch,
  { first, cause }: { first?: (tx: Tx) => Promise<void>; cause?: Cause } = {},
): Promise<Ticket> => {
  const directory = await getDirectory(actor.tenantId)
  try {
    return await withTenant(actor.tenantId, async (tx) => {
      const found = await lockVisibleTicket(tx, actor, ticketId)
      const isStale = patch.version !== undefined && patch.version !== found.version
      if (!isStale) await first?.(tx)
      const before = first ? await lockVisibleTicket(tx, actor, ticketId) : found
      if (isStale) {
        // What cannot be at all is said before.
        planChange(before, patch, actor, directory)
        throw new AppError('ERR_CONFLICT', { details: { current: before } })
      }
      // The stage is the contact's; the conversation shows it.
      if (patch.kanban !== undefined && patch.kanban !== before.kanban)
        await changeContactIn(tx, actor, before.contactId, () => ({ kanban: patch.kanban }))
      const meant = withoutEmptyTransfer(before, patch, directory)
      return applyPatch(tx, before, meant, { by: actor, author: byUser(actor), directory, cause })
    })
  } catch (error) {
    if (constraintOf(error) !== 'tickets_active') throw databaseProblem(error)
    // The customer wrote again while we reopened: their new ticket came first.
    return withTenant(actor.tenantId, async (tx) => {
      const ticket = await getVisibleTicket(tx, actor, ticketId)
      throw otherOpenTicket(await findActiveTicket(tx, ticket.whatsappId, ticket.contactId))
    })
  }
}

/**
 * Handed to whoever has it already, nothing changes and the history tells of no transfer: so is one that is asked for again
 * because its answer was lost. What was to be said with it must not get lost.
 */
const withoutEmptyTransfer = (before: Ticket, patch: TicketPatch, directory: Directory): TicketPatch => {
  const { userId, queueId = before.queueId, status = 'open' } = patch
  const isSame = userId && userId === before.userId && queueId === before.queueId && status === before.status
  if (!patch.isTransference || !isSame || status !== 'open') return patch
  const name = directory.people.get(userId)?.name ?? 'Esta pessoa'
  if (patch.note) throw new AppError('ERR_INVALID_TRANSITION', { message: `${name} já está com este atendimento.` })
  return { ...patch, isTransference: undefined }
}

type Applying = { by: Doer; author: Author; directory: Directory; cause?: Cause }
/** Makes of a locked ticket what a patch asks, with what goes before it: the last words, no second active ticket. */
export const applyPatch = async (
  tx: Tx,
  before: Ticket,
  patch: TicketPatch,
  { by, author, directory, cause }: Applying,
): Promise<Ticket> => {
  const change = planChange(before, patch, by, directory)
  if (!isChange(before, change)) return before
  if (change.isReopened) await refuseSecondTicket(tx, before)
  const isClosing = change.status === 'closed' && before.status !== 'closed'
  const { userId, name } = by
  const closing = isClosing && {
    actor: userId === null ? null : { userId, name },
    directory,
    ticketId: before.id,
    farewellId: patch.farewellId,
  }
  if (patch.isUndoable && userId !== null) {
    const goodbye = closing ? await beforeClose.prepare(tx, closing) : undefined
    await keepWayBack(tx, { ticketId: before.id, userId, change, goodbye })
  } else if (closing) await beforeClose.say(tx, closing)
  const after = await commitTicketChange(tx, toCommit(before, change, cause), author)
  // It begins with what the customer wrote last.
  if (after.bot && after.bot !== before.bot)
    await leaveTurn(tx, before.id, { owner: 'assistant', payload: { start: 'hand' } })
  return after
}

/** PUT /ticketsForce/{id}: closes without the reason and the message the company may ask for. */
export const forceClose = (actor: Actor, ticketId: string): Promise<Ticket> =>
  withTenant(actor.tenantId, async (tx) => {
    const before = await lockVisibleTicket(tx, actor, ticketId)
    return commitTicketChange(tx, toCommit(before, planForcedClose(before, actor)), byUser(actor))
  })

const isChange = (before: Ticket, change: Change) =>
  change.logs.length > 0 || change.unreadMessages !== before.unreadMessages || change.kanban !== before.kanban

const refuseSecondTicket = async (tx: Tx, ticket: Ticket) => {
  const other = await findActiveTicket(tx, ticket.whatsappId, ticket.contactId)
  if (other) throw otherOpenTicket(other)
}

/** Deletes a ticket with its messages; the audit keeps who did it and what it was. */
export const deleteTicket = (actor: Actor, ticketId: string): Promise<void> =>
  withTenant(actor.tenantId, async (tx) => {
    const before = await lockVisibleTicket(tx, actor, ticketId)
    await tx.db.delete(tickets).where(and(eq(tickets.tenantId, tx.tenantId), eq(tickets.id, ticketId)))
    await writeAudit(tx, actor, auditOfDeleted(before))
    await emit(tx, 'ticket.hidden', { id: ticketId }, { kind: 'ticket', facts: factsOf(before) })
  })

/** What it was, without who wrote and what. */
export const auditOfDeleted = (ticket: Ticket): AuditEntry => {
  const { contact: _contact, name: _name, username: _id, profilePicUrl: _face, ...rest } = ticket
  const { lastMessage: _words, notSentMessage: _unsent, ...before } = rest
  return { action: 'ticket.deleted', entity: 'ticket', entityId: ticket.id, before }
}

export const otherOpenTicket = (other: OtherTicket | undefined) =>
  new AppError('ERR_OTHER_OPEN_TICKET', { details: other })

/** Name of the constraint a statement ran into. */
export const constraintOf = (error: unknown): string | undefined => {
  const cause = error instanceof Error && error.cause ? error.cause : error
  return typeof cause === 'object' && cause !== null && 'constraint' in cause ? String(cause.constraint) : undefined
}
