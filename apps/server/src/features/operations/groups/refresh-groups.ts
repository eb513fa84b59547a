import type { GroupMember } from '@balcao/contract/conversations/groups.ts'
import type { GroupWithMembers, groupsRefresh } from '@balcao/contract/operations/group-list.ts'
import { and, eq, isNull } from 'drizzle-orm'
import type { z } from 'zod'
import { ChannelError, type ListedGroup } from '../../../channels/adapter.ts'
import { withTenant } from '../../../db/database.ts'
import { connections } from '../../../db/schema/channels/connections.ts'
import type { Actor } from '../../../kit/actor.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { findConnection, type OpenConnection } from '../../channels/connections/context.ts'
import { resolveContact } from '../../contacts/contacts/identify.ts'
import { readMembers, storeMembers, wantGroups } from '../../contacts/groups/members.ts'
import { memberName, phoneIn } from '../../contacts/groups/names.ts'
import { renameGroup } from '../../contacts/groups/rename.ts'
import { readGroup } from '../../conversations/groups/group.ts'
import { findOurselves } from '../../conversations/groups/ourselves.ts'
import { notePlaces, refreshRoles } from '../../conversations/groups/places.ts'
import { addressesOf } from '../../conversations/messages/reach.ts'
import { meantGroups } from './groups.list.ts'
import { banThoseRead } from './log-rules.ts'

type Told = z.output<typeof groupsRefresh>

/** Asks the channels (all that can say, or this one) which groups they are in, and keeps what they tell. */
export const refreshGroups = async (actor: Actor, connectionId?: string): Promise<Told> => {
  const rows = await withTenant(actor.tenantId, (tx) =>
    tx.db
      .select({ id: connections.id, name: connections.name, abilities: connections.abilities })
      .from(connections)
      .where(
        and(
          eq(connections.tenantId, actor.tenantId),
          isNull(connections.deletedAt),
          connectionId ? eq(connections.id, connectionId) : undefined,
        ),
      ),
  )
  if (connectionId && !rows.length) throw new AppError('ERR_NO_WAPP_FOUND')
  const told: Told = { groups: 0, problems: [] }
  for (const { id, name, abilities } of rows) {
    if (!abilities.supports.includes('groupMessages')) continue
    const connection = await findConnection(id)
    if (!connection?.adapter.groups) continue
    try {
      told.groups += await keepGroups(connection, await connection.adapter.groups({}, connection.context))
    } catch (error) {
      if (!(error instanceof ChannelError)) throw error
      told.problems.push({ connection: { id, name }, reason: error.textForCaller })
    }
  }
  return told
}

const groupsAtOnce = 25
/** What a channel's list says of its groups; who is in them, where it says that too, else it is asked group by group. */
const keepGroups = async (connection: OpenConnection, listed: ListedGroup[]): Promise<number> => {
  for (let at = 0; at < listed.length; at += groupsAtOnce)
    await withTenant(connection.tenantId, async (tx) => {
      const kept: { groupId: string; isAdminsOnly?: boolean }[] = []
      const unread: string[] = []
      const now = new Date()
      for (const { identities, name, description, isAdminsOnly, members } of listed.slice(at, at + groupsAtOnce)) {
        const { contactId } = await resolveContact(tx, { identities, name, isGroup: true })
        if (name) await renameGroup(tx, contactId, name, now)
        if (members) await storeMembers(tx, contactId, { members, description, at: now })
        else unread.push(contactId)
        kept.push({ groupId: contactId, isAdminsOnly })
      }
      await notePlaces(tx, connection.id, kept)
      await refreshRoles(
        tx,
        connection.id,
        kept.map(({ groupId }) => groupId),
      )
      if (unread.length) await wantGroups(tx, unread)
      await banThoseRead(
        tx,
        kept.map(({ groupId }) => groupId),
      )
    })
  return listed.length
}

/** One group of a connection with everybody in it, asked of its channel now where that can say. */
export const groupWithMembers = async (
  actor: Actor,
  { whatsappId, groupId }: { whatsappId: string; groupId: string },
): Promise<GroupWithMembers> => {
  const read = () =>
    withTenant(actor.tenantId, (tx) => meantGroups(tx, { connectionId: whatsappId, groupIds: [groupId] }))
  const [before] = await read()
  if (!before) throw fieldErrors({ path: 'groupId', message: 'Este canal não está neste grupo.' })
  const problem = before.leftAt ? null : await askAgain(actor, whatsappId, groupId)
  const [group = before] = await read()
  const participants = await withTenant(actor.tenantId, async (tx) => {
    const ours = await findOurselves(tx, whatsappId)
    return (await readMembers(tx, groupId)).map((one): GroupMember => {
      const isUs = one.keys.some((key) => ours.keys.includes(key))
      return {
        ...{ id: one.id, role: one.role, contactId: one.contactId, profilePicUrl: one.profilePicUrl, isUs },
        name: (isUs && ours.name) || memberName(one),
        number: phoneIn(one.keys) ?? null,
      }
    })
  })
  const rank = { owner: 0, admin: 1, member: 2 }
  return {
    group,
    participants: participants.toSorted((a, b) => rank[a.role] - rank[b.role] || a.name.localeCompare(b.name, 'pt-BR')),
    problem,
  }
}
const freshMs = 60_000
const askAgain = async (actor: Actor, connectionId: string, groupId: string): Promise<string | null> => {
  const connection = await findConnection(connectionId)
  if (!connection) return 'O canal não pode ser usado agora.'
  const { to, readAt } = await withTenant(actor.tenantId, async (tx) => {
    const [group] = await meantGroups(tx, { connectionId, groupIds: [groupId] })
    return { to: await addressesOf(tx, groupId), readAt: group?.readAt ?? null }
  })
  if (readAt && Date.now() - new Date(readAt).getTime() < freshMs) return null
  try {
    await readGroup(connection, groupId, to)
    return null
  } catch (error) {
    if (error instanceof ChannelError) return error.textForCaller
    throw error
  }
}
