import './kit/light-loading.ts'

const { env } = await import('./env.ts')
const { failStart } = await import('./kit/fail-start.ts')
const { log } = await import('./kit/log.ts')
const { keepMemoryLow } = await import('./kit/memory.ts')
const { startBalcao } = await import('./start.ts')

const starting = startBalcao()
let closing = false
/** Told to go while it opens, it opens first: what it started, a database for one, is then ended in good order. */
const close = async (signal: string) => {
  if (closing) return
  closing = true
  log.info({ signal }, 'closing')
  setTimeout(() => process.exit(1), 25_000).unref()
  await (await starting).stop()
  process.exit(0)
}
process.on('SIGTERM', () => void close('SIGTERM'))
process.on('SIGINT', () => void close('SIGINT'))
process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'))

const balcao = await starting.catch(failStart)
log.info({ url: balcao.url, roles: env.ROLES, ms: Math.round(performance.now()) }, 'balcão is open')
if (env.ROLES.includes('api')) console.log(`\n  Balcão está aberto em ${balcao.url}\n`)
if (balcao.setupLink) console.log(`  Primeiro acesso (vale uma vez, por 24 horas):\n  ${balcao.setupLink}\n`)

keepMemoryLow()
