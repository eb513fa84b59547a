import { taskPriorities, taskStatuses } from '@balcao/contract/operations/tasks.ts'
import { sql } from 'drizzle-orm'
import { foreignKey, index, integer, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, moment, refers, tenantTable, updatedAt } from '../columns.ts'
import { contacts } from '../contacts/contacts.ts'
import { tickets } from '../conversations/tickets.ts'
import { users } from '../people/users.ts'
import { opportunities } from '../sales/funnel.ts'

export const tasks = tenantTable(
  'tasks',
  {
    name: text('name').notNull(),
    description: text('description').notNull().default(''),
    limitDate: moment('limit_date'),
    /** Whose task it is, and who wrote it down. */
    ownerId: uuid('owner_id').notNull(),
    userId: uuid('user_id').notNull(),
    priority: text('priority', { enum: taskPriorities }).notNull().default('normal'),
    status: text('status', { enum: taskStatuses }).notNull().default('pending'),
    /** Days from one to the next; null: once. */
    recurrence: integer('recurrence'),
    /** The finished task this one follows: a task is followed once, however often it is finished. */
    previousId: uuid('previous_id'),
    ticketId: uuid('ticket_id'),
    contactId: uuid('contact_id'),
    opportunityId: uuid('opportunity_id'),
    doneAt: moment('done_at'),
    /** Minutes before the limit at which the owner is reminded; and when that is, until it has been done. */
    remindBefore: integer('remind_before'),
    remindAt: moment('remind_at'),
    remindedAt: moment('reminded_at'),
    version: integer('version').notNull().default(1),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('tasks_previous').on(t.tenantId, t.previousId).where(sql`${t.previousId} is not null`),
    index('tasks_by_limit').on(t.tenantId, sql`coalesce(${t.limitDate}, 'infinity'::timestamptz)`, t.id),
    index('tasks_of_owner').on(t.tenantId, t.ownerId, t.status),
    index('tasks_of_writer').on(t.tenantId, t.userId),
    index('tasks_of_ticket').on(t.tenantId, t.ticketId),
    index('tasks_of_opportunity').on(t.tenantId, t.opportunityId),
    index('tasks_of_contact').on(t.tenantId, t.contactId),
    // What the reminder looks for: small, for whatever was told or finished leaves it.
    index('tasks_due').on(t.tenantId, t.limitDate).where(sql`${t.remindedAt} is null and ${t.status} <> 'done'`),
    index('tasks_to_remind').on(t.tenantId, t.remindAt).where(sql`${t.remindAt} is not null and ${t.status} <> 'done'`),
    refers(t, t.ownerId, () => users),
    refers(t, t.userId, () => users),
    // A task outlives what it is about. In the migration the action names the one column: `set null ("ticket_id")`.
    foreignKey({ columns: [t.tenantId, t.ticketId], foreignColumns: [tickets.tenantId, tickets.id] }).onDelete(
      'set null',
    ),
    foreignKey({
      columns: [t.tenantId, t.opportunityId],
      foreignColumns: [opportunities.tenantId, opportunities.id],
    }).onDelete('set null'),
    foreignKey({ columns: [t.tenantId, t.contactId], foreignColumns: [contacts.tenantId, contacts.id] }).onDelete(
      'set null',
    ),
  ],
)

export const taskComments = tenantTable(
  'task_comments',
  {
    taskId: uuid('task_id').notNull(),
    userId: uuid('user_id').notNull(),
    body: text('body').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    index('task_comments_task').on(t.tenantId, t.taskId, t.id),
    refers(t, t.taskId, () => tasks, 'cascade'),
    refers(t, t.userId, () => users),
  ],
)
