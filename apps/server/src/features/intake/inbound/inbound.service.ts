import type { InboundEvent, Sender } from '../../../channels/adapter.ts'
import { isDatabaseAway } from '../../../db/database-away.ts'
import { AppError } from '../../../kit/errors.ts'
import { log } from '../../../kit/log.ts'
import { createRest } from '../../../kit/rest.ts'
import { isStorageFull } from '../../../kit/storage.ts'
import type { Round } from '../../../kit/workers.ts'
import { findConnection, type OpenConnection } from '../../channels/connections/context.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import type { Arrival } from './arrivals.ts'
import { blockedBecause } from './blocked.ts'
import { asMessage } from './calls.ts'
import { claimForgotten, failJournal, findHeld, type JournalRow, manyBehind, markJournal } from './journal.ts'
import { asOf, inOurTime } from './late.ts'
import { type ChangeEvent, receiveChange } from './receive-changes.ts'
import { receiveMessages } from './receive-messages.ts'
import { receiveStatuses, type StatusEvent } from './receive-statuses.ts'
import { TargetMissing } from './target-missing.ts'

/**
 * Events that belong together: one journal row, or one call of the web chat. Its turn is free when nothing stands before
 * it, `ours` when all that does is in this lane, and otherwise asked of the database.
 */
type Item = {
  row: JournalRow | null
  turn: Turn
  events: InboundEvent[]
  settle: (error?: unknown) => void
  asked: number
}
type Turn = 'free' | 'ours' | 'asked'
/** In trouble: something of it failed or waits, so that the next in line may no longer be the next in turn. */
type Lane = {
  items: Item[]
  isInTrouble: boolean
  running: Promise<void> | undefined
  rest: ReturnType<typeof createRest>
}

const maxBatch = 50
/** States of our messages that come so soon after others go together: a campaign has hundreds a second. */
const gathersMs = 100
const lanes = new Map<string, Lane>()
/** Journal rows in a lane of this process: its own rescue leaves them alone. */
const inHand = new Set<string>()

/** Handles events that need no journal because their sender waits for the outcome: resolves when they are stored. */
export const ingest = (tenantId: number, connectionId: string, events: InboundEvent[]): Promise<void> =>
  new Promise((resolve, reject) => {
    findConnection(connectionId)
      .then((connection) => {
        if (connection?.tenantId !== tenantId) throw new Error(`No connection ${connectionId}`)
        enqueue(connection, [
          {
            row: null,
            turn: 'free',
            events: events.map(asMessage),
            settle: (error) => (error === undefined ? resolve() : reject(error)),
            asked: 0,
          },
        ])
      }, reject)
      .catch(reject)
  })

/** Handles rows just journalled, or rescued: right away, after the provider has been answered. */
export const processJournal = (connection: OpenConnection, rows: JournalRow[]) => {
  const items: Item[] = []
  for (const row of rows) {
    if (inHand.has(row.id)) continue
    const turn = turnOf(row)
    inHand.add(row.id)
    items.push(...toItem(connection, row, turn))
  }
  enqueue(connection, items)
}

const turnOf = ({ behind }: JournalRow): Turn => {
  if (!behind || behind.length >= manyBehind || !behind.every((id) => inHand.has(id))) return 'asked'
  return behind.length ? 'ours' : 'free'
}

const toItem = (connection: OpenConnection, row: JournalRow, turn: Turn): Item[] => {
  const settle = (error?: unknown) => void settleRow(connection, row, error)
  let events: InboundEvent[]
  try {
    const cameAt = row.cameAt ?? new Date()
    events = connection.adapter.parse(row.payload).map((one) => inOurTime(cameAt, asMessage(one)))
  } catch (error) {
    settle(error)
    return []
  }
  const { cameAt } = row
  if (events.length)
    return [{ row, turn, events: cameAt ? events.flatMap((one) => asOf(cameAt, one)) : events, settle, asked: 0 }]
  void markJournal(row.tenantId, [row.id], 'unknown')
    .catch(logged(row))
    .finally(() => inHand.delete(row.id))
  return []
}

