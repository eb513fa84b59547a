import { type Bench, bearer } from '../bench.ts'
import { load, requestOf } from '../load.ts'
import { atMost, percentile, rounded } from '../report.ts'
import { tenantId } from '../seed.ts'

const cards = 10_000
const stages = 5

/** The funnel as it opens with many open opportunities: its board, the next cards of a stage, its list, its numbers. */
export const measureFunnel = async ({ db, server, admin }: Bench) => {
  const figure = async (name: string, path: string, mostMs: number) => {
    const { latenciesMs } = await load({
      port: server.port,
      connections: 1,
      count: 24,
      next: () => requestOf('GET', `/api${path}`, bearer(admin)),
    })
    const p50 = rounded(percentile(latenciesMs, 50))
    atMost(mostMs, { name: `${name}, p95`, value: percentile(latenciesMs, 95), unit: 'ms', compared: { p50 } })
  }
  await clear(db)
  try {
    const { rows } = await db.query<{ id: string }>(fill, [tenantId, stages, cards])
    await db.query('analyze opportunities')
    const pipelineId = rows[0]?.id
    const days = 'startDate=2026-01-01&endDate=2026-12-31'
    await figure(`funnel board of ${cards} cards`, `/opportunities/board?pipelineId=${pipelineId}`, 1_000)
    await figure('the same, searched', `/opportunities/board?pipelineId=${pipelineId}&searchParam=medida%204`, 1_000)
    await figure('list of them, counted', `/opportunities?pipelineId=${pipelineId}&status=open&count=true`, 1_000)
    await figure('its numbers', `/opportunities/dashboard?pipelineId=${pipelineId}&${days}`, 1_000)
  } finally {
    await clear(db)
  }
}

const named = 'Funil de medição'
const clear = async (db: Bench['db']) => {
  const ours = `select id from pipelines where tenant_id = $1 and name = '${named}'`
  await db.query(`delete from opportunities where tenant_id = $1 and pipeline_id in (${ours})`, [tenantId])
  await db.query(`delete from pipelines where tenant_id = $1 and name = '${named}'`, [tenantId])
}
const fill = `with pipeline as (
    insert into pipelines (tenant_id, id, name, position) values ($1, gen_random_uuid(), '${named}', 1) returning id
  ), made as (
    insert into stages (tenant_id, id, pipeline_id, name, color, position, probability)
      select $1, gen_random_uuid(), p.id, 'Etapa ' || n, '#0b7a75', n, n * 15 from pipeline p, generate_series(1, $2::int) n
      returning id, position
  ), people as (select id, row_number() over (order by id) as n from users where tenant_id = $1),
  who as (select id, row_number() over (order by id) as n from contacts where tenant_id = $1 limit $3),
  written as (
    insert into opportunities (tenant_id, id, name, pipeline_id, stage_id, position, contact_id, responsible_id, closing_forecast, value)
      select $1, gen_random_uuid(), 'Oportunidade de medida ' || x.n, p.id, s.id, x.n,
        (select w.id from who w where w.n = 1 + x.n % (select count(*) from who)),
        (select u.id from people u where u.n = 1 + x.n % (select count(*) from people)),
        current_date + (x.n % 90), x.n * 1000
      from pipeline p, generate_series(1, $3::int) x(n) join made s on true where s.position = 1 + x.n % $2::int
      returning id, stage_id
  ), told as (
    insert into opportunity_moves (tenant_id, id, opportunity_id, kind, to_value)
      select $1, gen_random_uuid(), id, 'created', stage_id::text from written
  ) select id from pipeline`
