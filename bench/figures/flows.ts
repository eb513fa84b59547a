import { newRun } from '@balcao/contract/automation/flows/engine.ts'
import { blankGraph, blankNode, type FlowNode } from '@balcao/contract/automation/flows/graph.ts'
import { io } from 'socket.io-client'
import type { Bench } from '../bench.ts'
import { load } from '../load.ts'
import { atMost, percentile, rounded, say } from '../report.ts'
import { tenantId } from '../seed.ts'
import { statementsOf } from '../servers.ts'
import { v7 } from '../uuid.ts'
import { activeCustomers, type Customer, sweep, webhook } from '../webhook.ts'

/** Messages of flows, two for each word that is said to them. */
const perSecond = 200
const wordsPerSecond = perSecond / 2
const waiting = 10_000
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const at = { x: 0, y: 0 }
const part = {
  kind: 'text' as const,
  body: '{{primeiro_nome}}, já são {{var.n}}. Mais alguma coisa?',
  mediaId: null,
  interactive: null,
}
/** Counts what a customer says and answers each word, for ever: a question, a computed variable, a condition, two messages. */
const nodes: FlowNode[] = [
  { ...blankNode('start', 'start', at), next: { next: 'q' } },
  { ...blankNode('ask', 'q', at), data: { ...blankNode('ask', 'q', at).data, variable: 'dito' }, next: { next: 's' } },
  { ...blankNode('set', 's', at), data: { sets: [{ name: 'n', as: 'number', value: 'n + 1' }] }, next: { next: 'c' } },
  {
    ...blankNode('condition', 'c', at),
    data: {
      branches: [{ id: 'b', label: '', match: 'all', tests: [{ on: 'variable', name: 'n', op: 'above', value: '0' }] }],
    },
    next: { b: 'm', else: 'q' },
  },
  {
    ...blankNode('message', 'm', at),
    data: { parts: [part, { ...part, body: 'Escreva, ou diga “sair”.' }] },
    next: { next: 'q' },
  },
]

/** What a step costs, what people feel beside 200 messages of flows a second, and what runs that wait cost. */
export const measureFlows = async (bench: Bench) => {
  const { db } = bench
  await sweep(db)
  await clear(db)
  const [flowId, versionId] = [v7(), v7()]
  const { settings } = blankGraph()
  await db.query(flowRows, [tenantId, flowId, versionId, JSON.stringify(nodes), JSON.stringify(settings)])
  const others = await activeCustomers(db)
  const led = await newCustomers(bench, others)
  // What flows say stays queued: no provider answers here.
  await db.query('update connections set stopped_at = now() where tenant_id = $1 and stopped_at is null', [tenantId])
  const state = { ...newRun(versionId, { n: '0' }), nodeId: 'q', wait: { for: 'answer', warnAt: null, until: null } }
  const lead = [tenantId, flowId, versionId, JSON.stringify(state), led.map(({ ticketId }) => ticketId)]
  await db.query(leads, lead)
  try {
    await speak(bench, led, { rate: 20, seconds: 5 })
    await db.query('delete from chat_flow_steps where tenant_id = $1', [tenantId])
    await speak(bench, led, { rate: 20, seconds: 10 })
    const alone = await stepTimes(bench)
    const quiet = await seenBeside(bench, others, async () => pause(10_000))
    await db.query('delete from chat_flow_steps where tenant_id = $1', [tenantId])
    const seconds = 10
    const beside = await seenBeside(bench, others, () => speak(bench, led, { rate: wordsPerSecond, seconds }))
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
    atMost(rounded(2 * percentile(quiet, 95)), {
      name: `inbound to a screen beside ${perSecond} messages of flows a second, p95`,
      value: percentile(beside, 95),
      unit: 'ms',
      compared: {
        quietP95Ms: rounded(percentile(quiet, 95)),
        p50Ms: rounded(percentile(beside, 50)),
        answered: busy.length,
        said: wordsPerSecond * seconds,
      },
    })
    await measureWaiting(bench, lead)
  } finally {
    await db.query('update connections set stopped_at = null where tenant_id = $1', [tenantId])
    await clear(db)
    await sweep(db)
  }
}

