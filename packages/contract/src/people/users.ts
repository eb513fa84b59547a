import { z } from 'zod'
import { colorRef, email, id, moment, pageOf, pageQuery, personName, queryList } from '../common.ts'
import { mailSignature } from '../conversations/mail-signature.ts'
import { ticketSorts } from '../conversations/tickets.ts'
import { priorities } from '../conversations/urgency.ts'
import { businessHours } from '../core/business-hours.ts'
import { dashboardPanels } from '../operations/dashboard-panels.ts'
import { noticePreferences } from '../operations/notifications.ts'
import { profiles } from '../permissions.ts'
import { rowMeta } from '../resource.ts'

export const attendanceFilter = z
  .object({
    searchParam: z.string().max(200),
    pageNumber: z.int().min(1),
    status: z.array(z.enum(['open', 'pending', 'closed'])),
    showAll: z.boolean(),
    queuesIds: z.array(id),
    whatsappIds: z.array(id),
    selectedUser: z.array(id),
    withUnreadMessages: z.boolean(),
    isNotAssignedUser: z.boolean(),
    includeNotQueueDefined: z.boolean(),
    tagIds: z.array(id),
    kanbanIds: z.array(id),
    dateFrom: z.iso.date(),
    dateTo: z.iso.date(),
    priority: z.array(z.enum(priorities)),
    sort: z.enum(ticketSorts),
  })
  .partial()

/** What a user keeps across devices. */
export const userConfigs = z.object({
  isDark: z.boolean().default(false),
  filtrosAtendimento: attendanceFilter.default({}),
  /** Sign messages with the agent's name. */
  signature: z.boolean().default(true),
  /** Below the text of their e-mails; empty: the queue's, else the channel's. */
  mailSignature: mailSignature.default(''),
  /** A message waits a few seconds before it leaves, so that it can be taken back. */
  undoSend: z.boolean().default(true),
  /** What leaves one's hands makes room for the next conversation of the list. */
  opensNext: z.boolean().default(true),
  sound: z.boolean().default(true),
  /** What they are told of, how, and when not. */
  notices: noticePreferences.prefault({}),
  /** Administrators and supervisors are handed conversations of their queues only where they say so. */
  takesOffers: z.boolean().default(false),
  /** The panels of the first page: their order, width, and which are hidden. */
  dashboardPanels: dashboardPanels.default([]),
})
export type UserConfigs = z.output<typeof userConfigs>
export const userConfigsPatch = z.strictObject({
  isDark: z.boolean().optional(),
  filtrosAtendimento: attendanceFilter.optional(),
  signature: z.boolean().optional(),
  mailSignature: mailSignature.optional(),
  undoSend: z.boolean().optional(),
  opensNext: z.boolean().optional(),
  sound: z.boolean().optional(),
  notices: noticePreferences.optional(),
  takesOffers: z.boolean().optional(),
  dashboardPanels: dashboardPanels.optional(),
})

export const menuPermissions = z.record(z.string().max(60), z.boolean())

export const user = rowMeta.extend({
  name: z.string(),
  email: z.string(),
  /** Of who has a role of the company's own: the profile it comes nearest to. */
  profile: z.enum(profiles),
  role: z.object({ id, name: z.string() }).nullable(),
  isSupport: z.boolean(),
  isBlocked: z.boolean(),
  isOnline: z.boolean(),
  /** Away by their own word since then, and why. */
  awaySince: moment.nullable(),
  awayReason: z.string().nullable(),
  /** Conversations at a time that distribution may hand over; null: no limit. */
  capacity: z.int().nullable(),
  configs: userConfigs,
  menuPermissions,
  /** When this person may log in; empty means always. */
  allowedHours: businessHours,
  queues: z.array(colorRef),
  lastLoginAt: moment.nullable(),
})
export type User = z.output<typeof user>

const userFields = z.object({
  name: personName,
  email,
  profile: z.enum(['user', 'super', 'admin']),
  /** A role of the company's own instead; a profile sent without it takes the role away. */
  roleId: id.nullable(),
  queueIds: z.array(id).max(200),
  menuPermissions,
  allowedHours: businessHours,
  isBlocked: z.boolean(),
  capacity: z.int().min(1, 'Use pelo menos 1.').max(1_000).nullable(),
})
/** The password travels encrypted. */
export const encryptedPassword = z.string().min(1, 'Informe a senha.').max(2_000)
export const userCreate = userFields.extend({
  roleId: userFields.shape.roleId.default(null),
  queueIds: userFields.shape.queueIds.default([]),
  menuPermissions: menuPermissions.default({}),
  allowedHours: businessHours.default([]),
  isBlocked: z.boolean().default(false),
  capacity: userFields.shape.capacity.default(null),
  /** Left out: the person is invited and chooses their own. */
  password: encryptedPassword.optional(),
})
/** DELETE /users/{id}: to whom the conversations go; back among the waiting ones when nobody is named. */
export const userDelete = z.object({ handOverTo: id.nullable().default(null) })
export const userUpdate = userFields.partial().extend({
  version: z.int().optional(),
  password: encryptedPassword.optional(),
  /** Where they are blocked: as when they are deleted. */
  handOverTo: userDelete.shape.handOverTo.optional(),
})
/** POST /users/{id}/invite: the link to hand over, and whether it went by mail as well. */
export const userInvite = z.object({ link: z.string(), isMailed: z.boolean() })
export type UserInvite = z.output<typeof userInvite>
/** GET /users/{id}/work: what would wait for somebody else if they left. */
export const userWork = z.object({ tickets: z.int() })
export type UserWork = z.output<typeof userWork>
export type UserCreate = z.output<typeof userCreate>
export type UserUpdate = z.output<typeof userUpdate>

export const usersQuery = pageQuery.extend({
  profile: queryList(z.enum(profiles)),
  sort: z.enum(['name', 'email', 'createdAt', 'lastLoginAt']).default('name'),
  direction: z.enum(['asc', 'desc']).default('asc'),
})

export const onlineBody = z.object({ isOnline: z.boolean() })

export const availabilities = ['online', 'away', 'offline'] as const
export type Availability = (typeof availabilities)[number]
/** PUT /users/{id}/availability. `reason` goes with `away`: one of the company's, or free where it named none. */
export const availabilityBody = z.strictObject({
  state: z.enum(availabilities),
  reason: z.string().trim().max(40, 'Use no máximo 40 caracteres.').optional(),
})
/** What somebody is doing now, as everybody may know. */
export const availability = z.object({
  isOnline: z.boolean(),
  isAway: z.boolean(),
  awayReason: z.string().nullable(),
  awaySince: moment.nullable(),
})

/** A colleague as pickers show them. */
export const userOption = availability.extend({ id, name: z.string(), queueIds: z.array(id) })
export type UserOption = z.output<typeof userOption>

/** GET /users/{id}/pauses: those that began in these days, in the company's time zone; newest first. */
export const pausesQuery = pageQuery.pick({ cursor: true, limit: true }).extend({
  dateFrom: z.iso.date().optional(),
  dateTo: z.iso.date().optional(),
})
export const agentPause = z.object({
  id,
  reason: z.string(),
  startedAt: moment,
  /** null: it lasts. */
  endedAt: moment.nullable(),
})
export type AgentPause = z.output<typeof agentPause>
/** With how long these days' pauses took, those on later pages too; one that lasts counts until now. */
export const agentPauses = pageOf(agentPause).extend({
  totals: z.array(z.object({ reason: z.string(), times: z.int(), seconds: z.number() })),
})
export type AgentPauses = z.output<typeof agentPauses>
