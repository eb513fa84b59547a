import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Message } from '@balcao/contract/conversations/messages.ts'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { lastText, startLlmSimulator } from '@balcao/simulators/llm.ts'
import type { WabaSimulator } from '@balcao/simulators/waba.ts'
import pg from 'pg'
import { v7 } from 'uuid'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { closeChannels, openNumber } from './channels.ts'
import { type Api, client, type OwnServer, setUp, startServer, until } from './kit.ts'

const recoversWithinMs = 15_000
let server: OwnServer
let waba: WabaSimulator
let admin: Awaited<ReturnType<typeof setUp>>
let database: pg.Client

const rows = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await database.query<Row>(text, values)).rows

/** WhatsApp, connected, patient with a server that is away for a while. */
const connect = async (to: OwnServer, api: Api) => {
  const { number, connection } = await openNumber(to, api)
  expect(connection.status).toBe('CONNECTED')
  number.delivery.retryDelaysMs = [200, 300, 500, 500, ...Array(6).fill(1_000), ...Array(5).fill(2_000)]
  return number
}

/** A browser keeps what it could not send and sends it again under the same id. */
const sendUntilTaken = (api: Api, ticketId: string, message: { id: string; body: string }) =>
  until(
    'the message was taken',
    () =>
      api.post(`/messages/${ticketId}`, { ...message, type: 'text', force: true }).then(
        () => true,
        () => false,
      ),
    60_000,
  )

beforeAll(async () => {
  server = await startServer()
  admin = await setUp(server)
  waba = await connect(server, admin.api)
  database = new pg.Client({ connectionString: server.databaseUrl })
  database.on('error', () => {})
  await database.connect()
})

afterAll(async () => {
  await database?.end()
  await closeChannels()
  await server?.stop()
})

test('kill -9 during 2,000 inbound and 500 outbound messages: nothing lost, nothing doubled', async () => {
  const people = Array.from({ length: 40 }, (_, n) =>
    waba.customer({ waId: `55119${80_000_000 + n}`, name: `Cliente ${n}` }),
  )
  await Promise.all(people.map((person) => person.sendText('Olá')))
  await waba.idle()
  const tickets = await until('every conversation has its ticket', async () => {
    const { items } = await admin.api.get<{ items: Ticket[] }>('/tickets?showAll=true&limit=100')
    return items.length === people.length && items
  })
  for (const ticket of tickets)
    await admin.api.put(`/tickets/${ticket.id}`, { status: 'open', userId: admin.session.userId })

  const inbound = Promise.all(
    people.flatMap((person) => Array.from({ length: 49 }, (_, n) => person.sendText(`Mensagem ${n}`))),
  )
  const outboundIds = Array.from({ length: 500 }, () => v7())
  const outbound = (async () => {
    const api = client(server.url, admin.session.token)
    for (const [n, id] of outboundIds.entries())
      await sendUntilTaken(api, tickets[n % tickets.length]?.id ?? '', { id, body: `Resposta ${n}` })
  })()
  for (let round = 0; round < 3; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, 1_200))
    await server.kill()
    await server.start()
  }
  await Promise.all([inbound, outbound])
  await waba.idle()

  await until(
    'every journalled event was handled',
    async () => !(await rows("select from journal where state = 'received'")).length,
    60_000,
  )
  const [received] = await rows<{ total: string; distinct: string }>(
    'select count(*) as total, count(distinct provider_id) as distinct from messages where not from_me and type = $1',
    ['text'],
  )
  expect(Number(received?.total)).toBe(2_000)
  expect(Number(received?.distinct)).toBe(2_000)

  await until(
    'the send queue is empty',
    async () => !(await rows("select from messages where status in ('queued', 'sending')")).length,
    90_000,
  )
  const sent = await rows<{ id: string; status: string }>(
    "select id, status from messages where from_me and type = 'text' and id = any($1)",
    [outboundIds],
  )
  expect(sent).toHaveLength(500)
  const acceptedByProvider = waba.requests
    .map((request) => (request.body as { biz_opaque_callback_data?: string } | undefined)?.biz_opaque_callback_data)
    .filter((id) => id !== undefined && outboundIds.includes(id))
  expect(new Set(acceptedByProvider).size).toBe(acceptedByProvider.length)
  // What the provider may have taken while we died is resolved by its own status, else shown as uncertain: never sent twice, never hidden.
  const quiet = sent.filter((row) => !['sent', 'delivered', 'read'].includes(row.status))
  expect(quiet.every((row) => row.status === 'uncertain')).toBe(true)
  expect(quiet.filter((row) => acceptedByProvider.includes(row.id))).toEqual([])
  const [tally] = await rows<{ total: string }>("select count(*) as total from tickets where status <> 'closed'")
  expect(Number(tally?.total)).toBe(people.length)
})

