import { type Bench, bearer } from '../bench.ts'
import { type Answer, ask, compare, requestOf } from '../load.ts'
import { asPartOf, atMost, percentile, rounded, tell } from '../report.ts'
import { tenantId } from '../seed.ts'
import { startBare, statementsOf } from '../servers.ts'

/**
 * A page of 40 rows as our own screens ask for it, at 32 connections and at one, beside the bare server that sends the
 * same statements and answers the same bytes. Nothing of it changes meanwhile: rows are in memory, as they mostly are.
 */
export const measureLists = async (bench: Bench, list: 'tickets' | 'messages') => {
  const path = list === 'tickets' ? '/api/tickets?status=open&view=inbox' : `/api/messages/${await longTicket(bench)}`
  const request = requestOf('GET', path, bearer(bench.agent))
  const rows = rowsOf(await ask(bench.server.port, request))

  const statements = await bench.record(path, bench.agent)
  const { body } = await ask(bench.server.port, request)
  const bare = await startBare({ databaseUrl: bench.ownerUrl, routes: [{ path: '/', body, statements }] })
  try {
    const plain = requestOf('GET', '/')
    const sides = [
      { port: bench.server.port, next: () => request },
      { port: bare.port, next: () => plain },
    ] as const
    const [ours32, bare32] = await compare(...sides, 32, 1_200)
    const compared = {
      rows,
      statements: statements.length,
      bytes: Buffer.byteLength(body),
      p975Ms: rounded(ours32.p975Ms),
    }
    asPartOf(bare32.perSecond, 40, {
      name: `${list} page, 32 connections`,
      value: ours32.perSecond,
      unit: 'requests/s',
      compared,
    })

    const [ours1, bare1] = await compare(...sides, 1, 800)
    const told = {
      value: ours1.p975Ms,
      unit: 'ms',
      compared: { bare: rounded(bare1.p975Ms), p50Ms: rounded(ours1.p50Ms), bareP50Ms: rounded(bare1.p50Ms) },
    }
    if (list === 'tickets') atMost(6, { name: 'tickets page, 1 connection, p97.5', ...told })
    else tell({ name: 'messages page, 1 connection, p97.5', ...told })
  } finally {
    await bare.stop()
  }
  const counted = { value: await statementsFor(bench, request), unit: 'statements' }
  if (list === 'tickets') atMost(5, { name: 'tickets page, statements', ...counted })
  else tell({ name: 'messages page, statements', ...counted })
}

const longTicket = async ({ db, agent }: Bench) => {
  const { rows } = await db.query<{ id: string }>(
    `select t.id from tickets t where t.tenant_id = $1 and t.user_id = $2 and t.status = 'open'
       and (select count(*) from messages m where m.tenant_id = $1 and m.ticket_id = t.id) > 40 limit 1`,
    [tenantId, agent.id],
  )
  if (!rows[0]) throw new Error('No long conversation was seeded')
  return rows[0].id
}

const rowsOf = (answer: Answer): number => {
  if (answer.status !== 200) throw new Error(`Answered ${answer.status}: ${answer.body.slice(0, 300)}`)
  const { items, rows }: { items?: unknown[]; rows?: unknown[] } = JSON.parse(answer.body)
  return (items ?? rows ?? []).length
}

/** The middle of several: the server's own loops may send a statement in between. */
const statementsFor = async ({ server }: Bench, request: Buffer) => {
  const counts: number[] = []
  for (let n = 0; n < 8; n += 1) {
    const before = await statementsOf(server)
    await ask(server.port, request)
    counts.push((await statementsOf(server)) - before)
  }
  return percentile(counts, 50)
}
