import type { Bench } from '../bench.ts'
import { bearer } from '../bench.ts'
import { ask, requestOf } from '../load.ts'
import { atMost, percentile, rounded } from '../report.ts'
import { tenantId } from '../seed.ts'
import { residentMb } from '../servers.ts'

const messages = 420
const letters = 4_000

/** What anybody can write into the chat of a site, then asked for as a PDF: how long it takes, and what others feel. */
export const measureExports = async ({ db, admin, server }: Bench) => {
  const { rows } = await db.query<{ id: string }>('select id from tickets where tenant_id = $1 limit 1', [tenantId])
  const ticketId = rows[0]?.id
  const clean = () =>
    db.query("delete from messages where tenant_id = $1 and provider_id like 'bench-export-%'", [tenantId])
  await clean() // what a run that was cut short left
  await db.query(
    `insert into messages (tenant_id, id, ticket_id, contact_id, connection_id, from_me, type, body, status, timestamp, provider_id)
      select $1, uuidv7(), t.id, t.contact_id, t.connection_id, false, 'text',
        left((select string_agg(md5(n || '-' || part), '') from generate_series(1, 125) part), ${letters}), 'received', now(), 'bench-export-' || n
      from tickets t, generate_series(1, ${messages}) n where t.tenant_id = $1 and t.id = $2`,
    [tenantId, ticketId],
  )
  try {
    const startedAt = performance.now()
    let isDone = false
    const exported = fetch(`http://127.0.0.1:${server.port}/api/exportMessages/${ticketId}?format=pdf`, {
      headers: bearer(admin),
    }).then(async (reply) => {
      const { byteLength } = await reply.arrayBuffer()
      isDone = true
      return { status: reply.status, byteLength, seconds: (performance.now() - startedAt) / 1000 }
    })
    const health: number[] = []
    while (!isDone) {
      const at = performance.now()
      await ask(server.port, requestOf('GET', '/health'))
      health.push(performance.now() - at)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    const { status, byteLength, seconds } = await exported
    if (status !== 200) throw new Error(`The export answered ${status}`)
    atMost(30, {
      name: `PDF of ${messages} × ${letters} letters without a space`,
      value: seconds,
      unit: 's',
      compared: { kB: rounded(byteLength / 1000), serverMb: rounded(await residentMb(server)) },
    })
    atMost(100, {
      name: 'health meanwhile, p99',
      value: percentile(health, 99),
      unit: 'ms',
      compared: { asked: health.length },
    })
  } finally {
    await clean()
  }
}
