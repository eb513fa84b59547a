import { aiCallStates, aiPurposes } from '@balcao/contract/automation/models.ts'
import { modelKinds } from '@balcao/contract/core/integrations/models.ts'
import { sql } from 'drizzle-orm'
import { bigint, date, index, integer, jsonb, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, moment, refers, tenantLink, tenantTable } from '../columns.ts'
import { messages } from '../conversations/messages.ts'
import { tickets } from '../conversations/tickets.ts'

/**
 * A call to a language model, written before it leaves with what it may cost and once more with what it did. It outlives
 * the account, the assistant and the conversation it was made for, so it refers to none of them.
 */
export const aiUsage = tenantTable(
  'ai_usage',
  {
    integrationId: uuid('integration_id').notNull(),
    kind: text('kind', { enum: modelKinds }).notNull(),
    model: text('model').notNull(),
    purpose: text('purpose', { enum: aiPurposes }).notNull(),
    assistantId: uuid('assistant_id'),
    ticketId: uuid('ticket_id'),
    /** The person it was for. */
    userId: uuid('user_id'),
    /** The company's day it counts for. */
    day: date('day').notNull(),
    state: text('state', { enum: aiCallStates }).notNull().default('open'),
    /** Why there was no answer. */
    problem: text('problem'),
    attempts: integer('attempts').notNull().default(1),
    inputTokens: integer('input_tokens').notNull().default(0),
    outputTokens: integer('output_tokens').notNull().default(0),
    /** Counted against the budget: what it may cost while it is open, then what it did. In millionths of R$ 1. */
    costMicros: bigint('cost_micros', { mode: 'number' }).notNull(),
    ms: integer('ms'),
    /** What came back, for an hour: whoever asks again under this id is answered without paying again. */
    result: jsonb('result').$type<unknown>(),
    createdAt: createdAt(),
    endedAt: moment('ended_at'),
  },
  (t) => [
    index('ai_usage_newest').on(t.tenantId, t.createdAt.desc(), t.id.desc()),
    index('ai_usage_ticket').on(t.tenantId, t.ticketId, t.createdAt).where(sql`${t.ticketId} is not null`),
    index('ai_usage_open').on(t.tenantId, t.createdAt).where(sql`${t.state} = 'open'`),
    index('ai_usage_results').on(t.tenantId, t.endedAt).where(sql`${t.result} is not null`),
  ],
)

/** Sums of a day; `assistant_id` of zeros: none. Each call moves its line twice, with its own row and in its transaction. */
export const aiDays = tenantLink(
  'ai_days',
  {
    day: date('day').notNull(),
    purpose: text('purpose', { enum: aiPurposes }).notNull(),
    assistantId: uuid('assistant_id').notNull(),
    integrationId: uuid('integration_id').notNull(),
    calls: integer('calls').notNull().default(0),
    failures: integer('failures').notNull().default(0),
    inputTokens: bigint('input_tokens', { mode: 'number' }).notNull().default(0),
    outputTokens: bigint('output_tokens', { mode: 'number' }).notNull().default(0),
    costMicros: bigint('cost_micros', { mode: 'number' }).notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.day, t.purpose, t.assistantId, t.integrationId] })],
)

/** Months in which people were told that the budget nears its end. */
export const aiWarnings = tenantLink('ai_warnings', { month: date('month').notNull() }, (t) => [
  primaryKey({ columns: [t.tenantId, t.month] }),
])

/** Speech of a message that is to be written down; its words then stand in the message. `id` is the message's. */
export const audioTranscripts = tenantTable(
  'audio_transcripts',
  {
    ticketId: uuid('ticket_id').notNull(),
    /** Its place in the conversation. */
    seq: bigint('seq', { mode: 'number' }).notNull(),
    state: text('state', { enum: ['waiting', 'done', 'failed'] })
      .notNull()
      .default('waiting'),
    attempts: integer('attempts').notNull().default(0),
    dueAt: moment('due_at').notNull().defaultNow(),
    error: text('error'),
    integrationId: uuid('integration_id'),
    createdAt: createdAt(),
    doneAt: moment('done_at'),
  },
  (t) => [
    index('audio_transcripts_due').on(t.tenantId, t.dueAt).where(sql`${t.state} = 'waiting'`),
    index('audio_transcripts_waiting').on(t.tenantId, t.ticketId, t.seq).where(sql`${t.state} = 'waiting'`),
    refers(t, t.id, () => messages, 'cascade'),
    refers(t, t.ticketId, () => tickets, 'cascade'),
  ],
)
