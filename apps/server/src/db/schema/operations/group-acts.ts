import { groupActStates, type PersonResult, type PlannedAct } from '@balcao/contract/operations/group-acts.ts'
import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { connections } from '../channels/connections.ts'
import { moment, refers, tenantLink, tenantTable } from '../columns.ts'
import { contacts } from '../contacts/contacts.ts'
import { files } from '../core/files.ts'
import { bulkJobs } from './bulk-jobs.ts'

/** One group of a job over groups: what is to be done to it, what became of it, and what was there before. */
export const groupActRows = tenantTable(
  'group_act_rows',
  {
    jobId: uuid('job_id').notNull(),
    place: integer('place').notNull(),
    connectionId: uuid('connection_id').notNull(),
    /** Null until a group that is to be created exists. */
    groupId: uuid('group_id'),
    name: text('name').notNull(),
    act: jsonb('act').$type<PlannedAct>().notNull(),
    state: text('state', { enum: groupActStates }).notNull().default('waiting'),
    reason: text('reason'),
    people: jsonb('people').$type<PersonResult[]>().notNull().default([]),
    inviteUrl: text('invite_url'),
    /** What takes it back. */
    undo: jsonb('undo').$type<PlannedAct>(),
    /** The picture it puts there, and the one that was there. */
    mediaId: uuid('media_id'),
    undoMediaId: uuid('undo_media_id'),
    /** Its job has taken note of what became of it. */
    isCounted: boolean('is_counted').notNull().default(false),
    attempts: integer('attempts').notNull().default(0),
    dueAt: moment('due_at').notNull().defaultNow(),
    claimedAt: moment('claimed_at'),
    doneAt: moment('done_at'),
  },
  (t) => [
    index('group_act_rows_of_job').on(t.tenantId, t.jobId, t.place),
    // The loop asks for all companies at once, connection by connection.
    index('group_act_rows_todo').on(t.tenantId, t.connectionId, t.dueAt).where(sql`${t.state} in ('waiting', 'doing')`),
    refers(t, t.jobId, () => bulkJobs, 'cascade'),
    refers(t, t.connectionId, () => connections, 'cascade'),
    refers(t, t.groupId, () => contacts, 'cascade'),
    refers(t, t.mediaId, () => files),
    refers(t, t.undoMediaId, () => files),
  ],
)

/** When a connection may act on its next group: acts of several jobs keep one pace. */
export const groupPace = tenantLink(
  'group_pace',
  { connectionId: uuid('connection_id').notNull(), nextAt: moment('next_at').notNull() },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.connectionId] }),
    refers(t, t.connectionId, () => connections, 'cascade'),
  ],
)
