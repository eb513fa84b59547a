import { groupLogStates, groupRuleKinds, wordActions } from '@balcao/contract/operations/group-rules.ts'
import { sql } from 'drizzle-orm'
import { boolean, index, integer, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { connections } from '../channels/connections.ts'
import { createdAt, moment, refers, tenantTable, versioned } from '../columns.ts'
import { contacts } from '../contacts/contacts.ts'
import { files } from '../core/files.ts'

/** Where a rule holds: in these groups of a connection, none named: in all of them. */
const place = () => ({
  whatsappId: uuid('connection_id').notNull(),
  groupIds: uuid('group_ids').array().notNull().default([]),
  isActive: boolean('is_active').notNull().default(true),
})

/** Numbers that are removed from groups whenever they are there. */
export const groupBans = tenantTable(
  'group_bans',
  { ...place(), number: text('number').notNull(), reason: text('reason').notNull().default(''), ...versioned() },
  (t) => [
    index('group_bans_number').on(t.tenantId, t.whatsappId, t.number),
    refers(t, t.whatsappId, () => connections, 'cascade'),
  ],
)

/** Words that are not to be said in groups. */
export const groupWords = tenantTable(
  'group_words',
  {
    ...place(),
    word: text('word').notNull(),
    action: text('action', { enum: wordActions }).notNull().default('delete'),
    warning: text('warning').notNull().default(''),
    sparesAdmins: boolean('spares_admins').notNull().default(true),
    /** Phones of who may say it. */
    spared: text('spared').array().notNull().default([]),
    ...versioned(),
  },
  (t) => [
    index('group_words_word').on(t.tenantId, t.whatsappId, t.word),
    refers(t, t.whatsappId, () => connections, 'cascade'),
  ],
)

const said = () => ({
  ...place(),
  message: text('message').notNull().default(''),
  mediaId: uuid('media_id'),
  ...versioned(),
})
/** What is said to whoever joins a group, and of whoever left. */
export const groupGreetings = tenantTable('group_greetings', said(), (t) => [
  index('group_greetings_of').on(t.tenantId, t.whatsappId),
  refers(t, t.whatsappId, () => connections, 'cascade'),
  refers(t, t.mediaId, () => files),
])
export const groupFarewells = tenantTable('group_farewells', said(), (t) => [
  index('group_farewells_of').on(t.tenantId, t.whatsappId),
  refers(t, t.whatsappId, () => connections, 'cascade'),
  refers(t, t.mediaId, () => files),
])

/** What rules do in groups: each row waits to be done, and stays as the record of it. */
export const groupLogs = tenantTable(
  'group_logs',
  {
    kind: text('kind', { enum: groupRuleKinds }).notNull(),
    ruleId: uuid('rule_id').notNull(),
    connectionId: uuid('connection_id').notNull(),
    groupId: uuid('group_id').notNull(),
    /** What caused it, so that told again it is done once. */
    eventKey: text('event_key').notNull(),
    memberKeys: text('member_keys').array().notNull(),
    memberName: text('member_name').notNull(),
    /** The message it is about. */
    messageId: uuid('message_id'),
    /** Of a word: what to do. */
    action: text('action', { enum: wordActions }),
    /** The word, or the reason of a ban. */
    why: text('why').notNull().default(''),
    /** When it was said in the group that the word is not to be used. */
    warnedAt: moment('warned_at'),
    state: text('state', { enum: groupLogStates }).notNull().default('waiting'),
    problem: text('problem'),
    attempts: integer('attempts').notNull().default(0),
    dueAt: moment('due_at').notNull().defaultNow(),
    claimedAt: moment('claimed_at'),
    createdAt: createdAt(),
    doneAt: moment('done_at'),
  },
  (t) => [
    uniqueIndex('group_logs_event').on(t.tenantId, t.connectionId, t.eventKey),
    index('group_logs_recent').on(t.tenantId, t.createdAt, t.id),
    index('group_logs_of_group').on(t.tenantId, t.groupId, t.createdAt, t.id),
    // The loop asks for all companies at once.
    index('group_logs_due').on(t.dueAt).where(sql`${t.state} in ('waiting', 'doing')`),
    refers(t, t.connectionId, () => connections, 'cascade'),
    refers(t, t.groupId, () => contacts, 'cascade'),
  ],
)
