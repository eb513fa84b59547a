import { setTimeout as pause } from 'node:timers/promises'
import { io } from 'socket.io-client'
import type { Bench } from '../bench.ts'
import { linkPhones, online, type Phone, unlinkPhones, until } from '../phones.ts'
import { atMost, percentile, rounded } from '../report.ts'
import { tenantId } from '../seed.ts'
import { residentMb } from '../servers.ts'
import { measureAdapters } from './adapters.ts'

/** Phones linked by QR code: what they cost at rest, at work, and when their process dies. */
export const measurePhones = async (bench: Bench) => {
  await measureAdapters()
  await atRest(bench)
  await atWork(bench)
  await orphaned(bench)
}

const count = async ({ db }: Bench, like: string) => {
  const { rows } = await db.query<{ n: number; distinct: number }>(
    'select count(*)::int as n, count(distinct body)::int as "distinct" from messages where tenant_id = $1 and body like $2',
    [tenantId, like],
  )
  return rows[0] ?? { n: 0, distinct: 0 }
}
const run = Date.now().toString(36)

const atRest = async (bench: Bench) => {
  const server = await bench.restart()
  const phones = await linkPhones(bench.db, 100)
  await pause(10_000)
  atMost(300, {
    name: '100 idle sessions in one process, resident memory',
    value: await residentMb(server),
    unit: 'MB',
  })
  await unlinkPhones(bench.db, phones)
}

const atWork = async (bench: Bench) => {
  const server = await bench.restart()
  const phones = await linkPhones(bench.db, 50)
  const screen = await watch(server.port, bench.admin.token)
  const seconds = bench.scale < 1 ? 10 : 30
  await speak(phones, 5, (n) => `aquecer ${run} ${n}`)
  await pause(2_000)
  await speak(phones, seconds, (n) => {
    screen.sentAt.set(`trabalho ${run} ${n}`, performance.now())
    return `trabalho ${run} ${n}`
  })
  await pause(2_000)
  atMost(150, {
    name: '50 phones, 2 messages a second each: inbound to a screen, p95',
    value: percentile(screen.seen, 95),
    unit: 'ms',
    compared: {
      p50Ms: rounded(percentile(screen.seen, 50)),
      seen: screen.seen.length,
      said: seconds * 100,
      stored: (await count(bench, `trabalho ${run} %`)).n,
    },
  })
  screen.close()
  await unlinkPhones(bench.db, phones)
}

const orphaned = async (bench: Bench) => {
  const first = await bench.restart()
  const phones = await linkPhones(bench.db, 50)
  const second = await bench.start({})
  await speak(phones, 2, (n) => `antes ${run} ${n}`)
  await until(async () => (await count(bench, `antes ${run} %`)).n >= 200, 30_000)
  process.kill(first.pid, 'SIGKILL')
  const killedAt = performance.now()
  await until(() => phones.every(({ simulator }) => !simulator.isOnline()), 5_000)
  await speak(phones, 1, (n) => `enquanto ${run} ${n}`)
  await online(phones)
  const tookMs = performance.now() - killedAt
  await until(async () => (await count(bench, `enquanto ${run} %`)).n >= 100, 30_000)
  await pause(2_000)
  const { n, distinct } = await count(bench, `enquanto ${run} %`)
  atMost(20, {
    name: 'owner of 50 sessions killed: all owned elsewhere',
    value: tookMs / 1_000,
    unit: 's',
    compared: { saidMeanwhile: 100, stored: n, distinct },
  })
  await second.stop()
  await unlinkPhones(bench.db, phones)
  await bench.restart()
}

/** Two messages a second from each phone's customer. */
const speak = async (phones: Phone[], seconds: number, textOf: (n: number) => string) => {
  const many = phones.length * 2 * seconds
  const startedAt = performance.now()
  for (let n = 0; n < many; n += 1) {
    await pause(Math.max(0, startedAt + (n * 1_000) / (phones.length * 2) - performance.now()))
    const phone = phones[n % phones.length]
    phone?.simulator.say({ lid: `77${phone.number}`, name: 'Ana' }, { conversation: textOf(n) })
  }
}

