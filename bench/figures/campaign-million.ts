import { abilitiesOf } from '@balcao/contract/channels/index.ts'
import { campaignWrite } from '@balcao/contract/operations/campaigns/campaigns.ts'
import type pg from 'pg'
import { firstNames, lastNames } from '../../apps/server/src/demo/people.ts'
import { type Bench, bearer, type Caller } from '../bench.ts'
import { ask, requestOf } from '../load.ts'
import { atMost, percentile, rounded, say } from '../report.ts'
import { v7 } from '../uuid.ts'

const tenantId = 3
const many = 1_000_000
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** A company of a million contacts: how long it takes to freeze them all, and the page of a campaign that reached them. */
export const measureCampaignMillion = async (bench: Bench) => {
  const { connectionId, userId, campaignId } = await seedMillion(bench.db)
  await freezing(bench, { connectionId, userId })
  const caller = { id: userId, token: await bench.tokenFor(userId, tenantId) }
  await page(bench, { caller, campaignId })
}

type Seeded = { connectionId: string; userId: string; campaignId: string }
/** Once, and kept: a company with nothing else in it, and a campaign as it stands at the end of its day. */
const seedMillion = async (db: pg.Pool): Promise<Seeded> => {
  const { rows } = await db.query<Seeded>(
    `select n.id as "connectionId", u.id as "userId", c.id as "campaignId" from connections n, users u, campaigns c
      where n.tenant_id = $1 and n.kind = 'evolution' and u.tenant_id = $1 and c.tenant_id = $1 and c.name = 'Enviada'`,
    [tenantId],
  )
  if (rows[0]) return rows[0]
  say('a company of a million contacts; a few minutes, once')
  const client = await db.connect()
  const [connectionId, userId] = [v7(), v7()]
  try {
    // Foreign keys and the triggers of whatever else follows contacts rest meanwhile.
    await client.query(`set session_replication_role = replica; set synchronous_commit = off; set work_mem = '256MB'`)
    await client.query(`insert into tenants (id, name) values ($1, 'Um milhão')`, [tenantId])
    await client.query(
      `insert into users (tenant_id, id, name, email, password_hash, profile, is_online)
        values ($1, $2, 'Chefe', 'chefe@milhao.local', 'x', 'admin', false)`,
      [tenantId, userId],
    )
    await client.query(
      `insert into connections (tenant_id, id, kind, name, status, external_id, config, abilities, hook_secret)
        values ($1, $2, 'evolution', 'Loja', 'DISCONNECTED', 'milhao', '{}', $3, 'bench-hook')`,
      [tenantId, connectionId, JSON.stringify(abilitiesOf('evolution', {}))],
    )
    await client.query(
      `insert into contacts (tenant_id, id, name, number, created_at)
        select $1, uuidv7(interval '-30 days' + interval '1 second' * n),
          ($2::text[])[1 + n % ${firstNames.length}] || ' ' || ($3::text[])[1 + n * 7 % ${lastNames.length}],
          '5511' || (900000000 + n), now() - interval '30 days' from generate_series(1, ${many}) n`,
      [tenantId, firstNames, lastNames],
    )
    await client.query(
      `insert into contact_identities (tenant_id, kind, value, contact_id)
        select tenant_id, 'phone', number, id from contacts where tenant_id = $1`,
      [tenantId],
    )
    await client.query('set session_replication_role = origin')
    const campaignId = await insertCampaign(client, { name: 'Enviada', state: 'draft', connectionId, userId })
    await fill(client, { campaignId, connectionId })
    await client.query(`update campaigns set state = 'running', due_at = null where tenant_id = $1`, [tenantId])
    await order(client)
    for (const table of [
      'contacts',
      'contact_identities',
      'campaign_recipients',
      'campaign_tallies',
      'opportunities',
      'campaign_orders',
    ])
      await client.query(`vacuum analyze ${table}`)
    return { connectionId, userId, campaignId }
  } finally {
    client.release(true)
  }
}

/** Its triggers count as they do for every recipient. */
const fill = async (
  client: pg.PoolClient,
  { campaignId, connectionId }: { campaignId: string; connectionId: string },
) => {
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const { rows } = await client.query<{ last: string | null }>(
      `with c as (select id, row_number() over (order by id) as n from (
          select id from contacts where tenant_id = $1 and id > $4::uuid order by id limit 100000) x),
        r as (insert into campaign_recipients (tenant_id, id, campaign_id, step, contact_id, connection_id, variant, state, message_id,
            sent_at, delivered_at, read_at, answered_at, failed_at, error)
          select $1, uuidv7(), $2, 0, c.id, $3, n % 2, case when n % 20 = 0 then 'failed' when n % 3 = 0 then 'read' else 'delivered' end,
            uuidv7(), case when n % 20 > 0 then t.at end, case when n % 20 > 0 then t.at end,
            case when n % 20 > 0 and n % 3 = 0 then t.at end, case when n % 30 = 1 then t.at end,
            case when n % 20 = 0 then t.at end, case when n % 20 = 0 then 'Falha ' || n % 7 end
          from c cross join lateral (select now() - n * interval '0.4 seconds' as at) t)
      select max(id::text) as last from c`,
      [tenantId, campaignId, connectionId, after],
    )
    const last = rows[0]?.last
    if (!last) return
    after = last
  }
}

