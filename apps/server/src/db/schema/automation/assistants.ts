import type { Passage, RunOutcome, RunStep } from '@balcao/contract/automation/assistants/assistants.ts'
import { assistantHours } from '@balcao/contract/automation/assistants/assistants.ts'
import type { AssistantConfig, HandOverReason } from '@balcao/contract/automation/assistants/config.ts'
import type { CaseResult, Expectation } from '@balcao/contract/automation/assistants/evaluation.ts'
import { botNames } from '@balcao/contract/conversations/tickets.ts'
import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, jsonb, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, moment, refers, tenantLink, tenantTable, versioned } from '../columns.ts'
import { tickets } from '../conversations/tickets.ts'
import { users } from '../people/users.ts'

/** Who answers by itself with a model or a bot: where it works, and its draft; what answers is a version. */
export const assistants = tenantTable(
  'assistants',
  {
    name: text('name').notNull(),
    description: text('description').notNull().default(''),
    isActive: boolean('is_active').notNull().default(true),
    allTickets: boolean('all_tickets').notNull().default(false),
    connectionIds: uuid('connection_ids').array().notNull().default(sql`'{}'`),
    queueIds: uuid('queue_ids').array().notNull().default(sql`'{}'`),
    hours: text('hours', { enum: assistantHours }).notNull().default('always'),
    config: jsonb('config').$type<AssistantConfig>().notNull(),
    /** Grows with each change of the draft. */
    revision: integer('revision').notNull().default(1),
    /** Of the published version: the kind of account that answers first. */
    bot: text('bot', { enum: botNames }),
    publishedId: uuid('published_id'),
    /** What is published plays its cases each night. */
    evaluatesNightly: boolean('evaluates_nightly').notNull().default(true),
    /** When it plays them next; null: nothing is published, or not by itself. */
    evaluateAt: moment('evaluate_at'),
    userId: uuid('user_id'),
    ...versioned(),
  },
  (t) => [
    uniqueIndex('assistants_name').on(t.tenantId, sql`lower(${t.name})`),
    // The worker asks for all companies at once.
    index('assistants_evaluate').on(t.evaluateAt).where(sql`${t.evaluateAt} is not null`),
    refers(t, t.userId, () => users),
  ],
)

/** What an assistant was when it was published; it never changes. */
export const assistantVersions = tenantTable(
  'assistant_versions',
  {
    assistantId: uuid('assistant_id').notNull(),
    number: integer('number').notNull(),
    config: jsonb('config').$type<AssistantConfig>().notNull(),
    revision: integer('revision').notNull(),
    note: text('note').notNull().default(''),
    /** Why it was published although it had got worse. */
    signedReason: text('signed_reason').notNull().default(''),
    userId: uuid('user_id'),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('assistant_versions_number').on(t.tenantId, t.assistantId, t.number),
    refers(t, t.assistantId, () => assistants, 'cascade'),
    refers(t, t.userId, () => users),
  ],
)

/** An action the customer has to agree to before it is done. */
export type PendingTool = { tool: string; input: Record<string, unknown>; asked: string; seq: number }

/** What an assistant remembers of a conversation: from which message on, and what stands between two answers. */
export const assistantSessions = tenantLink(
  'assistant_sessions',
  {
    ticketId: uuid('ticket_id').notNull(),
    assistantId: uuid('assistant_id'),
    /** Messages up to this one are forgotten. */
    fromSeq: bigint('from_seq', { mode: 'number' }).notNull().default(0),
    /** The last message that was answered. */
    heardSeq: bigint('heard_seq', { mode: 'number' }).notNull().default(0),
    /** Answers since it began, or was begun anew. */
    turns: integer('turns').notNull().default(0),
    /** The session of a bot elsewhere. */
    botSession: text('bot_session'),
    vars: jsonb('vars').$type<Record<string, string>>().notNull().default({}),
    pending: jsonb('pending').$type<PendingTool | null>(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.ticketId] }),
    index('assistant_sessions_assistant').on(t.tenantId, t.assistantId),
    refers(t, t.ticketId, () => tickets, 'cascade'),
    refers(t, t.assistantId, () => assistants, 'cascade'),
  ],
)

