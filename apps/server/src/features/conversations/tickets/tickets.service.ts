import type { Ticket, TicketPatch, ticketCreate, ticketLogTypes } from '@balcao/contract/conversations/tickets.ts'
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { type Tx, withTenant } from '../../../db/database.ts'
import { connections } from '../../../db/schema/channels/connections.ts'
import { tags } from '../../../db/schema/contacts/tags.ts'
import { ticketLogs } from '../../../db/schema/conversations/ticket-history.ts'
import { tickets, ticketTags } from '../../../db/schema/conversations/tickets.ts'
import type { Actor } from '../../../kit/actor.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { databaseProblem } from '../../../kit/database-problem.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { emit } from '../../../kit/outbox.ts'
import { readableContacts } from '../../contacts/contacts/contacts.policy.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { changedDeadlines, extendAfterPause, initialDeadlines } from '../deadlines/deadlines.ts'
import { beforeClose } from './before-close.ts'
import { tellFollowers } from './followers.ts'
import { keepWayBack } from './keep-way-back.ts'
import { type Change, checkPerson, planChange, planForcedClose, planOwnClose, planReturn } from './ticket-changes.ts'
import { findActiveTicket, findTicket, lockTicket, type OtherTicket } from './ticket-rows.ts'
import { canSee, viewerOf } from './tickets.policy.ts'
import { factsOf } from './tickets.present.ts'
import { type Author, writeLines } from './timeline.ts'
import { wakeDistribution } from './wake-distribution.ts'

/** The ticket as REST and events tell of it, whoever may see it. */
export const getTicketRow = (tx: Tx, ticketId: string): Promise<Ticket | undefined> => findTicket(tx, ticketId)

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

type LogType = (typeof ticketLogTypes)[number]
export type NewLog = {
  ticketId: string
  type: LogType
  userId?: string | null
  queueId?: string | null
  note?: string | null
}
/** Adds to the ticket's history. */
export const logTicket = async (tx: Tx, ...entries: NewLog[]) => {
  if (!entries.length) return
  await tx.db.insert(ticketLogs).values(entries.map((entry) => ({ tenantId: tx.tenantId, ...entry })))
}

export type NewTicket = {
  contactId: string
  connectionId: string
  status: 'open' | 'pending'
  userId?: string | null
  queueId?: string | null
  chatFlowId?: string | null
  isGroup?: boolean
  /** Who asked for it; null when the customer did. */
  createdBy: string | null
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
      ...promised,
    })
    .onConflictDoNothing({
      target: [tickets.tenantId, tickets.connectionId, tickets.contactId],
      where: sql`status <> 'closed'`,
    })
    .returning({ id: tickets.id })
  if (!row) throw otherOpenTicket(await findActiveTicket(tx, given.connectionId, given.contactId))

  await logTicket(tx, { ticketId: row.id, type: 'create', userId: given.createdBy, queueId: given.queueId })
  const created = await findTicket(tx, row.id)
  if (!created) throw new AppError('ERR_CREATING_TICKET')
  await emit(tx, 'ticket.created', created, { kind: 'ticket', facts: factsOf(created) })
  if (created.status === 'pending') wakeDistribution(tx)
  return created
}

const reopenGroup = async (tx: Tx, given: NewTicket): Promise<Ticket | undefined> => {
  const [last] = await tx.rows<{ id: string }>(lastOfGroup, [tx.tenantId, given.connectionId, given.contactId])
  const before = last && (await findTicket(tx, last.id))
  if (before?.status !== 'closed') return undefined
  return recordChange(tx, before, planReturn(before, given), null)
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
      createdBy: actor.userId,
    })
    const whose = userId && userId !== actor.userId ? ` para ${directory.people.get(userId)?.name}` : ''
    await writeLines(tx, created, actor, [{ type: 'system', body: `${actor.name} iniciou o atendimento${whose}.` }])
    return created
  })
}

