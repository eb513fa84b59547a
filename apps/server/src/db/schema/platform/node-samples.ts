import type { InstallationSample, MachineSample, SlowStatement } from '@balcao/contract/platform/monitor.ts'
import { jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { moment } from '../columns.ts'

/**
 * How each process was, a row a minute, for seven days; and under the name '' what all of them share: of the platform, no
 * company's.
 */
export const nodeSamples = pgTable(
  'node_samples',
  {
    at: moment('at').notNull(),
    node: text('node').notNull(),
    machine: jsonb('machine').$type<MachineSample>(),
    slowest: jsonb('slowest').$type<SlowStatement[]>(),
    installation: jsonb('installation').$type<InstallationSample>(),
  },
  (t) => [primaryKey({ columns: [t.at, t.node] })],
)
