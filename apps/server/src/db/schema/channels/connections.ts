import type { Abilities } from '@balcao/contract/channels/abilities.ts'
import {
  type ConnectionAccount,
  type ConnectionAlert,
  type ConnectionHealth,
  type ConnectionImport,
  connectionStates,
} from '@balcao/contract/channels/connections.ts'
import { hosts } from '@balcao/contract/channels/hosts.ts'
import { channelKinds } from '@balcao/contract/channels/index.ts'
import type { ConnectionOptions } from '@balcao/contract/channels/options.ts'
import { sql } from 'drizzle-orm'
import { boolean, date, index, integer, jsonb, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { createdAt, moment, refers, tenantLink, tenantTable, updatedAt } from '../columns.ts'
import { files } from '../core/files.ts'
import { integrations } from '../core/integrations.ts'
import { queues } from '../service/queues.ts'

/** One account on one provider. Secret fields of `config` are stored sealed (kit/crypto). */
export const connections = tenantTable(
  'connections',
  {
    kind: text('kind', { enum: channelKinds }).notNull(),
    name: text('name').notNull(),
    status: text('status', { enum: connectionStates }).notNull().default('DISCONNECTED'),
    statusText: text('status_text'),
    /** When the provider said so; older notices change nothing. */
    statusAt: moment('status_at'),
    /** Since when it does not work though it did; null: it works, a code waits for its phone, or we ended it. */
    lostAt: moment('lost_at'),
    isDefault: boolean('is_default').notNull().default(false),
    queueId: uuid('queue_id'),
    config: jsonb('config').$type<Record<string, unknown>>().notNull(),
    /** What it can do, with its settings: computed whenever they are written. */
    abilities: jsonb('abilities').$type<Abilities>().notNull(),
    /** How the company wants it to behave. */
    options: jsonb('options').$type<ConnectionOptions>().notNull().default({}),
    /** The picture of its birthday greeting: the file stays as long as the options name it. */
    birthdayMediaId: uuid('birthday_media_id').generatedAlwaysAs(sql`(options ->> 'birthdayMediaId')::uuid`),
    /** The account of the company it is entered with, which stays as long as the settings name it. */
    mailAccountId: uuid('mail_account_id').generatedAlwaysAs(sql`(config ->> 'mailAccountId')::uuid`),
    /** The company's day on which it last congratulated by itself. */
    birthdaysOn: date('birthdays_on'),
    /** It speaks to its provider through this, or not at all; null: directly. */
    proxyId: uuid('proxy_id'),
    /** It stands on the server of its company, or of the installation; null: on the one its config names. */
    host: text('host', { enum: hosts }),
    /** We stay connected to its provider (`connection_leases`) instead of being called by it. */
    usesSession: boolean('uses_session').notNull().default(false),
    /** A QR or pairing code, sealed, for as long as it lasts. */
    loginCode: text('login_code'),
    loginUntil: moment('login_until'),
    /** Who answers at the provider. */
    account: jsonb('account').$type<ConnectionAccount>(),
    /** How far its old conversations have come. */
    imported: jsonb('imported').$type<ConnectionImport>(),
    /** Somebody stopped it: its session is closed and nothing is sent until it is started again. */
    stoppedAt: moment('stopped_at'),
    /** When its provider is asked again how the account is, and what it said. */
    checkDueAt: moment('check_due_at').notNull().defaultNow(),
    /** Since when its provider does not answer as it should; over by itself. */
    troubleSince: moment('trouble_since'),
    /** When its administrators were last written to about an error. */
    alarmedAt: moment('alarmed_at'),
    health: jsonb('health').$type<ConnectionHealth>(),
    /** What its provider had to say, newest first, until somebody has read it. */
    alerts: jsonb('alerts').$type<ConnectionAlert[]>().notNull().default([]),
    /** What the provider calls this account (phone number id, bot id): unique per kind, so one webhook finds one owner. */
    externalId: text('external_id'),
    /** Sent by itself when a conversation closes; empty: nothing. */
    farewellMessage: text('farewell_message').notNull().default(''),
    /** Closing asks the customer for a grade. */
    sendEvaluation: boolean('send_evaluation').notNull().default(false),
    /** Public key of a web chat. */
    channelKey: text('channel_key'),
    /** Secret part of the webhook, where the provider sends it back. */
    hookSecret: text('hook_secret').notNull(),
    retries: integer('retries').notNull().default(0),
    lastInboundAt: moment('last_inbound_at'),
    /** When the provider is asked for its message templates again. */
    templatesDueAt: moment('templates_due_at').notNull().defaultNow(),
    deletedAt: moment('deleted_at'),
    version: integer('version').notNull().default(1),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('connections_name').on(t.tenantId, sql`lower(${t.name})`).where(sql`${t.deletedAt} is null`),
    uniqueIndex('connections_default').on(t.tenantId, t.kind).where(sql`${t.isDefault} and ${t.deletedAt} is null`),
    // A provider's account and a public key name one connection of the whole installation.
    uniqueIndex('connections_external')
      .on(t.kind, t.externalId)
      .where(sql`${t.deletedAt} is null and ${t.externalId} is not null`),
    uniqueIndex('connections_channel_key').on(t.channelKey).where(sql`${t.channelKey} is not null`),
    index('connections_host').on(t.tenantId, t.kind).where(sql`${t.host} is not null`),
    // The platform's list of every company's connections.
    index('connections_of_all').on(t.createdAt, t.id).where(sql`${t.deletedAt} is null`),
    index('connections_proxy').on(t.tenantId, t.proxyId).where(sql`${t.proxyId} is not null`),
    index('connections_birthdays')
      .on(t.tenantId, t.id)
      .where(sql`${t.options} @> '{"birthday": true}' and ${t.deletedAt} is null`),
    index('connections_birthday_media').on(t.tenantId, t.birthdayMediaId).where(sql`${t.birthdayMediaId} is not null`),
    index('connections_mail_account').on(t.tenantId, t.mailAccountId).where(sql`${t.mailAccountId} is not null`),
    refers(t, t.mailAccountId, () => integrations),
    refers(t, t.birthdayMediaId, () => files),
    refers(t, t.queueId, () => queues),
    refers(t, t.proxyId, () => integrations),
  ],
)

/** When a connection may send next, and how many left today: moved by the claim that takes its messages. */
export const connectionPace = tenantLink(
  'connection_pace',
  {
    connectionId: uuid('connection_id').notNull(),
    /** The company's day, and what left on it. */
    sentOn: date('sent_on'),
    sentToday: integer('sent_today').notNull().default(0),
    nextAt: moment('next_at').notNull().defaultNow(),
    lastSentAt: moment('last_sent_at'),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.connectionId] }),
    refers(t, t.connectionId, () => connections, 'cascade'),
  ],
)

/** A message template of the provider, as it last told us of it. */
export const messageTemplates = tenantTable(
  'message_templates',
  {
    connectionId: uuid('connection_id').notNull(),
    externalId: text('external_id').notNull(),
    name: text('name').notNull(),
    language: text('language').notNull(),
    category: text('category').notNull(),
    status: text('status').notNull(),
    components: jsonb('components').$type<Record<string, unknown>[]>().notNull(),
    /** Why it was refused, and how customers take it, in the provider's words. */
    rejectedReason: text('rejected_reason'),
    quality: text('quality'),
    syncedAt: moment('synced_at').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('message_templates_name').on(t.tenantId, t.connectionId, t.name, t.language),
    refers(t, t.connectionId, () => connections),
  ],
)
