import { authorKinds } from '@balcao/contract/conversations/authors.ts'
import { priorities } from '@balcao/contract/conversations/urgency.ts'
import { mailRhythms } from '@balcao/contract/operations/reports/views.ts'
import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, jsonb, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { moment, refers, tenantLink, tenantTable, versioned } from '../columns.ts'
import { tickets } from '../conversations/tickets.ts'
import { users } from '../people/users.ts'

/** Who had a conversation since when, in which queue. */
export type Owner = { at: string; userId: string | null; queueId: string | null }

/**
 * Facts of conversations: one row for each episode, from when a ticket was opened, or opened again, to when it was
 * closed. Follows from the ticket, its history and messages, and from nothing else: `readEpisodes` makes the same rows
 * again. Rows it names (queues, people, reasons, tags) may be gone since: the facts stay. Seconds are whole; those of
 * business time are of the hours that held when they were counted. What nobody has to work on (groups, hidden
 * conversations, history from before the channel came) has no episode.
 */
export const ticketEpisodes = tenantTable(
  'ticket_episodes',
  {
    ticketId: uuid('ticket_id').notNull(),
    /** 1: since it was created. */
    ordinal: integer('ordinal').notNull(),
    /** The episode before it. */
    reopenedFrom: uuid('reopened_from'),
    contactId: uuid('contact_id').notNull(),
    connectionId: uuid('connection_id').notNull(),
    channel: text('channel').notNull(),
    queueId: uuid('queue_id'),
    /** Who has it, or had it last. */
    userId: uuid('user_id'),
    firstAnsweredBy: uuid('first_answered_by'),
    /** Null: nobody of the team. */
    closedBy: uuid('closed_by'),
    tagIds: uuid('tag_ids').array().notNull().default(sql`'{}'`),
    reasonId: uuid('reason_id'),
    priority: text('priority', { enum: priorities }).notNull(),
    /** Negotiated value, in cents. */
    value: bigint('value', { mode: 'number' }),
    /** `contact`: the customer wrote; `user`: we did. */
    openedByKind: text('opened_by_kind', { enum: authorKinds }).notNull(),
    /** Null while it is active. */
    closedByKind: text('closed_by_kind', { enum: authorKinds }),
    /** It ended in another ticket, where its messages are counted. */
    isMerged: boolean('is_merged').notNull().default(false),
    openedAt: moment('opened_at').notNull(),
    /** A person began to work on it. */
    acceptedAt: moment('accepted_at'),
    /** By a person. Of an episode that was opened again, known once it has closed. */
    firstAnsweredAt: moment('first_answered_at'),
    /** Null while it is active. */
    closedAt: moment('closed_at'),
    /** From opening to acceptance, where the customer opened it. */
    waitS: integer('wait_s'),
    waitBusinessS: integer('wait_business_s'),
    /** From opening to the first answer, where the customer opened it. */
    firstAnswerS: integer('first_answer_s'),
    firstAnswerBusinessS: integer('first_answer_business_s'),
    /** From acceptance to closing, without pauses. */
    handlingS: integer('handling_s'),
    handlingBusinessS: integer('handling_business_s'),
    /** Of all of it; like the two that follow, known once it has closed. */
    pausedS: integer('paused_s'),
    pausedBusinessS: integer('paused_business_s'),
    /** From opening to closing, with pauses. */
    resolutionS: integer('resolution_s'),
    resolutionBusinessS: integer('resolution_business_s'),
    transfers: integer('transfers').notNull().default(0),
    /** While it was active; known once it has closed. */
    messagesIn: integer('messages_in'),
    messagesOut: integer('messages_out'),
    owners: jsonb('owners').$type<Owner[]>().notNull(),
    firstAnswerDueAt: moment('first_answer_due_at'),
    resolutionDueAt: moment('resolution_due_at'),
    /** Null: nothing was promised, or it is not over. */
    isFirstAnswerMet: boolean('is_first_answer_met'),
    isResolutionMet: boolean('is_resolution_met'),
    grade: integer('grade'),
  },
  (t) => [
    uniqueIndex('ticket_episodes_ticket').on(t.tenantId, t.ticketId, t.ordinal),
    // With what reports add up beside the key (its migration says what): read alone, it is half of the table.
    index('ticket_episodes_opened').on(t.tenantId, t.openedAt, t.id),
    index('ticket_episodes_closed').on(t.tenantId, t.closedAt, t.id),
    // Read whole and alone to know who came back.
    index('ticket_episodes_of_contact').on(t.tenantId, t.contactId, t.openedAt).where(sql`not ${t.isMerged}`),
    refers(t, t.ticketId, () => tickets, 'cascade'),
  ],
)

