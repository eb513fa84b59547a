import { setTimeout as pause } from 'node:timers/promises'
import { reports } from '@balcao/contract/operations/reports/definitions.ts'
import { type Bench, bearer } from '../bench.ts'
import { connect, load, requestOf } from '../load.ts'
import { atMost, percentile, rounded, say, tellBeside } from '../report.ts'
import { tenantId } from '../seed.ts'
import { residentMb } from '../servers.ts'
import { activeCustomers, sweep } from '../webhook.ts'
import { seenBeside } from './flows.ts'

const episodes = 1_000_000
const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)

/** `BENCH_KEEP=yes` finds and leaves the million where it is: a run by parts. */
const keeps = process.env.BENCH_KEEP !== undefined

/** Reports over 90 days of a million conversations by fifty people. */
const withEpisodes = (work: (bench: Bench) => Promise<void>) => async (bench: Bench) => {
  const { db } = bench
  const { rows } = await db.query<{ are: boolean }>('select exists (select from ticket_episodes offset 900000) as are')
  if (!keeps || !rows[0]?.are) await seedEpisodes(db)
  try {
    await work(bench)
  } finally {
    if (!keeps) await db.query('truncate ticket_episodes, episode_sums')
  }
}

/** Every report, the same as a year, and pairs of filters that leave out much and little. */
export const measureReports = withEpisodes(async ({ db, server, admin }) => {
  /** The first reads from the disk what the others find in memory. */
  const askOften = async (path: string) => {
    const next = () => requestOf('GET', path, bearer(admin))
    const [first = 0, ...latenciesMs] = (await load({ port: server.port, connections: 1, count: 21, next })).latenciesMs
    return { first: rounded(first), latenciesMs }
  }
  const figure = async (key: string, days: number, most: number, more = '') => {
    const path = `/api/reports/${key}?dateFrom=${day(days)}&dateTo=${day(0)}${more}`
    const { first, latenciesMs } = await askOften(path)
    atMost(most, {
      name: `report ${key}${more}, ${days} days, p95`,
      value: percentile(latenciesMs, 95),
      unit: 'ms',
      compared: { p50: rounded(percentile(latenciesMs, 50)), first },
    })
  }
  for (const { key } of reports) await figure(key, 89, 1_000)
  await figure('volume', 29, 1_000, '&compare=true')
  await figure('prazos', 89, 1_000, '&compare=true&status=closed&channels=waba')
  for (const key of ['volume', 'prazos', 'etiquetas', 'estatisticas-atendimentos-usuarios', 'canais'])
    await figure(key, 89, 1_000, '&status=closed&channels=waba')
  const { rows } = await db.query<{ id: string }>('select id from queues where tenant_id = $1 order by id', [tenantId])
  for (const key of ['estatisticas-atendimentos-usuarios', 'etiquetas'])
    await figure(key, 89, 1_000, `&queuesIds=${rows[0]?.id}&channels=waba`)
  await figure('prazos', 364, 3_000, '&dimension=month&time=business')
  await figure('retorno', 364, 3_000)
  for (const [days, queues] of [
    [6, 0],
    [89, 0],
    [89, 1],
    [89, Math.ceil(rows.length / 2)],
    [89, rows.length],
  ] as const) {
    const named = rows.slice(0, queues).map(({ id }) => `&queues=${id}`)
    const path = `/api/dashboard/statistics?startDate=${day(days)}&endDate=${day(0)}${named.join('')}`
    const { first, latenciesMs } = await askOften(path)
    const of = queues ? `, ${queues} of ${rows.length} queues` : ''
    const compared = { p50: rounded(percentile(latenciesMs, 50)), first }
    atMost(1_000, {
      name: `first page${of}, ${days} days, p95`,
      value: percentile(latenciesMs, 95),
      unit: 'ms',
      compared,
    })
  }
})

/** All conversations as a file: how long it takes, and what the server holds of it meanwhile. */
export const measureReportFile = withEpisodes(async ({ db, server, admin }) => {
  const before = await residentMb(server)
  let most = before
  const startedAt = performance.now()
  const asked = await fetch(`http://127.0.0.1:${server.port}/api/tickets-report/export/csv`, {
    method: 'POST',
    headers: { ...bearer(admin), 'content-type': 'application/json' },
    body: JSON.stringify({ dateFrom: day(89), dateTo: day(0) }),
  })
  const { id, total } = (await asked.json()) as { id: string; total: number }
  for (;;) {
    const { rows } = await db.query<{ state: string }>('select state from bulk_jobs where id = $1', [id])
    if (rows[0]?.state === 'done') break
    if (rows[0]?.state === 'failed' || performance.now() - startedAt > 300_000) throw new Error('the export failed')
    await pause(100)
    most = Math.max(most, await residentMb(server))
  }
  const seconds = (performance.now() - startedAt) / 1_000
  atMost(60, { name: 'export of all conversations', value: seconds, unit: 's', compared: { rows: total } })
  const compared = { beforeMb: rounded(before) }
  atMost(100, { name: 'memory the server grows by meanwhile', value: most - before, unit: 'MB', compared })
})

const atOnce = 10
const turns = 6
const seconds = 5

