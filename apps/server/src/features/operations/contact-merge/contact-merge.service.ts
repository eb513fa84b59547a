import type { Page } from '@balcao/contract/common.ts'
import type {
  Contact,
  ContactMerge,
  MergeBody,
  MergeConflict,
  MergePreview,
} from '@balcao/contract/contacts/contacts.ts'
import type { Author } from '@balcao/contract/conversations/authors.ts'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { v5 } from 'uuid'
import { type Tx, withTenant } from '../../../db/database.ts'
import type { ContactMergeMoved } from '../../../db/schema/contacts/merges.ts'
import { type Actor, bySystem, byUser } from '../../../kit/actor.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { type Audience, emit } from '../../../kit/outbox.ts'
import { isThere, readContacts } from '../../contacts/contacts/contact-rows.ts'
import { audiencesOf, emitContact } from '../../contacts/contacts/contacts.events.ts'
import { readableContacts, visibleContacts } from '../../contacts/contacts/contacts.policy.ts'
import { presentContact } from '../../contacts/contacts/contacts.service.ts'
import { commitTicketChanges } from '../../conversations/tickets/commit-ticket-changes.ts'
import { canSee, viewerOf } from '../../conversations/tickets/tickets.policy.ts'
import { writeLines } from '../../conversations/timeline/lines.ts'
import { factsOf } from '../../conversations/timeline/ticket-facts.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { moveWindows } from '../../intake/webchat/windows.ts'
import { markApart, suggestByProvider } from './duplicates.ts'
import * as queries from './merge.queries.ts'
import { changesOf, differencesOf, mergeValues, unmergeValues } from './merge-plan.ts'
import { mergeParts, undoParts } from './parts.ts'

/** What making `otherId` part of `keptId` would do, for somebody who may see both. */
export const previewMerge = async (actor: Actor, keptId: string, otherId: string): Promise<MergePreview> => {
  const visible = await visibleContacts(actor)
  return withTenant(actor.tenantId, async (tx) => {
    const { kept, other } = await requireBoth(tx, visible, keptId, otherId)
    return {
      kept,
      other,
      fields: differencesOf(kept, other, await queries.fieldNames(tx)),
      ...(await queries.countOf(tx, otherId)),
      conflicts: await conflictsFor(tx, actor, keptId, otherId),
    }
  })
}

/**
 * Makes two contacts one: everything of the other goes to the kept one, and the other is nobody until the merge is
 * undone. The other keeps its own row, tags and owners; `contact_merges.moved` has the rest of what undoing needs.
 */
export const mergeContacts = async (actor: Actor, keptId: string, { otherId, take }: MergeBody): Promise<Contact> => {
  const visible = await visibleContacts(actor)
  return withTenant(actor.tenantId, async (tx) => {
    await requireBoth(tx, visible, keptId, otherId)
    const after = await unite(tx, { keptId, otherId, take }, actor)
    if (after === 'both active') {
      const conflicts = await conflictsFor(tx, actor, keptId, otherId)
      throw new AppError('ERR_CONTACTS_BOTH_ACTIVE', { details: { conflicts } })
    }
    if (!after) throw new AppError('ERR_NO_CONTACT_FOUND')
    return after.contact
  })
}

/**
 * A provider said that they are one person: they become one contact, unless somebody has made these very two apart again.
 * Where both have a conversation going on over one connection, both are told, and people decide.
 */
export const uniteByProvider = async (tx: Tx, { keptId, otherId }: { keptId: string; otherId: string }) => {
  if (!(await queries.mayUnite(tx, keptId, otherId))) return
  if ((await unite(tx, { keptId, otherId, take: [] }, null)) !== 'both active') return
  await suggestByProvider(tx, keptId, otherId)
  const rows = await queries.findConflicts(tx, keptId, otherId)
  const tickets = await queries.readActive(
    tx,
    rows.flatMap((row) => [row.keptTicketId, row.otherTicketId]),
  )
  const body = samePerson(await readOne(tx, keptId), await readOne(tx, otherId))
  const lines = tickets.map((ticket) => ({ ticket, id: v5(`mesma pessoa:${keptId}:${otherId}`, ticket.id) }))
  const known = await queries.alreadySaid(
    tx,
    lines.map(({ id }) => id),
  )
  const news = lines.filter(({ id }) => !known.includes(id))
  await writeLines(
    tx,
    bySystem,
    news.map(({ ticket, id }) => ({ ticket, lines: [{ id, type: 'system', body }] })),
  )
}
const samePerson = (one: Contact, other: Contact) =>
  `O canal avisou que ${one.name} e ${other.name} são a mesma pessoa. Encerre um dos atendimentos e una os contatos.`

