import pg from 'pg'
import type { Bench } from '../bench.ts'
import { ask, load } from '../load.ts'
import { atLeast, atMost, percentile, rounded, say } from '../report.ts'
import { tenantId } from '../seed.ts'
import { statementsOf } from '../servers.ts'
import { v7 } from '../uuid.ts'
import { activeCustomers, arrived, type Customer, sweep, webhook } from '../webhook.ts'

const inFlight = 16
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const textOf = (n: number) => `Oi, bom dia! Meu pedido ${10_000 + n} ainda não chegou, vocês conseguem ver para mim?`

/** Messages of contacts with an active ticket through the real webhook, until the last one is stored. */
export const measureInbound = async (bench: Bench) => {
  const { db, server } = bench
  await sweep(db)
  const all = await activeCustomers(db)
  const [customers, others] = [all.slice(all.length / 2), all.slice(0, all.length / 2)]
  const pick = (n: number): Customer => customers[(n * 7) % customers.length] ?? Object.assign({}, customers[0])
  const many = Math.max(400, Math.round(12_000 * Math.min(1, bench.scale * 4)))

  await deliver(
    bench,
    Array.from({ length: Math.ceil(many / 6) }, (_, n) => webhook(pick(n), textOf(n))),
  )
  const before = await statementsOf(server)
  const { perSecond, acknowledged } = await deliver(
    bench,
    Array.from({ length: many }, (_, n) => webhook(pick(n), textOf(n))),
  )
  const batched = ((await statementsOf(server)) - before) / many
  const bare = await bareWrites(bench, others, many)
  atLeast(800, {
    name: `inbound messages, ${inFlight} in flight`,
    value: perSecond,
    unit: 'messages/s',
    compared: {
      bare: rounded(bare),
      percent: rounded((perSecond / bare) * 100),
      messages: many,
      statementsEach: rounded(batched),
      acknowledgedP99Ms: rounded(percentile(acknowledged, 99)),
    },
  })
  atMost(6, {
    name: 'inbound message alone, statements',
    value: await statementsAlone(bench, pick),
    unit: 'statements',
  })
  await sweep(db)
}

/** Sends them and waits until all are stored; tells when some are lost or doubled. */
const deliver = async ({ db, server }: Bench, requests: Buffer[]) => {
  const before = (await arrived(db)).stored
  const startedAt = performance.now()
  const { latenciesMs } = await load({
    port: server.port,
    connections: inFlight,
    count: requests.length,
    next: (n) => requests[n] ?? Buffer.alloc(0),
  })
  const answeredAt = performance.now()
  let now = await arrived(db)
  while (now.waiting > 0 && performance.now() < answeredAt + 60_000) {
    await pause(10)
    now = await arrived(db)
  }
  const stored = now.stored - before
  if (stored !== requests.length) say(`stored ${stored} of ${requests.length}; ${now.waiting} wait`)
  return { perSecond: stored / ((performance.now() - startedAt) / 1000), acknowledged: latenciesMs }
}

/** One message at a time, and nearly the least of many: now and then the server's own loops send something beside. */
const statementsAlone = async ({ server }: Bench, pick: (n: number) => Customer) => {
  const counts: number[] = []
  for (let n = 0; n < 31; n += 1) {
    const before = await statementsOf(server)
    await ask(server.port, webhook(pick(n), textOf(n)))
    await pause(150)
    counts.push((await statementsOf(server)) - before)
  }
  return percentile(counts, 10)
}

/**
 * The same rows written by a bare loop: one transaction each, as many at once, nothing else. Of other
 * customers: a page written first since a checkpoint is dearer, and whoever comes second would find it written.
 */
const bareWrites = async ({ ownerUrl }: Bench, customers: Customer[], many: number) => {
  const pool = new pg.Pool({ connectionString: ownerUrl, max: inFlight })
  const startedAt = performance.now()
  let next = 0
  const worker = async () => {
    for (let n = next++; n < many; n = next++) {
      const customer = customers[(n * 7) % customers.length]
      if (!customer) continue
      const client = await pool.connect()
      const [journalId, messageId, providerId] = [v7(), v7(), `wamid.live-bare${n}.${startedAt}`]
      const payload = {
        kind: 'message',
        message: { from: customer.number, id: providerId, type: 'text', text: { body: textOf(n) } },
        contact: { wa_id: customer.number },
      }
      await client.query({ ...journal, values: [tenantId, journalId, customer.connectionId, providerId, payload] })
      await client.query('begin')
      const { rows } = await client.query<{ seq: number }>({
        ...message,
        values: [
          tenantId,
          messageId,
          customer.ticketId,
          customer.contactId,
          customer.connectionId,
          textOf(n),
          providerId,
          JSON.stringify({ message: payload, ticket: {} }),
          journalId,
        ],
      })
      await client.query('commit')
      await client.query({ ...forget, values: [tenantId, rows[0]?.seq] })
      client.release()
    }
  }
  await Promise.all(Array.from({ length: inFlight }, worker))
  const perSecond = many / ((performance.now() - startedAt) / 1000)
  await pool.end()
  return perSecond
}
const journal = {
  name: 'bare_journal',
  text: 'insert into journal (tenant_id, id, connection_id, event_key, payload) values ($1, $2, $3, $4, $5) on conflict do nothing',
}
const message = {
  name: 'bare_message',
  text: `with stored as (
      insert into messages (tenant_id, id, ticket_id, contact_id, connection_id, from_me, type, body, status, provider_id, timestamp)
      values ($1, $2, $3, $4, $5, false, 'text', $6, 'received', $7, now()) on conflict do nothing),
    changed as (update tickets set unread_messages = unread_messages + 1, last_message = $6, last_message_at = now(), last_inbound_at = now(),
      answered = false, updated_at = now(), version = version + 1 where tenant_id = $1 and id = $3),
    done as (update journal set state = 'done', processed_at = now() where tenant_id = $1 and id = $9)
    insert into outbox (tenant_id, name, payload, audience) values ($1, 'message.created', $8, '{}') returning seq`,
}
const forget = { name: 'bare_forget', text: 'delete from outbox where tenant_id = $1 and seq = $2' }
