import { AsyncLocalStorage } from 'node:async_hooks'
import { getPriority, setPriority } from 'node:os'
import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { isSocketGone } from './database-away.ts'
import { type Ask, inOneTrip } from './one-trip.ts'
import { createShare, type Kind, limits, type Owner, type Share } from './shares.ts'
import { noteStatement } from './slow-statements.ts'

pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** A statement prepared once per connection: the hot paths. Its name is for whoever reads logs; two may share one. */
export type Prepared = { name: string; text: string }

/** An open transaction. `db` builds statements, `rows` runs a prepared one. */
export type Tx = {
  tenantId: number
  db: NodePgDatabase
  rows: <Row extends object>(statement: Prepared, values: unknown[]) => Promise<Row[]>
  /** Statements that need nothing of each other, in one round trip; the rows of each, in order. */
  trip: (...asks: Ask[]) => Promise<object[][]>
  /**
   * A write whose rows nobody waits for: it goes with the next statement or the commit, in one round trip. `committed` is
   * handed them after the commit, in its turn among what runs then.
   */
  late: (statement: Prepared, values: unknown[], committed?: (rows: object[]) => void) => void
  /**
   * A late write that one statement can do for many: what is left for the same statement, with nothing but its like in
   * between, goes as one. `valuesOf` makes its values of all that was left; `committed` is handed that with the rows.
   */
  lateTogether: <Item>(write: Together<Item>, item: Item) => void
  afterCommit: (run: () => void) => void
  /** Runs a part that may be undone alone: an error leaves the transaction as it was before it. */
  part: <T>(work: () => Promise<T>) => Promise<T>
}

/** What `lateTogether` writes: made once, beside its statement. */
export type Together<Item> = {
  statement: Prepared
  valuesOf: (tenantId: number, items: Item[]) => unknown[]
  committed?: (tenantId: number, items: Item[], rows: object[]) => void
}

type Roles = { app: pg.Pool; platform: pg.Pool }
type Pools = { front: Roles; back: Roles; replica?: pg.Pool; shares: Record<Kind, Share> }
let pools: Pools | undefined
let statements = 0
let openings = 0

/** Counts databases this process has opened: what is known of one does not hold for the next. */
export const databaseOpenings = () => openings

/**
 * How often this process has asked the database: several statements in one trip count once. Tests and benchmarks read the
 * difference.
 */
export const statementCount = () => statements

/** How far below the connections of people those of the background are, as the system counts it. */
const backgroundNiceness = 10
const background = new AsyncLocalStorage<boolean>()

/** Runs work that nobody waits for: what it asks of the database goes over few connections, which give way to others. */
export const inBackground = <T>(work: () => T): T => background.run(true, work)
/** Runs what somebody waits for, whoever asked for it. */
export const inForeground = <T>(work: () => T): T => background.run(false, work)

/**
 * Opens the pools. `appUrl` logs in as the runtime role, which row-level security binds to one tenant per
 * transaction; `platformUrl` as the role for the few cross-tenant callers. `replicaUrl` is a copy that reports may read.
 * `isOurs`: its processes run on this machine, so those of the background can be told to give way.
 */
export const openDatabase = (urls: {
  appUrl: string
  platformUrl: string
  replicaUrl?: string
  maxConnections?: number
  isOurs?: boolean
}) => {
  const open = (connectionString: string, max: number) => {
    const pool = new pg.Pool({ connectionString, max, connectionTimeoutMillis: 10_000, idleTimeoutMillis: 60_000 })
    pool.on('error', () => {}) // an idle connection died; the pool opens another
    // One that dies in hand, between two statements, must not end the process: the next statement tells.
    pool.on('connect', (client) => client.on('error', () => {}))
    return pool
  }
  const openBack = (connectionString: string, max: number) => {
    const pool = open(connectionString, max)
    if (urls.isOurs) pool.on('connect', giveWay)
    return pool
  }
  openings += 1
  const size = urls.maxConnections ?? 16
  pools = {
    front: { app: open(urls.appUrl, size), platform: open(urls.platformUrl, 8) },
    back: {
      app: openBack(urls.appUrl, limits.background.inAll(size) + limits.report.inAll(size)),
      platform: openBack(urls.platformUrl, 4),
    },
    ...(urls.replicaUrl && { replica: open(urls.replicaUrl, size) }),
    shares: {
      live: createShare('live', size),
      background: createShare('background', size),
      search: createShare('search', size),
      report: createShare('report', size),
    },
  }
}