type Uniting = { keptId: string; otherId: string; take: readonly string[] }
/** By somebody, or by what a provider told (`actor` null). Undefined when one of them is gone. */
export const unite = async (
  tx: Tx,
  { keptId, otherId, take }: Uniting,
  actor: Pick<Actor, 'userId' | 'name' | 'impersonatorId'> | null,
): Promise<{ contact: Contact; mergeId: string } | 'both active' | undefined> => {
  await queries.lockTickets(tx, keptId, otherId)
  const contacts = await queries.lockContacts(tx, [keptId, otherId])
  // What began between the two locks; whatever comes later waits for the contacts.
  const tickets = (await queries.lockTickets(tx, keptId, otherId)).map((row) => row.id)
  const [kept, other] = [keptId, otherId].map((id) => contacts.find((one) => one.id === id))
  if (!kept || !other || kept.mergedIntoId || other.mergedIntoId) return undefined
  if ((await queries.findConflicts(tx, keptId, otherId)).length) return 'both active'

  const way = { from: otherId, to: keptId }
  const audiences = await audiencesOf(tx, otherId)
  const before = await queries.readActive(tx, tickets)
  const [was, becomes] = [queries.valuesOf(kept), mergeValues(queries.valuesOf(kept), queries.valuesOf(other), take)]
  await queries.hide(tx, otherId, keptId)
  const moved: ContactMergeMoved = {
    ...(await mergeParts(tx, way)),
    ...changesOf(was, becomes),
    number: other.number,
  }
  await queries.saveValues(tx, keptId, becomes)
  const mergeId = await queries.insertMerge(tx, { keptId, mergedId: otherId, moved, userId: actor?.userId ?? null })
  await writeAudit(tx, actor, {
    action: 'contact.merged',
    entity: 'contact',
    entityId: keptId,
    before: { ...moved.before, mergedId: otherId, mergedName: other.name },
    after: { ...moved.after, mergeId, tickets: moved.ticketIds.length },
  })
  const after = await readOne(tx, keptId)
  await tellMerged(tx, audiences, { id: otherId, keptId })
  await emitContact(tx, after)
  await tellTickets(tx, before, moved, way, actor ? byUser(actor) : bySystem)
  return { contact: after, mergeId }
}

/**
 * Makes them two again. A ticket goes back whole, with what was said in it since; tickets, schedules and tasks that
 * began after the merge stay with the kept contact, and so does every field somebody has changed since.
 */
export const undoMerge = async (actor: Actor, mergeId: string): Promise<Contact> => {
  const visible = await visibleContacts(actor)
  return withTenant(actor.tenantId, async (tx) => {
    const { kept, restored } = await separate(tx, mergeId, actor, visible)
    // Whoever makes two of them knows that they are two.
    await markApart(tx, actor, kept.id, restored.id)
    return kept
  })
}

export const separate = async (
  tx: Tx,
  mergeId: string,
  actor: Pick<Actor, 'userId' | 'name' | 'impersonatorId'>,
  visible: Visible,
): Promise<{ kept: Contact; restored: Contact }> => {
  const merge = await queries.findMerge(tx, mergeId)
  if (!merge || merge.undoneAt) throw new AppError('ERR_NOT_FOUND')
  const { keptId, mergedId, moved } = merge
  await queries.lockTicketsById(tx, moved.ticketIds)
  const contacts = await queries.lockContacts(tx, [keptId, mergedId])
  if ((await queries.findMerge(tx, mergeId, true))?.undoneAt !== null) throw new AppError('ERR_NOT_FOUND')
  const kept = contacts.find((one) => one.id === keptId)
  const other = contacts.find((one) => one.id === mergedId)
  if (!kept || !other) throw new AppError('ERR_NOT_FOUND')
  if (kept.mergedIntoId) throw new AppError('ERR_MERGE_NOT_LAST')
  if (!(await isThere(tx, visible, keptId))) throw new AppError('ERR_NO_CONTACT_FOUND')

  const way = { from: keptId, to: mergedId }
  const before = await queries.readActive(tx, moved.ticketIds)
  await queries.show(tx, mergedId)
  await undoParts(tx, way, moved)
  await queries.saveValues(tx, keptId, unmergeValues(queries.valuesOf(kept), moved.before, moved.after))
  await queries.saveValues(tx, mergedId, { ...queries.valuesOf(other), number: moved.number })
  await queries.markUndone(tx, mergeId)
  await writeAudit(tx, actor, {
    action: 'contact.unmerged',
    entity: 'contact',
    entityId: keptId,
    before: { mergeId },
    after: { restoredId: mergedId, restoredName: other.name, tickets: moved.ticketIds.length },
  })
  const [after, restored] = [await readOne(tx, keptId), await readOne(tx, mergedId)]
  await emitContact(tx, after)
  await emitContact(tx, restored)
  await tellTickets(tx, before, moved, way, byUser(actor))
  // Nobody knows any more which of the two these are with, and the next answer goes to the kept one.
  const since = await queries.readActive(tx, await queries.begunSince(tx, keptId, merge.createdAt))
  await writeLines(
    tx,
    byUser(actor),
    since.map((ticket) => ({ ticket, lines: [{ type: 'system', body: doubt }] })),
  )
  return { kept: after, restored }
}