/** How soon a screen sees a message beside ten people who ask for one report after the other, and without them. */
export const measureReportsBeside = withEpisodes(async (bench) => {
  const { db } = bench
  await sweep(db)
  const customers = await activeCustomers(db)
  const readers = bench.agents.slice(0, atOnce)
  const ids = readers.map(({ id }) => id)
  await db.query(`update users set profile = 'admin' where tenant_id = $1 and id = any($2::uuid[])`, [tenantId, ids])
  bench.server = await bench.restart()
  const keys = reports.filter(({ source }) => source === 'episodes').map(({ key }) => key)
  const latencies: number[] = []
  const connections = await Promise.all(readers.map(() => connect(bench.server.port)))
  /** All at the same moment, each another report. */
  const ask = (first: number) =>
    Promise.all(
      readers.map(async (reader, n) => {
        const key = keys[(first + n) % keys.length]
        const path = `/api/reports/${key}?dateFrom=${day(89)}&dateTo=${day(0)}&compare=true`
        const askedAt = performance.now()
        const answer = await connections[n]?.send(requestOf('GET', path, bearer(reader)))
        if (answer?.status !== 200) throw new Error(`A report answered ${answer?.status}`)
        latencies.push(performance.now() - askedAt)
      }),
    )
  const readFor = async (ms: number, everyMs: number) => {
    const startedAt = performance.now()
    for (let at = 0; performance.now() < startedAt + ms; at += 1) {
      await ask(at)
      await pause(Math.max(0, startedAt + (at + 1) * everyMs - performance.now()))
    }
  }
  const figure = async (name: string, everyMs: number) => {
    const [quiet, beside]: [number[], number[]] = [[], []]
    latencies.length = 0
    for (let turn = 0; turn < turns; turn += 1) {
      quiet.push(...(await seenBeside(bench, customers, () => pause(seconds * 1_000))))
      beside.push(...(await seenBeside(bench, customers, () => readFor(seconds * 1_000, everyMs))))
    }
    tellBeside(1.1, `inbound to a screen beside ${atOnce} reports at once, ${name}, p95`, quiet, beside, {
      reports: latencies.length,
      reportP95Ms: rounded(percentile(latencies, 95)),
    })
  }
  try {
    await seenBeside(bench, customers, () => readFor(4_000, 0))
    await figure('every other second', 2_000)
    await figure('one after the other', 0)
  } finally {
    for (const connection of connections) connection.close()
    await db.query(`update users set profile = 'user' where tenant_id = $1 and id = any($2::uuid[])`, [tenantId, ids])
    await sweep(db)
  }
})

/** So many episodes of the tickets there are, spread over 90 days, by set. */
const seedEpisodes = async (db: Bench['db']) => {
  const { rows } = await db.query<{ count: number }>(
    'select count(*)::int as count from tickets where tenant_id = $1 and not is_group and not is_hidden',
    [tenantId],
  )
  const times = Math.ceil(episodes / Math.max(1, rows[0]?.count ?? 1))
  say(`${times} episodes of each of ${rows[0]?.count} tickets`)
  await db.query('truncate ticket_episodes, episode_sums')
  await db.query('delete from episode_marks where tenant_id = $1', [tenantId])
  // Without what triggers add up, which is made at once afterwards.
  const client = await db.connect()
  await client.query('set session_replication_role = replica')
  await client.query(
    `with people as (select array_agg(id) as ids from (select id from users where tenant_id = $1 order by id limit 50) u),
      named as (select (select ids from people) as people, array(select id from queues where tenant_id = $1) as queues,
        array(select id from reasons where tenant_id = $1) as reasons, array(select id from tags where tenant_id = $1 order by id limit 20) as tags)
    insert into ticket_episodes (tenant_id, id, ticket_id, ordinal, contact_id, connection_id, channel, queue_id, user_id, tag_ids, reason_id,
      priority, opened_by_kind, closed_by_kind, opened_at, accepted_at, first_answered_at, closed_at, wait_s, wait_business_s,
      first_answer_s, first_answer_business_s, handling_s, handling_business_s, paused_s, paused_business_s, resolution_s,
      resolution_business_s, transfers, messages_in, messages_out, owners, is_first_answer_met, is_resolution_met, grade)
    select $1, gen_random_uuid(), t.id, n, t.contact_id, t.connection_id, (array['telegram', 'instagram', 'webchat', 'waba'])[1 + least(3, x / 7 % 10)], r.queues[1 + x % greatest(1, cardinality(r.queues))],
      r.people[1 + x % greatest(1, cardinality(r.people))], case when x % 3 = 0 then r.tags[1 + x % 10 : 2 + x % 10] else '{}' end,
      r.reasons[1 + x % greatest(1, cardinality(r.reasons))], 'normal', case when x % 9 = 0 then 'user' else 'contact' end, 'user',
      o, o + interval '5 minutes', o + interval '7 minutes', o + interval '1 hour', 300, 200, 420, 320, 3300, 2000, 0, 0, 3600, 2200,
      (x % 7 = 0)::int, 1 + x % 9, 1 + x % 8, jsonb_build_array(jsonb_build_object('at', o, 'userId', t.user_id, 'queueId', t.queue_id)),
      x % 5 > 0, x % 6 > 0, case when x % 4 = 0 then 1 + x % 5 end
    from named r, tickets t cross join generate_series(1, $2::int) n
      cross join lateral (select abs(hashtext(t.id::text || n)) as x) h
      cross join lateral (select now() - interval '1 day' - make_interval(secs => (x % 7600000)) as o) m
    where t.tenant_id = $1 and not t.is_group and not t.is_hidden
    order by o`, // as they come
    [tenantId, times],
  )
  await client.query('set session_replication_role = origin')
  client.release()
  await db.query('select make_episode_sums($1)', [tenantId])
  await db.query('vacuum analyze ticket_episodes')
  await db.query('vacuum analyze episode_sums')
}
