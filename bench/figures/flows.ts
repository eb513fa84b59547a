import { io } from 'socket.io-client'
import type { Bench } from '../bench.ts'
import { clear, drained, type Flow, lead, newCustomers, publish } from '../counting-flow.ts'
import { load } from '../load.ts'
import { processorDuring } from '../processor.ts'
import { atMost, percentile, rounded, say, tell, tellBeside } from '../report.ts'
import { tenantId } from '../seed.ts'
import { statementsOf } from '../servers.ts'
import { v7 } from '../uuid.ts'
import { activeCustomers, type Customer, sweep, webhook } from '../webhook.ts'

/** Messages of flows, two for each word that is said to them. */
const perSecond = 200
const wordsPerSecond = perSecond / 2
const waiting = 10_000
const seconds = 40
const rounds = 8
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** What a step costs, what people feel beside 200 messages of flows a second, and what runs that wait cost. */
export const measureFlows = async (bench: Bench) => {
  const { db } = bench
  await sweep(db)
  await clear(db)
  const others = await activeCustomers(db)
  const led = await newCustomers(db, others, many)
  // What flows say stays queued: no provider answers here.
  await db.query('update connections set stopped_at = now() where tenant_id = $1 and stopped_at is null', [tenantId])
  const flow = await publish(db)
  await lead(
    db,
    flow,
    led.map(({ ticketId }) => ticketId),
  )
  try {
    await speak(bench, led, { rate: 20, seconds: 5 })
    await db.query('delete from chat_flow_steps where tenant_id = $1', [tenantId])
    await speak(bench, led, { rate: 20, seconds: 10 })
    const alone = await stepTimes(bench)
    const calm = await processorDuring(db, bench.server, () => pause(seconds * 1_000))
    await db.query('delete from chat_flow_steps where tenant_id = $1', [tenantId])
    const [quiet, beside]: [number[], number[]] = [[], []]
    const [few, much] = [nothing(), nothing()]
    // In turns: what else the machine does changes slower than this.
    for (let round = 0; round < rounds; round += 1) {
      const speaking = { rate: wordsPerSecond, seconds: seconds / rounds }
      add(
        few,
        await processorDuring(db, bench.server, async () => {
          quiet.push(...(await seenBeside(bench, others, () => pause(speaking.seconds * 1_000))))
        }),
      )
      add(
        much,
        await processorDuring(db, bench.server, async () => {
          beside.push(...(await seenBeside(bench, others, () => speak(bench, led, speaking))))
        }),
      )
    }
    const busy = await stepTimes(bench)
    atMost(10, {
      name: 'a word in a flow until its answer is written, of our time, p95',
      value: percentile(alone, 95),
      unit: 'ms',
      compared: {
        p50Ms: rounded(percentile(alone, 50)),
        words: alone.length,
        busyP95Ms: rounded(percentile(busy, 95)),
      },
    })
    tellBeside(2, `inbound to a screen beside ${perSecond} messages of flows a second, p95`, quiet, beside, {
      answered: busy.length,
      said: wordsPerSecond * seconds,
    })
    const each = (part: 'serverMs' | 'databaseMs') => ({
      inbound: rounded((few[part] - (calm[part] / calm.seconds) * few.seconds) / quiet.length),
      flowMessage: rounded((much[part] - (few[part] / few.seconds) * much.seconds) / (perSecond * seconds)),
    })
    const [ofServer, ofDatabase] = [each('serverMs'), each('databaseMs')]
    tell({
      name: 'processor time of one message of a flow, with half a word of the customer',
      value: ofServer.flowMessage + ofDatabase.flowMessage,
      unit: 'ms',
      compared: {
        serverMs: ofServer.flowMessage,
        databaseMs: ofDatabase.flowMessage,
        inboundServerMs: ofServer.inbound,
        inboundDatabaseMs: ofDatabase.inbound,
        busyServerPercent: rounded((100 * much.serverMs) / 1_000 / much.seconds),
      },
    })
    if (!process.env.SKIP_WAITING) await measureWaiting(bench, flow)
  } finally {
    await db.query('update connections set stopped_at = null where tenant_id = $1', [tenantId])
    await clear(db)
    await sweep(db)
  }
}

