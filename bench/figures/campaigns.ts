import { abilitiesOf } from '@balcao/contract/channels/index.ts'
import { campaignWrite } from '@balcao/contract/operations/campaigns/campaigns.ts'
import type pg from 'pg'
import { type Bench, bearer } from '../bench.ts'
import { takeProcessor, watchProcessors } from '../busy.ts'
import { loadAlone, requestOf } from '../load.ts'
import { startProvider } from '../provider.ts'
import { atMost, percentile, rounded } from '../report.ts'
import { tenantId } from '../seed.ts'
import { v7 } from '../uuid.ts'
import { otherCompany, otherTenantId } from './neighbours.ts'

const perSecond = 80
const rounds = 6
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Campaigns by one official number: its pace, and what another company feels. */
export const measureCampaigns = async (bench: Bench) => {
  const number = await officialNumber(bench, tenantId)
  try {
    await paceAndNeighbour(bench, number)
  } finally {
    number.provider.close()
    await stopNumber(bench.db, number.id)
  }
}

/** Nobody looks whether it works in runs to come: each would be felt there. */
const stopNumber = (db: pg.Pool, id: string) =>
  db.query('update connections set stopped_at = now() where id = $1', [id])

type OfficialNumber = Awaited<ReturnType<typeof officialNumber>>
/** A simulated Meta behind a number with an approved template; it says sent, delivered and read of all it gets. */
const officialNumber = async (bench: Bench, of: number) => {
  const phoneNumberId = `10${String(Date.now()).slice(-10)}`
  const secrets = secretsOf(phoneNumberId)
  const about = { wabaId: '2001', displayPhoneNumber: '+55 11 4000-1000' }
  const provider = await startProvider({ ...secrets, ...about, phoneNumberId }, { ...template, components })
  const id = await insertNumber(bench.db, { of, phoneNumberId, baseUrl: provider.url })
  provider.setWebhook(`http://127.0.0.1:${bench.server.port}/hooks/waba/${id}`)
  return { provider, id }
}
const secretsOf = (phoneNumberId: string) => ({
  appSecret: `app-secret-${phoneNumberId}`,
  verifyToken: `verify-${phoneNumberId}`,
  accessToken: `access-token-${phoneNumberId}`,
})

/** An official number of a company, with the approved template that `startCampaign` sends. */
export const insertNumber = async (
  db: pg.Pool,
  { of, phoneNumberId, baseUrl }: { of: number; phoneNumberId: string; baseUrl: string },
): Promise<string> => {
  const id = v7()
  const config = { ...secretsOf(phoneNumberId), phoneNumberId, wabaId: '2001', apiVersion: 'v25.0', baseUrl }
  await db.query(
    `insert into connections (tenant_id, id, kind, name, status, config, abilities, external_id, hook_secret)
      values ($1, $2, 'waba', $3, 'CONNECTED', $4, $5, $6, 'bench-hook')`,
    [
      ...[of, id, `Oficial ${phoneNumberId}`, JSON.stringify(config)],
      JSON.stringify(abilitiesOf('waba', {})),
      phoneNumberId,
    ],
  )
  await db.query(
    `insert into message_templates (tenant_id, id, connection_id, external_id, name, language, category, status, components, synced_at)
      values ($1, uuidv7(), $2, '1', $3, $4, $5, 'APPROVED', $6, now())`,
    [of, id, template.name, template.language, template.category, JSON.stringify(components)],
  )
  return id
}

/** A campaign whose audience is frozen already: so many contacts of the company with a phone, by its connections in turn. */
export const startCampaign = async (
  db: pg.Pool,
  { of, connectionIds, many }: { of: number; connectionIds: string[]; many: number },
) => {
  const {
    name,
    origin,
    purpose,
    connectionIds: _c,
    startsAt: _s,
    endsAt: _e,
    ...plan
  } = campaignWrite.parse({
    ...{ name: `Campanha ${many}`, connectionIds, steps: [step] },
    window: { from: '00:00', until: '00:00', days: [0, 1, 2, 3, 4, 5, 6], skipHolidays: false },
    brake: { failedPercent: 100 },
  })
  const id = v7()
  await db.query(
    `insert into campaigns (tenant_id, id, name, origin, purpose, state, connection_ids, plan, started_at, prepared_at, due_at)
      values ($1, $2, $3, $4, $5, 'draft', $6, $7, now(), now(), now())`,
    [of, id, name, origin, purpose, connectionIds, JSON.stringify(plan)],
  )
  const { rowCount } = await db.query(
    `insert into campaign_recipients (tenant_id, id, campaign_id, step, contact_id, connection_id, variant)
      select $1, uuidv7(), $2, 0, c.id, ($3::uuid[])[1 + (row_number() over (order by c.id)) % cardinality($3::uuid[])], 0
      from contacts c where c.tenant_id = $1 and c.number is not null and not c.is_group
        and c.merged_into_id is null order by c.id limit $4`,
    [of, id, connectionIds, many],
  )
  return {
    id,
    many: rowCount ?? 0,
    start: () => db.query(`update campaigns set state = 'running' where tenant_id = $1 and id = $2`, [of, id]),
  }
}
const template = { name: 'novidades', language: 'pt_BR', category: 'MARKETING' as const }
const components = [{ type: 'BODY' as const, text: 'Oi, tudo bem? Temos novidades.' }]
/** As Meta lists it. */
export const approvedTemplate = { id: '1', ...template, status: 'APPROVED', components }
const step = { variants: [{ content: { template: { name: template.name, language: template.language } } }] }

