import { z } from 'zod'
import { moment } from '../common.ts'

const count = z.int().nonnegative()
/** Of one: 0.5 is half. */
const share = z.number().nonnegative()

/** What one process measures of itself and of its machine. */
export const machineSample = z.object({
  roles: z.array(z.string()),
  uptimeS: count,
  /** Of all processors of the machine: what is used of them, and by this process alone. */
  cpu: share,
  processCpu: share,
  memoryTotal: count,
  memoryUsed: count,
  /** Of this process. */
  rss: count,
  heap: count,
  /** Where the data folder lies; null where it cannot be known. */
  diskTotal: count.nullable(),
  diskFree: count.nullable(),
  sockets: count,
  /** How much later than asked the event loop comes round: of a hundred times the 99th, and the worst. */
  lagMs: z.number().nonnegative(),
  lagMaxMs: z.number().nonnegative(),
})
export type MachineSample = z.output<typeof machineSample>

/** Statements as a process sees them, its waiting for the database included. */
export const slowStatement = z.object({ name: z.string(), calls: count, totalMs: z.number(), maxMs: z.number() })
export type SlowStatement = z.output<typeof slowStatement>

/** Rows that wait for a worker. */
export const rowQueues = ['journal', 'outbox', 'sends', 'turns', 'deliveries', 'mail'] as const
export type RowQueue = (typeof rowQueues)[number]
const waiting = z.object({ waiting: count, oldestS: count })
const queues = z.object(
  Object.fromEntries(rowQueues.map((name) => [name, waiting])) as Record<RowQueue, typeof waiting>,
)

/** What all processes share. */
export const installationSample = z.object({
  databaseBytes: count,
  connections: count,
  maxConnections: count,
  waitingLocks: count,
  /** The oldest transaction that is open. */
  longestS: count,
  queues,
})
export type InstallationSample = z.output<typeof installationSample>

/** GET /platform/monitor: how the installation is now. */
export const platformMonitor = z.object({
  /** Which of them answered. */
  node: z.string(),
  nodes: z.array(z.object({ node: z.string(), at: moment, machine: machineSample })),
  installation: installationSample,
  replicas: z.array(z.object({ name: z.string(), state: z.string(), lagS: z.number() })),
  /** Statements that have been running for a second, and those that wait for a lock; values are never in them. */
  running: z.array(
    z.object({ pid: z.int(), seconds: z.number(), wait: z.string(), blockedBy: z.array(z.int()), text: z.string() }),
  ),
  /** Of the last hour, of all nodes. */
  slowest: z.array(slowStatement),
  tables: z.array(z.object({ name: z.string(), bytes: count })),
})
export type PlatformMonitor = z.output<typeof platformMonitor>

export const monitorPeriods = ['1h', '24h', '7d'] as const
export type MonitorPeriod = (typeof monitorPeriods)[number]
export const monitorHistoryQuery = z.object({ period: z.enum(monitorPeriods).default('1h') })

/** GET /platform/monitor/history: the same over time, by steps; means, but the worst where one moment counts. */
export const monitorHistory = z.object({
  stepS: count,
  nodes: z.array(
    z.object({
      node: z.string(),
      at: moment,
      cpu: share,
      processCpu: share,
      memory: share,
      rss: z.number(),
      disk: share.nullable(),
      sockets: z.number(),
      lagMs: z.number(),
    }),
  ),
  installation: z.array(
    z.object({ at: moment, databaseBytes: z.number(), connections: z.number(), waitingLocks: z.number(), queues }),
  ),
})
export type MonitorHistory = z.output<typeof monitorHistory>
