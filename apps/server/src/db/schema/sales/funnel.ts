import { goalMeasures } from '@balcao/contract/sales/goals.ts'
import {
  type OpportunityItem,
  opportunityMoveKinds,
  opportunityStatuses,
} from '@balcao/contract/sales/opportunities.ts'
import { outcomes, type StageRequirement } from '@balcao/contract/sales/pipelines.ts'
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  date,
  doublePrecision,
  index,
  integer,
  jsonb,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { createdAt, moment, refers, tenantTable, updatedAt, versioned } from '../columns.ts'
import { contacts } from '../contacts/contacts.ts'
import { files } from '../core/files.ts'
import { users } from '../people/users.ts'

export const pipelines = tenantTable(
  'pipelines',
  {
    name: text('name').notNull(),
    position: integer('position').notNull(),
    isActive: boolean('is_active').notNull().default(true),
    ...versioned(),
  },
  (t) => [uniqueIndex('pipelines_name').on(t.tenantId, sql`lower(${t.name})`)],
)

export const stages = tenantTable(
  'stages',
  {
    pipelineId: uuid('pipeline_id').notNull(),
    name: text('name').notNull(),
    color: text('color').notNull(),
    position: integer('position').notNull(),
    probability: integer('probability').notNull(),
    rotDays: integer('rot_days'),
    requires: text('requires').array().$type<StageRequirement[]>().notNull().default(sql`'{}'`),
    ...versioned(),
  },
  (t) => [
    uniqueIndex('stages_name').on(t.tenantId, t.pipelineId, sql`lower(${t.name})`),
    refers(t, t.pipelineId, () => pipelines, 'cascade'),
  ],
)

export const outcomeReasons = tenantTable(
  'outcome_reasons',
  {
    name: text('name').notNull(),
    outcome: text('outcome', { enum: outcomes }).notNull(),
    isActive: boolean('is_active').notNull().default(true),
    ...versioned(),
  },
  (t) => [uniqueIndex('outcome_reasons_name').on(t.tenantId, t.outcome, sql`lower(${t.name})`)],
)

export const opportunities = tenantTable(
  'opportunities',
  {
    name: text('name').notNull(),
    pipelineId: uuid('pipeline_id').notNull(),
    stageId: uuid('stage_id').notNull(),
    /** Cards of a stage stand from the smallest to the largest. */
    position: doublePrecision('position').notNull(),
    contactId: uuid('contact_id').notNull(),
    responsibleId: uuid('responsible_id'),
    closingForecast: date('closing_forecast'),
    /** In cents. */
    value: bigint('value', { mode: 'number' }).notNull().default(0),
    description: text('description').notNull().default(''),
    source: text('source').notNull().default(''),
    items: jsonb('items').$type<OpportunityItem[]>().notNull().default([]),
    status: text('status', { enum: opportunityStatuses }).notNull().default('open'),
    reasonId: uuid('reason_id'),
    stageSince: moment('stage_since').notNull().defaultNow(),
    closedAt: moment('closed_at'),
    createdBy: uuid('created_by'),
    ...versioned(),
  },
  (t) => [
    index('opportunities_in_stage').on(t.tenantId, t.stageId, t.stageSince).where(sql`${t.status} = 'open'`),
    index('opportunities_board').on(t.tenantId, t.stageId, t.status, t.position, t.id),
    index('opportunities_recent').on(t.tenantId, t.createdAt, t.id),
    index('opportunities_forecast').on(t.tenantId, t.closingForecast, t.id),
    index('opportunities_value').on(t.tenantId, t.value, t.id),
    index('opportunities_closed').on(t.tenantId, t.pipelineId, t.closedAt).where(sql`${t.closedAt} is not null`),
    index('opportunities_contact').on(t.tenantId, t.contactId),
    index('opportunities_responsible').on(t.tenantId, t.responsibleId),
    index('opportunities_name').using('gin', t.tenantId, sql`norm(${t.name}) gin_trgm_ops`),
    refers(t, t.pipelineId, () => pipelines),
    refers(t, t.stageId, () => stages),
    refers(t, t.contactId, () => contacts, 'cascade'),
    refers(t, t.responsibleId, () => users),
    refers(t, t.reasonId, () => outcomeReasons),
    refers(t, t.createdBy, () => users),
  ],
)