/**
 * One answer being made, from the moment it is thought about until it is given. What was thought is kept before it is
 * given: a process that dies between the two leaves it to be given, not to be paid again.
 */
export const assistantRuns = tenantTable(
  'assistant_runs',
  {
    ticketId: uuid('ticket_id').notNull(),
    assistantId: uuid('assistant_id').notNull(),
    versionId: uuid('version_id').notNull(),
    state: text('state', { enum: ['thinking', 'ready', 'done'] })
      .notNull()
      .default('thinking'),
    /** Whoever thinks holds it until then. */
    leaseUntil: moment('lease_until'),
    /** The customer's last message it answers. */
    heardSeq: bigint('heard_seq', { mode: 'number' }).notNull(),
    asked: text('asked').notNull().default(''),
    answer: text('answer').notNull().default(''),
    /** What is to be done when it is given. */
    plan: jsonb('plan').$type<Record<string, unknown>>(),
    outcome: text('outcome').$type<RunOutcome>(),
    handOver: text('hand_over').$type<HandOverReason>(),
    passages: jsonb('passages').$type<Passage[]>().notNull().default([]),
    steps: jsonb('steps').$type<RunStep[]>().notNull().default([]),
    integrationId: uuid('integration_id'),
    costMicros: bigint('cost_micros', { mode: 'number' }).notNull().default(0),
    ms: integer('ms').notNull().default(0),
    problem: text('problem'),
    createdAt: createdAt(),
    endedAt: moment('ended_at'),
  },
  (t) => [
    uniqueIndex('assistant_runs_active').on(t.tenantId, t.ticketId).where(sql`${t.state} <> 'done'`),
    index('assistant_runs_ticket').on(t.tenantId, t.ticketId, t.createdAt),
    index('assistant_runs_assistant').on(t.tenantId, t.assistantId, t.createdAt),
    index('assistant_runs_recent').on(t.tenantId, t.createdAt),
    index('assistant_runs_version').on(t.tenantId, t.versionId),
    index('assistant_runs_ended').on(t.tenantId, t.endedAt).where(sql`${t.endedAt} is not null`),
    refers(t, t.ticketId, () => tickets, 'cascade'),
    refers(t, t.assistantId, () => assistants, 'cascade'),
    refers(t, t.versionId, () => assistantVersions, 'cascade'),
  ],
)

/** A conversation whose outcome is known. */
export const assistantCases = tenantTable(
  'assistant_cases',
  {
    assistantId: uuid('assistant_id').notNull(),
    name: text('name').notNull(),
    lines: jsonb('lines').$type<string[]>().notNull(),
    expects: jsonb('expects').$type<Expectation[]>().notNull(),
    ...versioned(),
  },
  (t) => [
    uniqueIndex('assistant_cases_name').on(t.tenantId, t.assistantId, sql`lower(${t.name})`),
    refers(t, t.assistantId, () => assistants, 'cascade'),
  ],
)

/** How an assistant did on its cases: a row from the first of them, which grows as they are played. */
export const assistantEvaluations = tenantTable(
  'assistant_evaluations',
  {
    assistantId: uuid('assistant_id').notNull(),
    revision: integer('revision').notNull(),
    isPublished: boolean('is_published').notNull(),
    /** The version that was played; null: the draft. */
    versionId: uuid('version_id'),
    integrationId: uuid('integration_id'),
    why: text('why', { enum: ['hand', 'publish', 'nightly'] }).notNull(),
    passed: integer('passed').notNull(),
    /** 0 until the last one is played. */
    total: integer('total').notNull(),
    costMicros: bigint('cost_micros', { mode: 'number' }).notNull(),
    ms: integer('ms').notNull(),
    results: jsonb('results').$type<CaseResult[]>().notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    index('assistant_evaluations_recent').on(t.tenantId, t.assistantId, t.createdAt),
    refers(t, t.assistantId, () => assistants, 'cascade'),
  ],
)
