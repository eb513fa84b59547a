import {
  type MonitorHistory,
  type MonitorPeriod,
  type PlatformMonitor,
  rowQueues,
  type SlowStatement,
} from '@balcao/contract/platform/monitor.ts'
import { type Prepared, platformRows } from '../../../db/database.ts'
import { shared } from './samples.loop.ts'

/** How far back, and in what steps: some sixty to a hundred and seventy points. */
const periods: Record<MonitorPeriod, { hours: number; stepS: number }> = {
  '1h': { hours: 1, stepS: 60 },
  '24h': { hours: 24, stepS: 600 },
  '7d': { hours: 7 * 24, stepS: 3_600 },
}

const step = `date_bin(make_interval(secs => $2), at, 'epoch')`
const since = `at > now() - make_interval(hours => $1)`
const mean = (field: string) => `avg((machine ->> '${field}')::float8)`
const nodes: Prepared = {
  name: 'monitor_history_nodes',
  text: `select node, ${step} as at, ${mean('cpu')} as cpu, ${mean('processCpu')} as "processCpu",
      avg((machine ->> 'memoryUsed')::float8 / nullif((machine ->> 'memoryTotal')::float8, 0)) as memory, ${mean('rss')} as rss,
      avg(1 - (machine ->> 'diskFree')::float8 / nullif((machine ->> 'diskTotal')::float8, 0)) as disk,
      ${mean('sockets')} as sockets, max((machine ->> 'lagMs')::float8) as "lagMs"
    from node_samples where ${since} and node <> '${shared}' and machine is not null group by 1, 2 order by 2, 1`,
}
const worst = (path: string) => `max((installation #>> '{${path}}')::float8)`
const installation: Prepared = {
  name: 'monitor_history_installation',
  text: `select ${step} as at, ${worst('databaseBytes')} as "databaseBytes", ${worst('connections')} as connections,
      ${worst('waitingLocks')} as "waitingLocks", jsonb_build_object(${rowQueues
        .map(
          (name) =>
            `'${name}', jsonb_build_object('waiting', coalesce(${worst(`queues,${name},waiting`)}, 0), 'oldestS', coalesce(${worst(`queues,${name},oldestS`)}, 0))`,
        )
        .join(', ')}) as queues
    from node_samples where ${since} and node = '${shared}' and installation is not null group by 1 order by 1`,
}

type Dated<Row> = Omit<Row, 'at'> & { at: Date }
export const readHistory = async (period: MonitorPeriod): Promise<MonitorHistory> => {
  const { hours, stepS } = periods[period]
  const [machines, all] = await Promise.all([
    platformRows<Dated<MonitorHistory['nodes'][number]>>(nodes, [hours, stepS]),
    platformRows<Dated<MonitorHistory['installation'][number]>>(installation, [hours, stepS]),
  ])
  const dated = <Row extends { at: Date }>(rows: Row[]) => rows.map((row) => ({ ...row, at: row.at.toISOString() }))
  return { stepS, nodes: dated(machines), installation: dated(all) }
}

const latest: Prepared = {
  name: 'monitor_nodes',
  text: `select distinct on (node) node, at, machine from node_samples
    where at > now() - interval '5 minutes' and node <> '${shared}' and machine is not null order by node, at desc`,
}
type Node = PlatformMonitor['nodes'][number]
/** Every process that told of itself lately. */
export const readNodes = async (): Promise<Node[]> =>
  (await platformRows<Dated<Node>>(latest, [])).map((row) => ({ ...row, at: row.at.toISOString() }))

const slowest: Prepared = {
  name: 'monitor_slowest',
  text: `select s.name, sum(s.calls)::int as calls, sum(s."totalMs")::float8 as "totalMs", max(s."maxMs")::float8 as "maxMs"
    from node_samples n cross join lateral jsonb_to_recordset(n.slowest) as s(name text, calls int, "totalMs" float8, "maxMs" float8)
    where n.at > now() - interval '1 hour' group by 1 order by 3 desc limit 12`,
}
export const readSlowest = () => platformRows<SlowStatement>(slowest, [])