/** The process of PostgreSQL behind a connection; the server says its number when it opens. */
const giveWay = (client: pg.PoolClient) => {
  const { processID } = client as unknown as { processID: number }
  try {
    setPriority(processID, Math.min(19, getPriority(processID) + backgroundNiceness))
  } catch {} // another account's, or a system without priorities
}

export const closeDatabase = async () => {
  const closing = pools
  pools = undefined
  if (!closing) return
  const { front, back, replica } = closing
  await Promise.all([front.app, front.platform, back.app, back.platform, replica].map((pool) => pool?.end()))
}

/** Of transactions that have written something late: sends it. */
const behind = new WeakMap<pg.PoolClient, () => Promise<unknown>>()
const drizzles = new WeakMap<pg.PoolClient, NodePgDatabase>()
const drizzleOf = (client: pg.PoolClient) => {
  let db = drizzles.get(client)
  if (!db) {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    client.query = ((...args: unknown[]) => {
      statements += 1
      const catchUp = behind.get(client)
      const ask = () => timed(args[0], query(...args))
      return catchUp ? catchUp().then(ask) : ask()
    }) as typeof client.query
    db = drizzle(client)
    drizzles.set(client, db)
  }
  return db
}

/** A trip of several statements times itself, what is answered to a callback is timed by its caller. */
const timed = <Answer>(statement: unknown, answer: Answer): Answer => {
  const text = typeof statement === 'string' ? statement : (statement as { text?: unknown }).text
  if (!(answer instanceof Promise) || typeof text !== 'string') return answer
  const startedAt = performance.now()
  const name = typeof statement === 'object' ? (statement as { name?: string }).name : undefined
  const note = () => noteStatement({ name, text }, performance.now() - startedAt)
  answer.then(note, note)
  return answer
}

type Late = { ask: () => Ask; rows: object[]; together?: { kind: object; items: unknown[] } }
const begin: Prepared = { name: 'begin', text: 'begin' }
const commit: Prepared = { name: 'commit', text: 'commit' }

/** The database asks to run the transaction again: deadlock, serialisation failure. */
const isRetryable = (error: unknown) => {
  const cause = error instanceof Error && error.cause ? error.cause : error
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined
  return code === '40P01' || code === '40001'
}

const transact = async <T>(
  pool: pg.Pool,
  tenantId: number,
  begin: string | Ask[],
  work: (tx: Tx, opened: object[][]) => Promise<T>,
): Promise<T> => {
  const client = await pool.connect()
  const done: (() => void)[] = []
  const late: Late[] = []
  const takeLate = () => {
    behind.delete(client)
    return late.splice(0)
  }
  const trip = async (...asks: Ask[]) => {
    const before = takeLate()
    const results = await inOneTrip(client, [...before.map(({ ask }) => ask()), ...asks])
    for (const [at, one] of before.entries()) one.rows = results[at] ?? []
    return results.slice(before.length)
  }
  const write = (one: Late, committed?: (rows: object[]) => void) => {
    late.push(one)
    behind.set(client, trip)
    if (committed) done.push(() => committed(one.rows))
  }
  const leaveTogether = <Item>(kind: Together<Item>, item: Item) => {
    const joined = late
      .slice(late.findLastIndex(({ together }) => !together) + 1)
      .find(({ together }) => together?.kind === kind)
    if (joined?.together) return void joined.together.items.push(item)
    const items = [item]
    const { statement, valuesOf, committed } = kind
    write(
      { ask: () => [statement, valuesOf(tenantId, items)], rows: [], together: { kind, items } },
      committed && ((rows) => committed(tenantId, items, rows)),
    )
  }
  let broken: Error | undefined
  try {
    const db = drizzleOf(client)
    const opened = typeof begin === 'string' ? [] : await trip(...begin)
    if (typeof begin === 'string') await client.query(begin)
    const tx: Tx = {
      tenantId,
      db,
      trip,
      late: (statement, values, committed) => write({ ask: () => [statement, values], rows: [] }, committed),
      lateTogether: leaveTogether,
      rows: async <Row extends object>(statement: Prepared, values: unknown[]) =>
        (await trip([statement, values]))[0] as Row[],
      afterCommit: (run) => done.push(run),
      part: async (work) => {
        await client.query('savepoint part')
        const before = done.length
        try {
          const outcome = await work()
          await client.query('release savepoint part')
          return outcome
        } catch (error) {
          takeLate()
          await client.query('rollback to savepoint part; release savepoint part')
          done.length = before
          throw error
        }
      },
    }
    const result = await work(tx, opened.slice(2))
    if (late.length) await trip([commit, []])
    else await client.query('commit')
    for (const run of done) run()
    return result
  } catch (error) {
    takeLate()
    await client.query('rollback').catch((failure: Error) => {
      broken = failure
    })
    throw error
  } finally {
    client.release(broken)
  }
}