const settleRow = async (connection: OpenConnection, row: JournalRow, error: unknown) => {
  inHand.delete(row.id)
  try {
    if (error === undefined || isDatabaseAway(error) || isStorageFull(error)) return // its turn comes again
    const isLate = error instanceof TargetMissing
    if (!isLate)
      log.error(
        { err: error, tenantId: row.tenantId, connectionId: connection.id, journalId: row.id },
        'inbound event failed',
      )
    await failJournal(
      row.tenantId,
      row.id,
      isLate ? error.message : `Não conseguimos processar este aviso (${firstLine(error)}).`,
      isLate ? 'done' : 'failed',
    )
  } catch (failure) {
    logged(row)(failure)
  }
}
const firstLine = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0]?.slice(0, 200)
const logged = (row: JournalRow) => (error: unknown) =>
  log.error({ err: error, tenantId: row.tenantId, journalId: row.id }, 'journal not marked')

const enqueue = (connection: OpenConnection, items: Item[]) => {
  for (const [name, some] of Map.groupBy(items, (item) => laneOf(connection.id, item))) {
    const lane = lanes.get(name) ?? { items: [], isInTrouble: false, running: undefined, rest: createRest() }
    lanes.set(name, lane)
    lane.items.push(...some)
    if (!mayRest(lane)) lane.rest.end()
    lane.running ??= runLane(connection, name, lane)
  }
}
/** What was said long ago keeps nobody who speaks now waiting. */
const laneOf = (connectionId: string, { events }: Item) =>
  events.every(({ kind }) => kind === 'history') ? oldLaneOf(connectionId) : connectionId
const oldLaneOf = (connectionId: string) => `${connectionId} history`
/** Resolves when the old conversations in hand are stored. */
export const settleOld = async (connectionId: string) => lanes.get(oldLaneOf(connectionId))?.running

/** One connection at a time in order; what arrives meanwhile goes together in the next round. */
const runLane = async (connection: OpenConnection, name: string, lane: Lane) => {
  while (lane.items.length) {
    const batch = lane.items.splice(0, maxBatch)
    await handleHeads(connection, lane, batch).catch(async (error) => {
      lane.isInTrouble = true
      if (batch.length === 1 || isDatabaseAway(error)) return settleAll(batch, error)
      // Whatever is wrong with one must not hold other conversations; its own waits.
      for (const item of batch) await handleHeads(connection, lane, [item]).catch((failure) => item.settle(failure))
    })
    if (batch.every(isReceipt) && mayRest(lane)) await lane.rest.begin(gathersMs)
  }
  lane.running = undefined
  lanes.delete(name)
}
/** Nothing but states of our messages, which nobody waits for. */
const isReceipt = ({ row, events }: Item) => row !== null && events.every(({ kind }) => kind === 'status')
const mayRest = ({ items }: Lane) => items.length < maxBatch && items.every(isReceipt)
const settleAll = (items: Item[], error?: unknown) => {
  for (const item of items) item.settle(error)
}

/** An event is handled when no older one of its conversation is open, whichever process has that one. */
const handleHeads = async (connection: OpenConnection, lane: Lane, items: Item[]) => {
  const ids = (some: Item[]) => some.flatMap(({ row }) => row?.id ?? [])
  const mustAsk = lane.isInTrouble || items.some(({ turn }) => turn === 'asked')
  const asking = mustAsk ? items.filter(({ turn }) => turn !== 'free') : []
  const held = asking.length ? await findHeld(connection.tenantId, ids(asking), ids(items)) : new Set<string>()
  const isHeld = ({ row }: Item) => row !== null && held.has(row.id)
  // One that waited comes back behind what arrived meanwhile.
  const heads = items.filter((item) => !isHeld(item)).toSorted((a, b) => (a.row?.seq ?? 0) - (b.row?.seq ?? 0))
  for (const some of inStretches(heads)) if (!(await handle(connection, some))) lane.isInTrouble = true
  if (held.size) lane.isInTrouble = true
  askAgain(connection, items.filter(isHeld))
}

/**
 * Messages go together, and what happened around them after them; but a line of the conversation (who came, a call) stands
 * where it happened: what was said there later waits for it.
 */
const inStretches = (items: Item[]): Item[][] => {
  const stretches: Item[][] = []
  const lined = new Set<string>()
  let stretch: Item[] = []
  for (const item of items) {
    if (item.events.some((event) => event.kind === 'message' && placesOf(event.from).some((one) => lined.has(one)))) {
      stretches.push(stretch)
      stretch = []
      lined.clear()
    }
    stretch.push(item)
    for (const event of item.events) {
      const of = event.kind === 'group' ? event.group : event.kind === 'call' ? event.from : undefined
      for (const place of of ? placesOf(of) : []) lined.add(place)
    }
  }
  return stretch.length ? [...stretches, stretch] : stretches
}
const placesOf = ({ identities }: Sender) => identities.map(({ kind, value }) => `${kind}:${value}`)

