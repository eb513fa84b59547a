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
const { startInstagramSimulator, startMessengerSimulator } = await import('@balcao/simulators/meta.ts')
const { startTelegramSimulator } = await import('@balcao/simulators/telegram.ts')
const { startEvolutionSimulator } = await import('@balcao/simulators/evolution.ts')
const { startZapiSimulator } = await import('@balcao/simulators/zapi.ts')
const { startUazapiSimulator } = await import('@balcao/simulators/uazapi.ts')
const { startWuzapiSimulator } = await import('@balcao/simulators/wuzapi.ts')
const { startBaileysSimulator } = await import('@balcao/simulators/baileys.ts')
const { startSmsSimulator } = await import('@balcao/simulators/sms.ts')
const { startHubSimulator } = await import('@balcao/simulators/hub.ts')
const { startMailSimulator } = await import('@balcao/simulators/mail.ts')
const { startVapiSimulator } = await import('@balcao/simulators/bots.ts')
const { startLlmSimulator } = await import('@balcao/simulators/llm.ts')
const { startGoogleCalendarSimulator } = await import('@balcao/simulators/google-calendar.ts')
const { startPhonePage } = await import('@balcao/simulators/phone/phone-page.ts')
const { startCepSimulator } = await import('@balcao/simulators/cep.ts')
const { startShopPage } = await import('@balcao/simulators/demo-shop.ts')
const { startBalcao } = await import('../start.ts')
const { demoEvolution, demoPassword, demoTelegram, demoUazapi, demoWaba, demoZapi, seedDemo } = await import(
  './seed.ts'
)
const { moveAddresses } = await import('./addresses.ts')
const { demoInstagram, demoMessenger } = await import('./pages.ts')
const { demoBaileys, demoWuzapi, startPhone } = await import('./phones.ts')
const { demoSms, writeTexts } = await import('./sms.ts')
const { demoHub, writeAdvert } = await import('./hub.ts')
const { demoMail, writeLetters } = await import('./mailbox.ts')
const { demoMetaShop } = await import('./official.ts')
const { demoTemplates, demoTemplatesBeside } = await import('./templates.ts')

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
for (const [template, told] of demoTemplatesBeside) Object.assign(waba.addTemplate(template, told.status), told)
Object.assign(waba.shop, demoMetaShop)
for (const product of waba.shop.products) product.image_url = `${waba.url}/catalog-pictures/${product.retailer_id}`
const messenger = await startMessengerSimulator({
  port: at(10),
  ...demoMessenger,
  webhookUrl: `http://127.0.0.1:${port}/hooks/messenger`,
}).catch(failStart)
const instagram = await startInstagramSimulator({
  port: at(11),
  ...demoInstagram,
  webhookUrl: `http://127.0.0.1:${port}/hooks/instagram`,
}).catch(failStart)
const telegram = await startTelegramSimulator({ port: at(2), ...demoTelegram, botName: 'Loja Aurora' }).catch(failStart)
const evolution = await startEvolutionSimulator({ port: at(5), ...demoEvolution }).catch(failStart)
const zapi = await startZapiSimulator({ port: at(6), ...demoZapi }).catch(failStart)
const uazapi = await startUazapiSimulator({ port: at(7), ...demoUazapi }).catch(failStart)
const wuzapi = await startWuzapiSimulator({ port: at(8), ...demoWuzapi }).catch(failStart)
wuzapi.make('loja', demoWuzapi.token)
await wuzapi.open('loja')
await wuzapi.scan('loja')
const baileys = await startBaileysSimulator({ port: at(9), ...demoBaileys, trustsLogins: true }).catch(failStart)
const sms = await startSmsSimulator({ port: at(12), ...demoSms }).catch(failStart)
const hub = await startHubSimulator({ port: at(13), ...demoHub }).catch(failStart)
const mail = await startMailSimulator({
  port: at(14),
  imapPort: at(15),
  smtpPort: at(16),
  opensMailboxes: true,
  ...demoMail,
}).catch(failStart)
mail.mailbox.box.validity = Math.floor(Date.now() / 1_000) // what lay there before the last stop is gone
const llm = await startLlmSimulator({ port: at(17) }).catch(failStart)
llm.pace.wordMs = 25
const vapi = await startVapiSimulator({ port: at(19) }).catch(failStart)
vapi.control.playsAfterMs = 4_000
const google = await startGoogleCalendarSimulator({ port: at(18) }).catch(failStart)
const shop = await startShopPage({ port: at(3), balcaoUrl, channelKey: 'wc_demo_aurora' }).catch(failStart)
const postal = await startCepSimulator({ port: at(4) }).catch(failStart)
const phone = await startPhonePage({
  port: at(0),
  simulators: {
    whatsapp: waba,
    messenger,
    instagram,
    telegram,
    evolution,
    zapi,
    uazapi,
    wuzapi,
    baileys,
    sms,
    hub,
    mail,
  },
  webchatPages: [{ label: 'Loja Aurora', url: shop.url }],
}).catch(failStart)

const starting = startBalcao()
const stop = async () => {
  const open = [
    phone,
    shop,
    waba,
    messenger,
    instagram,
    telegram,
    evolution,
    zapi,
    uazapi,
    wuzapi,
    baileys,
    sms,
    hub,
    mail,
    llm,
    vapi,
    google,
    postal,
  ]
  await Promise.allSettled(open.map((one) => one.close()))
  await (await starting).stop()
  process.exit(0)
}
process.on('SIGTERM', () => void stop())
process.on('SIGINT', () => void stop())
await starting.catch(failStart)
const isNew = await seedDemo({
  waba: waba.url,
  messenger: messenger.url,
  instagram: instagram.url,
  telegram: telegram.url,
  evolution: evolution.url,
  zapi: zapi.url,
  uazapi: uazapi.url,
  wuzapi: wuzapi.url,
  baileys: baileys.address,
  sms: sms.url,
  hub: hub.url,
  llm: llm.urls,
  vapi: vapi.url,
  mail,
})
if (!isNew) await moveAddresses(waba.url)
const { connectSimulators } = await import('./connect.ts')
await connectSimulators({ waba, messenger, instagram, telegram, evolution, zapi, wuzapi, baileys, sms, mail })
const { connectCalendar } = await import('./calendar.ts')
await connectCalendar(google)

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
if (isNew) {
  await writeLetters(mail)
  await writeTexts(sms)
  await writeAdvert(hub)
}
if (isNew) await startPhone()