/** PUT /tickets/{id}: one decision at a time per ticket, whoever asks first wins. `first` is done before, or not at all. */
export const updateTicket = async (
  actor: Actor,
  ticketId: string,
  patch: TicketPatch,
  first?: (tx: Tx) => Promise<void>,
): Promise<Ticket> => {
  const directory = await getDirectory(actor.tenantId)
  try {
    return await withTenant(actor.tenantId, async (tx) => {
      const found = await lockVisibleTicket(tx, actor, ticketId)
      const isStale = patch.version !== undefined && patch.version !== found.version
      if (!isStale) await first?.(tx)
      const before = first ? await lockVisibleTicket(tx, actor, ticketId) : found
      const change = planChange(before, patch, actor, directory)
      if (isStale) throw new AppError('ERR_CONFLICT', { details: { current: before } })
      if (!isChange(before, change)) return before
      if (change.isReopened) await refuseSecondTicket(tx, before)
      const isClosing = change.status === 'closed' && before.status !== 'closed'
      const closing = isClosing && { actor, directory, ticketId, farewellId: patch.farewellId }
      if (patch.isUndoable) {
        const goodbye = closing ? await beforeClose.prepare(tx, closing) : undefined
        await keepWayBack(tx, { ticketId, userId: actor.userId, change, goodbye })
      } else if (closing) await beforeClose.say(tx, closing)
      return recordChange(tx, before, change, actor)
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

/** PUT /ticketsForce/{id}: closes without the reason and the message the company may ask for. */
export const forceClose = (actor: Actor, ticketId: string): Promise<Ticket> =>
  withTenant(actor.tenantId, async (tx) => {
    const before = await lockVisibleTicket(tx, actor, ticketId)
    return recordChange(tx, before, planForcedClose(before, actor), actor)
  })

/** The customer ended the conversation: their active ticket, if there is one, is closed, and they are asked for a grade. */
export const closeByContact = async (
  tx: Tx,
  by: ({ ticketId: string } | { connectionId: string; contactId: string }) & { line: string },
) => {
  const ticketId =
    'ticketId' in by ? by.ticketId : (await findActiveTicket(tx, by.connectionId, by.contactId))?.ticketId
  const before = ticketId && (await lockTicket(tx, ticketId))
  if (!before || before.status === 'closed') return
  await beforeClose.say(tx, { actor: null, directory: await getDirectory(tx.tenantId), ticketId: before.id })
  await recordChange(tx, before, planOwnClose(before, 'customerClose', by.line), null)
}

/** Stores a planned change of a locked ticket with its history, events and lines. */
export const recordChange = async (tx: Tx, before: Ticket, change: Change, author: Author): Promise<Ticket> => {
  await save(tx, before, change)
  await logTicket(tx, ...change.logs.map((entry) => ({ ticketId: before.id, ...entry })))
  const after = await findTicket(tx, before.id)
  if (!after) throw new AppError('ERR_NO_TICKET_FOUND')
  await emit(tx, 'ticket.updated', after, { kind: 'ticket', facts: factsOf(after), before: factsOf(before) })
  await writeLines(tx, after, author, change.lines)
  await tellFollowers(tx, before, after, author)
  return after
}

const isChange = (before: Ticket, change: Change) =>
  change.logs.length > 0 || change.unreadMessages !== before.unreadMessages || change.kanban !== before.kanban

const refuseSecondTicket = async (tx: Tx, ticket: Ticket) => {
  const other = await findActiveTicket(tx, ticket.whatsappId, ticket.contactId)
  if (other) throw otherOpenTicket(other)
}

const save = async (tx: Tx, before: Ticket, change: Change) => {
  const isSame = before.status === change.status && before.userId === change.userId && before.queueId === change.queueId
  const { isAccepted, isReopened, status } = change
  const isKept = before.status === status && before.userId === change.userId
  // Whoever has it from now on decides anew when to look at it.
  const isResumed = isAccepted || !isSame
  if (isResumed && before.pausedAt) await extendAfterPause(tx, [before.id])
  await tx.db
    .update(tickets)
    .set({
      status,
      userId: change.userId,
      queueId: change.queueId,
      unreadMessages: change.unreadMessages,
      kanbanId: change.kanban,
      priority: change.priority,
      value: change.value,
      // A person who accepts takes over from whatever answered before.
      bot: isAccepted ? null : change.bot,
      reasonId: change.reasonId,
      chatFlowId: isAccepted ? null : before.chatFlowId,
      startedAt: isAccepted && (isReopened || !before.startedAt) ? sql`now()` : isReopened ? null : tickets.startedAt,
      closedAt: status !== 'closed' ? null : before.status === 'closed' ? tickets.closedAt : sql`now()`,
      waitingSince: status === 'closed' ? null : tickets.waitingSince,
      ...(isResumed ? resumed : {}),
      ...(await changedDeadlines(tx, before, change)),
      distributedAt: isKept ? tickets.distributedAt : null,
      version: sql`${tickets.version} + 1`,
      // Reading or tagging a conversation is no news: it keeps its place in the list.
      updatedAt: isSame ? tickets.updatedAt : sql`greatest(now(), ${tickets.updatedAt})`,
    })
    .where(and(eq(tickets.tenantId, tx.tenantId), eq(tickets.id, before.id)))
  if (change.tagIds) await replaceTags(tx, before.id, change.tagIds)
  if (!isSame) wakeDistribution(tx)
}

/** No longer put away; the time it rested is kept, for it was not handling time. */
export const resumed = {
  pausedMs: sql`${tickets.pausedMs} + case when ${tickets.pausedAt} is null then 0
    else round(date_part('epoch', now() - ${tickets.pausedAt}) * 1000) end`,
  pausedAt: null,
  pausedUntil: null,
  pauseReason: null,
}

const replaceTags = async (tx: Tx, ticketId: string, tagIds: string[]) => {
  const ofTicket = and(eq(ticketTags.tenantId, tx.tenantId), eq(ticketTags.ticketId, ticketId))
  await tx.db.delete(ticketTags).where(ofTicket)
  if (!tagIds.length) return
  const known = await tx.db
    .select({ id: tags.id })
    .from(tags)
    .where(and(eq(tags.tenantId, tx.tenantId), inArray(tags.id, tagIds)))
  if (known.length !== tagIds.length) throw fieldErrors({ path: 'tagIds', message: 'Etiqueta não encontrada.' })
  await tx.db.insert(ticketTags).values(tagIds.map((tagId) => ({ tenantId: tx.tenantId, ticketId, tagId })))
}

/** Deletes a ticket with its messages; the audit keeps who did it and what it was. */
export const deleteTicket = (actor: Actor, ticketId: string): Promise<void> =>
  withTenant(actor.tenantId, async (tx) => {
    const before = await lockVisibleTicket(tx, actor, ticketId)
    await tx.db.delete(tickets).where(and(eq(tickets.tenantId, tx.tenantId), eq(tickets.id, ticketId)))
    const { contact: _personal, lastMessage: _words, ...kept } = before
    await writeAudit(tx, actor, { action: 'ticket.deleted', entity: 'ticket', entityId: ticketId, before: kept })
    await emit(tx, 'ticket.hidden', { id: ticketId }, { kind: 'ticket', facts: factsOf(before) })
  })

export const otherOpenTicket = (other: OtherTicket | undefined) =>
  new AppError('ERR_OTHER_OPEN_TICKET', { details: other })

/** Name of the constraint a statement ran into. */
export const constraintOf = (error: unknown): string | undefined => {
  const cause = error instanceof Error && error.cause ? error.cause : error
  return typeof cause === 'object' && cause !== null && 'constraint' in cause ? String(cause.constraint) : undefined
}
