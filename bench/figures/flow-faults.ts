import type { Bench } from '../bench.ts'
import { clear, drained, type Flow, lead, newCustomers, publish } from '../counting-flow.ts'
import { ask } from '../load.ts'
import { atLeast, atMost } from '../report.ts'
import { tenantId } from '../seed.ts'
import { activeCustomers, type Customer, sweep, webhook } from '../webhook.ts'

const ofOldVersion = 1_000
const kills = 100
const talkers = 100
/** Five steps each: heard, computed, decided, answered, asked anew. */
const wordsEach = 20
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Conversations under way when another version is published, and those of a server that is killed again and again. */
export const measureFlowFaults = async (bench: Bench) => {
  const { db } = bench
  await sweep(db)
  await clear(db)
  // What flows say stays queued: no provider answers here.
  await db.query('update connections set stopped_at = now() where tenant_id = $1 and stopped_at is null', [tenantId])
  try {
    await measureOldVersion(bench)
    await clear(db)
    await measureKills(bench)
  } finally {
    await db.query('update connections set stopped_at = null where tenant_id = $1', [tenantId])
    await clear(db)
    await sweep(db)
  }
}

const begin = async ({ db }: Bench, count: number, body: string) => {
  const customers = await newCustomers(db, await activeCustomers(db), count)
  const flow = await publish(db, { body })
  const ticketIds = customers.map(({ ticketId }) => ticketId)
  await lead(db, flow, ticketIds)
  return { customers, flow, ticketIds }
}

const measureOldVersion = async (bench: Bench) => {
  const { db } = bench
  const { customers, flow, ticketIds } = await begin(bench, ofOldVersion, 'antiga {{var.n}}')
  await publish(db, { flowId: flow.flowId, number: 2, body: 'nova {{var.n}}' })
  const words = ['um', 'dois']
  for (const word of words) {
    for (let from = 0; from < customers.length; from += 20)
      await Promise.all(customers.slice(from, from + 20).map((customer) => untilTaken(bench, customer, word)))
    await drained(db)
  }
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count from (select ticket_id, array_agg(body order by seq) as said from messages
       where tenant_id = $1 and ticket_id = any($2::uuid[]) and from_me and body like '% _' group by ticket_id) m
       join chat_flow_runs r on r.tenant_id = $1 and r.ticket_id = m.ticket_id and r.ended_at is null and r.version_id = $3
       where m.said = $4`,
    [tenantId, ticketIds, flow.versionId, words.map((_, n) => `antiga ${n + 1}`)],
  )
  atLeast(ofOldVersion, {
    name: 'conversations under way that go on in their version when another is published',
    value: rows[0]?.count ?? 0,
    unit: 'conversations',
  })
}

const measureKills = async (bench: Bench) => {
  const { db } = bench
  const { customers, flow } = await begin(bench, talkers, 'já são {{var.n}}')
  let killed = 0
  let answered = new Map<string, number>()
  const looking = setInterval(async () => {
    answered = await answersOf(bench, flow).catch(() => answered)
  }, 500)
  /** Words said at once are one answer: the next is said when this one has its answer. */
  const talk = async (customer: Customer) => {
    let n = 0
    while (n < wordsEach || killed < kills) {
      n += 1
      await untilTaken(bench, customer, `palavra ${n}`)
      while ((answered.get(customer.ticketId) ?? 0) < n) await pause(100)
    }
    return n
  }
  const talking = Promise.all(customers.map(talk))
  for (; killed < kills; killed += 1) {
    await pause(300 + Math.random() * 400)
    process.kill(bench.server.pid, 'SIGKILL')
    bench.server = await bench.restart()
  }
  const words = (await talking).reduce((sum, n) => sum + n, 0)
  clearInterval(looking)
  await drained(db)
  const given = [tenantId, flow.flowId]
  const { rows } = await db.query<{ times: number }>(
    `select count(*)::int as times ${answers} group by m.ticket_id, m.body`,
    given,
  )
  const steps = await db.query<{ count: number }>(
    'select count(*)::int as count from chat_flow_steps where tenant_id = $1 and flow_id = $2',
    given,
  )
  const compared = { kills: killed, words, steps: steps.rows[0]?.count ?? 0 }
  const repeated = rows.reduce((sum, { times }) => sum + times - 1, 0)
  atMost(0, { name: 'answers given twice when the server is killed', value: repeated, unit: 'answers', compared })
  atMost(0, { name: 'answers lost when the server is killed', value: words - rows.length, unit: 'answers', compared })
}

const answers = `from messages m join chat_flow_runs r on r.tenant_id = m.tenant_id and r.ticket_id = m.ticket_id and r.flow_id = $2
  where m.tenant_id = $1 and m.from_me and m.body like 'já são %'`
const answersOf = async ({ db }: Bench, { flowId }: Flow) => {
  const { rows } = await db.query<{ ticketId: string; count: number }>(
    `select m.ticket_id as "ticketId", count(distinct m.body)::int as count ${answers} group by 1`,
    [tenantId, flowId],
  )
  return new Map(rows.map(({ ticketId, count }) => [ticketId, count]))
}

/** A provider says it again until it is acknowledged. */
export const untilTaken = async (bench: Bench, customer: Customer, text: string) => {
  const request = webhook(customer, text)
  for (;;) {
    const isTaken = await ask(bench.server.port, request).then(
      ({ status }) => status === 200,
      () => false,
    )
    if (isTaken) return
    await pause(100)
  }
}