/** What was done to an opportunity, and when: its timeline, and what conversion and age are counted from. */
export const opportunityMoves = tenantTable(
  'opportunity_moves',
  {
    opportunityId: uuid('opportunity_id').notNull(),
    kind: text('kind', { enum: opportunityMoveKinds }).notNull(),
    /** Ids of stages and people, states, cents, days; of the others their words. */
    from: text('from_value'),
    to: text('to_value'),
    userId: uuid('user_id'),
    /** What did it by itself. */
    rule: text('rule'),
    at: createdAt(),
  },
  (t) => [
    index('opportunity_moves_of').on(t.tenantId, t.opportunityId, t.id),
    index('opportunity_moves_entered').on(t.tenantId, t.to, t.at).where(sql`${t.kind} in ('created', 'stage')`),
    refers(t, t.opportunityId, () => opportunities, 'cascade'),
    refers(t, t.userId, () => users),
  ],
)

/** What of an opportunity was offered, as it was then. The secret of its public address is kept as a fingerprint. */
export const proposals = tenantTable(
  'proposals',
  {
    opportunityId: uuid('opportunity_id').notNull(),
    number: integer('number').notNull(),
    text: text('text').notNull().default(''),
    items: jsonb('items').$type<OpportunityItem[]>().notNull(),
    value: bigint('value', { mode: 'number' }).notNull(),
    hash: text('hash').notNull(),
    userId: uuid('user_id'),
    expiresAt: moment('expires_at').notNull(),
    revokedAt: moment('revoked_at'),
    acceptedAt: moment('accepted_at'),
    acceptedName: text('accepted_name'),
    acceptedIp: text('accepted_ip'),
    acceptedUserAgent: text('accepted_user_agent'),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('proposals_number').on(t.tenantId, t.number),
    uniqueIndex('proposals_hash').on(t.tenantId, t.hash),
    index('proposals_of').on(t.tenantId, t.opportunityId, t.id),
    refers(t, t.opportunityId, () => opportunities, 'cascade'),
    refers(t, t.userId, () => users),
  ],
)

export const opportunityFiles = tenantTable(
  'opportunity_files',
  {
    opportunityId: uuid('opportunity_id').notNull(),
    mediaId: uuid('media_id').notNull(),
    userId: uuid('user_id'),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('opportunity_files_once').on(t.tenantId, t.opportunityId, t.mediaId),
    index('opportunity_files_media').on(t.tenantId, t.mediaId),
    refers(t, t.opportunityId, () => opportunities, 'cascade'),
    refers(t, t.mediaId, () => files),
    refers(t, t.userId, () => users),
  ],
)

/** What is to be won in a month: of one person, or of the team. */
export const funnelGoals = tenantTable(
  'funnel_goals',
  {
    pipelineId: uuid('pipeline_id').notNull(),
    /** Null: of the team. */
    userId: uuid('user_id'),
    /** Its first day. */
    month: date('month').notNull(),
    /** In cents, or a number of wins. */
    measure: text('measure', { enum: goalMeasures }).notNull(),
    target: bigint('target', { mode: 'number' }).notNull(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('funnel_goals_one')
      .on(t.tenantId, t.pipelineId, t.month, t.userId, t.measure)
      .where(sql`${t.userId} is not null`),
    uniqueIndex('funnel_goals_team').on(t.tenantId, t.pipelineId, t.month, t.measure).where(sql`${t.userId} is null`),
    index('funnel_goals_user').on(t.tenantId, t.userId),
    refers(t, t.pipelineId, () => pipelines, 'cascade'),
    refers(t, t.userId, () => users, 'cascade'),
  ],
)
