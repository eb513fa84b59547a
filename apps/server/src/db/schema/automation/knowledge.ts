import { gapStates, sourceKinds, sourceStates } from '@balcao/contract/automation/assistants/knowledge.ts'
import { sql } from 'drizzle-orm'
import { customType, index, integer, real, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, moment, refers, tenantTable, versioned } from '../columns.ts'
import { tickets } from '../conversations/tickets.ts'
import { files } from '../core/files.ts'
import { integrations } from '../core/integrations.ts'
import { assistants } from './assistants.ts'

export const knowledgeBases = tenantTable(
  'knowledge_bases',
  {
    name: text('name').notNull(),
    description: text('description').notNull().default(''),
    /** The account whose embeddings its passages are found by too; null: by words alone. */
    integrationId: uuid('integration_id'),
    ...versioned(),
  },
  (t) => [
    uniqueIndex('knowledge_bases_name').on(t.tenantId, sql`lower(${t.name})`),
    refers(t, t.integrationId, () => integrations),
  ],
)

/** A file, a page, a text or the quick messages: read by a worker into passages. */
export const knowledgeSources = tenantTable(
  'knowledge_sources',
  {
    baseId: uuid('base_id').notNull(),
    kind: text('kind', { enum: sourceKinds }).notNull(),
    name: text('name').notNull(),
    url: text('url'),
    mediaId: uuid('media_id'),
    body: text('body').notNull().default(''),
    refreshHours: integer('refresh_hours'),
    state: text('state', { enum: sourceStates }).notNull().default('waiting'),
    problem: text('problem'),
    attempts: integer('attempts').notNull().default(0),
    /** When it is to be read; null: not by itself. */
    dueAt: moment('due_at').defaultNow(),
    readAt: moment('read_at'),
    createdAt: createdAt(),
  },
  (t) => [
    index('knowledge_sources_base').on(t.tenantId, t.baseId, t.createdAt),
    // The reader asks for all companies at once.
    index('knowledge_sources_due').on(t.dueAt).where(sql`${t.dueAt} is not null`),
    index('knowledge_sources_media').on(t.tenantId, t.mediaId).where(sql`${t.mediaId} is not null`),
    refers(t, t.baseId, () => knowledgeBases, 'cascade'),
    refers(t, t.mediaId, () => files),
  ],
)

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })

/** A passage: what is found, and put before a model. */
export const knowledgeChunks = tenantTable(
  'knowledge_chunks',
  {
    baseId: uuid('base_id').notNull(),
    sourceId: uuid('source_id').notNull(),
    position: integer('position').notNull(),
    heading: text('heading').notNull().default(''),
    body: text('body').notNull(),
    folded: text('folded').generatedAlwaysAs(sql`norm(heading || ' ' || body)`),
    /** What it means to a model, and to which one: of another model they cannot be compared. */
    embedding: real('embedding').array(),
    embeddedBy: text('embedded_by'),
    words: tsvector('words').generatedAlwaysAs(sql`to_tsvector('portuguese', norm(heading || ' ' || body))`),
  },
  (t) => [
    index('knowledge_chunks_source').on(t.tenantId, t.sourceId, t.position),
    index('knowledge_chunks_base').on(t.tenantId, t.baseId),
    index('knowledge_chunks_words').using('gin', t.tenantId, t.words),
    refers(t, t.baseId, () => knowledgeBases, 'cascade'),
    refers(t, t.sourceId, () => knowledgeSources, 'cascade'),
  ],
)

/** What customers asked and nothing answered. */
export const knowledgeGaps = tenantTable(
  'knowledge_gaps',
  {
    question: text('question').notNull(),
    /** Its words alone: the same question is one row. */
    plain: text('plain').notNull(),
    times: integer('times').notNull().default(1),
    state: text('state', { enum: gapStates }).notNull().default('open'),
    assistantId: uuid('assistant_id'),
    ticketId: uuid('ticket_id'),
    lastAt: moment('last_at').notNull().defaultNow(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('knowledge_gaps_plain').on(t.tenantId, t.plain),
    index('knowledge_gaps_recent').on(t.tenantId, t.state, t.lastAt, t.id),
    refers(t, t.assistantId, () => assistants, 'cascade'),
    refers(t, t.ticketId, () => tickets, 'cascade'),
  ],
)
