import type { Connection } from '@balcao/contract/channels/connections.ts'
import { startBaileysSimulator } from '@balcao/simulators/baileys.ts'
import { startShopPage } from '@balcao/simulators/demo-shop.ts'
import { startEvolutionSimulator } from '@balcao/simulators/evolution.ts'
import type { Line } from '@balcao/simulators/handset.ts'
import { startMailSimulator } from '@balcao/simulators/mail.ts'
import { startInstagramSimulator, startMessengerSimulator } from '@balcao/simulators/meta.ts'
import { startTelegramSimulator } from '@balcao/simulators/telegram.ts'
import { startUazapiSimulator } from '@balcao/simulators/uazapi.ts'
import { startWabaSimulator, type WabaSimulator } from '@balcao/simulators/waba.ts'
import { startWuzapiSimulator } from '@balcao/simulators/wuzapi.ts'
import { startZapiSimulator } from '@balcao/simulators/zapi.ts'
import { type Api, freePort, type Server } from './kit.ts'

const opened: { close: () => Promise<unknown> }[] = []
const kept = <One extends (typeof opened)[number]>(one: One): One => {
  opened.push(one)
  return one
}
/** Ends every channel that was opened here. */
export const closeChannels = () => Promise.all(opened.splice(0).map((one) => one.close()))

/** No two processes that run at once open the same account. */
let numbers = Number(process.env.VITEST_POOL_ID) * 1_000
type NewNumber = { name?: string; queueId?: string; farewellMessage?: string; sendEvaluation?: boolean }
/** One more WhatsApp number of the company, connected; `connection` is what the product calls it. */
export const openNumber = async (
  server: Server,
  api: Api,
  settings: NewNumber = {},
): Promise<{ number: WabaSimulator; connection: Connection }> => {
  numbers += 1
  const secrets = {
    appSecret: 'segredo-do-aplicativo',
    verifyToken: 'verifica',
    accessToken: 'token-de-acesso-do-sistema',
    wabaId: `${200_300 + numbers}`,
    phoneNumberId: `${551_100 + numbers}`,
    displayPhoneNumber: `+55 11 3000-${2_000 + numbers}`,
  }
  const number = kept(await startWabaSimulator(secrets))
  const config = { ...secrets, apiVersion: 'v25.0', baseUrl: number.url }
  const connection = await api.post<Connection>('/whatsapp', { kind: 'waba', name: 'WhatsApp', ...settings, config })
  number.setWebhook(`${server.url}/hooks/waba/${connection.id}`)
  return { number, connection }
}

const metaApp = { appSecret: 'segredo-do-aplicativo', accessToken: 'token-de-acesso-da-pagina' }
/** A page of the company's on Messenger, not connected yet, and what its form asks for. */
export const startPage = async (server: Server) => {
  numbers += 1
  const secrets = { ...metaApp, verifyToken: `verifica-${numbers}` }
  const pageId = `${100_700_000 + numbers}`
  const page = kept(await startMessengerSimulator({ ...secrets, accountId: pageId, name: 'Loja de Teste' }))
  page.setWebhook(`${server.url}/hooks/messenger`)
  return { page, config: { ...secrets, pageId, baseUrl: page.url } }
}
/** The company's account on Instagram, by its page. */
export const openInstagram = async (server: Server, api: Api, queueId: string) => {
  numbers += 1
  const secrets = { ...metaApp, verifyToken: `verifica-${numbers}` }
  const [instagramId, pageId] = [`${17_841_400_000 + numbers}`, `${100_700_000 + numbers}`]
  const names = { name: 'Loja de Teste', username: 'lojateste' }
  const instagram = kept(await startInstagramSimulator({ ...secrets, ...names, accountId: instagramId, pageId }))
  instagram.setWebhook(`${server.url}/hooks/instagram`)
  const config = { ...secrets, instagramId, pageId, baseUrl: instagram.url }
  const connection = await api.post<Connection>('/whatsapp', { kind: 'instagram', name: 'Instagram', queueId, config })
  return { instagram, connection }
}

/** The company's bot on Telegram. */
export const openBot = async (api: Api, queueId: string) => {
  numbers += 1
  const botToken = `${100_200 + numbers}:token-do-bot-da-loja-de-teste`
  const bot = kept(await startTelegramSimulator({ botToken, botUsername: 'lojateste_bot' }))
  const config = { botToken, baseUrl: bot.url }
  await api.post('/whatsapp', { kind: 'telegram', name: 'Bot da loja', queueId, config })
  return bot
}