const withRetry = async <T>(attempt: () => Promise<T>): Promise<T> => {
  for (let left = 3; ; left -= 1) {
    try {
      return await attempt()
    } catch (error) {
      if (left === 0 || !isRetryable(error)) throw error
    }
  }
}

const openPools = () => {
  if (!pools) throw new Error('The database is not open')
  return pools
}
const isBehind = () => background.getStore() === true
const liveKind = (): Kind => (isBehind() ? 'background' : 'live')
const appPool = (kind: Kind) => {
  const { front, back } = openPools()
  return (kind === 'background' || kind === 'report' ? back : front).app
}
const platformPool = () => (isBehind() ? openPools().back : openPools().front).platform

/**
 * Runs `work` in one transaction bound to one tenant; the setting dies with the transaction. `work` must be pure
 * database: after a deadlock it runs again.
 */
export const withTenant = <T>(tenantId: number, work: (tx: Tx) => Promise<T>): Promise<T> =>
  inShare(liveKind(), { tenantId }, work)

const scope: Prepared = {
  name: 'scope',
  text: `select set_config('app.tenant_id', $1, true), set_config('statement_timeout', $2, true),
    set_config('plan_cache_mode', $3, true)`,
}

/**
 * As `withTenant`, with statements known before it begins: they go with its beginning in one round trip, in order. Those
 * are the ways of many small transactions, so their statements are planned once for each connection: PostgreSQL would plan
 * the larger of them anew each time, which takes longer than they do.
 */
export const withTenantAfter = <T>(
  tenantId: number,
  asks: Ask[],
  work: (tx: Tx, opened: object[][]) => Promise<T>,
): Promise<T> => {
  if (!Number.isInteger(tenantId) || tenantId < 0) throw new Error(`Not a tenant: ${tenantId}`)
  const kind = liveKind()
  const opening: Ask[] = [[begin, []], [scope, [tenantId, limits[kind].statementMs, 'force_generic_plan']], ...asks]
  const { shares } = openPools()
  return shares[kind]({ tenantId }, () => withRetry(() => transact(appPool(kind), tenantId, opening, work)))
}

/**
 * Statements that read for one tenant and need nothing of each other: one round trip instead of one each and two more
 * for the transaction. Answers the rows of each, in order.
 */
export const readTenant = async (tenantId: number, ...asks: Ask[]): Promise<object[][]> => {
  if (!Number.isInteger(tenantId) || tenantId < 0) throw new Error(`Not a tenant: ${tenantId}`)
  const kind = liveKind()
  const opening: Ask = [scope, [tenantId, limits[kind].statementMs, 'auto']]
  const [, ...results] = await openPools().shares[kind]({ tenantId }, () => tripBy(appPool(kind), opening, ...asks))
  return results
}

const tripBy = async (pool: pg.Pool, ...asks: Ask[]): Promise<object[][]> => {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    statements += 1
    return await inOneTrip(client, asks)
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) broken = error instanceof Error ? error : new Error(String(error))
    throw error
  } finally {
    client.release(broken)
  }
}

/** What reads: an open transaction, or one round trip for each statement. */
export type Reader = Pick<Tx, 'tenantId' | 'rows'>
export const readerOf = (tenantId: number): Reader => ({
  tenantId,
  rows: async <Row extends object>(statement: Prepared, values: unknown[]) => {
    const [rows = []] = await readTenant(tenantId, [statement, values])
    return rows as Row[]
  },
})

