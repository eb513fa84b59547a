import { z } from 'zod'
import { channelKinds } from '../channels/index.ts'
import { id, moment, namedRef, pageQuery, queryList, tenantId } from '../common.ts'
import { contactsQuery } from '../contacts/contacts.ts'
import { type ActionKind, actionOf } from '../conversations/actions/index.ts'
import { ticketStatuses } from '../conversations/tickets.ts'
import { funnelReplaceKinds, replaceKinds } from './replace-kinds.ts'

export const bulkJobKinds = [
  'moveChannel',
  'closeTickets',
  'transferQueue',
  'markRead',
  'tagTickets',
  ...replaceKinds,
  ...funnelReplaceKinds,
  'exportContacts',
  'exportContactsXlsx',
  'importOptOuts',
  'undoOptOuts',
  'exportOptOuts',
  'mergeContacts',
  'undoMergeContacts',
  'changeContacts',
  'undoContactsChange',
  'checkContactImport',
  'importContacts',
  'undoContactImport',
  'exportConversation',
  'exportAudit',
  'exportPlatformAudit',
  'exportRatings',
  'exportReportTickets',
  'exportReportTicketsXlsx',
  'exportReportContacts',
  'exportReportContactsXlsx',
  'exportConnections',
  'exportTenantConnections',
  'exportProxies',
  'exportJournal',
  'exportAiCalls',
  'exportVoiceCalls',
  'evaluateAssistant',
  'exportAutoReplies',
  'exportBirthdays',
  'exportFunnelActions',
  'exportOpportunities',
  'replayEvents',
  'groupAct',
  'undoGroupAct',
  'exportGroupActs',
  'exportGroupLogs',
  'exportGroups',
  'exportCampaigns',
  'exportCampaignRecipients',
  'exportCampaignRecipientsXlsx',
  'checkCampaignNumbers',
] as const
export type BulkJobKind = (typeof bulkJobKinds)[number]
export const bulkJobStates = ['pending', 'running', 'paused', 'done', 'failed', 'canceled'] as const

/** Work over many rows that one person asked for: it survives a restart and is watched while it runs. */
export const bulkJob = z.object({
  id,
  kind: z.enum(bulkJobKinds),
  /** What it is about, where that is one thing: a conversation, a tag. */
  subject: z.string().nullable(),
  /** Which one that is, where several may have the same name. */
  subjectId: id.nullable(),
  /** Who asked for it. */
  userId: id,
  state: z.enum(bulkJobStates),
  /** Rows there are, rows done, rows that could not be. */
  total: z.int(),
  done: z.int(),
  failed: z.int(),
  /** Its rows are parts of longer lists of people, not each a group. */
  isInParts: z.boolean(),
  /** Why it stopped, in Portuguese. */
  error: z.string().nullable(),
  /** There is a file to be fetched, for seven days. */
  hasResult: z.boolean(),
  /** It can be held and gone on with; else it can only be canceled. */
  canPause: z.boolean(),
  /** What it changed can be taken back, for seven days. */
  canUndo: z.boolean(),
  /** What it could not do can be put on the list again. */
  canRetry: z.boolean(),
  createdAt: moment,
  finishedAt: moment.nullable(),
})
export type BulkJob = z.output<typeof bulkJob>
/** GET /bulkJobs: one's own, or for who may, the company's. */
export const bulkJobsQuery = pageQuery
  .pick({ cursor: true, limit: true })
  .extend({ scope: z.enum(['mine', 'all']).default('mine') })
/** Why some rows could not be done: how many for this reason, and one of them. */
export const jobRefusal = z.object({ reason: z.string(), count: z.int(), example: z.string().nullable() })
export type JobRefusal = z.output<typeof jobRefusal>

const chosen = z.array(id).min(1, 'Escolha ao menos um atendimento.').max(500, 'Escolha no máximo 500 atendimentos.')
const place = z.object({ whatsappId: id.optional(), queueId: id.optional() })
/** POST /closeAllOpen and /closeAllPending: everything, or what is on one channel, or in one queue. */
export const closeAllBody = place.strict()
export const closeContactBody = z.strictObject({ contactId: id })
/** POST /ticketsTransferBetweenQueues. Without a person, whoever attends goes on attending. */
export const transferQueueBody = z.strictObject({
  sourceQueueId: id,
  destinationQueueId: id,
  userId: id.nullable().default(null),
})
/**
 * PUT /ticketsChannel. The work is done in steps by itself: `processAll`, `limit` and `offset` of older clients are
 * taken and say nothing.
 */
export const moveChannelBody = z.object({
  whatsappId: id,
  newWhatsappId: id,
  channel: z.enum(channelKinds).optional(),
  newChannel: z.enum(channelKinds).optional(),
  tenantId: tenantId.optional(),
})
/** GET /ticketsMarkAllUnread (in the query) and PUT /ticketsUpdateAllUnreadMessages (in the body): everything I see, or less. */
export const markReadQuery = place.extend({ status: queryList(z.enum(ticketStatuses)) })

/** POST /bulkJobs: the conversations somebody chose one by one, each changed as they could change it by hand. */
export const bulkChosenBody = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('closeTickets'), ticketIds: chosen, reasonId: id.nullable().default(null) }),
  z.strictObject({
    kind: z.literal('transferQueue'),
    ticketIds: chosen,
    destinationQueueId: id,
    userId: id.nullable().default(null),
  }),
  z.strictObject({ kind: z.literal('markRead'), ticketIds: chosen }),
  z.strictObject({ kind: z.literal('tagTickets'), ticketIds: chosen, tagIds: z.array(id).min(1).max(50) }),
])

/** What is done to contacts themselves, whatever their conversations. */
export const contactActionKinds = [
  'addContactTags',
  'removeContactTags',
  'lane',
  'wallet',
  'removeWallet',
] as const satisfies ActionKind[]
export type ContactAction = z.output<typeof contactAction>
export const contactAction = actionOf(contactActionKinds)
/** POST /contacts/change: those of a list, or where there are some, the ones chosen one by one. */
export const changeContactsBody = contactsQuery
  .pick({ searchParam: true, tagIds: true, walletIds: true, kanbanIds: true, segmentId: true, segment: true })
  .extend({ contactIds: z.array(id).max(500, 'Escolha no máximo 500 contatos.').default([]), action: contactAction })
export type ChangeContacts = z.output<typeof changeContactsBody>

/** GET /bulkJobs/count: how many conversations a job would reach. */
export const bulkCountQuery = place.extend({
  kind: z.enum(bulkJobKinds),
  contactId: id.optional(),
  status: queryList(z.enum(ticketStatuses)),
})
export const bulkCount = z.object({ count: z.int() })

/** GET /tags/{id}/uses, the same of queues and reasons: where a row is used, and how often. */
export const rowUses = z.object({
  contacts: z.int(),
  tickets: z.int(),
  connections: z.int(),
  /** Kept for this queue alone: they become everyone's where no other takes its place. */
  quickMessages: z.int(),
  /** Kept for this queue alone, or with a step that names the row. */
  macros: z.int(),
  /** Of those, the ones that do nothing else: without a replacement they go too. */
  emptiedMacros: z.int(),
  /** With a step, or a setting, that names the row; without a replacement they go on naming it. */
  flows: z.array(namedRef),
})
export type RowUses = z.output<typeof rowUses>
/** POST /tags/{id}/replace, the same of queues and reasons; null takes it away everywhere. */
export const replaceBody = z.strictObject({ replacementId: id.nullable() })
