import type { InstallationSample, RowQueue } from '@balcao/contract/platform/monitor.ts'
import { type Prepared, platformRows } from '../../../db/database.ts'

/** Each down the partial index its loop uses; a row that is to wait until a moment still to come is not late. */
const waiting: Record<RowQueue, string> = {
  journal: queue('journal', `state = 'received'`, 'received_at'),
  outbox: queue('outbox', 'true', `due_at - interval '2 seconds'`),
  sends: queue('messages', `status in ('queued', 'sending')`, 'coalesce(next_attempt_at, created_at)'),
  turns: queue('turns', `state = 'waiting'`, 'due_at'),
  deliveries: queue('deliveries', `state = 'waiting'`, 'due_at'),
  mail: queue('mails', `state = 'queued'`, 'attempt_at'),
}
function queue(table: string, where: string, moment: string) {
  return `(select jsonb_build_object('waiting', count(*), 'oldestS', coalesce(greatest(0, extract(epoch from now() - min(${moment}))), 0)::int)
    from ${table} where ${where})`
}

const installation: Prepared = {
  name: 'monitor_installation',
  text: `select pg_database_size(current_database())::bigint as "databaseBytes", a.*,
      current_setting('max_connections')::int as "maxConnections",
      (select count(*)::int from pg_locks where not granted) as "waitingLocks",
      jsonb_build_object(${Object.entries(waiting)
        .map(([name, text]) => `'${name}', ${text}`)
        .join(', ')}) as queues
    from (select count(*) filter (where backend_type = 'client backend')::int as connections,
        coalesce(max(extract(epoch from now() - xact_start)) filter (where pid <> pg_backend_pid() and backend_type = 'client backend'), 0)::int as "longestS"
      from pg_stat_activity where datname = current_database()) a`,
}
export const readInstallation = async (): Promise<InstallationSample> => {
  const [row] = await platformRows<InstallationSample>(installation, [])
  if (!row) throw new Error('The figures answered no row')
  return row
}

const running: Prepared = {
  name: 'monitor_running',
  text: `select pid, round(extract(epoch from now() - query_start)::numeric, 1)::float8 as seconds,
      coalesce(wait_event_type || ': ' || wait_event, '') as wait, pg_blocking_pids(pid) as "blockedBy",
      left(regexp_replace(coalesce(query, ''), '\\s+', ' ', 'g'), 300) as text
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend' and state <> 'idle'
      and (query_start < now() - interval '1 second' or wait_event_type = 'Lock')
    order by query_start limit 20`,
}
type Running = { pid: number; seconds: number; wait: string; blockedBy: number[]; text: string }
export const readRunning = () => platformRows<Running>(running, [])

const replicas: Prepared = {
  name: 'monitor_replicas',
  text: `select coalesce(nullif(application_name, ''), client_addr::text, 'réplica') as name, coalesce(state, '') as state,
      coalesce(extract(epoch from replay_lag), 0)::float8 as "lagS" from pg_stat_replication order by 1`,
}
export const readReplicas = () => platformRows<{ name: string; state: string; lagS: number }>(replicas, [])

const tables: Prepared = {
  name: 'monitor_tables',
  text: `select relname as name, pg_total_relation_size(oid)::bigint as bytes from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r' order by 2 desc limit 8`,
}
export const readTables = () => platformRows<{ name: string; bytes: number }>(tables, [])
