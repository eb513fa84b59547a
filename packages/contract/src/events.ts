import { z } from 'zod'
import { flowViewer } from './automation/flows/flows.ts'
import { flowNode, flowSettings, nodeId } from './automation/flows/graph.ts'
import { connection } from './channels/connections.ts'
import { templateNews } from './channels/templates.ts'
import { id, type tenantId } from './common.ts'
import { draft, message, messageStatuses } from './conversations/messages.ts'
import { ticket, ticketMark, ticketNotice } from './conversations/tickets.ts'
import { delivery } from './core/integrations/deliveries.ts'
import { bulkJob } from './operations/bulk-jobs.ts'
import { campaignRow } from './operations/campaigns/campaigns.ts'
import { notification } from './operations/notifications.ts'
import { schedule } from './operations/schedules.ts'
import { task, taskDue } from './operations/tasks.ts'
import { availability, userConfigs } from './people/users.ts'
import { tenantConnectionChange } from './platform/connections.ts'
import { resources } from './resources.ts'
import { opportunity } from './sales/opportunities.ts'
import { rating } from './service/ratings.ts'

const gone = z.object({ id })

type OfResource = (typeof resources)[number]
type ResourceEvents = {
  [R in OfResource as `${R['event']}.created` | `${R['event']}.updated`]: R['row']
} & { [R in OfResource as `${R['event']}.deleted`]: typeof gone }
const resourceEvents = Object.fromEntries(
  resources.flatMap(({ event, row }) => [
    [`${event}.created`, row],
    [`${event}.updated`, row],
    [`${event}.deleted`, gone],
  ]),
) as ResourceEvents // TypeScript does not follow names that are put together

/** The changing face of a ticket, small enough to travel with every message. */
export const ticketDelta = ticket.pick({
  id: true,
  status: true,
  isGroup: true,
  userId: true,
  queueId: true,
  unreadMessages: true,
  answered: true,
  lastMessage: true,
  lastMessageType: true,
  lastAuthor: true,
  lastMessageAt: true,
  lastInboundAt: true,
  waitingSince: true,
  firstAnsweredAt: true,
  slaDueAt: true,
  pausedAt: true,
  pausedUntil: true,
  pauseReason: true,
  updatedAt: true,
  version: true,
})
export type TicketDelta = z.output<typeof ticketDelta>

