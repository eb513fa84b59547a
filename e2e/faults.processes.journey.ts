import { spawn } from 'node:child_process'
import type { Message } from '@balcao/contract/conversations/messages.ts'
import type { Ticket } from '@balcao/contract/conversations/tickets.ts'
import { startRedisSimulator } from '@balcao/simulators/redis.ts'
import type { RecordedRequest } from '@balcao/simulators/simulator.ts'
import type { WabaSimulator } from '@balcao/simulators/waba.ts'
import pg from 'pg'
import { v7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeChannels, openNumber } from './channels.ts'
import { client, type OwnServer, setUp, startServer, until } from './kit.ts'

/** `npm run bench -- faults` gives minutes; alone each fault comes once, for a moment. */
const minutes = Number(process.env.FAULT_MINUTES ?? 0)
const pause = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
const lasting = (seconds: number) => pause(minutes ? seconds : Math.min(seconds, 2))

let redis: Awaited<ReturnType<typeof startRedisSimulator>>
let servers: [OwnServer, OwnServer]
let admin: Awaited<ReturnType<typeof setUp>>
let number: WabaSimulator
let connectionId: string
let database: pg.Client

const rows = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await database.query<Row>(text, values)).rows

beforeAll(async () => {
  redis = await startRedisSimulator()
  const first = await startServer({ REDIS_URL: redis.url })
  const second = await startServer({ REDIS_URL: redis.url, DATABASE_URL: first.databaseUrl })
  servers = [first, second]
  admin = await setUp(first)
  const opened = await openNumber(first, admin.api)
  number = opened.number
  connectionId = opened.connection.id
  number.policy.hasWindow = false
  number.delivery.retryDelaysMs = Array(60).fill(1_000)
  database = new pg.Client({ connectionString: first.databaseUrl })
  await database.connect()
})
afterAll(async () => {
  await database?.end()
  await closeChannels()
  await servers?.[1].stop()
  await servers?.[0].stop()
  await redis?.close()
})

/** Asks both in turn until one takes it, as a provider and a browser do. */
const untilTaken = async (turn: number, ask: (server: OwnServer) => Promise<unknown>) => {
  for (let n = turn; ; n += 1) {
    const server = servers[n % 2]
    const isTaken = server && (await ask(server).then(Boolean, () => false))
    if (isTaken) return
    await pause(0.1)
  }
}

type Person = { waId: string; clockMs: number; acknowledged: number }
/** A customer's next message, to one process and then to the other, as fast as they acknowledge. */
const say = (person: Person) => {
  const serial = person.acknowledged
  const seconds = String(Math.floor((Date.now() + person.clockMs) / 1_000))
  const message = { from: person.waId, timestamp: seconds, id: `wamid.${v7()}`, type: 'text' }
  const value = {
    messaging_product: 'whatsapp',
    metadata: { phone_number_id: number.options.phoneNumberId },
    messages: [{ ...message, text: { body: `n${serial}` } }],
  }
  const body = JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: number.options.wabaId, changes: [{ field: 'messages', value }] }],
  })
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': number.sign(body) }
  return untilTaken(serial, async ({ url }) => {
    const signal = AbortSignal.timeout(5_000)
    const { ok } = await fetch(`${url}/hooks/waba/${connectionId}`, { method: 'POST', body, headers, signal })
    if (ok) person.acknowledged += 1
    return ok
  })
}

const socketUrl = (server: OwnServer) => `${server.url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`
const enter = () => `40${JSON.stringify({ token: admin.session.token })}`

/** A window of the team, by hand; cut off, it comes back. */
const openWindow = async (server: OwnServer) => {
  const heard = new Set<string>()
  let isClosed = false
  let isOpen = false
  let socket: WebSocket
  const open = () => {
    socket = new WebSocket(socketUrl(server))
    socket.onmessage = ({ data }) => {
      const text = String(data)
      if (text === '2') socket.send('3')
      else if (text.startsWith('0')) socket.send(enter())
      else if (text.startsWith('40')) isOpen = true
      else if (text.startsWith('42["message.created"')) {
        const [, { message }] = JSON.parse(text.slice(2)) as [string, { message: Message }]
        heard.add(message.body)
      }
    }
    socket.onclose = () => {
      isOpen = false
      if (!isClosed) setTimeout(open, 300)
    }
  }
  open()
  const close = () => {
    isClosed = true
    socket.close()
  }
  await until('the window is open', () => isOpen)
  return { heard, close, isOpen: () => isOpen }
}

/** A window whose machine went to sleep: it is in, and reads no more. */
const openSlowWindow = async (server: OwnServer) => {
  const script = `const s = new WebSocket(${JSON.stringify(socketUrl(server))})
    s.onmessage = ({ data }) => {
      if (data.startsWith('0')) s.send(${JSON.stringify(enter())})
      if (data.startsWith('40')) console.log('in')
    }`
  const child = spawn(process.execPath, ['-e', script])
  await new Promise((resolve) => child.stdout.once('data', resolve))
  child.kill('SIGSTOP')
  return { close: () => child.kill('SIGKILL') }
}

