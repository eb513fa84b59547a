import {
  type CampaignWrite,
  campaignOrigins,
  campaignStates,
  pauseCodes,
  recipientStates,
} from '@balcao/contract/operations/campaigns/campaigns.ts'
import { opportunityStatuses } from '@balcao/contract/sales/opportunities.ts'
import { sql } from 'drizzle-orm'
import { bigint, index, integer, jsonb, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { connections } from '../channels/connections.ts'
import { moment, refers, tenantLink, tenantTable, versioned } from '../columns.ts'
import { contacts } from '../contacts/contacts.ts'
import { files } from '../core/files.ts'
import { users } from '../people/users.ts'
import { opportunities } from '../sales/funnel.ts'

type Plan = Omit<CampaignWrite, 'name' | 'origin' | 'purpose' | 'connectionIds' | 'startsAt' | 'endsAt'>

/** Counts of the ten minutes that began at `at`. */
export type BrakeBase = { at: string; sent: number; failed: number; optedOut: number; complaints: number }

/** One message, or a sequence, to many: who, what, by which connections, how fast and when. */
export const campaigns = tenantTable(
  'campaigns',
  {
    name: text('name').notNull(),
    origin: text('origin', { enum: campaignOrigins }).notNull().default('campaign'),
    purpose: text('purpose', { enum: ['service', 'marketing', 'research'] }).notNull(),
    state: text('state', { enum: campaignStates }).notNull().default('draft'),
    connectionIds: uuid('connection_ids').array().notNull().default(sql`'{}'`),
    /** Audience, steps, window, pace, answer, canary and brake, as the contract has them. */
    plan: jsonb('plan').$type<Plan>().notNull(),
    startsAt: moment('starts_at'),
    endsAt: moment('ends_at'),
    pauseCode: text('pause_code', { enum: pauseCodes }),
    pauseText: text('pause_text'),
    pausedAt: moment('paused_at'),
    /** The contact up to whom its audience is frozen; null: whole. */
    preparedUpTo: uuid('prepared_up_to'),
    /** When it was frozen whole. */
    preparedAt: moment('prepared_at'),
    /** Variant that won the test of each step, as they are known. */
    winners: jsonb('winners').$type<Record<string, number>>().notNull().default({}),
    /** When its loop looks at it again: preparing, canary, test, late joiners, end. */
    dueAt: moment('due_at'),
    /** Nothing of it is written before: its hours are over until then. */
    restsUntil: moment('rests_until'),
    /** So many more may be written before it waits for somebody to go on; null: all of them. */
    canaryLeft: integer('canary_left'),
    /** What the brake had counted when somebody went on all the same: it counts from there. */
    brakeBase: jsonb('brake_base').$type<BrakeBase>(),
    createdBy: uuid('created_by'),
    /** Who asked for approval, which somebody else gives. */
    askedBy: uuid('asked_by'),
    approvedBy: uuid('approved_by'),
    startedAt: moment('started_at'),
    finishedAt: moment('finished_at'),
    ...versioned(),
  },
  (t) => [
    index('campaigns_recent').on(t.tenantId, t.createdAt, t.id),
    index('campaigns_state').on(t.tenantId, t.state, t.createdAt, t.id),
    // Those the loop of all companies has something to do with.
    index('campaigns_due').on(t.dueAt).where(sql`${t.state} in ('scheduled', 'preparing', 'running', 'paused')`),
    refers(t, t.createdBy, () => users),
    refers(t, t.askedBy, () => users),
    refers(t, t.approvedBy, () => users),
  ],
)

/** A recipient of one step of a campaign: the row is the queue, and then the record of what became of it. */
export const campaignRecipients = tenantTable(
  'campaign_recipients',
  {
    campaignId: uuid('campaign_id').notNull(),
    step: integer('step').notNull().default(0),
    contactId: uuid('contact_id').notNull(),
    connectionId: uuid('connection_id'),
    /** Null until it is chosen: what is left of a test takes the winner. */
    variant: integer('variant'),
    /** What a list says of this one, by heading. */
    vars: jsonb('vars').$type<Record<string, string>>(),
    state: text('state', { enum: recipientStates }).notNull().default('waiting'),
    /** As `keptSkip` has it. */
    reason: text('reason'),
    error: text('error'),
    /** The first of its messages: the others follow it. */
    messageId: uuid('message_id'),
    /** Of what is sent to it, in hundredths of a cent; null: no price is known. */
    cost: integer('cost'),
    /** Its turn comes no sooner. */
    dueAt: moment('due_at').notNull().defaultNow(),
    sentAt: moment('sent_at'),
    deliveredAt: moment('delivered_at'),
    readAt: moment('read_at'),
    failedAt: moment('failed_at'),
    answeredAt: moment('answered_at'),
    optedOutAt: moment('opted_out_at'),
    complainedAt: moment('complained_at'),
  },
  (t) => [
    uniqueIndex('campaign_recipients_once').on(t.tenantId, t.campaignId, t.step, t.contactId),
    // The next of each campaign, connection and step, however many wait behind it; what is left of a test waits apart.
    index('campaign_recipients_waiting')
      .on(
        t.tenantId,
        t.campaignId,
        t.connectionId,
        t.step,
        sql`(case when ${t.variant} is null then 1 else 0 end)`,
        t.dueAt,
        t.id,
      )
      .where(sql`${t.state} = 'waiting'`),
    index('campaign_recipients_page').on(t.tenantId, t.campaignId, t.state, t.id),
    // Few answer, and one wants to see who.
    index('campaign_recipients_answered')
      .on(t.tenantId, t.campaignId, t.state, t.id)
      .where(sql`${t.answeredAt} is not null`),
    index('campaign_recipients_opted_out')
      .on(t.tenantId, t.campaignId, t.state, t.id)
      .where(sql`${t.optedOutAt} is not null`),
    uniqueIndex('campaign_recipients_message').on(t.tenantId, t.messageId).where(sql`${t.messageId} is not null`),
    // Whose answer it is.
    index('campaign_recipients_contact')
      .on(t.tenantId, t.contactId, t.connectionId, t.sentAt)
      .where(sql`${t.sentAt} is not null`),
    refers(t, t.contactId, () => contacts, 'cascade'),
    // Its campaign and connection are not asked of each row: a million took ten seconds more. Whoever deletes a campaign deletes
    // its rows first, and connections stay as rows.
  ],
)

/** Files that what a campaign says refers to: they stay as long as it does. */
export const campaignFiles = tenantTable(
  'campaign_files',
  { campaignId: uuid('campaign_id').notNull(), mediaId: uuid('media_id').notNull() },
  (t) => [
    uniqueIndex('campaign_files_once').on(t.tenantId, t.campaignId, t.mediaId),
    refers(t, t.campaignId, () => campaigns, 'cascade'),
    refers(t, t.mediaId, () => files),
  ],
)

/** Since when a campaign may write again by one of its connections, and how much it wrote today. */
export const campaignPaces = tenantLink(
  'campaign_paces',
  {
    campaignId: uuid('campaign_id').notNull(),
    connectionId: uuid('connection_id').notNull(),
    nextAt: moment('next_at').notNull().defaultNow(),
    writtenOn: text('written_on'),
    writtenToday: integer('written_today').notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.campaignId, t.connectionId] }),
    refers(t, t.campaignId, () => campaigns, 'cascade'),
    refers(t, t.connectionId, () => connections, 'cascade'),
  ],
)

