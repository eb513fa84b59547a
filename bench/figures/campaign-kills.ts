import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type pg from 'pg'
import type { Bench } from '../bench.ts'
import { atMost, rounded, say } from '../report.ts'
import { v7 } from '../uuid.ts'
import { approvedTemplate, insertNumber, startCampaign } from './campaigns.ts'

const tenantId = 4
const many = 100_000
/** Official numbers, each at its own 80 a second. */
const numbers = 8
const killEveryMs = 30_000
const mostMs = 540_000
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** A campaign to 100,000 by several numbers, its server killed again and again until all have had their turn. */
export const measureCampaignKills = async (bench: Bench) => {
  const provider = await startProvider()
  try {
    await killedUntilSent(bench, provider)
  } finally {
    provider.close()
  }
}

const killedUntilSent = async (bench: Bench, provider: Provider) => {
  const { db } = bench
  await seedPeople(db)
  const connectionIds: string[] = []
  for (let n = 0; n < numbers; n += 1) {
    const phoneNumberId = `20${n}${String(Date.now()).slice(-9)}`
    connectionIds.push(await insertNumber(db, { of: tenantId, phoneNumberId, baseUrl: provider.url }))
  }
  const { id: campaignId, start } = await startCampaign(db, { of: tenantId, connectionIds, many })
  await start()
  const begun = performance.now()
  let kills = 0
  let counted = await countStates(db, campaignId)
  for (let nextKill = begun + killEveryMs; counted.open > 0 && performance.now() - begun < mostMs; ) {
    await pause(1_000)
    if (performance.now() > nextKill && counted.waiting > 0) {
      process.kill(bench.server.pid, 'SIGKILL')
      kills += 1
      bench.server = await bench.restart()
      nextKill = performance.now() + killEveryMs
      say(`killed ${kills} times; ${provider.reached.size} of ${many} have it`)
    }
    counted = await countStates(db, campaignId)
  }
  const seconds = (performance.now() - begun) / 1_000
  // Nobody knows of a send that was in hand: it is told as uncertain, and not sent again.
  const lost = many - provider.reached.size - counted.uncertain
  atMost(0, {
    name: `campaign of ${many} through ${kills} kills: written to twice, lost or still waiting`,
    value: provider.twice + Math.max(0, lost) + counted.open,
    unit: 'people',
    compared: {
      ...{ reached: provider.reached.size, twice: provider.twice, asSent: counted.sent, uncertain: counted.uncertain },
      ...{ waiting: counted.open, failed: counted.failed, seconds: rounded(seconds) },
      perSecond: rounded(provider.reached.size / seconds),
    },
  })
}

type States = { open: number; waiting: number; sent: number; uncertain: number; failed: number }
const countStates = async (db: pg.Pool, campaignId: string): Promise<States> => {
  const { rows } = await db.query<States>(
    `select count(*) filter (where state in ('waiting', 'written'))::int as open, count(*) filter (where state = 'waiting')::int as waiting,
      count(*) filter (where state in ('sent', 'delivered', 'read'))::int as sent, count(*) filter (where state = 'uncertain')::int as uncertain,
      count(*) filter (where state in ('failed', 'skipped'))::int as failed from campaign_recipients where tenant_id = $1 and campaign_id = $2`,
    [tenantId, campaignId],
  )
  return rows[0] ?? { open: many, waiting: many, sent: 0, uncertain: 0, failed: 0 }
}

type Provider = Awaited<ReturnType<typeof startProvider>>
/** Takes what is sent and keeps to whom: less work than the whole simulator, which keeps phones and tells of every step. */
const startProvider = async () => {
  const reached = new Set<string>()
  let twice = 0
  const server = createServer((req, res) => {
    const chunks: Buffer[] = []
    req.on('data', (chunk: Buffer) => chunks.push(chunk))
    req.on('end', () => {
      const sent = req.method === 'POST' && req.url?.endsWith('/messages')
      const { to } = (sent ? JSON.parse(Buffer.concat(chunks).toString()) : {}) as { to?: string }
      if (to && reached.has(to)) twice += 1
      if (to) reached.add(to)
      const isTemplates = req.url?.includes('/message_templates')
      const body = JSON.stringify(
        to ? { messages: [{ id: `wamid.${v7()}` }] } : { data: isTemplates ? [approvedTemplate] : [] },
      )
      res.writeHead(200, { 'content-type': 'application/json' }).end(body)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    reached,
    get twice() {
      return twice
    },
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.close(),
  }
}

/** A company with nothing else in it; what earlier runs sent stays. */
const seedPeople = async (db: pg.Pool) => {
  const { rowCount } = await db.query(
    `insert into tenants (id, name) values (${tenantId}, 'Cem mil') on conflict do nothing`,
  )
  if (!rowCount) return
  const client = await db.connect()
  try {
    // Foreign keys and the triggers of whatever else follows contacts rest meanwhile.
    await client.query('set session_replication_role = replica')
    await client.query(
      `insert into contacts (tenant_id, id, name, number, created_at)
        select ${tenantId}, uuidv7(), 'Cliente ' || n, '5511' || (900000000 + n), now() from generate_series(1, ${many}) n`,
    )
    await client.query(
      `insert into contact_identities (tenant_id, kind, value, contact_id)
        select tenant_id, 'phone', number, id from contacts where tenant_id = ${tenantId}`,
    )
    for (const table of ['contacts', 'contact_identities']) await client.query(`vacuum analyze ${table}`)
  } finally {
    client.release(true)
  }
}
