import type { NotificationKind } from '@balcao/contract/operations/notifications.ts'
import { sql } from 'drizzle-orm'
import { index, integer, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, moment, refers, tenantTable } from '../columns.ts'
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

/** A browser that agreed to be told while no window is open. It belongs to the session that registered it. */
export const pushSubscriptions = tenantTable(
  'push_subscriptions',
  {
    userId: uuid('user_id').notNull(),
    /** Family of the session's refresh tokens: where that ends, nothing is sent any more. */
    sessionId: uuid('session_id').notNull(),
    endpoint: text('endpoint').notNull(),
    p256dh: text('p256dh').notNull(),
    auth: text('auth').notNull(),
    createdAt: createdAt(),
    lastSentAt: moment('last_sent_at'),
  },
  (t) => [
    // One browser tells one person: whoever registers it last.
    uniqueIndex('push_subscriptions_endpoint').on(t.endpoint),
    index('push_subscriptions_of_user').on(t.tenantId, t.userId),
    refers(t, t.userId, () => users, 'cascade'),
  ],
)

/** What a browser is still to be told. A newer one of the same topic takes the place of one that waits. */
export const pushDeliveries = tenantTable(
  'push_deliveries',
  {
    subscriptionId: uuid('subscription_id').notNull(),
    kind: text('kind').$type<NotificationKind>().notNull(),
    topic: text('topic').notNull(),
    ticketId: uuid('ticket_id'),
    title: text('title').notNull(),
    body: text('body').notNull(),
    link: text('link').notNull(),
    attempts: integer('attempts').notNull().default(0),
    dueAt: moment('due_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
  },
  (t) => [
    uniqueIndex('push_deliveries_topic').on(t.tenantId, t.subscriptionId, t.topic),
    index('push_deliveries_due').on(t.dueAt),
    index('push_deliveries_of_ticket').on(t.tenantId, t.ticketId).where(sql`${t.ticketId} is not null`),
    refers(t, t.subscriptionId, () => pushSubscriptions, 'cascade'),
    refers(t, t.ticketId, () => tickets, 'cascade'),
  ],
)
