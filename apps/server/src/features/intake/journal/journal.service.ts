import type {
  JournalEntry,
  journalQuery,
  ReplayCount,
  replayBody,
  replayCountQuery,
  WholeJournalEntry,
} from '@balcao/contract/intake/journal.ts'
import { replayableStates } from '@balcao/contract/intake/journal.ts'
import { z } from 'zod'
import type { ChannelAdapter } from '../../../channels/adapter.ts'
import { loadAdapter } from '../../../channels/index.ts'
import { type Tx, withTenant } from '../../../db/database.ts'
import type { Actor } from '../../../kit/actor.ts'
import { writeAudit } from '../../../kit/audit.ts'
import { readCursor, toPage } from '../../../kit/cursor.ts'
import { AppError } from '../../../kit/errors.ts'
import { announce } from '../../../kit/signals/signals.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import * as queries from './journal.queries.ts'

type Company = Pick<Actor, 'tenantId'>
const pageSize = 40
/** Nobody counts further. */
const mostCounted = 10_000

/** What came over a connection, newest first. */
export const listJournal = (actor: Company, connectionId: string, query: z.output<typeof journalQuery>) =>
  within(actor, connectionId, async (tx, { adapter, timezone }) => {
    const { state: states, dateFrom, dateTo, cursor, limit = pageSize } = query
    const before = cursor ? readCursor(cursor, entryKey) : undefined
    const rows = await queries.findEntries(tx, { connectionId, states, dateFrom, dateTo, timezone }, before, limit + 1)
    const { items, ...more } = toPage(rows, limit, keyOf)
    return { ...more, items: items.map((row) => presentEntry(row, adapter)) }
  })
export const entryKey = z.tuple([z.iso.datetime(), z.uuid()])
export const keyOf = ({ receivedAt, id }: Pick<queries.JournalEntryRow, 'receivedAt' | 'id'>): queries.EntryKey => [
  receivedAt.toISOString(),
  id,
]

export const readEntry = (actor: Actor, connectionId: string, id: string) =>
  within(actor, connectionId, (tx, { adapter }) => wholeEntry(tx, adapter, connectionId, id))

/** How many a replay of these would take up. */
export const countReplayable = (
  actor: Actor,
  connectionId: string,
  query: z.output<typeof replayCountQuery>,
): Promise<ReplayCount> =>
  within(actor, connectionId, async (tx, { timezone }) => {
    const count = await queries.countEntries(tx, replayed(connectionId, query, timezone), mostCounted + 1)
    return { count: Math.min(count, mostCounted), isMore: count > mostCounted }
  })

/** Handled once more, as it came; what waits for that already is left alone. */
export const replayEntry = (actor: Actor, connectionId: string, id: string) =>
  within(actor, connectionId, async (tx, { adapter, name }) => {
    const before = await wholeEntry(tx, adapter, connectionId, id)
    const count = await queries.receiveAnew(tx, [id])
    if (!count) return before
    await writeAudit(tx, actor, auditOfReplay(connectionId, { name, receivedAt: before.receivedAt, count }))
    tx.afterCommit(wakeInbound)
    return wholeEntry(tx, adapter, connectionId, id)
  })

/** Rows of the journal wait: do not wait for the next look. */
export const wakeInbound = () => announce('inbound.waiting')

export const auditOfReplay = (connectionId: string, after: Record<string, unknown>) => ({
  action: 'journal.replayed',
  entity: 'connection',
  entityId: connectionId,
  after,
})

type Filter = z.output<typeof replayBody>
export const replayed = (connectionId: string, { state, dateFrom, dateTo }: Filter, timezone: string) => ({
  ...{ connectionId, dateFrom, dateTo, timezone },
  states: state.length ? state : replayableStates,
})

type Channel = { name: string; timezone: string; adapter: Pick<ChannelAdapter<never>, 'parse'> }
/** Throws ERR_NO_WAPP_FOUND for a connection that is not there any more. */
export const within = async <T>(
  { tenantId }: Company,
  connectionId: string,
  work: (tx: Tx, channel: Channel) => Promise<T>,
): Promise<T> => {
  const { timezone } = await getDirectory(tenantId)
  return withTenant(tenantId, async (tx) => {
    const channel = await queries.findChannel(tx, connectionId)
    if (!channel) throw new AppError('ERR_NO_WAPP_FOUND')
    return work(tx, { name: channel.name, timezone, adapter: await loadAdapter(channel.kind) })
  })
}

const wholeEntry = async (
  tx: Tx,
  adapter: Channel['adapter'],
  connectionId: string,
  id: string,
): Promise<WholeJournalEntry> => {
  const row = await queries.findEntry(tx, connectionId, id)
  if (!row) throw new AppError('ERR_NOT_FOUND')
  return { ...presentEntry(row, adapter), payload: row.payload }
}

const presentEntry = (
  { id, state, attempts, error, receivedAt, processedAt, payload }: queries.JournalEntryRow,
  adapter: Channel['adapter'],
): JournalEntry => ({
  ...{ id, state, attempts, error },
  kinds: kindsIn(payload, adapter),
  receivedAt: receivedAt.toISOString(),
  processedAt: processedAt?.toISOString() ?? null,
})

const kindsIn = (payload: unknown, { parse }: Channel['adapter']): JournalEntry['kinds'] => {
  try {
    return [...new Set(parse(payload).map(({ kind }) => kind))]
  } catch {
    return [] // what breaks the reading is why it failed
  }
}