const many = 4_000
/** So many that each writes once in a while, as people do. */
const newCustomers = async ({ db }: Bench, [like]: Customer[]): Promise<Customer[]> => {
  if (!like) return []
  const given = [tenantId, many, like.connectionId]
  const { rows } = await db.query<Pick<Customer, 'number' | 'name' | 'ticketId' | 'contactId'>>(people, given)
  return rows.map((row) => ({ ...like, ...row }))
}

/** Statements of the server at rest, without and with runs that wait for their moment. */
const measureWaiting = async (bench: Bench, [tenant, flowId, versionId, state]: unknown[]) => {
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
  await db.query(leads, [tenant, flowId, versionId, state, rows.map(({ id }) => id)])
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

const speak = async (
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

/** Until every word that was said has had its turn. */
const drained = async (db: Bench['db']) => {
  const left = `select count(*)::int as count from turns where tenant_id = $1 and due_at <= now()`
  for (let n = 0; n < 120; n += 1) {
    const { rows } = await db.query<{ count: number }>(left, [tenantId])
    if (!rows[0]?.count) return
    await pause(500)
  }
}

/** How soon a screen sees what customers without a flow say, ten a second, while `work` goes on. */
const seenBeside = async ({ server, admin }: Bench, customers: Customer[], work: () => Promise<unknown>) => {
  const [sentAt, seen] = [new Map<string, number>(), [] as number[]]
  const socket = io(`http://127.0.0.1:${server.port}`, {
    ...{ transports: ['websocket'], auth: { token: admin.token }, forceNew: true },
  })
  socket.on('message.created', ({ message }: { message: { body: string } }) => {
    const sent = sentAt.get(message.body)
    if (sent !== undefined) seen.push(performance.now() - sent)
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

const clear = async (db: Bench['db']) => {
  await db.query('update tickets set chat_flow_id = null where tenant_id = $1 and chat_flow_id is not null', [tenantId])
  await db.query('delete from turns where tenant_id = $1', [tenantId])
  await db.query('delete from chat_flow_runs where tenant_id = $1', [tenantId])
  await db.query('delete from chat_flows where tenant_id = $1', [tenantId])
  await db.query(`delete from messages where tenant_id = $1 and status = 'queued'`, [tenantId])
  const ours = `select id from contacts where tenant_id = $1 and name = 'Cliente de fluxo'`
  await db.query(`delete from messages where tenant_id = $1 and contact_id in (${ours})`, [tenantId])
  await db.query(`delete from tickets where tenant_id = $1 and contact_id in (${ours})`, [tenantId])
  await db.query(`delete from contacts where tenant_id = $1 and name = 'Cliente de fluxo'`, [tenantId])
}
const people = `with c as (
    insert into contacts (tenant_id, id, name, number)
      select $1, gen_random_uuid(), 'Cliente de fluxo', '5599' || (900000000 + n) from generate_series(1, $2::int) n returning id, number, name
  ), i as (
    insert into contact_identities (tenant_id, kind, value, contact_id) select $1, 'phone', number, id from c
  )
  insert into tickets (tenant_id, id, protocol, status, contact_id, connection_id, last_inbound_at)
    select $1, gen_random_uuid(), 'F' || c.number, 'pending', c.id, $3, now() from c
    returning id as "ticketId", contact_id as "contactId", 'Cliente de fluxo' as name, (select number from c where c.id = contact_id) as number`
const flowRows = `with flow as (
    insert into chat_flows (tenant_id, id, name, settings, published_id) values ($1, $2, 'Medição', $5::jsonb, $3) returning id)
  insert into chat_flow_versions (tenant_id, id, flow_id, number, nodes, settings, revision)
    select $1, $3, id, 1, $4::jsonb, $5::jsonb, 1 from flow`
const leads = `with led as (
    update tickets set chat_flow_id = $2, chat_flow_at = now(), status = case status when 'open' then 'pending' else status end, user_id = null
    where tenant_id = $1 and id = any($5::uuid[]) returning id)
  insert into chat_flow_runs (tenant_id, id, ticket_id, flow_id, version_id, started_by, state, heard_seq)
    select $1, gen_random_uuid(), id, $2, $3, 'hand', $4::jsonb,
      coalesce((select max(seq) from messages m where m.tenant_id = $1 and m.ticket_id = led.id), 0) from led`
