import Fastify from 'fastify'
import pg from 'pg'

/**
 * The limit of lists: Fastify and pg, the same statements prepared, the same rows or bytes, and nothing else. No token,
 * no policy, no transaction, no validation.
 */
export type BarePlan = {
  databaseUrl: string
  /** With a `body` that is what it answers; else the rows of the last statement. */
  routes: { path: string; body?: string; statements: { text: string; values: unknown[] }[] }[]
}
const plan: BarePlan = JSON.parse(process.env.BARE_PLAN ?? '')

pg.types.setTypeParser(pg.types.builtins.INT8, Number)
const pool = new pg.Pool({ connectionString: plan.databaseUrl, max: 16, options: '-c app.tenant_id=1' })
const app = Fastify()

type Row = Record<string, unknown>
for (const [at, { path, body, statements }] of plan.routes.entries()) {
  app.get(path, async (_, reply) => {
    const results: Row[][] = []
    for (const [n, statement] of statements.entries()) {
      results.push((await pool.query({ name: `s${at}_${n}`, ...statement })).rows)
    }
    reply.type('application/json; charset=utf-8')
    if (body !== undefined) return reply.serializer(String).send(body)
    return reply.serializer(JSON.stringify).send({ items: results.at(-1) ?? [], hasMore: true, nextCursor: '' })
  })
}

await app.listen({ host: '127.0.0.1', port: Number(process.env.BARE_PORT) })
console.log('bare is open')
process.on('SIGTERM', async () => {
  await app.close()
  await pool.end()
  process.exit(0)
})
