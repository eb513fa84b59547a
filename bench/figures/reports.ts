import { reports } from '@balcao/contract/operations/reports/reports.ts'
import { type Bench, bearer } from '../bench.ts'
import { load, requestOf } from '../load.ts'
import { atMost, percentile, rounded, say } from '../report.ts'
import { tenantId } from '../seed.ts'

const episodes = 1_000_000
const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)

/** Every report over 90 days of a million conversations by fifty people, the same as a year, and all of them as a file. */
export const measureReports = async ({ db, server, admin }: Bench) => {
  await seedEpisodes(db)
  const figure = async (key: string, days: number, most: number, more = '') => {
    const path = `/api/reports/${key}?dateFrom=${day(days)}&dateTo=${day(0)}${more}`
    const { latenciesMs } = await load({
      port: server.port,
      connections: 1,
      count: 12,
      next: () => requestOf('GET', path, bearer(admin)),
    })
    atMost(most, {
      name: `report ${key}${more}, ${days} days, p95`,
      value: percentile(latenciesMs, 95),
      unit: 'ms',
      compared: { p50: rounded(percentile(latenciesMs, 50)) },
    })
  }
  for (const { key } of reports) await figure(key, 89, 1_000)
  await figure('volume', 29, 1_000, '&compare=true')
  await figure('prazos', 89, 1_000, '&compare=true&status=closed&channels=waba')
  await figure('prazos', 364, 3_000, '&dimension=month&time=business')
  await figure('retorno', 364, 3_000)

  const startedAt = Date.now()
  const asked = await fetch(`http://127.0.0.1:${server.port}/api/tickets-report/export/csv`, {
    method: 'POST',
    headers: { ...bearer(admin), 'content-type': 'application/json' },
    body: JSON.stringify({ dateFrom: day(89), dateTo: day(0) }),
  })
  const { id, total } = (await asked.json()) as { id: string; total: number }
  for (;;) {
    const { rows } = await db.query<{ state: string }>('select state from bulk_jobs where id = $1', [id])
    if (rows[0]?.state === 'done') break
    if (rows[0]?.state === 'failed' || Date.now() - startedAt > 300_000) throw new Error('the export failed')
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  const seconds = (Date.now() - startedAt) / 1_000
  atMost(60, { name: 'export of all conversations', value: seconds, unit: 's', compared: { rows: total } })
  await db.query('truncate ticket_episodes, episode_sums')
}

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
    select $1, gen_random_uuid(), t.id, n, t.contact_id, t.connection_id, 'waba', r.queues[1 + x % greatest(1, cardinality(r.queues))],
      r.people[1 + x % greatest(1, cardinality(r.people))], case when x % 3 = 0 then r.tags[1 + x % 10 : 2 + x % 10] else '{}' end,
      r.reasons[1 + x % greatest(1, cardinality(r.reasons))], 'normal', case when x % 9 = 0 then 'user' else 'contact' end, 'user',
      o, o + interval '5 minutes', o + interval '7 minutes', o + interval '1 hour', 300, 200, 420, 320, 3300, 2000, 0, 0, 3600, 2200,
      (x % 7 = 0)::int, 1 + x % 9, 1 + x % 8, jsonb_build_array(jsonb_build_object('at', o, 'userId', t.user_id, 'queueId', t.queue_id)),
      x % 5 > 0, x % 6 > 0, case when x % 4 = 0 then 1 + x % 5 end
    from named r, tickets t cross join generate_series(1, $2::int) n
      cross join lateral (select abs(hashtext(t.id::text || n)) as x) h
      cross join lateral (select now() - interval '1 day' - make_interval(secs => (x % 7600000)) as o) m
    where t.tenant_id = $1 and not t.is_group and not t.is_hidden`,
    [tenantId, times],
  )
  await client.query('set session_replication_role = origin')
  client.release()
  await db.query('select make_episode_sums($1)', [tenantId])
  await db.query('vacuum analyze ticket_episodes')
  await db.query('vacuum analyze episode_sums')
}
