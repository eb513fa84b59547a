import type { Bench } from '../bench.ts'
import { clear, drained, type Flow, lead, newCustomers, publish } from '../counting-flow.ts'
import { ask } from '../load.ts'
import { atLeast, atMost, say } from '../report.ts'
import { tenantId } from '../seed.ts'
import { activeCustomers, type Customer, sweep, webhook } from '../webhook.ts'

const ofOldVersion = 1_000
const kills = 100
const talkers = 100
/** Four steps each: heard, computed, decided, answered. */
const wordsEach = 27
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
  let isOver = false
  const talking = Promise.all(
    customers.map(async (customer) => {
      for (let n = 1; n <= wordsEach; n += 1) {
        await untilTaken(bench, customer, `palavra ${n}`)
        // As long as there are kills to come there are words to come.
        while (!isOver && n / wordsEach > (killed + 1) / kills) await pause(50)
      }
    }),
  )
  for (; killed < kills; killed += 1) {
    await pause(300 + Math.random() * 400)
    process.kill(bench.server.pid, 'SIGKILL')
    bench.server = await bench.restart()
  }
  isOver = true
  await talking
  await drained(db)
  const { repeated, lost, steps } = await accountFor(bench, flow)
  say(`${killed} kills, ${steps} steps`)
  for (const [name, value] of Object.entries({ repeated, lost }))
    atMost(0, {
      name: `answers ${name} when the server is killed`,
      value,
      unit: 'answers',
      compared: { kills: killed, words: talkers * wordsEach, steps },
    })
}

/** Every word has one answer that counts it. */
const accountFor = async ({ db }: Bench, { flowId }: Flow) => {
  const { rows } = await db.query<{ said: string; times: number }>(
    `select m.ticket_id || m.body as said, count(*)::int as times from messages m
       join chat_flow_runs r on r.tenant_id = m.tenant_id and r.ticket_id = m.ticket_id and r.flow_id = $2
       where m.tenant_id = $1 and m.from_me and m.body like 'já são %' group by 1`,
    [tenantId, flowId],
  )
  const done = await db.query<{ count: number }>(
    'select count(*)::int as count from chat_flow_steps where tenant_id = $1 and flow_id = $2',
    [tenantId, flowId],
  )
  return {
    repeated: rows.reduce((sum, { times }) => sum + times - 1, 0),
    lost: talkers * wordsEach - rows.length,
    steps: done.rows[0]?.count ?? 0,
  }
}

/** A provider says it again until it is acknowledged. */
const untilTaken = async (bench: Bench, customer: Customer, text: string) => {
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
