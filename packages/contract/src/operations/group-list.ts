import { z } from 'zod'
import { groupActKinds } from '../channels/group-acts.ts'
import { channelKinds } from '../channels/index.ts'
import { id, moment, namedRef, pageQuery, queryFlag, queryList } from '../common.ts'
import { groupMember, memberRoles } from '../conversations/groups.ts'

/** A group as one of our connections is in it: a group with two of our numbers stands here twice. */
export const groupRow = z.object({
  id,
  /** Its contact. */
  groupId: id,
  name: z.string(),
  profilePicUrl: z.string().nullable(),
  description: z.string().nullable(),
  connection: namedRef.extend({ kind: z.enum(channelKinds), acts: z.array(z.enum(groupActKinds)) }),
  /** What we are there; null: not told yet. */
  ourRole: z.enum(memberRoles).nullable(),
  members: z.int(),
  /** Only administrators write there; null: not told yet. */
  isAdminsOnly: z.boolean().nullable(),
  inviteUrl: z.string().nullable(),
  /** We are no longer in it, or it is gone. */
  leftAt: moment.nullable(),
  /** When its channel last told who is in it. */
  readAt: moment.nullable(),
  /** Its conversation on this connection that is going on. */
  ticketId: id.nullable(),
})
export type GroupRow = z.output<typeof groupRow>

export const groupsQuery = pageQuery.pick({ searchParam: true, cursor: true, limit: true, count: true }).extend({
  connectionIds: queryList(id),
  /** Only where we are an administrator. */
  isAdmin: queryFlag.default(false),
  /** Also those we are no longer in. */
  withLeft: queryFlag.default(false),
})
export type GroupsQuery = z.output<typeof groupsQuery>

/** POST /listGroup, /listGroupIds: the groups of a connection, asked of its channel first. */
export const listGroupBody = z.object({
  whatsappId: z.uuid('Escolha o canal.'),
  searchParam: pageQuery.shape.searchParam,
  cursor: pageQuery.shape.cursor,
  limit: pageQuery.shape.limit,
})
export const groupIds = z.object({ groupIds: z.array(id) })
/** POST /listGroupById and /listParticipants. */
export const oneGroupBody = z.object({ whatsappId: z.uuid('Escolha o canal.'), groupId: z.uuid('Escolha o grupo.') })
export const groupWithMembers = z.object({
  group: groupRow,
  participants: z.array(groupMember),
  /** Why the channel could not be asked now: what is shown is what was known. */
  problem: z.string().nullable(),
})
export type GroupWithMembers = z.output<typeof groupWithMembers>
/** POST /groups/refresh: how many groups the channels told of, and why some told nothing. */
export const groupsRefresh = z.object({
  groups: z.int(),
  problems: z.array(z.object({ connection: namedRef, reason: z.string() })),
})