test('every connection of the database is cut during traffic: the product recovers by itself', async () => {
  const person = waba.customer({ waId: '5511987654321', name: 'Dora' })
  for (let round = 0; round < 5; round += 1) {
    const talking = Array.from({ length: 20 }, (_, n) => person.sendText(`Corte ${round}.${n}`))
    await rows(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and usename in ('balcao_app', 'balcao_platform')`,
    )
    await Promise.all(talking)
  }
  const brokenAt = Date.now()
  const count = async () =>
    Number((await rows<{ count: string }>("select count(*) from messages where body like 'Corte %'"))[0]?.count)
  await until('every message arrived', async () => (await count()) >= 100, recoversWithinMs)
  expect(Date.now() - brokenAt).toBeLessThan(recoversWithinMs)
  await waba.idle()
  expect(await count()).toBe(100)
  expect((await fetch(`${server.url}/ready`)).status).toBe(200)
})

test('kill -9 during an evaluation: what its cases gave is kept, what was under way is asked again, and paid once', async () => {
  const llm = await startLlmSimulator()
  onTestFinished(() => llm.close())
  llm.pace.wordMs = 100
  const { id: accountId } = await admin.api.post<{ id: string }>('/integrations', {
    kind: 'chat-gpt',
    name: 'ChatGPT',
    config: { apiKey: 'sk-faults-0001', wire: 'chat', baseUrl: llm.urls.openai, model: 'balcao-pequeno' },
  })
  const { id } = await admin.api.post<{ id: string }>('/assistants', {
    name: 'Aurora',
    config: { prompt: 'Ajude.', integrationIds: [accountId] },
  })
  const questions = Array.from({ length: 12 }, (_, n) => `Qual o prazo de entrega do pedido ${n}?`)
  for (const [n, question] of questions.entries())
    await admin.api.post('/assistant-cases', {
      ...{ assistantId: id, name: `Caso ${n}`, lines: [question] },
      expects: [{ kind: 'contains', value: 'dias úteis' }],
    })
  const job = await admin.api.post<{ id: string }>(`/assistants/${id}/evaluation-jobs`, {})
  await until('some cases were played, and some are', () => llm.turns.length >= 6)
  await server.kill()
  await rows(`update bulk_jobs set claimed_at = now() - interval '31 seconds' where id = $1`, [job.id])
  await server.start()
  await until('all cases were played', async () => {
    const { state } = await admin.api.get<{ state: string }>(`/bulkJobs/${job.id}`)
    return state === 'done'
  })
  const asked = llm.turns.map(lastText)
  expect([...new Set(asked)].sort()).toEqual([...questions].sort())
  // Three at a time.
  expect(asked.length - questions.length).toBeLessThanOrEqual(3)
  const { items } = await admin.api.get<{ items: { passed: number; total: number }[] }>(`/assistants/${id}/evaluations`)
  expect(items).toMatchObject([{ passed: 12, total: 12 }])
  const [money] = await rows<{ calls: number; micros: number; days: number }>(
    `select count(*)::int as calls, sum(cost_micros)::float8 as micros,
      (select sum(cost_micros)::float8 from ai_days where purpose = 'evaluation') as days
      from ai_usage where purpose = 'evaluation'`,
  )
  expect(money).toMatchObject({ calls: 12, days: money?.micros })
})

test('PostgreSQL itself dies during traffic: the product starts it again and loses nothing', async () => {
  const whole = await startServer({ DATABASE_URL: '' })
  onTestFinished(() => whole.stop())
  const owner = await setUp(whole)
  const sim = await connect(whole, owner.api)
  const person = sim.customer({ waId: '5511987650000', name: 'Elza' })
  await person.sendText('Antes')
  const [ticket] = await until('the ticket', async () => {
    const { items } = await owner.api.get<{ items: Ticket[] }>('/tickets?showAll=true')
    return items.length > 0 && items
  })
  if (!ticket) throw new Error('no ticket')
  await owner.api.put(`/tickets/${ticket.id}`, { status: 'open', userId: owner.session.userId })

  const answers = Array.from({ length: 20 }, () => v7())
  const answering = (async () => {
    for (const id of answers) await sendUntilTaken(owner.api, ticket.id, { id, body: 'Resposta' })
  })()
  const talking = Array.from({ length: 30 }, (_, n) => person.sendText(`Durante ${n}`))
  const [postmaster] = readFileSync(join(whole.dataDir, 'postgres', 'pgdata', 'postmaster.pid'), 'utf8').split('\n')
  process.kill(Number(postmaster), 'SIGKILL')
  const brokenAt = Date.now()
  await until(
    'the product is ready again',
    () =>
      fetch(`${whole.url}/api/tickets`, { headers: { authorization: `Bearer ${owner.session.token}` } }).then(
        (reply) => reply.ok,
        () => false,
      ),
    recoversWithinMs,
  )
  expect(Date.now() - brokenAt).toBeLessThan(recoversWithinMs)
  await Promise.all([...talking, answering])
  await sim.idle()

  const said = await until('every message is there', async () => {
    const { items } = await owner.api.get<{ items: Message[] }>(`/messages/${ticket.id}?limit=100`)
    const texts = items.filter((message) => message.type === 'text')
    return texts.length >= 51 && texts
  })
  const bodies = said.filter((message) => !message.fromMe).map((message) => message.body)
  expect(bodies.toSorted()).toEqual(['Antes', ...Array.from({ length: 30 }, (_, n) => `Durante ${n}`)].toSorted())
  expect(
    said
      .filter((message) => message.fromMe)
      .map((message) => message.id)
      .toSorted(),
  ).toEqual(answers.toSorted())
})
