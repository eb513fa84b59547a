import { buildApp } from './app.ts'
import { closeDatabase, openDatabase } from './db/database.ts'
import { startEmbeddedPostgres } from './db/embedded.ts'
import { migrateDatabase, roleUrls } from './db/migrate.ts'
import { env } from './env.ts'
import { issueSetupLink } from './features/platform/setup/setup.ts'
import { workers } from './jobs/workers.ts'
import { log } from './kit/log.ts'
import { signalsByPostgres } from './kit/signals/by-postgres.ts'
import { signalsByRedis } from './kit/signals/by-redis.ts'
import { openSignals } from './kit/signals/signals.ts'
import { startWorkers } from './kit/workers.ts'
import { startRealtime } from './realtime/server.ts'
import { startWebchatSockets } from './realtime/visitor-sockets.ts'

type Stoppable = { stop: () => Promise<void> }
/** How long requests in hand may take once we are told to stop. */
const finishWithinMs = 5_000

/** Starts the roles of this process (database, HTTP, sockets, workers) and says how to stop them, in reverse order. */
export const startBalcao = async () => {
  const running: Stoppable[] = []
  const stop = async () => {
    for (const part of running.reverse()) await part.stop().catch((error) => log.error({ err: error }, 'stopping'))
  }
  try {
    running.push(await openStorage())
    const app = await buildApp()
    running.push({
      stop: async () => {
        // Browsers open connections ahead of need; Node counts one without a first request as busy, for a minute.
        const cut = setTimeout(() => app.server.closeAllConnections(), finishWithinMs)
        await app.close()
        clearTimeout(cut)
      },
    })
    const byThemselves = workers()
    if (env.ROLES.includes('api')) {
      const realtime = await startRealtime(app)
      startWebchatSockets(realtime.io)
      running.push(realtime)
      byThemselves.push(...realtime.workers)
    }
    running.push(startWorkers(byThemselves.filter(({ role }) => env.ROLES.includes(role))))
    const url = await app.listen({ port: env.PORT, host: env.HOST }).catch(cannotListen)
    return { url, app, stop, setupLink: await issueSetupLink() }
  } catch (error) {
    await stop()
    throw error
  }
}

/** A port that is taken says so by itself. */
const cannotListen = (error: unknown): never => {
  const code = codeOf(error)
  if (code === 'EADDRINUSE' || code === 'EACCES') throw error
  throw new Error(`HOST ${env.HOST} não é um endereço desta máquina (${code}).`)
}
const databaseRefused = (error: unknown) => {
  const name = env.DATABASE_OWNER_URL ? 'DATABASE_OWNER_URL' : 'DATABASE_URL'
  const reason = error instanceof Error ? error.message || codeOf(error) : String(error)
  return new Error(`${name} não abre um banco de dados que responda e aceite o que pedimos: ${reason}`, {
    cause: error,
  })
}
const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : String(error))

/** The database, embedded or the one `DATABASE_URL` names, migrated by whoever comes first; and the way to other processes. */
export const openStorage = async (): Promise<Stoppable> => {
  const embedded = env.DATABASE_URL
    ? undefined
    : await startEmbeddedPostgres({ dataDir: env.DATA_DIR, log: (text) => log.info(text) })
  const ownerUrl = env.DATABASE_OWNER_URL ?? env.DATABASE_URL ?? embedded?.ownerUrl ?? ''
  try {
    await migrateDatabase(ownerUrl, env.APP_SECRET)
  } catch (error) {
    await embedded?.stop()
    throw embedded ? error : databaseRefused(error)
  }
  const urls = roleUrls(env.DATABASE_URL ?? ownerUrl, env.APP_SECRET)
  // Roles and their passwords are those of the database it follows.
  const replica = env.DATABASE_REPLICA_URL
  const replicaUrl = replica && roleUrls(replica, env.APP_SECRET).appUrl
  openDatabase({ ...urls, replicaUrl, maxConnections: env.DATABASE_POOL, isOurs: embedded !== undefined })
  // The owner's address is a direct one: a pooler of transactions would swallow what is said.
  const { appUrl: direct } = roleUrls(ownerUrl, env.APP_SECRET)
  const signals = openSignals(env.REDIS_URL ? signalsByRedis(env.REDIS_URL) : signalsByPostgres(direct))
  return {
    stop: async () => {
      await signals.stop()
      await closeDatabase()
      await embedded?.stop()
    },
  }
}
