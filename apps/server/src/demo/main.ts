import '../kit/light-loading.ts'
import { resolve } from 'node:path'

const wanted = process.env.PORT?.trim() || '3000'
process.env.PORT = wanted
process.env.HOST = '127.0.0.1' // the accounts are public knowledge, so the demonstration never leaves this machine
process.env.PUBLIC_URL = `http://localhost:${wanted}`
process.env.DATA_DIR = resolve(process.env.DATA_DIR ?? './data/demo')
process.env.EGRESS_ALLOW = '127.0.0.1,localhost'
process.env.CEP_URL = `http://127.0.0.1:${Number(wanted) + 104}/api/cep/v2`
process.env.LOG_LEVEL ??= 'warn'

const { env } = await import('../env.ts') // first, so that a wrong PORT is told before anything listens
const { failStart } = await import('../kit/fail-start.ts')
const { startWabaSimulator } = await import('@balcao/simulators/waba.ts')
const { startTelegramSimulator } = await import('@balcao/simulators/telegram.ts')
const { startPhonePage } = await import('@balcao/simulators/phone/phone-page.ts')
const { startCepSimulator } = await import('@balcao/simulators/cep.ts')
const { startShopPage } = await import('@balcao/simulators/demo-shop.ts')
const { startBalcao } = await import('../start.ts')
const { demoPassword, demoTelegram, demoWaba, seedDemo } = await import('./seed.ts')
const { demoTemplates } = await import('./templates.ts')

const port = env.PORT
const at = (offset: number) => port + 100 + offset
const balcaoUrl = `http://localhost:${port}`
const waba = await startWabaSimulator({
  port: at(1),
  ...demoWaba,
  verifiedName: 'Loja Aurora',
  webhookUrl: `http://127.0.0.1:${port}/hooks/waba`,
}).catch(failStart)
for (const template of demoTemplates) waba.addTemplate(template)
const telegram = await startTelegramSimulator({ port: at(2), ...demoTelegram, botName: 'Loja Aurora' }).catch(failStart)
const shop = await startShopPage({ port: at(3), balcaoUrl, channelKey: 'wc_demo_aurora' }).catch(failStart)
const postal = await startCepSimulator({ port: at(4) }).catch(failStart)
const phone = await startPhonePage({
  port: at(0),
  simulators: { whatsapp: waba, telegram },
  webchatPages: [{ label: 'Loja Aurora', url: shop.url }],
}).catch(failStart)

const starting = startBalcao()
const stop = async () => {
  await Promise.allSettled([phone.close(), shop.close(), waba.close(), telegram.close(), postal.close()])
  await (await starting).stop()
  process.exit(0)
}
process.on('SIGTERM', () => void stop())
process.on('SIGINT', () => void stop())
await starting.catch(failStart)
await seedDemo({ waba: waba.url, telegram: telegram.url })
const { connectSimulators } = await import('./connect.ts')
await connectSimulators({ waba, telegram })

const company = (name: string, domain: string, ...logins: string[]) =>
  `  ${name}: ${logins.map((login) => `${login}@${domain}`).join(', ')}`
console.log(`
  Balcão, demonstração: ${balcaoUrl}
  Celular dos clientes: ${phone.url}
  Site com o chat:      ${shop.url}

${company('Loja Aurora', 'aurora.local', 'admin', 'supervisor', 'ana', 'bruno')}
${company('Clínica Horizonte', 'horizonte.local', 'admin', 'carla')}
  Plataforma: super@balcao.local
  Senha de todos: ${demoPassword}
`)
