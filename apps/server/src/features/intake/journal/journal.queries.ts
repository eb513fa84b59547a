import type { JournalState } from '@balcao/contract/intake/journal.ts'
import { and, eq, isNull } from 'drizzle-orm'
import type { Prepared, Tx } from '../../../db/database.ts'
import { connections } from '../../../db/schema/channels/connections.ts'
import { withinDays } from '../../../kit/period.ts'
import { type Bind, binding } from '../../../kit/sql.ts'
import { isTold } from './erase-journal.ts'

export type JournalEntryRow = {
  id: string
  state: JournalState
  attempts: number
  error: string | null
  receivedAt: Date
  processedAt: Date | null
  payload: unknown
}
export type EntryKey = [receivedAt: string, id: string]

/** Which entries of a connection are meant; no state: all of them. */
export type Asked = {
  connectionId: string
  states: readonly JournalState[]
  dateFrom?: string
  dateTo?: string
  timezone: string
}

const columns = `j.id, j.state, j.attempts, j.error, j.received_at as "receivedAt", j.processed_at as "processedAt", j.payload`

/** A state is one of four words, written out so that the index of what went wrong can be used. */
const matching = (tx: Tx, { connectionId, states, timezone, ...days }: Asked, bind: Bind) =>
  [
    `j.tenant_id = ${bind(tx.tenantId)} and j.connection_id = ${bind(connectionId)} and ${isTold}`,
    ...(states.length ? [`j.state in (${states.map((state) => `'${state}'`).join(', ')})`] : []),
    ...withinDays('j.received_at', days, timezone, bind),
  ].join(' and ')

/** Newest first. */
export const findEntries = (tx: Tx, asked: Asked, before: EntryKey | undefined, limit: number) => {
  const { values, bind } = binding()
  const after = before ? `and (j.received_at, j.id) < (${bind(before[0])}::timestamptz, ${bind(before[1])}::uuid)` : ''
  const text = `select ${columns} from journal j where ${matching(tx, asked, bind)} ${after}
    order by j.received_at desc, j.id desc limit ${bind(limit)}`
  return tx.rows<JournalEntryRow>({ name: '', text }, values)
}

export const countEntries = async (tx: Tx, asked: Asked, most: number | null): Promise<number> => {
  const { values, bind } = binding()
  const text = `select count(*)::int as count from (
    select from journal j where ${matching(tx, asked, bind)} limit ${bind(most)}) counted`
  const [row] = await tx.rows<{ count: number }>({ name: '', text }, values)
  return row?.count ?? 0
}

/** The oldest first, as they came; `until` leaves alone what came since. */
export const nextToReplay = (tx: Tx, asked: Asked & { until: Date }, after: EntryKey | undefined, limit: number) => {
  const { until, ...which } = asked
  const { values, bind } = binding()
  const beyond = after ? `and (j.received_at, j.id) > (${bind(after[0])}::timestamptz, ${bind(after[1])}::uuid)` : ''
  const text = `select j.id, j.received_at as "receivedAt" from journal j
    where ${matching(tx, which, bind)} and j.received_at <= ${bind(until)} ${beyond}
    order by j.received_at, j.id limit ${bind(limit)}`
  return tx.rows<Pick<JournalEntryRow, 'id' | 'receivedAt'>>({ name: '', text }, values)
}

export const findEntry = async (tx: Tx, connectionId: string, id: string): Promise<JournalEntryRow | undefined> => {
  const [row] = await tx.rows<JournalEntryRow>(one, [tx.tenantId, connectionId, id])
  return row
}
const one: Prepared = {
  name: 'journal_one',
  text: `select ${columns} from journal j where j.tenant_id = $1 and j.connection_id = $2 and j.id = $3`,
}

/**
 * As if they had just come and nobody had looked: the rescue takes them up at once. Of no conversation, so that no live
 * message waits for one of these and none of these for a live one.
 */
export const receiveAnew = async (tx: Tx, ids: string[]): Promise<number> =>
  (await tx.rows(anew, [tx.tenantId, ids])).length
const anew: Prepared = {
  name: 'journal_receive_anew',
  text: `update journal set state = 'received', attempts = 0, error = null, processed_at = received_at, conversation = null
    where tenant_id = $1 and id = any($2::uuid[]) and state <> 'received' returning id`,
}

/** How many of the company's wait to be handled, none of which failed. */
export const countWaiting = async (tx: Tx, most: number): Promise<number> => {
  const [row] = await tx.rows<{ count: number }>(waiting, [tx.tenantId, most])
  return row?.count ?? 0
}
const waiting: Prepared = {
  name: 'journal_waiting_count',
  text: `select count(*)::int as count from (
    select from journal where tenant_id = $1 and state = 'received' and attempts = 0 limit $2) counted`,
}

/** What was deleted receives no more. */
export const findChannel = async (tx: Tx, id: string) => {
  const [row] = await tx.db
    .select({ kind: connections.kind, name: connections.name })
    .from(connections)
    .where(and(eq(connections.tenantId, tx.tenantId), eq(connections.id, id), isNull(connections.deletedAt)))
  return row
}
