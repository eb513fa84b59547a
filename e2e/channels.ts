import type { Connection } from '@balcao/contract/channels/connections.ts'
import { startShopPage } from '@balcao/simulators/demo-shop.ts'
import { startTelegramSimulator } from '@balcao/simulators/telegram.ts'
import { startWabaSimulator, type WabaSimulator } from '@balcao/simulators/waba.ts'
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

/** The company's bot on Telegram. */
export const openBot = async (api: Api, queueId: string) => {
  numbers += 1
  const botToken = `${100_200 + numbers}:token-do-bot-da-loja-de-teste`
  const bot = kept(await startTelegramSimulator({ botToken, botUsername: 'lojateste_bot' }))
  const config = { botToken, baseUrl: bot.url }
  await api.post('/whatsapp', { kind: 'telegram', name: 'Bot da loja', queueId, config })
  return bot
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