/** One in a hundred orders, and a third of those buy. */
const order = async (client: pg.PoolClient) => {
  await client.query('set session_replication_role = replica')
  await client.query(
    `insert into opportunities (tenant_id, id, name, pipeline_id, stage_id, position, contact_id, value, status, created_at)
      select $1, uuidv7(), 'Pedido', $2, $3, n, id, 10000, case when n % 300 = 1 then 'win' else 'open' end, now() + interval '1 minute'
      from (select id, row_number() over (order by id) as n from contacts where tenant_id = $1) c where n % 100 = 1`,
    [tenantId, v7(), v7()],
  )
  await client.query('set session_replication_role = origin')
  // The trigger that does this rested.
  await client.query(`select attribute_orders($1, array(select id from opportunities where tenant_id = $1))`, [
    tenantId,
  ])
}

type New = { name: string; state: 'draft' | 'preparing'; connectionId: string; userId: string }
const insertCampaign = async (db: pg.Pool | pg.PoolClient, { name, state, connectionId, userId }: New) => {
  const say = (body: string) => ({ content: { parts: [{ kind: 'text' as const, body }] } })
  const {
    origin,
    purpose,
    startsAt: _s,
    endsAt: _e,
    name: _n,
    connectionIds,
    ...plan
  } = campaignWrite.parse({
    ...{ name, connectionIds: [connectionId], audience: { include: [{ kind: 'everybody' }] } },
    steps: [{ variants: [say('Oi, {{primeiro_nome}}!'), say('Olá, {{primeiro_nome}}!')] }],
  })
  const id = v7()
  await db.query(
    `insert into campaigns (tenant_id, id, name, origin, purpose, state, connection_ids, plan, created_by, started_at, due_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, now(), now())`,
    [tenantId, id, name, origin, purpose, state, connectionIds, JSON.stringify(plan), userId],
  )
  return id
}

const freezing = async ({ db }: Bench, { connectionId, userId }: { connectionId: string; userId: string }) => {
  const begun = performance.now()
  const id = await insertCampaign(db, { name: 'Nova', state: 'preparing', connectionId, userId })
  let state = 'preparing'
  while (state === 'preparing' && performance.now() - begun < 200_000) {
    await pause(50)
    const { rows } = await db.query<{ state: string }>(`select state from campaigns where tenant_id = $1 and id = $2`, [
      tenantId,
      id,
    ])
    state = rows[0]?.state ?? 'gone'
  }
  const seconds = (performance.now() - begun) / 1_000
  const { rows } = await db.query<{ count: number }>(
    `update campaigns set state = 'canceled', due_at = null where tenant_id = $1 and id = $2
      returning (select count(*)::int from campaign_recipients where tenant_id = $1 and campaign_id = $2) as count`,
    [tenantId, id],
  )
  atMost(60, {
    name: `a campaign to ${many} contacts, from its start until all are frozen`,
    value: seconds,
    unit: 's',
    compared: { recipients: rows[0]?.count ?? 0, state },
  })
  await db.query(`delete from campaign_recipients where tenant_id = $1 and campaign_id = $2`, [tenantId, id])
  await db.query(`delete from campaigns where tenant_id = $1 and id = $2`, [tenantId, id])
}

const page = async ({ server }: Bench, { caller, campaignId }: { caller: Caller; campaignId: string }) => {
  for (const path of [
    `/campaigns/${campaignId}`,
    `/campaigns/${campaignId}/report`,
    `/campaigns/contacts/${campaignId}`,
    `/campaigns/contacts/${campaignId}?answered=yes`,
    `/campaigns/contacts/${campaignId}?step=0&variant=1`,
    `/campaigns/contacts/${campaignId}?orders=created`,
    `/campaigns/contacts/${campaignId}?orders=won`,
    '/campaigns',
  ]) {
    const times: number[] = []
    for (let n = 0; n < 40; n += 1) {
      const at = performance.now()
      const { status } = await ask(server.port, requestOf('GET', `/api${path}`, bearer(caller)))
      if (status !== 200) throw new Error(`${path}: ${status}`)
      times.push(performance.now() - at)
    }
    atMost(100, {
      name: `GET ${path.replace(campaignId, '{id}')} with ${many} recipients, p95`,
      value: percentile(times, 95),
      unit: 'ms',
      compared: { p50Ms: rounded(percentile(times, 50)) },
    })
  }
}
