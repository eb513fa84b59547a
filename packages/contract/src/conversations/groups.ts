import { z } from 'zod'
import { id, moment, queryFlag } from '../common.ts'

export const memberRoles = ['member', 'admin', 'owner'] as const
export type MemberRole = (typeof memberRoles)[number]
export const memberRoleLabels: Record<MemberRole, string> = {
  owner: 'Criador',
  admin: 'Administrador',
  member: 'Participante',
}

/** Somebody who is in a group; `id` is how a message calls them. */
export const groupMember = z.object({
  id: z.string(),
  name: z.string(),
  /** Digits, with the country. */
  number: z.string().nullable(),
  role: z.enum(memberRoles),
  /** Of who has a contact of their own. */
  contactId: id.nullable(),
  profilePicUrl: z.string().nullable(),
  /** The number of this connection. */
  isUs: z.boolean(),
})
export type GroupMember = z.output<typeof groupMember>

/** A group as its channel shows it, with everybody in it by name. */
export const groupCard = z.object({
  description: z.string().nullable(),
  members: z.array(groupMember),
  /** When the channel last told who is in it; null: only who was seen is known. */
  readAt: moment.nullable(),
  /** Why it could not be asked now, in Portuguese: what is shown is what was known. */
  problem: z.string().nullable(),
})
export type GroupCard = z.output<typeof groupCard>

export const groupQuery = z.object({
  /** Ask the channel again, however short ago it was. */
  fresh: queryFlag.default(false),
})
export const memberContact = z.strictObject({ memberId: z.string().min(1).max(120) })