type Person = { tenantId: number; userId: string }
/** As `withTenant`, for what somebody looks for: in a small share of the connections, and ended when it takes seconds. */
export const withSearch = <T>({ tenantId, userId }: Person, work: (tx: Tx) => Promise<T>): Promise<T> =>
  inShare('search', { tenantId, userId }, work)

/** As `withSearch`, for sums over much, which may take a minute: they give way to everything live. */
export const withReport = <T>({ tenantId, userId }: Person, work: (tx: Tx) => Promise<T>): Promise<T> =>
  inShare('report', { tenantId, userId }, work)

/**
 * As `withReport`, for what may be some seconds old: read from the replica where there is one, and from the database
 * itself for a while after the replica could not be reached.
 */
export const withReplica = async <T>(person: Person, work: (tx: Tx) => Promise<T>): Promise<T> => {
  const { replica } = openPools()
  if (!replica || Date.now() < replicaRestsUntil) return withReport(person, work)
  try {
    return await inShare('report', person, work, replica)
  } catch (error) {
    if (!isAway(error)) throw error
    replicaRestsUntil = Date.now() + replicaRestMs
    return withReport(person, work)
  }
}
const replicaRestMs = 30_000
let replicaRestsUntil = 0
const networkErrors = ['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENOTFOUND', 'EPIPE', 'ETIMEDOUT']
/** No answer at all, or one that says that it is starting, shutting down or no place for us. */
const isAway = (error: unknown): boolean => {
  const cause = error instanceof Error && error.cause ? error.cause : error
  if (cause instanceof pg.DatabaseError) return /^(57P|08|28|3D)/.test(cause.code ?? '')
  if (!(cause instanceof Error)) return false
  const code = 'code' in cause ? String(cause.code) : ''
  return (
    isSocketGone(cause) || networkErrors.includes(code) || /timeout exceeded|connection terminated/i.test(cause.message)
  )
}

const inShare = <T>(kind: Kind, owner: Owner, work: (tx: Tx) => Promise<T>, pool = appPool(kind)): Promise<T> => {
  const { tenantId } = owner
  if (!Number.isInteger(tenantId) || tenantId < 0) throw new Error(`Not a tenant: ${tenantId}`)
  const { statementMs, workMemory, isAlone } = limits[kind]
  const settings = {
    'app.tenant_id': tenantId,
    statement_timeout: statementMs,
    ...(workMemory && { work_mem: workMemory }),
    ...(isAlone && { max_parallel_workers_per_gather: 0 }),
  }
  const set = Object.entries(settings).map(([name, value]) => `set_config('${name}', '${value}', true)`)
  // Of sums, what one statement finds holds for those that follow.
  const begin = `begin${kind === 'report' ? ' isolation level repeatable read' : ''}; select ${set.join(', ')}`
  const { shares } = openPools()
  return shares[kind](owner, () => withRetry(() => transact(pool, tenantId, begin, work)))
}

/**
 * Runs `work` across tenants as the platform role. Callers are few: log-in by e-mail, tenants administration,
 * queue claiming, relays and clean-up. `reason` names the caller in pg_stat_activity.
 */
export const withPlatform = <T>(reason: string, work: (tx: Tx) => Promise<T>): Promise<T> => {
  const begin = `begin; set local application_name = 'balcao: ${reason.replace(/[^\w .:-]/g, '')}'`
  return withRetry(() => transact(platformPool(), 0, begin, work))
}

/** One statement outside any transaction, as the platform role: the journal's and the relay's batches. */
export const platformRows = async <Row extends object>(statement: Prepared, values: unknown[]): Promise<Row[]> => {
  const [rows] = await tripBy(platformPool(), [statement, values])
  return rows as Row[]
}

/** True when the database answers soon: a frozen one takes connections and says nothing. */
export const isDatabaseUp = async (withinMs = 1_500) => {
  try {
    const asked: Promise<unknown> = openPools().front.platform.query(
      Object.assign({ text: 'select 1' }, { query_timeout: withinMs }),
    )
    const isLate = Promise.withResolvers<never>()
    const late = setTimeout(() => isLate.reject(new Error('No answer')), withinMs)
    await Promise.race([asked, isLate.promise]).finally(() => clearTimeout(late))
    return true
  } catch {
    return false
  }
}
