import { type Bench, bearer } from '../bench.ts'
import { load, requestOf } from '../load.ts'
import { atMost, percentile, rounded } from '../report.ts'
import { tenantId } from '../seed.ts'

/** A conversation of 100,000 messages: its end, any place in it, and what follows a place. */
export const measureHistory = async ({ db, server, admin }: Bench) => {
  const { ticketId, seqs } = await longestTicket(db)
  const path = `/api/messages/${ticketId}`
  const kinds = {
    'its end': () => path,
    'any place in it': (n: number) => `${path}?before=${seqs[(n * 7_919) % seqs.length]}`,
    'what followed': (n: number) => `${path}?after=${seqs[(n * 7_919) % seqs.length]}`,
  }
  for (const [name, address] of Object.entries(kinds)) {
    const { latenciesMs } = await load({
      port: server.port,
      connections: 1,
      count: 400,
      next: (n) => requestOf('GET', address(n), bearer(admin)),
    })
    atMost(60, {
      name: `conversation of ${seqs.length} messages: ${name}, p95`,
      value: percentile(latenciesMs, 95),
      unit: 'ms',
      compared: { p50Ms: rounded(percentile(latenciesMs, 50)) },
    })
  }
}

/** The seeded conversation of years, and its messages in order. */
export const longestTicket = async (db: Bench['db']) => {
  const { rows } = await db.query<{ ticketId: string; seq: string }>(
    `select ticket_id as "ticketId", seq from messages
       where tenant_id = $1 and ticket_id = (select ticket_id from messages where tenant_id = $1 and provider_id = 'wamid.long.1') order by seq`,
    [tenantId],
  )
  const [first] = rows
  if (!first) throw new Error('No conversation of years was seeded')
  return { ticketId: first.ticketId, seqs: rows.map((row) => row.seq) }
}