/**
 * How many recipients passed each mark, kept as they pass by a trigger: by step, variant, connection and ten minutes. A
 * database session adds to rows of its own, so that none waits for another; the loop folds them together.
 */
export const campaignTallies = tenantLink(
  'campaign_tallies',
  {
    campaignId: uuid('campaign_id').notNull(),
    step: integer('step').notNull(),
    /** -1: none was chosen. */
    variant: integer('variant').notNull(),
    /** Zeros: none was chosen. */
    connectionId: uuid('connection_id').notNull(),
    /**
     * `total`, `written`, `sent` (what failed later is not in it), `delivered`, `read`, `answered`, `optedOut`,
     * `complaints`, `uncertain`, `cost`; `failed:` with what the provider said, `skipped:` with the reason as recipients keep it.
     */
    mark: text('mark').notNull(),
    /** The ten minutes it was passed in; 1970 where that is of no interest. */
    at: moment('at').notNull(),
    /** The session that adds to it; 0: folded. */
    writer: integer('writer').notNull(),
    count: bigint('count', { mode: 'number' }).notNull(),
  },
  (t) => [
    primaryKey({
      name: 'campaign_tallies_pk',
      columns: [t.tenantId, t.campaignId, t.writer, t.step, t.variant, t.connectionId, t.mark, t.at],
    }),
    // What is not folded together yet, of all companies.
    index('campaign_tallies_fresh').on(t.tenantId, t.campaignId).where(sql`${t.writer} <> 0`),
    refers(t, t.campaignId, () => campaigns, 'cascade'),
  ],
)

/**
 * Opportunities that began after a campaign had written to their contact, within the days in which an answer counts. Triggers
 * write them down as they begin (`attribute_orders`), and keep what the report sums as it changes.
 */
export const campaignOrders = tenantLink(
  'campaign_orders',
  {
    campaignId: uuid('campaign_id').notNull(),
    opportunityId: uuid('opportunity_id').notNull(),
    /** The last send before it. */
    recipientId: uuid('recipient_id').notNull(),
    /** What follows stands in the opportunity too. */
    status: text('status', { enum: opportunityStatuses }).notNull(),
    value: bigint('value', { mode: 'number' }).notNull(),
    createdAt: moment('created_at').notNull(),
  },
  (t) => [
    primaryKey({ name: 'campaign_orders_pk', columns: [t.tenantId, t.opportunityId, t.campaignId] }),
    index('campaign_orders_recent').on(t.tenantId, t.campaignId, t.createdAt, t.opportunityId),
    index('campaign_orders_recipient').on(t.tenantId, t.recipientId),
    refers(t, t.campaignId, () => campaigns, 'cascade'),
    refers(t, t.opportunityId, () => opportunities, 'cascade'),
    // Its recipient is not asked: deleting a million of them would look here for each. They go with their contact, whose
    // opportunities go too, or with the campaign.
  ],
)