/** Every realtime event from server to staff: facts in the past, with what REST would have answered. */
export const events = {
  ...resourceEvents,
  'ticket.created': ticket,
  'ticket.updated': ticket,
  /** The ticket is no longer yours to see. */
  'ticket.hidden': gone,
  'message.created': z.object({ message, ticket: ticketDelta }),
  'message.updated': message,
  /** It was another one's echo: there is no such message. */
  'message.removed': z.object({ id, ticketId: id, contactId: id }),
  'message.status': z.object({
    id,
    ticketId: id,
    contactId: id,
    status: z.enum(messageStatuses),
    error: z.string().nullable(),
    version: z.int(),
  }),
  'opportunity.created': opportunity,
  'opportunity.updated': opportunity,
  'opportunity.deleted': gone,
  /** Actions of the funnel met somebody, or did something. */
  'funnelActions.ran': z.object({}),
  /** Of one that runs: its numbers, at most once a second. */
  'campaign.updated': campaignRow,
  'campaign.deleted': gone,
  /** It stopped by itself, waits for approval or is over: told to the people it concerns. */
  /** Models stopped answering, or their budget nears its end. */
  'ai.notice': z.object({ id: z.string(), title: z.string(), text: z.string(), link: z.string() }),
  /** The company's accounts of language models are others than before: what people are offered may be too. */
  'models.changed': z.object({}),
  /** A call of a voice assistant stands otherwise than before. */
  'voiceCall.changed': z.object({ id, ticketId: id.nullable() }),
  'campaign.notice': z.object({ id, title: z.string(), text: z.string() }),
  'contact.updated': z.object({ id, name: z.string(), profilePicUrl: z.string().nullable(), version: z.int() }),
  'contact.deleted': gone,
  /** Many of them at once, by an import. */
  'contacts.changed': z.object({}),
  /** An import of contacts stands otherwise than before. */
  'contactImport.updated': gone,
  /** Who is in the group of a conversation, or what it says of itself, is not what it was. */
  'group.updated': z.object({ ticketId: id }),
  /** Groups of a connection are not what they were in the list of groups. */
  'groups.changed': z.object({ connectionId: id }),
  /** A rule did something in a group, or is about to. */
  'groupLogs.changed': z.object({ groupId: id }),
  /** Some groups of a job over groups are done. */
  'groupAct.progressed': z.object({ jobId: id }),
  /** What it wants to receive was noted down. */
  'contact.consented': z.object({ id }),
  /** Who refuses to receive something is not as it was. */
  'optOuts.changed': z.object({}),
  /** Pairs of contacts that may be one person were found, or are none any more. */
  'duplicates.changed': z.object({}),
  /** Some of those who wait to be written to by these rules were, or joined them. */
  'audience.changed': z.object({ rules: z.array(z.string()) }),
  /** Became part of another contact. */
  'contact.merged': z.object({ id, keptId: id }),
  'job.updated': bulkJob,
  'rating.updated': rating,
  /** Somebody is to look at a ticket: told to the people it names, with what to say. */
  'ticket.notice': ticketNotice,
  /** Pinned or followed, or no longer: told to whoever did it, in their other windows. */
  'ticket.marked': ticketMark,
  /** I have read the notes of these conversations that call me: told to my other windows. */
  'mention.read': z.object({ ticketIds: z.array(id) }),
  /** A line of my bell: a new one, or one that came again before it was read. */
  'notification.created': notification.extend({ isQuiet: z.boolean().optional() }),
  /** Read in another window of mine, or no longer worth reading. */
  'notification.read': z.object({}),
  /** Changed in another window of mine. */
  'preferences.updated': userConfigs,
  'task.created': task,
  'task.updated': task,
  'task.deleted': gone,
  /** The limit time of a task has come; told once, to its owner. */
  'task.due': taskDue,
  'schedule.created': schedule,
  'schedule.updated': schedule,
  'connection.updated': connection.pick({
    id: true,
    name: true,
    status: true,
    statusText: true,
    account: true,
    imported: true,
    stoppedAt: true,
    lostAt: true,
    version: true,
  }),
  'connection.deleted': gone,
  /** The same of any company, to whoever runs the platform. */
  'tenantConnection.updated': tenantConnectionChange,
  'tenantConnection.deleted': gone,
  /** What links a phone to us, or that it no longer does: told to those who may write connections. */
  'connection.login': connection.pick({ id: true, qrcode: true, pairingCode: true, loginUntil: true }),
  /** Its provider has something to say. */
  'connection.alert': z.object({ id, name: z.string(), text: z.string(), isSerious: z.boolean() }),
  /** The templates of a connection are not what they were. */
  'templates.updated': z.object({ connectionId: id, news: z.array(templateNews).default([]) }),
  'user.updated': z.object({ id, name: z.string() }),
  'user.deleted': gone,
  'settings.updated': z.object({ keys: z.array(z.string()) }),
  /** Somebody changed the draft of a flow: what they put there and what they took away. */
  'chatFlow.draftChanged': z.object({
    id,
    revision: z.int(),
    upserts: z.array(flowNode),
    removes: z.array(nodeId),
    settings: flowSettings.nullable(),
    userId: id,
  }),
  /** Who has a flow open: a signal, never stored. */
  'chatFlow.viewers': z.object({ id, viewers: z.array(flowViewer) }),
  'draft.updated': draft.pick({ ticketId: true, kind: true, body: true }),
  /** Who is online, who looks at a ticket, who writes: signals, never stored. */
  'presence.user': availability.extend({ userId: id }),
  'presence.ticket': z.object({
    ticketId: id,
    viewers: z.array(z.object({ userId: id, name: z.string(), isTyping: z.boolean() })),
    contactTyping: z.boolean(),
  }),
  /** Somebody of the platform's support came into the company, or left. */
  'support.changed': z.object({}),
  /** What a system was told or could not be told just now: a signal, never stored. */
  'integration.delivered': z.object({ integrationId: id, items: z.array(delivery) }),
  /** Something moved in the conversations of the company: a signal for screens that count them, never stored. */
  'monitor.changed': z.object({}),
  /** This session ended: password, role or status changed, or another device took over. */
  'session.revoked': z.object({ message: z.string() }),
} as const satisfies Record<string, z.ZodType>
export type EventName = keyof typeof events
export type EventPayload<N extends EventName> = z.output<(typeof events)[N]>

/** What a browser may say on the socket. `{tenantId}:setUserActive` is accepted only with the token's tenant. */
export const clientEvents = {
  setUserActive: z.object({}).optional(),
  'ticket.view': z.object({ ticketId: id }),
  'ticket.leave': z.object({ ticketId: id }),
  /** This window went out of sight, or came back: what shows there is not seen. */
  'window.hidden': z.object({ isHidden: z.boolean() }),
  /** `isNote`: to the team alone, which the customer is not shown. */
  /** Which flow is open in this window, and the step it stands on; null: none any more. */
  'chatFlow.look': z.object({ flowId: id.nullable(), nodeId: nodeId.nullable() }),
  'ticket.typing': z.object({ ticketId: id, isTyping: z.boolean(), isNote: z.boolean().optional() }),
} as const
export const setUserActive = (tenant: z.output<typeof tenantId>) => `${tenant}:setUserActive`