const doubt =
  'A união deste contato foi desfeita, e esta conversa começou depois dela. Confira com quem você fala antes de responder.'

export const listMerges = async (actor: Actor, contactId: string): Promise<Page<ContactMerge>> => {
  const readable = await readableContacts(actor)
  return withTenant(actor.tenantId, async (tx) => {
    if (!(await isThere(tx, readable, contactId))) throw new AppError('ERR_NO_CONTACT_FOUND')
    const rows = await queries.listMerges(tx, contactId)
    const items = rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() }))
    return { items, hasMore: false, nextCursor: null }
  })
}

type Visible = Awaited<ReturnType<typeof visibleContacts>>
const requireBoth = async (tx: Tx, visible: Visible, keptId: string, otherId: string) => {
  if (keptId === otherId) throw fieldErrors({ path: 'otherId', message: 'Escolha outro contato.' })
  if (!(await isThere(tx, visible, keptId)) || !(await isThere(tx, visible, otherId)))
    throw new AppError('ERR_NO_CONTACT_FOUND')
  const [kept, other] = [await readOne(tx, keptId), await readOne(tx, otherId)]
  if (kept.isGroup || other.isGroup)
    throw fieldErrors({ path: 'otherId', message: 'Conversas de grupo não podem ser unidas.' })
  return { kept, other }
}

const readOne = async (tx: Tx, id: string): Promise<Contact> => {
  const [row] = await readContacts(tx, [id])
  if (!row) throw new AppError('ERR_NO_CONTACT_FOUND')
  return presentContact(row)
}

/** A conversation this person may not see is told of, not named. */
const conflictsFor = async (tx: Tx, actor: Actor, keptId: string, otherId: string): Promise<MergeConflict[]> => {
  const rows = await queries.findConflicts(tx, keptId, otherId)
  if (!rows.length) return []
  const tickets = await queries.readActive(
    tx,
    rows.flatMap((row) => [row.keptTicketId, row.otherTicketId]),
  )
  const viewer = viewerOf(await getDirectory(actor.tenantId), actor.userId)
  const named = (id: string) => {
    const ticket = tickets.find((one) => one.id === id)
    return ticket && canSee(viewer, factsOf(ticket))
      ? { ticketId: ticket.id, protocol: ticket.protocol }
      : { ticketId: null, protocol: null }
  }
  return rows.map((row) => ({
    connection: { id: row.connectionId, name: row.connectionName },
    kept: named(row.keptTicketId),
    other: named(row.otherTicketId),
  }))
}

const tellMerged = async (tx: Tx, audiences: Audience[], merged: { id: string; keptId: string }) => {
  for (const audience of audiences) await emit(tx, 'contact.merged', merged, audience)
}

/** The conversations that are going on now, a handful, follow on every screen and in the visitor's window. */
const tellTickets = async (
  tx: Tx,
  before: Ticket[],
  moved: ContactMergeMoved,
  { from, to }: { from: string; to: string },
  author: Author,
) => {
  const ids = new Set(moved.ticketIds)
  await commitTicketChanges(
    tx,
    before.filter((ticket) => ids.has(ticket.id)).map((ticket) => ({ before: ticket })),
    author,
  )
  const connectionIds = [...new Set(before.filter((one) => one.channel === 'webchat').map((one) => one.whatsappId))]
  tx.afterCommit(() => moveWindows(tx.tenantId, { identities: moved.identities, connectionIds, from, to }))
}