/** Somebody who sees every message as it comes. */
const watch = async (port: number, token: string) => {
  const [sentAt, seen] = [new Map<string, number>(), [] as number[]]
  const socket = io(`http://127.0.0.1:${port}`, { transports: ['websocket'], auth: { token }, forceNew: true })
  socket.on('message.created', ({ message }: { message: { body: string } }) => {
    const at = sentAt.get(message.body)
    if (at !== undefined) seen.push(performance.now() - at)
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('connect_error', reject)
  })
  return { sentAt, seen, close: () => socket.disconnect() }
}

const oldMessages = 200_000
/** Years of conversations come in beside people who write now. */
export const measureImport = async (bench: Bench) => {
  const server = await bench.restart()
  const many = Math.round(oldMessages * Math.min(1, bench.scale * 10))
  const [busy] = await linkPhones(bench.db, 1, { importFrom: '2015-01-01' })
  const quiet = await linkPhones(bench.db, 10)
  if (!busy) throw new Error('No phone')
  const screen = await watch(server.port, bench.admin.token)
  const listen = async (name: string, isOver: (seconds: number) => Promise<boolean>) => {
    screen.seen.length = 0
    for (let seconds = 0; !(await isOver(seconds)); seconds += 1)
      await speak(quiet, 1, (n) => {
        const text = `${name} ${run} ${seconds} ${n}`
        screen.sentAt.set(text, performance.now())
        return text
      })
    return percentile(screen.seen, 95)
  }
  await listen('aquecer', async (seconds) => seconds >= 5)
  const before = await listen('calma', async (seconds) => seconds >= 15)

  const bornAt = Date.UTC(2020, 0, 1)
  const startedAt = performance.now()
  const each = 5_000
  for (let from = 0; from < many; from += each) {
    const messages = Array.from({ length: Math.min(each, many - from) }, (_, n) => ({
      // Each conversation lies together, as a phone tells them.
      key: {
        remoteJid: `${88_000_000_000 + Math.floor((from + n) / 100)}@lid`,
        id: `OLD${run}${from + n}`,
        fromMe: n % 3 === 0,
      },
      message: { conversation: `antiga ${run} ${from + n}` },
      messageTimestamp: Math.floor(bornAt / 1_000) + from + n,
    }))
    const progress = Math.round(((from + each) / many) * 100)
    busy.simulator.tell({ 'messaging-history.set': { chats: [], contacts: [], messages, progress, syncType: 3 } })
  }
  // Not counted among a million while the clock runs: that alone would hold up those who write now.
  const isStored = async () => {
    const { rows } = await bench.db.query<{ done: boolean }>(
      "select (imported->>'messages')::int >= $3 as done from connections where tenant_id = $1 and id = $2",
      [tenantId, busy.id, many],
    )
    return rows[0]?.done === true
  }
  const during = await listen('ao lado', async (seconds) => seconds >= 600 || (await isStored()))
  const tookS = (performance.now() - startedAt) / 1_000
  // A machine that others use is not the same a few minutes later.
  const after = await listen('calma de novo', async (seconds) => seconds >= 15)
  const quietMs = (before + after) / 2
  const { rows } = await bench.db.query<{ wrong: number }>(
    `select count(*)::int as wrong from messages where tenant_id = $1 and body like $2
      and extract(epoch from timestamp) <> $3 + split_part(body, ' ', 3)::int`,
    [tenantId, `antiga ${run} %`, bornAt / 1_000],
  )
  atMost((300 * many) / oldMessages, {
    name: `${many} old messages imported`,
    value: tookS,
    unit: 's',
    compared: { stored: (await count(bench, `antiga ${run} %`)).n, atAnotherTime: rows[0]?.wrong ?? 0 },
  })
  atMost(2, {
    name: 'inbound to a screen beside an import, p95, times the quiet one',
    value: during / quietMs,
    unit: 'x',
    compared: { quietBeforeMs: rounded(before), quietAfterMs: rounded(after), besideMs: rounded(during) },
  })
  screen.close()
  await unlinkPhones(bench.db, [busy, ...quiet])
}