const askedAtMost = 8
const waitingToAsk = new Set<NodeJS.Timeout>()
/** The other process is nearly always done in milliseconds; what takes longer is left to the rescue. */
const askAgain = (connection: OpenConnection, items: Item[]) => {
  for (const { row } of items) if (row) inHand.delete(row.id)
  const next = items
    .filter(({ asked }) => asked < askedAtMost)
    .map((item) => ({ ...item, turn: 'asked' as const, asked: item.asked + 1 }))
  if (!next.length) return
  const timer = setTimeout(
    () => {
      waitingToAsk.delete(timer)
      const left = next.filter(({ row }) => row && !inHand.has(row.id))
      for (const { row } of left) if (row) inHand.add(row.id)
      enqueue(connection, left)
    },
    5 * 2 ** Math.min(...next.map(({ asked }) => asked)),
  )
  waitingToAsk.add(timer)
}

/** True when nothing of it failed. */
const handle = async (connection: OpenConnection, items: Item[]): Promise<boolean> => {
  const directory = await getDirectory(connection.tenantId)
  const arrivals: Arrival[] = []
  const blocked = new Map<Item, string>()
  const statuses: StatusEvent[] = []
  const changes: { item: Item; event: ChangeEvent }[] = []
  for (const item of items) {
    for (const event of item.events) {
      const reason = blockedBecause(event, connection, directory)
      if (reason) blocked.set(item, reason)
      else if (event.kind === 'message')
        arrivals.push({ event, journalId: item.events.length === 1 ? (item.row?.id ?? null) : null })
      else if (event.kind === 'status') statuses.push(event)
      else changes.push({ item, event })
    }
  }
  if (arrivals.length) await receiveMessages(connection, arrivals)
  const receipts = items.filter((item) => isReceipt(item) && !blocked.has(item))
  // What came by other ways too, or is waited for, is ticked for itself.
  const areAll = receipts.reduce((sum, { events }) => sum + events.length, 0) === statuses.length
  const ticked = new Set(areAll ? receipts : [])
  const rowsOf = (some: Iterable<Item>) => [...some].flatMap(({ row }) => row?.id ?? [])
  if (statuses.length) await receiveStatuses(connection, statuses, rowsOf(ticked))
  const failed = new Map<Item, unknown>()
  for (const { item, event } of changes)
    await receiveChange(connection, event).catch((error) => failed.set(item, error))

  const done = items.filter((item) => !failed.has(item))
  // A row of one message was ticked with the message itself.
  const unticked = done.filter(
    (item) => !blocked.has(item) && !ticked.has(item) && (item.events.length > 1 || item.events[0]?.kind !== 'message'),
  )
  await markJournal(connection.tenantId, rowsOf(unticked), 'done')
  for (const [reason, items] of Map.groupBy(done, (item) => blocked.get(item)))
    if (reason) await markJournal(connection.tenantId, rowsOf(items), 'done', reason)
  settleAll(done)
  for (const [item, error] of failed) item.settle(error)
  return failed.size === 0
}

/** Waits until everything in hand is finished. */
export const settleInbound = async () => {
  while (lanes.size) {
    for (const lane of lanes.values()) lane.rest.end()
    await Promise.all([...lanes.values()].map((lane) => lane.running))
  }
}

/** One connection that cannot be used must not keep the others waiting. */
const whyUnusable = (error: unknown) => {
  if (error instanceof AppError) return error.message
  throw error
}

/** The process ends: what is in hand is finished, what waits for its turn is left to the rescue of another. */
export const finishInbound = async () => {
  await settleInbound()
  for (const timer of waitingToAsk) clearTimeout(timer)
  waitingToAsk.clear()
}

const rescueAtOnce = 500
/** What other processes, or an earlier life of this one, journalled and did not finish. */
export const rescueInbound = async (): Promise<Round> => {
  const rows = await claimForgotten(rescueAtOnce)
  for (const [connectionId, ofConnection] of Map.groupBy(rows, (row) => row.connectionId)) {
    const connection = await findConnection(connectionId).catch(whyUnusable)
    if (typeof connection === 'object')
      processJournal(
        connection,
        ofConnection.toSorted((a, b) => a.seq - b.seq),
      )
    else for (const row of ofConnection) await failJournal(row.tenantId, row.id, connection ?? 'O canal foi excluído.')
  }
  if (rows.length === rescueAtOnce) await settleInbound()
  return { did: rows.length, isMore: rows.length === rescueAtOnce }
}
