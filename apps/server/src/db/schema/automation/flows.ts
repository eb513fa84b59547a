import type { FlowNode, FlowSettings, NodeData } from '@balcao/contract/automation/flows/graph.ts'
import type { EndReason, FlowEnd, FlowLoan, FlowState } from '@balcao/contract/automation/flows/run.ts'
import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, jsonb, primaryKey, real, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, moment, refers, tenantLink, tenantTable, versioned } from '../columns.ts'
import { tickets } from '../conversations/tickets.ts'
import { files } from '../core/files.ts'
import { users } from '../people/users.ts'

/** A flow with the settings of its draft; the draft's steps are rows of their own, what runs is a version. */
export const chatFlows = tenantTable(
  'chat_flows',
  {
    name: text('name').notNull(),
    description: text('description').notNull().default(''),
    isActive: boolean('is_active').notNull().default(true),
    /** The one phone it starts for by itself, while it is tried. */
    celularTeste: text('celular_teste'),
    /** The ready flow it was made of. */
    model: text('model'),
    userId: uuid('user_id'),
    settings: jsonb('settings').$type<FlowSettings>().notNull(),
    /** Grows with each change of the draft, and with which one the settings last changed. */
    revision: integer('revision').notNull().default(1),
    settingsRevision: integer('settings_revision').notNull().default(1),
    /** Who changed them last. */
    settingsUserId: uuid('settings_user_id'),
    /** What new conversations run. */
    publishedId: uuid('published_id'),
    ...versioned(),
  },
  (t) => [
    uniqueIndex('chat_flows_name').on(t.tenantId, sql`lower(${t.name})`),
    refers(t, t.userId, () => users),
    refers(t, t.settingsUserId, () => users),
  ],
)

/** A step of a draft. One that was removed stays without its data, so that nobody puts it back unawares. */
export const chatFlowNodes = tenantLink(
  'chat_flow_nodes',
  {
    flowId: uuid('flow_id').notNull(),
    nodeId: text('node_id').notNull(),
    node: jsonb('node').$type<FlowNode>(),
    revision: integer('revision').notNull(),
    /** Who changed it last. */
    userId: uuid('user_id'),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.flowId, t.nodeId] }),
    refers(t, t.flowId, () => chatFlows, 'cascade'),
    refers(t, t.userId, () => users),
  ],
)

/** A flow as it was published; never changed afterwards. */
export const chatFlowVersions = tenantTable(
  'chat_flow_versions',
  {
    flowId: uuid('flow_id').notNull(),
    number: integer('number').notNull(),
    nodes: jsonb('nodes').$type<FlowNode[]>().notNull(),
    settings: jsonb('settings').$type<FlowSettings>().notNull(),
    /** The draft it was made of. */
    revision: integer('revision').notNull(),
    note: text('note').notNull().default(''),
    userId: uuid('user_id'),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('chat_flow_versions_number').on(t.tenantId, t.flowId, t.number),
    refers(t, t.flowId, () => chatFlows, 'cascade'),
    refers(t, t.userId, () => users),
  ],
)

/** A file that a flow's draft (no version) or one of its versions sends. */
export const chatFlowFiles = tenantTable(
  'chat_flow_files',
  { flowId: uuid('flow_id').notNull(), versionId: uuid('version_id'), mediaId: uuid('media_id').notNull() },
  (t) => [
    uniqueIndex('chat_flow_files_once').on(t.tenantId, t.flowId, t.mediaId, sql`coalesce(${t.versionId}, ${t.flowId})`),
    index('chat_flow_files_media').on(t.tenantId, t.mediaId),
    refers(t, t.flowId, () => chatFlows, 'cascade'),
    refers(t, t.mediaId, () => files),
  ],
)

export const runStarts = ['keyword', 'test', 'connection', 'queue', 'company', 'hand', 'campaign', 'funnel'] as const
export type RunStart = (typeof runStarts)[number]
/** How it ended: as the flow says, or somebody of the team took the conversation, or another flow began. */
export type RunEnd = EndReason | 'taken' | 'failed'

