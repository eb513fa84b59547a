import { abilitiesOf } from '@balcao/contract/channels/index.ts'
import { startRedisSimulator } from '@balcao/simulators/redis.ts'
import { io, type Socket } from 'socket.io-client'
import { type Bench, bearer, type Caller } from '../bench.ts'
import { ask, requestOf } from '../load.ts'
import { atMost, percentile, rounded, say } from '../report.ts'
import { tenantId } from '../seed.ts'
import type { Running } from '../servers.ts'
import { v7 } from '../uuid.ts'
import { activeCustomers, sweep, webhook } from '../webhook.ts'

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Three processes, one for each role: how soon the worker takes what was written at the `api`, and how soon a screen there
 * shows what came in at `sessions`. By the database's signals, then by Redis.
 */
export const measureSplit = async (bench: Bench) => {
  await bench.server.stop()
  const redis = await startRedisSimulator()
  try {
    await measure(bench, 'PostgreSQL', {})
    await measure(bench, 'Redis', { REDIS_URL: redis.url })
  } finally {
    await redis.close()
    await bench.restart()
  }
}

const measure = async (bench: Bench, way: string, env: Record<string, string>) => {
  const { db, admin } = bench
  await sweep(db)
  const running: Running[] = []
  for (const ROLES of ['api', 'worker', 'sessions']) running.push(await bench.start({ ...env, ROLES }))
  const [api, , sessions] = running
  const said = new Map<string, number>()
  const heard = new Map<string, number>()
  let socket: Socket | undefined
  try {
    if (!api || !sessions) throw new Error('Not all three are open')
    socket = await listen(api.port, admin, (key) => heard.set(key, performance.now()))
    await pause(2_000)
    const many = bench.scale < 1 ? 60 : 300
    const customers = await activeCustomers(db)
    for (let n = 0; n < many; n += 1) {
      const customer = customers[(n * 11) % customers.length]
      if (!customer) continue
      said.set(`#${n}`, performance.now())
      await ask(sessions.port, webhook(customer, `Bom dia #${n}`))
      await pause(20)
    }
    const ticketId = await openWebchat(bench)
    const sentIds: string[] = []
    for (let n = 0; n < many; n += 1) {
      const id = v7()
      sentIds.push(id)
      const { status } = await ask(
        api.port,
        requestOf(
          'POST',
          `/api/messages/${ticketId}`,
          { ...bearer(admin), 'content-type': 'application/json' },
          JSON.stringify({ id, body: 'Seu pedido saiu para entrega.' }),
        ),
      )
      if (status >= 300) throw new Error(`Sending answers ${status}`)
      said.set(id, performance.now())
      await pause(40)
    }
    await pause(2_000)
    const after = (keys: string[]) => keys.flatMap((key) => (heard.get(key) ?? Number.NaN) - (said.get(key) ?? 0))
    const tellOf = (name: string, limit: number, keys: string[]) => {
      const times = after(keys).filter((ms) => !Number.isNaN(ms))
      if (times.length < keys.length) say(`${name}: ${times.length} of ${keys.length} heard of`)
      atMost(limit, {
        name: `split roles by ${way}: ${name}, p95`,
        value: percentile(times, 95),
        unit: 'ms',
        compared: { p50Ms: rounded(percentile(times, 50)), p99Ms: rounded(percentile(times, 99)), many: times.length },
      })
    }
    tellOf(
      'inbound at sessions to a screen at api',
      150,
      [...said.keys()].filter((key) => key.startsWith('#')),
    )
    tellOf('send picked up, sent and told again', 50, sentIds)
  } finally {
    socket?.disconnect()
    for (const one of running) await one.stop()
  }
  await db.query(`delete from messages where tenant_id = $1 and body = 'Seu pedido saiu para entrega.'`, [tenantId])
  await sweep(db)
}

type Told = { 'message.created': { message: { body: string } }; 'message.status': { id: string; status: string } }
const listen = (port: number, { token }: Caller, onHeard: (key: string) => void) =>
  new Promise<Socket>((resolve, reject) => {
    const socket = io(`http://127.0.0.1:${port}`, { transports: ['websocket'], auth: { token }, forceNew: true })
    socket.on('message.created', ({ message }: Told['message.created']) => {
      const key = /#\d+$/.exec(message.body)?.[0]
      if (key) onHeard(key)
    })
    socket.on('message.status', ({ id, status }: Told['message.status']) => {
      if (status === 'sent') onHeard(id)
    })
    socket.once('connect', () => resolve(socket))
    socket.once('connect_error', reject)
  })

/** A conversation whose channel takes what is sent without a network. */
const openWebchat = async ({ db, admin }: Bench): Promise<string> => {
  const { rows } = await db.query<{ id: string }>(
    `with channel as (insert into connections (tenant_id, id, kind, name, status, config, abilities, hook_secret)
         values ($1, uuidv7(), 'webchat', 'Chat ' || clock_timestamp(), 'CONNECTED', '{"allowAnyDomain": true}', $3::jsonb, 'bench-hook') returning id),
       customer as (insert into contacts (tenant_id, id, name) values ($1, uuidv7(), 'João') returning id)
     insert into tickets (tenant_id, id, protocol, status, contact_id, connection_id, user_id, updated_at)
       select $1, uuidv7(), 'S' || extract(epoch from clock_timestamp())::bigint, 'open', customer.id, channel.id, $2, now()
       from channel, customer returning id`,
    [tenantId, admin.id, JSON.stringify(abilitiesOf('webchat', {}))],
  )
  const [row] = rows
  if (!row) throw new Error('No conversation')
  return row.id
}
