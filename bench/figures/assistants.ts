import { setTimeout as pause } from 'node:timers/promises'
import { lastText, startLlmSimulator } from '@balcao/simulators/llm.ts'
import { type Bench, bearer } from '../bench.ts'
import { clear, newCustomers } from '../counting-flow.ts'
import { ask, requestOf } from '../load.ts'
import { atMost, percentile, rounded, tellBeside } from '../report.ts'
import { tenantId } from '../seed.ts'
import { residentMb } from '../servers.ts'
import { activeCustomers, type Customer, sweep } from '../webhook.ts'
import { untilTaken } from './flow-faults.ts'
import { seenBeside, speak } from './flows.ts'

const turnsAtOnce = 200
/** As long as a model of those days takes for an answer. */
const thinkingMs = 8_000
const seconds = 30

/** What an answer takes of our own time, and what people feel beside two hundred that are being made. */
export const measureAssistants = (bench: Bench) =>
  withAssistant(bench, turnsAtOnce * 2, async ({ model, customers, others }) => {
    const { db, server } = bench
    await speak(bench, customers.slice(0, 20), { rate: 5, seconds: 4 })
    const from = new Date()
    await speak(bench, customers, { rate: 5, seconds: 30 })
    const own = await ownTimes(bench, from)
    atMost(30, {
      name: 'an answer of an assistant without the time of its model, p95',
      value: percentile(own, 95),
      unit: 'ms',
      compared: { p50Ms: rounded(percentile(own, 50)), answers: own.length },
    })

    const quiet = await seenBeside(bench, others, () => pause(seconds * 1_000))
    model.ms = thinkingMs
    let most = { atOnce: 0, mb: 0 }
    const looking = setInterval(async () => {
      const { rows } = await db.query<{ count: number }>(
        `select count(*)::int as count from assistant_runs where tenant_id = $1 and state = 'thinking'`,
        [tenantId],
      )
      const mb = await residentMb(server).catch(() => 0)
      most = { atOnce: Math.max(most.atOnce, rows[0]?.count ?? 0), mb: Math.max(most.mb, mb) }
    }, 500)
    const rate = (turnsAtOnce * 1_000) / thinkingMs
    const beside = await seenBeside(bench, others, () => speak(bench, customers, { rate, seconds }))
    clearInterval(looking)
    tellBeside(2, `inbound to a screen beside ${turnsAtOnce} answers being made, p95`, quiet, beside, {
      atOnce: most.atOnce,
    })
    atMost(350, { name: `memory beside ${turnsAtOnce} answers being made`, value: most.mb, unit: 'MB' })
  })

const kills = 12
const talkers = 60

/** A server that is killed while its assistants think: every word is answered once, and paid once. */
export const measureAssistantFaults = (bench: Bench) =>
  withAssistant(bench, talkers, async ({ model, customers }) => {
    const { db } = bench
    model.ms = 1_500
    let killed = 0
    let answered = new Map<string, number>()
    const looking = setInterval(async () => {
      answered = await answersOf(bench).catch(() => answered)
    }, 300)
    const talk = async (customer: Customer) => {
      let n = 0
      while (killed < kills) {
        n += 1
        await untilTaken(bench, customer, `palavra ${n}`)
        while ((answered.get(customer.ticketId) ?? 0) < n) await pause(100)
      }
      return n
    }
    const talking = Promise.all(customers.map(talk))
    for (; killed < kills; killed += 1) {
      await pause(1_500 + Math.random() * 2_000)
      process.kill(bench.server.pid, 'SIGKILL')
      // Nobody is left to renew a lease: what would pass in three minutes passes now.
      await db.query(`update turns set due_at = now() where tenant_id = $1 and due_at > now()`, [tenantId])
      await db.query(`update assistant_runs set lease_until = now() where tenant_id = $1 and state = 'thinking'`, [
        tenantId,
      ])
      bench.server = await bench.restart()
    }
    const words = (await talking).reduce((sum, n) => sum + n, 0)
    clearInterval(looking)
    const { rows } = await db.query<{ times: number }>(
      `select count(*)::int as times ${answers} group by m.ticket_id, m.body`,
      [tenantId],
    )
    const { rows: calls } = await db.query<{ done: number; counted: number; micros: number; days: number }>(
      `select count(*) filter (where state = 'done')::int as done, count(*)::int as counted, sum(cost_micros)::float8 as micros,
         (select sum(cost_micros)::float8 from ai_days where tenant_id = $1) as days from ai_usage where tenant_id = $1`,
      [tenantId],
    )
    const [money] = calls
    const compared = { kills: killed, words, asked: model.asked, paid: money?.counted ?? 0 }
    const twice = rows.reduce((sum, { times }) => sum + times - 1, 0)
    atMost(0, {
      name: 'answers of assistants given twice when the server is killed',
      value: twice,
      unit: 'answers',
      compared,
    })
    atMost(0, {
      ...{ name: 'words left without an answer when the server is killed', unit: 'words', compared },
      value: words - rows.length,
    })
    atMost(0, {
      name: 'calls counted more than once when the server is killed',
      value: Math.abs((money?.counted ?? 0) - words) + Math.abs((money?.micros ?? 0) - (money?.days ?? 0)),
      unit: 'calls',
      compared: { ...compared, done: money?.done ?? 0, micros: money?.micros ?? 0 },
    })
  })