/** A flow that leads, or led, a conversation; ended ones are kept for 90 days. */
export const chatFlowRuns = tenantTable(
  'chat_flow_runs',
  {
    ticketId: uuid('ticket_id').notNull(),
    flowId: uuid('flow_id').notNull(),
    versionId: uuid('version_id').notNull(),
    startedBy: text('started_by', { enum: runStarts }).notNull(),
    /** Whoever of the team started it. */
    userId: uuid('user_id'),
    state: jsonb('state').$type<FlowState>().notNull(),
    /** The last message of the customer it has heard. */
    heardSeq: bigint('heard_seq', { mode: 'number' }).notNull().default(0),
    createdAt: createdAt(),
    endedAt: moment('ended_at'),
    endedWhy: text('ended_why').$type<RunEnd>(),
    endedTo: text('ended_to').$type<FlowEnd['to']>(),
  },
  (t) => [
    uniqueIndex('chat_flow_runs_active').on(t.tenantId, t.ticketId).where(sql`${t.endedAt} is null`),
    index('chat_flow_runs_ticket').on(t.tenantId, t.ticketId, t.createdAt),
    index('chat_flow_runs_flow').on(t.tenantId, t.flowId, t.createdAt),
    index('chat_flow_runs_running').on(t.tenantId, t.flowId, t.versionId).where(sql`${t.endedAt} is null`),
    index('chat_flow_runs_ended').on(t.tenantId, t.endedAt).where(sql`${t.endedAt} is not null`),
    refers(t, t.ticketId, () => tickets, 'cascade'),
    refers(t, t.flowId, () => chatFlows),
  ],
)

/** One step a run did. */
export const chatFlowSteps = tenantTable(
  'chat_flow_steps',
  {
    runId: uuid('run_id').notNull(),
    /** Of the version the step stands in: another flow's, where the run went over to one. */
    flowId: uuid('flow_id').notNull(),
    versionId: uuid('version_id').notNull(),
    stepId: text('step_id').notNull(),
    nodeId: text('node_id').notNull(),
    port: text('port'),
    note: text('note').notNull().default(''),
    /** What of it could not be done. */
    problem: text('problem'),
    /** Of our own time. */
    ms: real('ms').notNull().default(0),
    /** The run ended here: where it went, and why. */
    endedTo: text('ended_to').$type<FlowEnd['to']>(),
    endedWhy: text('ended_why').$type<RunEnd>(),
    createdAt: createdAt(),
  },
  (t) => [
    index('chat_flow_steps_run').on(t.tenantId, t.runId, t.id),
    index('chat_flow_steps_numbers').on(t.tenantId, t.flowId, t.createdAt),
    refers(t, t.runId, () => chatFlowRuns, 'cascade'),
  ],
)

/** What is sent to a system of the company, its texts filled in. */
export type CallRequest = Pick<NodeData<'http'>, 'method' | 'url' | 'headers' | 'body' | 'timeoutMs' | 'saves'> & {
  retries: number
  retryDelayMs: number
}
/** The picture of a Pix code. */
export type PictureRequest = { draws: string; contactId: string; retries: number; retryDelayMs: number }
/** A conversation lent to an assistant, and the customer's last word before that. */
export type LoanRequest = { lends: FlowLoan; fromSeq: number; retries: number; retryDelayMs: number }
/** A calendar that is asked for free times, or (`at`) for this one to be booked. */
export type CalendarRequest = {
  calendar: NodeData<'calendar'>
  at: string | null
  queueId: string | null
  retries: number
  retryDelayMs: number
}
/** A call, a picture or a loan that a run asked for and waits for. `id` follows from run and step, and is the key the system is told. */
export const chatFlowCalls = tenantTable(
  'chat_flow_calls',
  {
    runId: uuid('run_id').notNull(),
    ticketId: uuid('ticket_id').notNull(),
    /** As the run's wait names it. */
    stepId: text('step_id').notNull(),
    request: jsonb('request').$type<CallRequest | PictureRequest | LoanRequest | CalendarRequest>().notNull(),
    state: text('state', { enum: ['waiting', 'done', 'failed'] })
      .notNull()
      .default('waiting'),
    attempts: integer('attempts').notNull().default(0),
    dueAt: moment('due_at').notNull().defaultNow(),
    /** What of its answer becomes which variable. */
    vars: jsonb('vars').$type<Record<string, string>>().notNull().default({}),
    /** Status and words of the answer, or why there is none. */
    answer: text('answer'),
    createdAt: createdAt(),
  },
  (t) => [
    index('chat_flow_calls_run').on(t.tenantId, t.runId, t.stepId),
    // The worker asks for all companies at once.
    index('chat_flow_calls_due').on(t.dueAt).where(sql`${t.state} = 'waiting'`),
    refers(t, t.runId, () => chatFlowRuns, 'cascade'),
  ],
)
