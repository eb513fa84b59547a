import Fastify from 'fastify'
import pg from 'pg'

/**
 * The limit of lists: Fastify and pg, the same statements prepared, the same rows as JSON, and nothing else. No token,
 * no policy, no transaction, no validation.
 */
export type BarePlan = {
  databaseUrl: string
  routes: { path: string; shape: 'ticket' | 'row'; statements: { text: string; values: unknown[] }[] }[]
}
const plan: BarePlan = JSON.parse(process.env.BARE_PLAN ?? '')

pg.types.setTypeParser(pg.types.builtins.INT8, Number)
const pool = new pg.Pool({ connectionString: plan.databaseUrl, max: 16, options: '-c app.tenant_id=1' })
const app = Fastify()

type Row = Record<string, unknown>
for (const [at, { path, shape, statements }] of plan.routes.entries()) {
  app.get(path, async (_, reply) => {
    const results: Row[][] = []
    for (const [n, statement] of statements.entries()) {
      results.push((await pool.query({ name: `s${at}_${n}`, ...statement })).rows)
    }
    const rows = results.at(-1) ?? []
    const items = shape === 'ticket' ? tickets(rows) : rows
    return reply
      .type('application/json; charset=utf-8')
      .serializer(JSON.stringify)
      .send({ items, hasMore: true, nextCursor: '' })
  })
}

/** What the product keeps in memory: names of tags, queues and people. */
const named = await pool.query<Row>(`select id, name, color from tags union all select id, name, color from queues
  union all select id, name, null from users`)
const names = new Map(named.rows.map((row) => [row.id, row]))
const listed = (ids: unknown) => (typeof ids === 'string' ? ids.split(',') : [])
const cards = (ids: unknown) => listed(ids).map((id) => names.get(id))

/** Rows of the page as the product answers them. */
const tickets = (page: Row[]) =>
  page.slice(0, 40).map((row) => {
    const { contactName, number, profilePicUrl, walletIds, contactTagIds, tagIds, whatsappName, ...rest } = row
    return {
      ...rest,
      contact: {
        id: row.contactId,
        name: contactName,
        number,
        profilePicUrl,
        wallets: listed(walletIds),
        tags: cards(contactTagIds),
      },
      name: contactName,
      profilePicUrl,
      username: names.get(row.userId)?.name,
      queue: names.get(row.queueId),
      whatsapp: { id: row.whatsappId, name: whatsappName },
      tags: cards(tagIds),
      lastMessageAt: iso(row.lastMessageAt),
      lastInboundAt: iso(row.lastInboundAt),
      waitingSince: iso(row.waitingSince),
      startedAt: iso(row.startedAt),
      closedAt: iso(row.closedAt),
      createdAt: iso(row.createdAt),
      updatedAt: iso(row.updatedAt),
    }
  })
const iso = (ms: unknown) => (typeof ms === 'number' ? new Date(ms).toISOString() : null)

await app.listen({ host: '127.0.0.1', port: Number(process.env.BARE_PORT) })
console.log('bare is open')
process.on('SIGTERM', async () => {
  await app.close()
  await pool.end()
  process.exit(0)
})