const nothing = () => ({ serverMs: 0, databaseMs: 0, seconds: 0 })
const add = (all: ReturnType<typeof nothing>, more: ReturnType<typeof nothing>) => {
  all.serverMs += more.serverMs
  all.databaseMs += more.databaseMs
  all.seconds += more.seconds
}

/** So many that each writes once in a while, as people do. */
const many = 4_000

/** Statements of the server at rest, without and with runs that wait for their moment. */
const measureWaiting = async (bench: Bench, flow: Flow) => {
  const { db, server } = bench
  const idle = async () => {
    await pause(3_000)
    const before = await statementsOf(server)
    await pause(20_000)
    return ((await statementsOf(server)) - before) / 20
  }
  await drained(db)
  const empty = await idle()
  const { rows } = await db.query<{ id: string }>(
    `select id from tickets where tenant_id = $1 and chat_flow_id is null order by id limit ${waiting}`,
    [tenantId],
  )
  await lead(
    db,
    flow,
    rows.map(({ id }) => id),
  )
  await db.query(
    `insert into turns (tenant_id, ticket_id, owner, owner_id, due_at)
       select tenant_id, ticket_id, 'flow', flow_id::text, now() + interval '1 day' from chat_flow_runs where tenant_id = $1
       on conflict do nothing`,
    [tenantId],
  )
  await db.query('analyze turns')
  const full = await idle()
  atMost(rounded(empty + 1), {
    name: `statements a second at rest with ${rows.length} runs that wait`,
    value: full,
    unit: 'statements/s',
    compared: { without: rounded(empty) },
  })
}

export const speak = async (
  { server }: Bench,
  customers: Customer[],
  { rate, seconds }: { rate: number; seconds: number },
) => {
  const startedAt = performance.now()
  const sending: Promise<unknown>[] = []
  for (let n = 0; n < rate * seconds; n += 1) {
    await pause(Math.max(0, startedAt + (n * 1_000) / rate - performance.now()))
    const customer = customers[n % customers.length]
    if (!customer) continue
    const request = webhook(customer, `Mais um pedido ${n}`)
    sending.push(load({ port: server.port, connections: 1, count: 1, next: () => request }))
  }
  await Promise.all(sending)
  await pause(2_000)
}

/** How soon a screen sees what customers without a flow say, ten a second, while `work` goes on. */
export const seenBeside = async ({ server, admin }: Bench, customers: Customer[], work: () => Promise<unknown>) => {
  const [sentAt, seen] = [new Map<string, number>(), [] as number[]]
  const socket = io(`http://127.0.0.1:${server.port}`, {
    ...{ transports: ['websocket'], auth: { token: admin.token }, forceNew: true },
  })
  socket.on('message.created', ({ message }: { message: { body: string } }) => {
    const sent = sentAt.get(message.body)
    if (sent !== undefined) {
      seen.push(performance.now() - sent)
      if (process.env.DUMP) console.error('LAT', Math.round(sent), Math.round(performance.now() - sent))
    }
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('connect_error', reject)
  })
  let isOver = false
  const speaking = (async () => {
    for (let n = 0; !isOver; n += 1) {
      const customer = customers[n % customers.length]
      if (!customer) return
      const text = `Alguém aí? ${v7()}`
      sentAt.set(text, performance.now())
      const request = webhook(customer, text)
      void load({ port: server.port, connections: 1, count: 1, next: () => request })
      await pause(100)
    }
  })()
  await work()
  isOver = true
  await speaking
  await pause(1_000)
  socket.disconnect()
  if (seen.length < sentAt.size) say(`seen ${seen.length} of ${sentAt.size}`)
  return seen
}

const stepTimes = async ({ db }: Bench) => {
  const { rows } = await db.query<{ ms: number }>('select ms from chat_flow_steps where tenant_id = $1 and ms > 0', [
    tenantId,
  ])
  return rows.map(({ ms }) => ms)
}
