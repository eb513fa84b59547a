import { voiceCallStatuses } from '@balcao/contract/automation/voice-calls.ts'
import { sql } from 'drizzle-orm'
import { boolean, doublePrecision, index, integer, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, moment, refers, tenantTable } from '../columns.ts'
import { tickets } from '../conversations/tickets.ts'
import { files } from '../core/files.ts'
import { users } from '../people/users.ts'

/**
 * A phone call of a voice assistant. It is written before it is placed; what is told of it by whichever way comes first moves
 * it forward, and its result is written into the conversation once. It outlives the account it was made with.
 */
export const voiceCalls = tenantTable(
  'voice_calls',
  {
    integrationId: uuid('integration_id').notNull(),
    ticketId: uuid('ticket_id'),
    userId: uuid('user_id'),
    direction: text('direction', { enum: ['outbound', 'inbound'] })
      .notNull()
      .default('outbound'),
    name: text('name').notNull().default(''),
    number: text('number').notNull(),
    assistantId: text('assistant_id').notNull(),
    phoneNumberId: text('phone_number_id').notNull(),
    status: text('status', { enum: voiceCallStatuses }).notNull().default('queued'),
    problem: text('problem'),
    /** The provider was asked: it may ring although no answer came back. */
    askedAt: moment('asked_at'),
    providerId: text('provider_id'),
    endedReason: text('ended_reason'),
    startedAt: moment('started_at'),
    endedAt: moment('ended_at'),
    summary: text('summary').notNull().default(''),
    transcript: text('transcript').notNull().default(''),
    costUsd: doublePrecision('cost_usd'),
    hasRecording: boolean('has_recording').notNull().default(false),
    recordingId: uuid('recording_media_id'),
    /** The report is whole: nothing more is to come. */
    isWhole: boolean('is_whole').notNull().default(false),
    /** When it is looked at again; null: never. */
    dueAt: moment('due_at').defaultNow(),
    attempts: integer('attempts').notNull().default(0),
    /** Its result stands in the conversation. */
    toldAt: moment('told_at'),
    createdAt: createdAt(),
    version: integer('version').notNull().default(1),
  },
  (t) => [
    uniqueIndex('voice_calls_provider')
      .on(t.tenantId, t.integrationId, t.providerId)
      .where(sql`${t.providerId} is not null`),
    index('voice_calls_due').on(t.tenantId, t.dueAt).where(sql`${t.dueAt} is not null`),
    index('voice_calls_newest').on(t.tenantId, t.createdAt, t.id),
    index('voice_calls_ticket').on(t.tenantId, t.ticketId, t.createdAt),
    index('voice_calls_user').on(t.tenantId, t.userId),
    index('voice_calls_recording').on(t.tenantId, t.recordingId),
    refers(t, t.ticketId, () => tickets, 'cascade'),
    refers(t, t.userId, () => users),
    refers(t, t.recordingId, () => files),
  ],
)
