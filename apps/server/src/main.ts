import './kit/light-loading.ts'

const { env } = await import('./env.ts')
const { log } = await import('./kit/log.ts')
const { keepMemoryLow } = await import('./kit/memory.ts')
const { startBalcao } = await import('./start.ts')

const balcao = await startBalcao().catch((error: unknown) => {
  console.error(`O Balcão não abriu: ${reasonOf(error)}`)
  process.exit(1)
})
log.info({ url: balcao.url, roles: env.ROLES, ms: Math.round(performance.now()) }, 'balcão is open')
if (env.ROLES.includes('api')) console.log(`\n  Balcão está aberto em ${balcao.url}\n`)
if (balcao.setupLink) console.log(`  Primeiro acesso (vale uma vez, por 24 horas):\n  ${balcao.setupLink}\n`)

keepMemoryLow()

let closing = false
const close = async (signal: string) => {
  if (closing) return
  closing = true
  log.info({ signal }, 'closing')
  setTimeout(() => process.exit(1), 25_000).unref()
  await balcao.stop()
  process.exit(0)
}
process.on('SIGTERM', () => void close('SIGTERM'))
process.on('SIGINT', () => void close('SIGINT'))
process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'))

function reasonOf(error: unknown) {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE')
    return `a porta ${env.PORT} já está em uso. Feche o outro programa ou escolha outra com PORT.`
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND') return 'o banco de dados de DATABASE_URL não responde.'
  return error instanceof Error ? error.message : String(error)
}
