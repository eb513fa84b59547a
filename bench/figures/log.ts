import type { Bench } from '../bench.ts'
import { load } from '../load.ts'
import { rounded, say, tell } from '../report.ts'
import { activeCustomers, arrived, sweep, webhook } from '../webhook.ts'

const many = 1_500
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * What one inbound message writes: bytes and records of the log and pages in it whole, right after a checkpoint, each of
 * another customer where there are so many. Counted, not timed: it says the same on a busy machine.
 */
export const measureLog = async ({ db, server }: Bench) => {
  await db.query('create extension if not exists pg_walinspect')
  await sweep(db)
  const customers = await activeCustomers(db)
  await db.query('checkpoint')
  const before = await readLog(db)
  await load({
    port: server.port,
    connections: 8,
    count: many,
    next: (n) => {
      const customer = customers[(n * 7) % customers.length]
      return customer ? webhook(customer, `Oi, bom dia! Meu pedido ${10_000 + n} ainda não chegou.`) : Buffer.alloc(0)
    },
  })
  for (let now = await arrived(db); now.waiting > 0; now = await arrived(db)) await pause(20)
  await pause(1_500) // what sessions have counted is told by then
  const after = await readLog(db)
  const each = (count: 'records' | 'pages' | 'bytes') => (after[count] - before[count]) / many
  tell({
    name: 'inbound message, log',
    value: each('bytes') / 1_000,
    unit: 'kB',
    compared: { records: rounded(each('records')), wholePages: rounded(each('pages')) },
  })
  const { rows } = await db.query<{ name: string; records: number; pages: number }>(
    `select coalesce(c.relname, 'other') as name, count(*)::float8 / ${many} as records, count(block_fpi_info)::float8 / ${many} as pages
     from pg_get_wal_block_info($1, $2, false) i left join pg_class c on pg_relation_filenode(c.oid) = i.relfilenode
     group by 1 having count(*) > ${many} / 20 order by 3 desc, 2 desc`,
    [before.at, after.at],
  )
  for (const { name, records, pages } of rows)
    say(`  ${name}: ${rounded(records)} records, ${rounded(pages)} whole pages`)
  await sweep(db)
}

type Log = { at: string; records: number; pages: number; bytes: number }
const readLog = async (db: Bench['db']): Promise<Log> => {
  const { rows } = await db.query<Log>(
    `select pg_current_wal_flush_lsn() as at, wal_records::float8 as records, wal_fpi::float8 as pages, wal_bytes::float8 as bytes from pg_stat_wal`,
  )
  const [row] = rows
  if (!row) throw new Error('PostgreSQL tells nothing of its log')
  return row
}
