import type { TemplateUse } from '@balcao/contract/channels/templates.ts'
import type { Action } from '@balcao/contract/conversations/actions/index.ts'
import { pipelineActionTypes, ticketActionTypes } from '@balcao/contract/operations/funnel-actions.ts'
import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { chatFlows } from '../automation/flows.ts'
import { connections } from '../channels/connections.ts'
import { createdAt, moment, refers, tenantTable, versioned } from '../columns.ts'
import { tickets } from '../conversations/tickets.ts'
import { opportunities, outcomeReasons, pipelines, stages } from '../sales/funnel.ts'

const shared = () => ({
  name: text('name').notNull(),
  description: text('description').notNull().default(''),
  active: boolean('active').notNull(),
  whatsappId: uuid('connection_id'),
  /** At most one: the message, the tag or the wallet. */
  actions: jsonb('actions').$type<Action[]>().notNull().default([]),
  /** When it is to be asked next whom it touches. */
  lookAt: moment('look_at').notNull().defaultNow(),
})

/** What is done to an opportunity that has stood so many days in a stage. */
export const pipelineActions = tenantTable(
  'pipeline_actions',
  {
    ...shared(),
    pipelineId: uuid('pipeline_id').notNull(),
    stageId: uuid('stage_id').notNull(),
    actionType: text('action_type', { enum: pipelineActionTypes }).notNull(),
    daysToTrigger: integer('days_to_trigger').notNull(),
    position: integer('position').notNull(),
    template: jsonb('template').$type<TemplateUse>(),
    targetStageId: uuid('target_stage_id'),
    targetStatus: text('target_status', { enum: ['win', 'lose'] }),
    reasonId: uuid('reason_id'),
    chatFlowId: uuid('chat_flow_id'),
    ...versioned(),
  },
  (t) => [
    index('pipeline_actions_stage').on(t.tenantId, t.stageId),
    // Asked of all companies at once.
    index('pipeline_actions_due').on(t.lookAt).where(sql`${t.active}`),
    refers(t, t.pipelineId, () => pipelines, 'cascade'),
    refers(t, t.stageId, () => stages, 'cascade'),
    refers(t, t.targetStageId, () => stages),
    refers(t, t.reasonId, () => outcomeReasons),
    refers(t, t.whatsappId, () => connections),
    refers(t, t.chatFlowId, () => chatFlows),
  ],
)

/** What is done to a conversation whose customer has been silent so long. */
export const ticketActions = tenantTable(
  'ticket_actions',
  {
    ...shared(),
    actionType: text('action_type', { enum: ticketActionTypes }).notNull(),
    hoursWithoutResponse: integer('hours_without_response').notNull(),
    startedAt: moment('started_at'),
    ...versioned(),
  },
  (t) => [index('ticket_actions_due').on(t.lookAt).where(sql`${t.active}`), refers(t, t.whatsappId, () => connections)],
)

/**
 * An action that met an opportunity or a conversation: the row is the queue, and then the log. One of each action for each
 * stay in the stage, or each silence. The action has no reference: it may go, and what it did stays.
 */
export const funnelActionRuns = tenantTable(
  'funnel_action_runs',
  {
    actionId: uuid('action_id').notNull(),
    actionName: text('action_name').notNull(),
    actionType: text('action_type', { enum: pipelineActionTypes }).notNull(),
    /** Among those that are due together. */
    position: integer('position').notNull().default(0),
    opportunityId: uuid('opportunity_id'),
    ticketId: uuid('ticket_id'),
    /** When it came to the stage, or the customer last wrote. */
    visitAt: moment('visit_at').notNull(),
    state: text('state', { enum: ['waiting', 'done', 'skipped', 'failed'] })
      .notNull()
      .default('waiting'),
    problem: text('problem'),
    /** The message waits there for its turn; it has no reference: that row may go first. */
    audienceId: uuid('audience_id'),
    attempts: integer('attempts').notNull().default(0),
    attemptAt: moment('attempt_at').notNull().defaultNow(),
    createdAt: createdAt(),
    doneAt: moment('done_at'),
  },
  (t) => [
    uniqueIndex('funnel_action_runs_opportunity')
      .on(t.tenantId, t.actionId, t.opportunityId, t.visitAt)
      .where(sql`${t.opportunityId} is not null`),
    uniqueIndex('funnel_action_runs_ticket')
      .on(t.tenantId, t.actionId, t.ticketId, t.visitAt)
      .where(sql`${t.ticketId} is not null`),
    index('funnel_action_runs_waiting').on(t.attemptAt).where(sql`${t.state} = 'waiting'`),
    index('funnel_action_runs_recent').on(t.tenantId, t.createdAt, t.id),
    index('funnel_action_runs_of_opportunity').on(t.tenantId, t.opportunityId),
    index('funnel_action_runs_of_ticket').on(t.tenantId, t.ticketId),
    index('funnel_action_runs_audience').on(t.tenantId, t.audienceId).where(sql`${t.audienceId} is not null`),
    check('funnel_action_runs_target', sql`(${t.opportunityId} is null) <> (${t.ticketId} is null)`),
    refers(t, t.opportunityId, () => opportunities, 'cascade'),
    refers(t, t.ticketId, () => tickets, 'cascade'),
  ],
)
