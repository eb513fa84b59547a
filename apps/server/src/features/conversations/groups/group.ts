import { channels } from '@balcao/contract/channels/index.ts'
import type { Contact, Identity } from '@balcao/contract/contacts/contacts.ts'
import type { GroupCard, GroupMember, MemberRole } from '@balcao/contract/conversations/groups.ts'
import { ChannelError } from '../../../channels/adapter.ts'
import { type Prepared, type Tx, withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { emit } from '../../../kit/outbox.ts'
import { findConnection, type OpenConnection } from '../../channels/connections/context.ts'
import { getContact } from '../../contacts/contacts/contacts.service.ts'
import { resolveContact } from '../../contacts/contacts/identify.ts'
import { refuseBlocked } from '../../contacts/contacts/refuse-blocked.ts'
import { findMember, identityOfKey, readMembers, storeMembers } from '../../contacts/groups/members.ts'
import { memberName, phoneIn } from '../../contacts/groups/names.ts'
import { renameGroup } from '../../contacts/groups/rename.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import { reserve } from '../../core/limits/reserve.ts'
import { addressesOf } from '../messages/reach.ts'
import { requireVisible } from '../messages/visible.ts'
import { factsOf } from '../timeline/ticket-facts.ts'
import type { TicketState } from '../timeline/ticket-state.ts'
import { findOurselves } from './ourselves.ts'
import { notePlaces, refreshRoles } from './places.ts'

/** After this long the channel is asked again who is in a group; what it tells by itself meanwhile is kept at once. */
const freshMs = 10 * 60_000
/** Whoever presses again and again asks once. */
const asksEveryMs = 5_000

/** The group of a conversation, with everybody in it: as its channel has it, or as it was last known. */
export const getGroup = async (actor: Actor, ticketId: string, isFresh: boolean): Promise<GroupCard> => {
  const { ticket, to, readAt } = await withTenant(actor.tenantId, async (tx) => {
    const ticket = await groupTicket(tx, actor, ticketId)
    const [known] = await tx.rows<{ readAt: Date | null }>(lastRead, [tx.tenantId, ticket.contactId])
    const to = await addressesOf(tx, ticket.contactId)
    return { ticket, to, readAt: known?.readAt ?? null }
  })
  const age = Date.now() - (readAt?.getTime() ?? 0)
  const problem = age > (isFresh ? asksEveryMs : freshMs) ? await askAgain(ticket, to, isFresh) : null
  return withTenant(actor.tenantId, (tx) => cardOf(tx, ticket, problem))
}

/** A member as a contact that can be written to: theirs, or a new one. */
export const contactOfMember = async (actor: Actor, ticketId: string, memberId: string): Promise<Contact> => {
  const contactId = await withTenant(actor.tenantId, async (tx) => {
    const ticket = await groupTicket(tx, actor, ticketId)
    const member = await findMember(tx, ticket.contactId, memberId)
    const [first, ...rest] = member?.keys.map(identityOfKey) ?? []
    if (!member || !first) throw fieldErrors({ path: 'memberId', message: 'Esta pessoa não está mais no grupo.' })
    if (member.contactId) return member.contactId
    for (const { kind, value } of [first, ...rest]) if (kind === 'phone') await refuseBlocked(tx, value, 'memberId')
    await reserve(tx, 'contacts')
    const name = memberName(member)
    const { contactId, isNew } = await resolveContact(tx, { identities: [first, ...rest], name })
    if (isNew)
      await writeAudit(tx, actor, {
        action: 'contact.created',
        entity: 'contact',
        entityId: contactId,
        after: { name },
      })
    return contactId
  })
  return getContact(actor, contactId)
}

/** A conversation of a group, for somebody who may see it. */
export const groupTicket = async (tx: Tx, actor: Actor, ticketId: string): Promise<TicketState> => {
  const ticket = await requireVisible(tx, actor, await getDirectory(actor.tenantId), ticketId)
  if (!ticket.isGroup) throw fieldErrors({ path: 'ticketId', message: 'Este atendimento não é de um grupo.' })
  return ticket
}

/** Why the channel could not say; null where it did, or never does. */
const askAgain = async (ticket: TicketState, to: Identity[], isFresh: boolean): Promise<string | null> => {
  const connection = await findConnection(ticket.connectionId)
  if (!connection) return 'O canal desta conversa foi excluído.'
  try {
    const isNew = await readGroup(connection, ticket.contactId, to)
    // Who looks at it in another window sees the same.
    if (isNew && isFresh)
      await withTenant(connection.tenantId, (tx) =>
        emit(tx, 'group.updated', { ticketId: ticket.id }, { kind: 'ticket', facts: factsOf(ticket) }),
      )
    return null
  } catch (error) {
    if (error instanceof ChannelError) return error.textForCaller
    throw error
  }
}

type WhenRead = (tx: Tx, groupIds: string[]) => Promise<void>
let whenRead: WhenRead = async () => {}
/** What else follows once it is known anew who is in a group. */
export const onGroupRead = (given: WhenRead) => {
  whenRead = given
}

/** Asks the channel who is in a group and what it says of itself, and keeps it; false where it cannot. Throws ChannelError. */
export const readGroup = async (connection: OpenConnection, groupId: string, to: Identity[]): Promise<boolean> => {
  const { adapter, context, abilities, tenantId, id } = connection
  if (!adapter.participants || !abilities.supports.includes('groups')) return false
  const at = new Date()
  const [members, profile] = await Promise.all([
    adapter.participants({ to }, context),
    adapter.profile?.({ to }, context).catch(unlessTold),
  ])
  await withTenant(tenantId, async (tx) => {
    await storeMembers(tx, groupId, { members, description: profile?.description, at })
    if (profile?.name) await renameGroup(tx, groupId, profile.name, at)
    await notePlaces(tx, id, [{ groupId, isAdminsOnly: profile?.isAdminsOnly }])
    await refreshRoles(tx, id, [groupId])
    await whenRead(tx, [groupId])
  })
  return true
}
const unlessTold = (error: unknown) => {
  if (error instanceof ChannelError) return undefined
  throw error
}

const cardOf = async (tx: Tx, ticket: TicketState, problem: string | null): Promise<GroupCard> => {
  const [about] = await tx.rows<{ description: string | null; readAt: Date | null }>(lastRead, [
    tx.tenantId,
    ticket.contactId,
  ])
  const ours = await findOurselves(tx, ticket.connectionId)
  const stored = await readMembers(tx, ticket.contactId)
  const isUs = (keys: string[]) => keys.some((key) => ours.keys.includes(key))
  const members = stored.map(
    ({ id, keys, name, role, contactId, contactName, profilePicUrl }): GroupMember => ({
      id,
      name: (isUs(keys) && ours.name) || memberName({ name, contactName, keys }),
      number: phoneIn(keys) ?? null,
      role,
      contactId,
      profilePicUrl,
      isUs: isUs(keys),
    }),
  )
  return {
    description: about?.description || null,
    members: members.toSorted((a, b) => rank[a.role] - rank[b.role] || byName(a.name, b.name)),
    readAt: about?.readAt?.toISOString() ?? null,
    problem,
  }
}
const rank: Record<MemberRole, number> = { owner: 0, admin: 1, member: 2 }
/** Those without a name come last. */
const byName = (a: string, b: string) => Number(isNameless.test(a)) - Number(isNameless.test(b)) || names.compare(a, b)
const isNameless = /^(\+|Participante$)/
const names = new Intl.Collator('pt-BR', { sensitivity: 'base', numeric: true })

export const unsupported = ({ kind }: TicketState, what: string) =>
  new AppError('ERR_CHANNEL_UNSUPPORTED', { message: `${channels[kind].label} não ${what}.` })

const lastRead: Prepared = {
  name: 'group_last_read',
  text: `select description, read_at as "readAt" from groups where tenant_id = $1 and contact_id = $2`,
}