const paceAndNeighbour = async ({ db, server, ...bench }: Bench, { id: connectionId, provider }: OfficialNumber) => {
  const campaign = await startCampaign(db, { of: tenantId, connectionIds: [connectionId], many: 8_000 })
  const setState = (state: 'running' | 'paused' | 'canceled') =>
    db.query('update campaigns set state = $3 where tenant_id = $1 and id = $2', [tenantId, campaign.id, state])
  const untilSent = async (): Promise<void> => {
    const { rows } = await db.query(
      `select from messages where tenant_id = $1 and connection_id = $2 and status in ('queued', 'sending') limit 1`,
      [tenantId, connectionId],
    )
    if (rows.length) return pause(250).then(untilSent)
    await pause(1_500) // until its receipts are in
  }

  await campaign.start()
  await pause(4_000) // the first batch waits for the feeder's first look
  const before = (await provider.readSends()).length
  const alone = await writesOf(db, 12_000)
  const times = (await provider.readSends()).slice(before)
  await setState('paused')
  await untilSent()
  const rate = (times.length - 1) / (((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1_000)
  atMost(5, {
    name: `campaign by one official number, receipts included: distance from ${perSecond} messages a second`,
    value: (Math.abs(rate - perSecond) * 100) / perSecond,
    unit: '%',
    compared: { perSecond: rounded(rate), sent: times.length },
  })
  atMost(1, {
    name: 'a message of the campaign, sent, delivered and read: times the log was written through to the disk',
    value: alone.syncs / times.length,
    unit: '',
    compared: { transactions: rounded(alone.commits / times.length) },
  })

  const { caller, ticketIds } = await otherCompany({ db, server, ...bench }, 40)
  await pause(2_500) // whoever keeps the company in memory knows its new person by then
  const send = (n: number) =>
    requestOf(
      'POST',
      `/api/messages/${ticketIds[n % ticketIds.length]}`,
      { ...bearer(caller), 'content-type': 'application/json' },
      JSON.stringify({ id: v7(), body: 'Seu pedido saiu para entrega.' }),
    )
  // Nothing of it is left in their queue: it would be sent, and felt, in the next round.
  const sends = async () => {
    const requests = Array.from({ length: 500 }, (_, n) => send(n).toString())
    const latenciesMs = await loadAlone({ port: server.port, requests, everyMs: 20 })
    await db.query(`delete from messages where tenant_id = ${otherTenantId}`)
    return latenciesMs
  }
  await sends()
  const quiet: number[][] = []
  const beside: number[][] = []
  const control: number[][] = []
  const shares: number[] = []
  /** Sends, and how much of a processor the whole machine took meanwhile. */
  const watched = async (into: number[][]) => {
    const taken = watchProcessors()
    into.push(await sends())
    return taken()
  }
  // In turns, and the middle round of each: a burst of something else on the machine spoils a round and not the figure.
  for (let round = 0; round < rounds; round += 1) {
    const own = await watched(quiet)
    await setState('running')
    await pause(3_000)
    const share = (await watched(beside)) - own
    await setState('paused')
    await untilSent()
    const end = takeProcessor(Math.min(0.99, Math.max(0.05, share)))
    await pause(500)
    shares.push((await watched(control)) - own)
    end()
  }
  await setState('canceled')
  const sentBeside = (await provider.readSends()).length - before - times.length
  const p99 = middle(beside, 99)
  atMost(rounded(1.1 * middle(quiet, 99)), {
    name: 'sends of another company beside it, p99',
    value: p99,
    unit: 'ms',
    compared: { ...figuresOf('', beside), ...figuresOf('quiet', quiet), sentBeside },
  })
  // What the machine itself costs whoever shares it, however well the other gives way.
  atMost(rounded(1.1 * middle(control, 99)), {
    name: 'the same, held to sends beside a program that takes as much of a processor when nobody else wants it, p99',
    value: p99,
    unit: 'ms',
    compared: { ...figuresOf('control', control), controlTook: rounded(percentile(shares, 50)) },
  })
}
const middle = (some: number[][], percent: number) =>
  percentile(
    some.map((round) => percentile(round, percent)),
    50,
  )
const figuresOf = (of: string, some: number[][]) => ({
  ...Object.fromEntries([50, 90, 99].map((percent) => [`${of}P${percent}Ms`, rounded(middle(some, percent))])),
  [`${of}P99sMs`]: some.map((round) => rounded(percentile(round, 99))).join(' '),
})

/** How often the log was written through to the disk for so long, and how many transactions ended. */
const writesOf = async (db: pg.Pool, ms: number) => {
  const read = async () => {
    const { rows } = await db.query<{ syncs: number; commits: number }>(
      `select (select sum(fsyncs) from pg_stat_io where object = 'wal')::float8 as syncs,
        (select xact_commit from pg_stat_database where datname = current_database())::float8 as commits`,
    )
    return rows[0] ?? { syncs: 0, commits: 0 }
  }
  const before = await read()
  await pause(ms)
  const after = await read()
  return { syncs: after.syncs - before.syncs, commits: after.commits - before.commits }
}