/** A mailbox at a provider of mail; what its form asks for is typed by whoever connects it. */
export const startMailbox = async () => {
  numbers += 1
  return kept(await startMailSimulator({ address: `contato${numbers}@loja.com.br`, password: 'senha-da-caixa' }))
}

/** A WhatsApp number by an Evolution server, which waits for its phone. */
export const openEvolution = async (api: Api, queueId: string, name = 'WhatsApp da loja') => {
  const globalKey = 'chave-global-do-servidor'
  const evolution = kept(await startEvolutionSimulator({ globalKey }))
  const config = { baseUrl: evolution.url, apiKey: globalKey }
  const { id } = await api.post<{ id: string }>('/whatsapp', { kind: 'evolution', name, queueId, config })
  const [instance] = [...evolution.instances.keys()]
  if (!instance) throw new Error('no instance was made')
  return { evolution, instance, id }
}

/** What a journey does with a number that is linked by a code, whichever way it takes. */
type ByCode = {
  scan: () => unknown
  write: (from: { phone: string; name: string }, text: string) => unknown
  /** What her phone has got from us. */
  got: (phone: string) => readonly string[]
}
const texts = (customer: { inbox: Line[] }) => customer.inbox.map(({ text }) => text ?? '')

/** A number of the company by each of these ways, which waits for its phone. */
export const numbersByCode: Record<
  'zapi' | 'uazapi' | 'wuzapi' | 'baileys',
  (api: Api, name: string) => Promise<ByCode>
> = {
  zapi: async (api, name) => {
    const account = { instanceId: 'INSTANCIA0001', instanceToken: 'TOKEN0001', clientToken: 'seguranca' }
    const sim = kept(await startZapiSimulator(account))
    await api.post('/whatsapp', { kind: 'zapi', name, config: { ...account, baseUrl: sim.url } })
    return {
      scan: () => sim.scan(),
      write: (from, text) => sim.customer(from).sendText(text),
      got: (phone) => texts(sim.customer({ phone })),
    }
  },
  uazapi: async (api, name) => {
    const adminToken = 'token-de-administrador'
    const sim = kept(await startUazapiSimulator({ adminToken }))
    await api.post('/whatsapp', { kind: 'uazapi', name, config: { adminToken, baseUrl: sim.url } })
    return {
      scan: () => sim.ownPhoneLink?.scan(),
      write: (from, text) => sim.customer(from).sendText(text),
      got: (phone) => texts(sim.customer({ phone })),
    }
  },
  wuzapi: async (api, name) => {
    const adminToken = 'token-de-administrador'
    const sim = kept(await startWuzapiSimulator({ adminToken }))
    await api.post('/whatsapp', { kind: 'wuzapi', name, config: { adminToken, baseUrl: sim.url } })
    return {
      scan: () => sim.scan(sim.users[0]?.name ?? ''),
      write: (from, text) => sim.customer(from).sendText(text),
      got: (phone) => texts(sim.customer({ phone })),
    }
  },
  baileys: async (api, name) => {
    const sim = kept(await startBaileysSimulator())
    await api.post('/whatsapp', { kind: 'baileys', name, config: { server: sim.address } })
    return {
      scan: () => sim.scan('5511940002000', 'Loja'),
      write: (from, text) => sim.say(from, { conversation: text }),
      got: (phone) =>
        sim.sent.filter(({ jid }) => jid.includes(phone.slice(-8))).map(({ content }) => `${content.text}`),
    }
  },
}

/** A shop with the company's chat on its pages. It lives on 127.0.0.1, the product on localhost: two sites to a browser. */
export const openShop = async (server: Server, api: Api, queueId: string) => {
  const hostname = '127.0.0.1'
  const port = await freePort()
  const config = { domains: [`${hostname}:${port}`], title: 'Ateliê Jatobá' }
  const { channelKey } = await api.post<Connection>('/whatsapp', {
    kind: 'webchat',
    name: 'Chat da loja',
    queueId,
    config,
  })
  return kept(await startShopPage({ port, hostname, balcaoUrl: server.url, channelKey: channelKey ?? '' }))
}