const amount = (name: string) => bigint(name, { mode: 'number' }).notNull()
/**
 * What the episodes of an hour add up to, by when they were opened and by when they were closed, for each value of each
 * dimension (`all`: of all of them; a key that is empty: of none). Kept by triggers on the episodes, in the transaction that
 * writes those; what an episode adds and under which keys stands in `episode_parts` and `episode_keys`.
 */
export const episodeSums = tenantLink(
  'episode_sums',
  {
    moment: text('moment', { enum: ['opened', 'closed'] }).notNull(),
    dimension: text('dimension').notNull(),
    /** Its beginning. */
    hour: moment('hour').notNull(),
    key: text('key').notNull(),
    tickets: integer('tickets').notNull(),
    receptive: integer('receptive').notNull(),
    closed: integer('closed').notNull(),
    waiting: integer('waiting').notNull(),
    reopened: integer('reopened').notNull(),
    transferred: integer('transferred').notNull(),
    transfers: integer('transfers').notNull(),
    waits: integer('waits').notNull(),
    waitS: amount('wait_s'),
    waitBusinessS: amount('wait_business_s'),
    firstAnswers: integer('first_answers').notNull(),
    firstAnswerS: amount('first_answer_s'),
    firstAnswerBusinessS: amount('first_answer_business_s'),
    handlings: integer('handlings').notNull(),
    handlingS: amount('handling_s'),
    handlingBusinessS: amount('handling_business_s'),
    resolutions: integer('resolutions').notNull(),
    resolutionS: amount('resolution_s'),
    resolutionBusinessS: amount('resolution_business_s'),
    pausedS: amount('paused_s'),
    pausedBusinessS: amount('paused_business_s'),
    firstAnswersDue: integer('first_answers_due').notNull(),
    firstAnswersMet: integer('first_answers_met').notNull(),
    resolutionsDue: integer('resolutions_due').notNull(),
    resolutionsMet: integer('resolutions_met').notNull(),
    unanswered: integer('unanswered').notNull(),
    messagesIn: amount('messages_in'),
    messagesOut: amount('messages_out'),
    graded: integer('graded').notNull(),
    grade: integer('grade').notNull(),
    valued: integer('valued').notNull(),
    value: amount('value'),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.moment, t.dimension, t.hour, t.key] })],
)

/**
 * Tickets whose facts are to be read again: written by triggers, gone within seconds. Without a reference or a key, so
 * that whoever changes a ticket pays for nothing but the row, and never waits for whoever reads.
 */
export const episodeMarks = tenantTable('episode_marks', { ticketId: uuid('ticket_id').notNull() })

/** Ended pauses of tickets, written by a trigger whoever ends them. They may overlap where a closing was taken back. */
export const ticketPauses = tenantTable(
  'ticket_pauses',
  {
    ticketId: uuid('ticket_id').notNull(),
    startedAt: moment('started_at').notNull(),
    endedAt: moment('ended_at').notNull(),
  },
  (t) => [index('ticket_pauses_ticket').on(t.tenantId, t.ticketId), refers(t, t.ticketId, () => tickets, 'cascade')],
)

/** What a ticket that is opened again was like while it was closed, written by a trigger. */
export const ticketClosings = tenantTable(
  'ticket_closings',
  {
    ticketId: uuid('ticket_id').notNull(),
    closedAt: moment('closed_at').notNull(),
    reopenedAt: moment('reopened_at').notNull(),
    firstAnswerDueAt: moment('first_answer_due_at'),
    resolutionDueAt: moment('resolution_due_at'),
    value: bigint('value', { mode: 'number' }),
    priority: text('priority', { enum: priorities }).notNull(),
    tagIds: uuid('tag_ids').array().notNull(),
  },
  (t) => [index('ticket_closings_ticket').on(t.tenantId, t.ticketId), refers(t, t.ticketId, () => tickets, 'cascade')],
)

/** A report with its filters under a name, and when it is sent by mail. */
export const reportViews = tenantTable(
  'report_views',
  {
    name: text('name').notNull(),
    userId: uuid('user_id').notNull(),
    report: text('report').notNull(),
    isShared: boolean('is_shared').notNull().default(false),
    /** The filters as they stand in the address of the screen. */
    query: text('query').notNull().default(''),
    mailEvery: text('mail_every', { enum: mailRhythms }).notNull().default('never'),
    mailTo: text('mail_to').array().notNull().default(sql`'{}'`),
    /** When it is sent next; null: never. */
    mailAt: moment('mail_at'),
    ...versioned(),
  },
  (t) => [
    uniqueIndex('report_views_name').on(t.tenantId, t.userId, sql`lower(${t.name})`),
    index('report_views_shared').on(t.tenantId, t.isShared, t.name),
    // Asked of all companies at once.
    index('report_views_due').on(t.mailAt).where(sql`${t.mailAt} is not null`),
    refers(t, t.userId, () => users, 'cascade'),
  ],
)
