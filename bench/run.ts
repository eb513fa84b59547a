import { loadavg } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { startEmbeddedPostgres } from '../apps/server/src/db/embedded.ts'
import { type Bench, bearer, type Caller } from './bench.ts'
import { measureAssistantFaults, measureAssistants } from './figures/assistants.ts'
import { measureAuth } from './figures/auth.ts'
import { measureBoard } from './figures/board.ts'
import { measureBrowser } from './figures/browser.ts'
import { measureBuilder } from './figures/builder.ts'
import { measureCampaignKills } from './figures/campaign-kills.ts'
import { measureCampaignMillion } from './figures/campaign-million.ts'
import { measureCampaigns } from './figures/campaigns.ts'
import { measureContactImport } from './figures/contact-import.ts'
import { measureExports } from './figures/exports.ts'
import { measureFlowFaults } from './figures/flow-faults.ts'
import { measureFlows } from './figures/flows.ts'
import { measureFunnel } from './figures/funnel.ts'
import { measureHistory } from './figures/history.ts'
import { measureInbound } from './figures/inbound.ts'
import { measureLists } from './figures/lists.ts'
import { measureLive } from './figures/live.ts'
import { measureLog } from './figures/log.ts'
import { measureMail } from './figures/mail.ts'
import { measureMailOnScreen } from './figures/mail-on-screen.ts'
import { measureMemory, measureStart } from './figures/memory.ts'
import { measureNeighbours } from './figures/neighbours.ts'
import { measureImport, measurePhones } from './figures/phones.ts'
import { measureQueue } from './figures/queue.ts'
import { measureReportFile, measureReports, measureReportsBeside } from './figures/reports.ts'
import { measureContacts, measureMessageSearch, measureSearch } from './figures/search.ts'
import { measureSegments } from './figures/segments.ts'
import { measureSize } from './figures/size.ts'
import { measureSockets } from './figures/sockets.ts'
import { measureSplit } from './figures/split.ts'
import { joinOneGroup } from './one-group.ts'
import { recordStatements } from './record.ts'
import { say } from './report.ts'
import { seedOnce, tenantId } from './seed.ts'
import { type Running, startServer } from './servers.ts'

/** In this order: memory at the end is memory after everything else. */
const groups: Record<string, (bench: Bench) => Promise<void>> = {
  start: measureStart,
  auth: measureAuth,
  sockets: measureSockets,
  tickets: (bench) => measureLists(bench, 'tickets'),
  messages: (bench) => measureLists(bench, 'messages'),
  history: measureHistory,
  contacts: measureContacts,
  segments: measureSegments,
  reports: measureReports,
  reportFile: measureReportFile,
  reportsBeside: measureReportsBeside,
  board: measureBoard,
  funnel: measureFunnel,
  search: measureSearch,
  messageSearch: measureMessageSearch,
  inbound: measureInbound,
  log: measureLog,
  neighbours: measureNeighbours,
  live: measureLive,
  split: measureSplit,
  mail: measureMail,
  phones: measurePhones,
  import: measureImport,
  contactImport: measureContactImport,
  flows: measureFlows,
  flowFaults: measureFlowFaults,
  assistants: measureAssistants,
  assistantFaults: measureAssistantFaults,
  queue: measureQueue,
  campaigns: measureCampaigns,
  campaignKills: measureCampaignKills,
  campaignMillion: measureCampaignMillion,
  exports: measureExports,
  memory: measureMemory,
  browser: measureBrowser,
  builder: measureBuilder,
  mailOnScreen: measureMailOnScreen,
  size: measureSize,
}

const { values: args } = parseArgs({ options: { only: { type: 'string' }, scale: { type: 'string', default: '1' } } })
const scale = Number(args.scale)
const chosen = args.only?.split(',') ?? Object.keys(groups)
const unknown = chosen.filter((name) => !groups[name])
if (unknown.length || !(scale > 0)) {
  console.error(`npm run bench -- [--only ${Object.keys(groups).join(',')}] [--scale 0.01]`)
  process.exit(1)
}

