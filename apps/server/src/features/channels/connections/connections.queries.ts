import type { Connection, ConnectionAccount } from '@balcao/contract/channels/connections.ts'
import type { ChannelKind } from '@balcao/contract/channels/index.ts'
import { and, asc, count, eq, inArray, isNull, ne, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Tx } from '../../../db/database.ts'
import { connectionPace, connections } from '../../../db/schema/channels/connections.ts'
import { tickets } from '../../../db/schema/conversations/tickets.ts'
import { integrations } from '../../../db/schema/core/integrations.ts'
import { journal } from '../../../db/schema/intake/journal.ts'
import { queues } from '../../../db/schema/service/queues.ts'

export type ConnectionRow = typeof connections.$inferSelect
export type Told = Pick<
  Connection,
  'id' | 'name' | 'status' | 'statusText' | 'account' | 'imported' | 'stoppedAt' | 'lostAt' | 'version'
>
const moment = (column: AnyPgColumn) =>
  sql<string | null>`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const told = {
  id: connections.id,
  name: connections.name,
  status: connections.status,
  statusText: connections.statusText,
  account: connections.account,
  imported: connections.imported,
  stoppedAt: moment(connections.stoppedAt),
  lostAt: moment(connections.lostAt),
  version: connections.version,
}
const one = (tx: Tx, id: string) =>
  and(eq(connections.tenantId, tx.tenantId), eq(connections.id, id), isNull(connections.deletedAt))

export const allRows = (tx: Tx): Promise<ConnectionRow[]> =>
  tx.db
    .select()
    .from(connections)
    .where(and(eq(connections.tenantId, tx.tenantId), isNull(connections.deletedAt)))
    .orderBy(asc(connections.name), asc(connections.id))

export const findRow = async (tx: Tx, id: string, lock = false): Promise<ConnectionRow | undefined> => {
  const query = tx.db.select().from(connections).where(one(tx, id))
  const [row] = await (lock ? query.for('update') : query)
  return row
}

export const insertRow = (tx: Tx, row: typeof connections.$inferInsert) => tx.db.insert(connections).values(row)

export const updateRow = async (tx: Tx, id: string, patch: Partial<ConnectionRow>): Promise<Told | undefined> => {
  const next = { ...patch, version: sql`${connections.version} + 1`, updatedAt: new Date() }
  const [row] = await tx.db.update(connections).set(next).where(one(tx, id)).returning(told)
  return row
}

/** Its conversations stay and name it; how fast it may send is nobody's business any more. */
export const softDelete = async (tx: Tx, id: string) => {
  await tx.db
    .update(connections)
    .set({ deletedAt: new Date(), status: 'DISCONNECTED', isDefault: false })
    .where(one(tx, id))
  const pace = and(eq(connectionPace.tenantId, tx.tenantId), eq(connectionPace.connectionId, id))
  await tx.db.delete(connectionPace).where(pace)
}

const comesBackSeconds = 30
type StatusChange = {
  at?: Date
  /** Somebody here wants it so, or its phone is awaited: nothing is lost. */
  isExpected?: boolean
}

/**
 * Nothing when it is so already: a provider that refuses every message is told of once. Nor when something newer is
 * known: what is told again changes nothing.
 */
export const changeStatus = async (
  tx: Tx,
  id: string,
  status: Connection['status'],
  text: string,
  { at = new Date(), isExpected = false }: StatusChange = {},
) => {
  const lostAt = sql`case when ${status}::text = 'CONNECTED' or ${isExpected}::boolean then null
    when ${connections.status} = 'CONNECTED' then ${at}::timestamptz else ${connections.lostAt} end`
  // What comes back within seconds is no trouble; what does not is, however often it is tried.
  const next = sql<Connection['status']>`case when ${status}::text = 'OPENING' and not ${isExpected}::boolean
    and ${connections.lostAt} < now() - interval '${sql.raw(String(comesBackSeconds))} seconds' then 'ERROR' else ${status}::text end`
  const isNews = sql`(${connections.status}, ${connections.statusText}) is distinct from (${next}, ${text})
    and coalesce(${connections.statusAt}, '-infinity') <= ${at}`
  const [row] = await tx.db
    .update(connections)
    .set({ status: next, statusText: text, statusAt: at, lostAt, updatedAt: new Date() })
    .where(and(one(tx, id), isNews))
    .returning(told)
  return row
}

/** Who answers there now; nothing when it is known already. */
export const changeAccount = async (tx: Tx, id: string, account: ConnectionAccount | null) => {
  const [row] = await tx.db
    .update(connections)
    .set({
      account: sql`${account && JSON.stringify(account)}::jsonb || case when ${connections.account} ? 'picture'
        then jsonb_build_object('picture', ${connections.account} -> 'picture') else '{}' end`,
    })
    .where(
      and(
        one(tx, id),
        sql`${connections.account} - 'picture' is distinct from ${account && JSON.stringify(account)}::jsonb`,
      ),
    )
    .returning(told)
  return row
}

/** Our copy of the picture of its account; null takes it away. */
export const changePicture = async (tx: Tx, id: string, picture: string | null) => {
  const [row] = await tx.db
    .update(connections)
    .set({
      account: picture
        ? sql`${connections.account} || jsonb_build_object('picture', ${picture}::text)`
        : sql`${connections.account} - 'picture'`,
    })
    .where(one(tx, id))
    .returning(told)
  return row
}

export const setExternalId = (tx: Tx, id: string, externalId: string | null) =>
  tx.db.update(connections).set({ externalId }).where(one(tx, id))

/** One default per kind: the others give it up. */
export const clearDefault = (tx: Tx, kind: ChannelKind, exceptId: string): Promise<Told[]> =>
  tx.db
    .update(connections)
    .set({ isDefault: false, version: sql`${connections.version} + 1` })
    .where(
      and(
        eq(connections.tenantId, tx.tenantId),
        eq(connections.kind, kind),
        eq(connections.isDefault, true),
        ne(connections.id, exceptId),
      ),
    )
    .returning(told)

/** The default of a kind passes from one connection to another: one change at a time. */
export const lockCompany = (tx: Tx) =>
  tx.db.execute(sql`select from tenants where id = ${tx.tenantId} for no key update`)

export const hasQueue = async (tx: Tx, queueId: string): Promise<boolean> => {
  const [queue] = await tx.db
    .select({ id: queues.id })
    .from(queues)
    .where(and(eq(queues.tenantId, tx.tenantId), eq(queues.id, queueId)))
  return Boolean(queue)
}

export const hasProxy = async (tx: Tx, id: string): Promise<boolean> => {
  const [found] = await tx.db
    .select({ id: integrations.id })
    .from(integrations)
    .where(and(eq(integrations.tenantId, tx.tenantId), eq(integrations.id, id), eq(integrations.family, 'proxy')))
  return Boolean(found)
}

/** The oldest queue that takes conversations: without one, a channel's customers would be seen by administrators alone. */
export const firstQueueId = async (tx: Tx): Promise<string | null> => {
  const [queue] = await tx.db
    .select({ id: queues.id })
    .from(queues)
    .where(and(eq(queues.tenantId, tx.tenantId), eq(queues.isActive, true)))
    .orderBy(asc(queues.createdAt), asc(queues.id))
    .limit(1)
  return queue?.id ?? null
}

export const countQueues = (tx: Tx): Promise<number> => tx.db.$count(queues, eq(queues.tenantId, tx.tenantId))

/** Channels that have no queue get this one. */
export const fillQueue = (tx: Tx, queueId: string): Promise<Told[]> =>
  tx.db
    .update(connections)
    .set({ queueId, version: sql`${connections.version} + 1`, updatedAt: new Date() })
    .where(and(eq(connections.tenantId, tx.tenantId), isNull(connections.queueId), isNull(connections.deletedAt)))
    .returning(told)

export const hasActiveTickets = async (tx: Tx, id: string): Promise<boolean> => {
  const [ticket] = await tx.db
    .select({ id: tickets.id })
    .from(tickets)
    .where(and(eq(tickets.tenantId, tx.tenantId), eq(tickets.connectionId, id), ne(tickets.status, 'closed')))
    .limit(1)
  return Boolean(ticket)
}

const notUnderstood = inArray(journal.state, ['unknown', 'failed'])

export const unknownCounts = async (tx: Tx, ids: string[]): Promise<Map<string, number>> => {
  const rows = await tx.db
    .select({ connectionId: journal.connectionId, total: count() })
    .from(journal)
    .where(and(eq(journal.tenantId, tx.tenantId), inArray(journal.connectionId, ids), notUnderstood))
    .groupBy(journal.connectionId)
  return new Map(rows.map((row) => [row.connectionId, row.total]))
}
