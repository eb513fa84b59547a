import Fastify from 'fastify'
import { z } from 'zod'
import { isDatabaseUp, statementCount } from '../../../db/database.ts'
import { env } from '../../../env.ts'
import { AppError } from '../../../kit/errors.ts'
import type { Routes } from '../../../kit/http.ts'
import { freeBytes, freeIn } from '../../../kit/storage.ts'
import { workersHealth } from '../../../kit/workers.ts'
import { passwordChecks } from '../../people/auth/passwords.ts'

const readiness = z.object({
  status: z.literal('ready'),
  files: z.enum(['ok', 'full']),
  /** What this process does by itself: some of it has failed several times in a row. */
  workers: z.enum(['ok', 'failing']),
})
const noRoom = 'O disco do banco de dados está cheio. Libere espaço.'
/** PostgreSQL writes its log in steps of 16 MB. */
const isFull = (free: number | null) => free !== null && free < 32 * 1024 * 1024

/** Health for load balancers, metrics for those on this machine. */
export const platformRoutes: Routes = (app) => {
  const open = { public: true } as const
  app.get(
    '/health',
    {
      config: { ...open, summary: 'Saber se o processo responde' },
      schema: { response: { 200: z.object({ status: z.literal('ok') }) } },
    },
    async () => ({ status: 'ok' as const }),
  )
  app.get(
    '/ready',
    {
      config: { ...open, summary: 'Saber se o servidor está pronto para atender', errors: ['ERR_STORAGE_FULL'] },
      schema: { response: { 200: readiness } },
    },
    async () => {
      if (!(await isDatabaseUp())) throw new AppError('ERR_UNAVAILABLE')
      // Our own database stops with its disk; without room for files, conversations go on in text.
      if (!env.DATABASE_URL && isFull(await freeIn(env.DATA_DIR)))
        throw new AppError('ERR_STORAGE_FULL', { message: noRoom })
      return {
        status: 'ready' as const,
        files: isFull(await freeBytes()) ? ('full' as const) : ('ok' as const),
        workers: workersHealth().some(({ isInTrouble }) => isInTrouble) ? ('failing' as const) : ('ok' as const),
      }
    },
  )
  app.get(
    '/metrics',
    { config: { ...open, summary: 'Ler as medidas do processo', isHidden: true } },
    async (request, reply) => {
      const isHere = /^(127\.|::1$|::ffff:127\.)/.test(request.ip) && !request.headers['x-forwarded-for']
      if (!isHere) throw new AppError('ERR_NOT_FOUND')
      measuring ??= startMeasuring()
      const registry = await measuring
      return reply.type(registry.contentType).send(await registry.metrics())
    },
  )
}

let measuring: ReturnType<typeof startMeasuring> | undefined
/** Loaded when somebody first asks: starting does not wait for it. */
const startMeasuring = async () => {
  const { Counter, collectDefaultMetrics, Gauge, Registry } = await import('prom-client')
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const count = (name: string, help: string, total: () => number) =>
    new Counter({
      name,
      help,
      registers: [registry],
      collect() {
        this.reset()
        this.inc(total())
      },
    })
  count('balcao_statements_total', 'Round trips of this process to the database', statementCount)
  count('balcao_password_checks_total', 'Passwords compared with a hash by this process', passwordChecks)
  const ofWorkers = (name: string, help: string, value: (worker: WorkerHealth) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['worker'],
      registers: [registry],
      collect() {
        for (const worker of workersHealth()) this.set({ worker: worker.name }, value(worker))
      },
    })
  ofWorkers('balcao_worker_rounds', 'Rounds of a worker since the start', ({ rounds }) => rounds)
  ofWorkers('balcao_worker_failures', 'Rounds that failed in a row', ({ failures }) => failures)
  ofWorkers('balcao_worker_last_round_seconds', 'When its last round ended', ({ lastRoundAt }) => lastRoundAt / 1_000)
  return registry
}
type WorkerHealth = ReturnType<typeof workersHealth>[number]

/** The viewer of the API reference. Loaded when somebody first asks: it takes 25 MB that most installations never need. */
const referenceViewer = async (): Promise<string> => {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const viewer = Fastify()
  await viewer.register(scalar, { routePrefix: '/', configuration: { url: '/api/openapi.json' } })
  return (await viewer.inject('/js/scalar.js')).body
}
/** It loads nothing from elsewhere and offers nothing of its maker: no fonts, accounts, assistants or measuring. */
const viewerSettings = {
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  mcp: { disabled: true },
  agent: { disabled: true },
  customCss: 'a[href*="scalar.com"] { display: none !important }',
}
const referencePage = `<!doctype html>
<html lang="pt-BR">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>API do Balcão</title>
  </head>
  <body>
    <script id="api-reference" data-url="/api/openapi.json" data-configuration='${JSON.stringify(viewerSettings)}'></script>
    <script src="/api/docs/viewer.js"></script>
  </body>
</html>`

/** The reference of our own API, made from the same schemas that guard it. */
export const docsRoutes: Routes = (app) => {
  const rateLimit = { max: 60, timeWindow: '1 minute' }
  const hidden = (summary: string) => ({
    config: { public: true as const, summary, isHidden: true as const, rateLimit },
  })
  app.get('/api/openapi.json', hidden('Ler esta referência em OpenAPI'), async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(app.reference()),
  )
  app.get('/api/docs', hidden('Abrir esta referência'), async (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(referencePage),
  )
  app.get('/api/docs/viewer.js', hidden('Ler o visualizador desta referência'), async (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=86400')
      .type('text/javascript')
      .send(await referenceViewer()),
  )
}
