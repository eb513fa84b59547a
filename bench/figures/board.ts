import { type Bench, bearer } from '../bench.ts'
import { load, requestOf } from '../load.ts'
import { atMost, percentile, rounded } from '../report.ts'
import { tenantId } from '../seed.ts'

const cards = 10_000
const lanes = 6

/** The boards of contacts as they open, and the other lists that stand over all contacts. */
export const measureBoard = async ({ db, server, admin }: Bench) => {
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
  await db.query(fill, [tenantId, lanes, cards])
  try {
    await figure(`board by stage, ${cards} cards in stages`, '/contactsKanban', 1_000)
    await figure('board by tag', '/contactsTags', 1_000)
    const { rows } = await db.query<{ id: string }>(ownerOfMany, [tenantId])
    await figure('board by tag, of one wallet', `/contactsTags?walletIds=${rows[0]?.id}`, 1_000)
  } finally {
    await clear(db)
  }
  await figure('how often each tag is in use', '/tags/counts', 1_000)
  await figure('who refuses', '/optouts?count=true', 200)
  await figure('suggested duplicates', '/contacts/duplicates?count=true', 200)
  await figure('birthdays', '/birthdays?limit=50', 200)
  await figure('imports', '/contacts/imports', 200)
}

const clear = async (db: Bench['db']) => {
  const ours = `select id from lanes where tenant_id = $1 and name like 'Etapa de medição %'`
  await db.query(`update contacts set lane_id = null, lane_at = null where tenant_id = $1 and lane_id in (${ours})`, [
    tenantId,
  ])
  await db.query(`delete from lanes where tenant_id = $1 and id in (${ours})`, [tenantId])
}
/** The newest contacts, one stage after the other. */
const fill = `with made as (
    insert into lanes (tenant_id, id, name, color, position)
      select $1, gen_random_uuid(), 'Etapa de medição ' || n, '#0b7a75', 100 + n from generate_series(1, $2::int) n returning id),
    placed as (select id, row_number() over (order by id) as n from made),
    newest as (select id, row_number() over (order by created_at desc) as n from contacts where tenant_id = $1 order by created_at desc limit $3)
  update contacts c set lane_id = p.id, lane_at = now() - interval '1 second' * x.n
    from newest x join placed p on p.n = 1 + x.n % $2::int where c.tenant_id = $1 and c.id = x.id`
const ownerOfMany = `select user_id as id from contact_wallets where tenant_id = $1 group by user_id order by count(*) desc, user_id limit 1`