const home = path.resolve(process.env.BENCH_DATA_DIR ?? path.join(import.meta.dirname, '../.cache/bench'))
const dir = scale === 1 ? home : path.join(home, `scale-${scale}`)
const environment = {
  NODE_ENV: 'production',
  DATA_DIR: dir,
  APP_SECRET: 'bench-secret-bench-secret-bench-secret-bench',
  HOST: '127.0.0.1',
  PUBLIC_URL: 'http://localhost:3000',
  LOG_LEVEL: 'error',
  EGRESS_ALLOW: '127.0.0.1',
  TRUST_PROXY: '127.0.0.1',
  DATABASE_URL: '',
  DATABASE_OWNER_URL: '',
  REDIS_URL: '',
}

if (!joinOneGroup()) say('no group of its own: sessions come between what gives way and what does not')
const database = await startEmbeddedPostgres({ dataDir: dir, log: say })
const failed: string[] = []
let server: Running | undefined
try {
  await seedOnce({ dir, ownerUrl: database.ownerUrl, secret: environment.APP_SECRET, scale })
  const db = new pg.Pool({ connectionString: database.ownerUrl, max: 4 })
  const product = await openProduct()
  const people = await readPeople(db, product)
  const restart = async () => {
    await server?.stop()
    server = await startServer(environment)
    return server
  }
  const bench: Bench = {
    scale,
    ownerUrl: database.ownerUrl,
    db,
    server: await restart(),
    restart,
    start: (env) => startServer({ ...environment, ...env }),
    ...people,
    record: product.record,
    sessionOf: product.sessionOf,
    tokenFor: product.tokenFor,
  }
  for (const [name, measure] of Object.entries(groups)) {
    if (!chosen.includes(name)) continue
    say(`${name} (load of the machine before it: ${loadavg()[0]?.toFixed(1)})`)
    await measure(bench).catch(async (error: unknown) => {
      failed.push(name)
      await restart() // it may have stopped the one that the others ask
      say(`${name}: ${error instanceof Error ? error.stack : String(error)}`)
    })
    bench.server = server ?? bench.server
  }
  await product.close()
  await db.end()
} finally {
  await server?.stop()
  await database.stop()
}
if (failed.length) say(`not measured: ${failed.join(', ')}`)
process.exit(failed.length ? 1 : 0)

/** The product inside this process too: it gives out tokens, and shows which statements an answer takes. */
async function openProduct() {
  Object.assign(process.env, environment)
  const { openDatabase, closeDatabase } = await import('../apps/server/src/db/database.ts')
  const { roleUrls } = await import('../apps/server/src/db/migrate.ts')
  const { issueAccessToken } = await import('../apps/server/src/features/people/auth/access-token.ts')
  const { answerSession } = await import('../apps/server/src/features/people/auth/session-answer.ts')
  const { buildApp } = await import('../apps/server/src/app.ts')
  openDatabase(roleUrls(database.ownerUrl, environment.APP_SECRET))
  const app = await buildApp()
  await app.ready()
  const call = async (url: string, caller: Caller) => {
    const answer = await app.inject({ url, headers: bearer(caller) })
    if (answer.statusCode !== 200) throw new Error(`${url} answers ${answer.statusCode}: ${answer.body.slice(0, 200)}`)
  }
  return {
    tokenFor: (userId: string, ofTenantId = tenantId) =>
      issueAccessToken({ ...claimsOf(userId), tenantId: ofTenantId }),
    sessionOf: ({ id }: Caller) => answerSession(claimsOf(id)),
    record: async (url: string, caller: Caller) => {
      await call(url, caller) // what is read once and kept in memory is read now
      return recordStatements(() => call(url, caller))
    },
    close: async () => {
      await app.close()
      await closeDatabase()
    },
  }
}

function claimsOf(userId: string) {
  return { tenantId, userId, tokenVersion: 1, sessionId: userId, impersonatorId: null }
}

async function readPeople(db: pg.Pool, product: { tokenFor: (userId: string) => Promise<string> }) {
  const { rows } = await db.query<{ id: string; profile: string }>(
    'select id, profile from users where tenant_id = $1 order by id',
    [tenantId],
  )
  const callers = (profile: string) =>
    Promise.all(
      rows.filter((row) => row.profile === profile).map(async ({ id }) => ({ id, token: await product.tokenFor(id) })),
    )
  const [agents, [admin]] = await Promise.all([callers('user'), callers('admin')])
  const [agent] = agents
  if (!agent || !admin) throw new Error('Nobody was seeded')
  return { agent, agents, admin }
}