type Model = { ms: number; asked: number }
type Given = { model: Model; customers: Customer[]; others: Customer[] }
/** An account at a simulated model, an assistant on it, and conversations that are its. */
const withAssistant = async (bench: Bench, count: number, work: (given: Given) => Promise<void>) => {
  const { db } = bench
  await sweep(db)
  await clear(db)
  const llm = await startLlmSimulator()
  const model: Model = { ms: 0, asked: 0 }
  llm.script(async (turn) => {
    model.asked += 1
    if (model.ms) await pause(model.ms)
    return { text: `sobre ${lastText(turn)}` }
  })
  // What it says stays queued: no provider answers here.
  await db.query('update connections set stopped_at = now() where tenant_id = $1 and stopped_at is null', [tenantId])
  try {
    await forget(bench)
    const config = {
      ...{
        baseUrl: llm.urls.openai,
        apiKey: 'chave-da-medicao',
        model: 'balcao-pequeno',
        inputPrice: 1,
        outputPrice: 1,
      },
    }
    const account = await post(bench, '/api/integrations', { kind: 'lm', name: 'Medição', config })
    const { id, version } = await post(bench, '/api/assistants', {
      name: 'Medição',
      config: {
        ...{ prompt: 'Ajude com pedidos.', integrationIds: [account.id], waitSeconds: 0 },
        handOver: { asked: false, unsure: false, angry: false, outside: false, money: false, afterTurns: null },
      },
    })
    await post(bench, `/api/assistants/${id}/publish`, { version })
    const others = await activeCustomers(db)
    const customers = await newCustomers(db, others, count)
    await db.query(
      `update tickets set bot = 'lm', assistant_at = now() where tenant_id = $1 and id = any($2::uuid[])`,
      [tenantId, customers.map(({ ticketId }) => ticketId)],
    )
    await work({ model, customers, others })
  } finally {
    await db.query('update connections set stopped_at = null where tenant_id = $1', [tenantId])
    await forget(bench)
    await clear(db)
    await sweep(db)
    await llm.close()
  }
}
const forget = async ({ db }: Bench) => {
  for (const table of ['turns', 'ai_usage', 'ai_days', 'assistant_runs', 'assistant_sessions'])
    await db.query(`delete from ${table} where tenant_id = $1`, [tenantId])
  await db.query('update tickets set bot = null where tenant_id = $1 and bot is not null', [tenantId])
  await db.query(`delete from assistants where tenant_id = $1 and name = 'Medição'`, [tenantId])
  await db.query(`delete from integrations where tenant_id = $1 and name = 'Medição'`, [tenantId])
}
const post = async ({ server, admin }: Bench, path: string, body: object): Promise<{ id: string; version: number }> => {
  const headers = { ...bearer(admin), 'content-type': 'application/json' }
  const answer = await ask(server.port, requestOf('POST', path, headers, JSON.stringify(body)))
  if (answer.status >= 300) throw new Error(`${path} answers ${answer.status}: ${answer.body.slice(0, 300)}`)
  return JSON.parse(answer.body) as { id: string; version: number }
}

/** From a word being stored until its answer is, without what was spent waiting for the model. */
const ownTimes = async ({ db }: Bench, from: Date) => {
  const { rows } = await db.query<{ ms: number }>(
    `select extract(epoch from a.created_at - h.created_at) * 1000
         - coalesce((select sum(u.ms) from ai_usage u where u.tenant_id = $1 and u.ticket_id = r.ticket_id
             and u.created_at between r.created_at - interval '1 second' and a.created_at), 0) as ms
       from assistant_runs r join messages h on h.tenant_id = $1 and h.ticket_id = r.ticket_id and h.seq = r.heard_seq
         join lateral (select created_at from messages m where m.tenant_id = $1 and m.ticket_id = r.ticket_id and m.from_me
           and m.seq > r.heard_seq order by m.seq limit 1) a on true
       where r.tenant_id = $1 and r.outcome = 'answered' and r.created_at > $2`,
    [tenantId, from],
  )
  return rows.map(({ ms }) => Number(ms))
}

const answers = `from messages m where m.tenant_id = $1 and m.from_me and m.body like 'sobre palavra %'`
const answersOf = async ({ db }: Bench) => {
  const { rows } = await db.query<{ ticketId: string; count: number }>(
    `select m.ticket_id as "ticketId", count(distinct m.body)::int as count ${answers} group by 1`,
    [tenantId],
  )
  return new Map(rows.map(({ ticketId, count }) => [ticketId, count]))
}
