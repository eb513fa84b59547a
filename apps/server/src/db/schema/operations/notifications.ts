import type { NotificationKind } from '@balcao/contract/operations/notifications.ts'
import { sql } from 'drizzle-orm'
import { index, integer, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { moment, refers, tenantTable } from '../columns.ts'
import { tickets } from '../conversations/tickets.ts'
import { users } from '../people/users.ts'

/** What somebody was told, read or not: the bell. */
export const notifications = tenantTable(
  'notifications',
  {
    userId: uuid('user_id').notNull(),
    kind: text('kind').$type<NotificationKind>().notNull(),
    /** What it is about: more of the same goes on this line until it is read. */
    subject: text('subject').notNull(),
    ticketId: uuid('ticket_id'),
    title: text('title').notNull(),
    body: text('body').notNull(),
    link: text('link').notNull(),
    times: integer('times').notNull().default(1),
    at: moment('at').notNull().defaultNow(),
    readAt: moment('read_at'),
  },
  (t) => [
    uniqueIndex('notifications_unread').on(t.tenantId, t.userId, t.kind, t.subject).where(sql`${t.readAt} is null`),
    index('notifications_of_user').on(t.tenantId, t.userId, t.at, t.id),
    index('notifications_of_ticket').on(t.tenantId, t.ticketId).where(sql`${t.ticketId} is not null`),
    index('notifications_old').on(t.tenantId, t.at),
    refers(t, t.userId, () => users, 'cascade'),
    refers(t, t.ticketId, () => tickets, 'cascade'),
  ],
)
