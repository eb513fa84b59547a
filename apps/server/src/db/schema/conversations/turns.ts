import { sql } from 'drizzle-orm'
import { index, integer, jsonb, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, moment, refers, tenantLink } from '../columns.ts'
import { tickets } from './tickets.ts'

/**
 * Who answers a customer's word by itself, the first that has something to say: the customer's own wish to end it, then,
 * behind the person who attends, assistants, flows, automatic answers and the words for closed hours.
 */
export const turnOwners = ['customer', 'assistant', 'flow', 'autoReply', 'absence'] as const
export type TurnOwner = (typeof turnOwners)[number]
/** Those who call somebody else before they answer: their turns have a worker of their own, and a longer lease. */
export const thinkingOwners: readonly TurnOwner[] = ['assistant']

/** What is to be done by itself about a conversation's last word. One at a time; done or overtaken, it is gone. */
export const turns = tenantLink(
  'turns',
  {
    ticketId: uuid('ticket_id').notNull(),
    owner: text('owner', { enum: turnOwners }).notNull(),
    /** Which assistant, which flow. */
    ownerId: text('owner_id'),
    payload: jsonb('payload').$type<Record<string, unknown>>().notNull().default({}),
    /** While it is in hand: when another process may take it. */
    dueAt: moment('due_at').notNull().defaultNow(),
    /** Grows with each word that leaves it anew. */
    version: integer('version').notNull().default(1),
    attempts: integer('attempts').notNull().default(0),
    state: text('state', { enum: ['waiting', 'failed'] })
      .notNull()
      .default('waiting'),
    error: text('error'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.ticketId] }),
    // The worker asks for all companies at once.
    index('turns_due').on(t.dueAt).where(sql`${t.state} = 'waiting'`),
    refers(t, t.ticketId, () => tickets, 'cascade'),
  ],
)
