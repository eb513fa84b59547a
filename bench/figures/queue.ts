import { abilitiesOf } from '@balcao/contract/channels/index.ts'
import { io } from 'socket.io-client'
import { claimQueued } from '../../apps/server/src/features/conversations/messages/sender.queries.ts'
import { type Bench, bearer, type Caller } from '../bench.ts'
import { ask, requestOf } from '../load.ts'
import { atMost, percentile, rounded, say } from '../report.ts'
import { tenantId } from '../seed.ts'
import { v7 } from '../uuid.ts'
import { otherCompany } from './neighbours.ts'

const many = 100_000
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const paces = JSON.stringify({
  webchat: { perSecond: 1_000, burst: 100 },
  waba: { perSecond: 40, burst: 20 },
  telegram: { perSecond: 40, burst: 20 },
})

/** A company with very many messages that wait: what the sender's claim costs, and what another company's sends feel. */
export const measureQueue = async (bench: Bench) => {
  const { db } = bench
  const {
    caller,
    ticketIds: [ticketId = ''],
  } = await otherCompany(bench)
  await sends(bench, caller, ticketId)
  const quiet = await sends(bench, caller, ticketId)
  await bench.server.stop()
  const empty = await claims(bench, 0)
  await queueMany(bench)
  const resting = await claims(bench, many)
  await db.query('update connection_pace set next_at = now()')
  const taking = await claims(bench, many)
  atMost(rounded(2 * percentile(empty, 50)), {
    name: `claim beside ${many} messages that wait, p50`,
    value: percentile(resting, 50),
    unit: 'ms',
    compared: { emptyMs: rounded(percentile(empty, 50)), whenItTakesOneMs: rounded(percentile(taking, 50)) },
  })
  bench.server = await bench.restart()
  await sends(bench, caller, ticketId) // as before the quiet ones: the first of a process are slow
  const beside = await sends(bench, caller, ticketId)
  atMost(rounded(2 * percentile(quiet, 99)), {
    name: `sends of a company beside ${many} of another that wait, until sent, p99`,
    value: percentile(beside, 99),
    unit: 'ms',
    compared: {
      quietP99Ms: rounded(percentile(quiet, 99)),
      p50Ms: rounded(percentile(beside, 50)),
      quietP50Ms: rounded(percentile(quiet, 50)),
    },
  })
  await bench.server.stop()
  await db.query(`delete from messages where tenant_id = $1 and body = 'Promoção'`, [tenantId])
  await db.query('vacuum analyze messages')
  bench.server = await bench.restart()
}

/** One statement of the sender, undone each time, so that each finds the same. */
const claims = async ({ db }: Bench, expected: number): Promise<number[]> => {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int from messages where tenant_id = $1 and status = 'queued'`,
    [tenantId],
  )
  if (rows[0]?.count !== expected) say(`${rows[0]?.count} wait instead of ${expected}`)
  const client = await db.connect()
  const times: number[] = []
  for (let n = 0; n < 60; n += 1) {
    await client.query('begin')
    const at = performance.now()
    await client.query({ ...claimQueued, values: [v7(), [], 100, paces, 'nobody', false] })
    if (n >= 10) times.push(performance.now() - at)
    await client.query('rollback')
  }
  client.release()
  return times
}

/** They wait on a connection that may send one a minute. */
const queueMany = async ({ db }: Bench) => {
  await db.query(
    `with channel as (insert into connections (tenant_id, id, kind, name, status, config, abilities, options, hook_secret)
         values ($1, uuidv7(), 'webchat', 'Campanha ' || clock_timestamp(), 'CONNECTED', '{"allowAnyDomain": true}', $3::jsonb, '{"restSeconds": 60}', 'bench-hook') returning id),
       paced as (insert into connection_pace (tenant_id, connection_id, next_at)
         select $1, id, now() + interval '1 hour' from channel)
     insert into messages (tenant_id, id, ticket_id, contact_id, connection_id, from_me, type, body, status, timestamp)
       select $1, uuidv7(), t.id, t.contact_id, channel.id, true, 'text', 'Promoção', 'queued', now()
       from channel, tickets t, generate_series(1, $2::int / (select count(*)::int from tickets where tenant_id = $1) + 1) n
       where t.tenant_id = $1 order by n, t.id limit $2`,
    [tenantId, many, JSON.stringify(abilitiesOf('webchat', {}))],
  )
  await db.query('vacuum analyze messages')
  await db.query('checkpoint') // what was laid down here is on the disk before anybody is measured
}

/** From the click until the window hears that it is sent. */
const sends = async ({ server }: Bench, caller: Caller, ticketId: string): Promise<number[]> => {
  const socket = io(`http://127.0.0.1:${server.port}`, {
    transports: ['websocket'],
    auth: { token: caller.token },
    forceNew: true,
  })
  const heard = new Map<string, number>()
  socket.on('message.status', ({ id, status }: { id: string; status: string }) => {
    if (status === 'sent') heard.set(id, performance.now())
  })
  await new Promise<void>((resolve) => socket.once('connect', () => resolve()))
  const said = new Map<string, number>()
  for (let n = 0; n < 600; n += 1) {
    const id = v7()
    said.set(id, performance.now())
    const headers = { ...bearer(caller), 'content-type': 'application/json' }
    const body = JSON.stringify({ id, body: 'Seu pedido saiu para entrega.' })
    await ask(server.port, requestOf('POST', `/api/messages/${ticketId}`, headers, body))
    await pause(20)
  }
  await pause(1_500)
  socket.disconnect()
  if (heard.size < said.size) say(`${heard.size} of ${said.size} were told as sent`)
  return [...said].flatMap(([id, at]) => (heard.get(id) ?? Number.NaN) - at).filter((ms) => !Number.isNaN(ms))
}