const backends = () =>
  rows<{ pid: number }>(
    'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  )

const faults: Record<string, () => Promise<void>> = {
  'a process is killed': async () => {
    await servers[0].kill()
    await lasting(5)
    await servers[0].start()
  },
  'Redis is away': async () => {
    await redis.away()
    await lasting(20)
    await redis.back()
  },
  'the database is frozen': async () => {
    const pids = (await backends()).map(({ pid }) => pid)
    const tell = (signal: NodeJS.Signals) => {
      for (const pid of pids)
        try {
          process.kill(pid, signal)
        } catch {} // it has ended meanwhile
    }
    tell('SIGSTOP')
    await lasting(10).finally(() => tell('SIGCONT'))
  },
  'the disk of the database is full': async () => {
    await rows(`create or replace function disk_is_full() returns trigger language plpgsql as
      $$ begin raise exception using errcode = '53100', message = 'could not extend file: No space left on device'; end $$`)
    for (const table of ['journal', 'messages'])
      await rows(`create trigger disk_is_full before insert on ${table} execute function disk_is_full()`)
    await lasting(10)
    for (const table of ['journal', 'messages']) await rows(`drop trigger disk_is_full on ${table}`)
  },
  'the provider is down': async () => {
    number.faults.next({ status: 503, body: { error: { code: 131000 } }, times: 1_000_000, match: '/messages' })
    await lasting(60)
    number.faults.clear()
  },
  'answers are cut after acceptance': async () => {
    number.faults.next({ afterAccepting: true, times: 5, match: '/messages' })
    await lasting(10)
    number.faults.clear()
  },
}

test('two processes, one Redis, and everything that can go wrong: nothing lost, doubled or out of order', {
  timeout: minutes * 60_000 + (minutes ? 600_000 : 240_000),
  retry: 0,
}, async () => {
  const people = Array.from({ length: 8 }, (_, n): Person => {
    return { waId: `55119${81_000_000 + n}`, clockMs: n % 2 ? -3_600_000 : 0, acknowledged: 0 }
  })
  for (const person of people) await say(person)
  const tickets = await until('every conversation has its ticket', async () => {
    const { items } = await admin.api.get<{ items: Ticket[] }>('/tickets?showAll=true&limit=100')
    return items.length === people.length && items
  })
  for (const { id } of tickets) await admin.api.put(`/tickets/${id}`, { status: 'open', userId: admin.session.userId })

  let isOver = false
  const taken: string[] = []
  const accepted = new Map<string, Set<RecordedRequest>>()
  const lookAtProvider = () => {
    for (const request of number.requests) {
      const id = (request.body as { biz_opaque_callback_data?: string } | undefined)?.biz_opaque_callback_data
      const isRefused = request.status !== undefined && request.status >= 400
      if (id && !isRefused) accepted.set(id, (accepted.get(id) ?? new Set()).add(request))
    }
  }
  const talking = people.map(async (person) => {
    while (!isOver) {
      await say(person)
      if (minutes) await pause(0.05)
    }
  })
  const answering = tickets.map(async (ticket) => {
    for (let n = 0; !isOver; n += 1) {
      const id = v7()
      await untilTaken(n, async ({ url }) => {
        const api = client(url, admin.session.token)
        return api.post(`/messages/${ticket.id}`, { id, body: `r${n}`, type: 'text', force: true }).then(() => true)
      })
      taken.push(id)
      await pause(0.3)
    }
  })
  const windows = await Promise.all(servers.map((server) => openWindow(server)))
  const slow = await openSlowWindow(servers[1])

  const endAt = Date.now() + minutes * 60_000
  do {
    for (const [name, strike] of Object.entries(faults)) {
      if (minutes) console.log(`# ${name}`)
      await strike()
      await lasting(5)
      lookAtProvider()
    }
  } while (Date.now() < endAt)
  isOver = true
  await Promise.all([...talking, ...answering])

  const open = async (text: string) => Number((await rows<{ open: string }>(text))[0]?.open)
  await until(
    'every event is handled and the send queue is empty',
    async () =>
      !(await open("select count(*) as open from journal where state = 'received'")) &&
      !(await open("select count(*) as open from messages where status in ('queued', 'sending')")),
    150_000,
  )
  lookAtProvider()

  // Both processes tell each other again.
  for (const [turn, window] of [...windows].reverse().entries()) {
    await until('the window is back', window.isOpen)
    const body = `depois de tudo ${turn}`
    await client(servers[turn]?.url ?? '', admin.session.token).post(`/messages/${tickets[0]?.id}`, {
      id: v7(),
      body,
      type: 'text',
      force: true,
    })
    await until('the other process heard of it', () => window.heard.has(body))
  }
  for (const window of [...windows, slow]) window.close()

  const [inbound] = await rows<{ stored: number; doubled: number; outOfOrder: number }>(
    `select count(*)::int as stored, (count(*) - count(distinct (contact_id, body)))::int as doubled,
         (count(*) filter (where n < before))::int as "outOfOrder"
       from (select contact_id, body, n, lag(n) over (partition by contact_id order by seq) as before
         from (select contact_id, body, seq, substr(body, 2)::int as n from messages where not from_me and body ~ '^n[0-9]+$') m) m`,
  )
  const sent = await rows<{ status: string; many: number }>(
    'select status, count(*)::int as many from messages where id = any($1) group by status',
    [taken],
  )
  const stored = sent.reduce((sum, { many }) => sum + many, 0)
  const uncertain = sent.find(({ status }) => status === 'uncertain')?.many ?? 0
  const found = {
    inbound: { acknowledged: people.reduce((sum, one) => sum + one.acknowledged, 0), ...inbound },
    outbound: {
      taken: taken.length,
      stored,
      delivered: taken.filter((id) => accepted.has(id)).length,
      uncertain,
      doubled: [...accepted.values()].filter((requests) => requests.size > 1).length,
      states: Object.fromEntries(sent.map(({ status, many }) => [status, many])),
    },
    heard: windows.map(({ heard }) => heard.size),
  }
  console.log(JSON.stringify(found))
  expect(found.inbound).toMatchObject({ stored: found.inbound.acknowledged, doubled: 0, outOfOrder: 0 })
  expect(found.outbound).toMatchObject({ stored: taken.length, doubled: 0 })
  expect(found.outbound.delivered).toBeGreaterThanOrEqual(taken.length - uncertain)
})
