import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { isSame } from '../../kit/crypto.ts'
import { ChannelError, type RawRequest } from '../adapter.ts'
import { isSamePlace } from '../whatsapp/webhooks.ts'
import { type Context, call, RouteMissing, unsigned } from './api.ts'

const harmless = { isHarmless: true } as const

/** The key by which its calls are signed: it follows from the connection, and the server hands it out to nobody. */
export const keyOf = ({ hookSecret }: Pick<Context, 'hookSecret'>) =>
  createHmac('sha256', hookSecret).update('wuzapi webhook').digest('hex')

/** Over the raw bytes, in JSON as in a form. */
export const verify = ({ headers, rawBody }: RawRequest, context: Context): boolean => {
  const given = headers['x-hmac-signature']
  if (typeof given !== 'string') return false
  const right = createHmac('sha256', keyOf(context)).update(rawBody).digest('hex')
  return isSame(given.replace(/^sha256=/, ''), right)
}

const events = [
  'Message',
  'ReadReceipt',
  'HistorySync',
  'GroupInfo',
  'Picture',
  'CallOffer',
  'CallOfferNotice',
  'CallTerminate',
  'Connected',
  'Disconnected',
  'LoggedOut',
  'ConnectFailure',
  'TemporaryBan',
  'ClientOutdated',
  'PairSuccess',
  'PairError',
  'QRTimeout',
]
/** What it is told of says which login is under way: WuzAPI draws codes to scan beside one to type. */
export const eventsFor = { qr: [...events, 'QR'], typed: events }

const webhook = z.object({ webhook: z.string(), subscribe: z.array(z.string()).nullable().catch([]) })
const webhookNow = async (context: Context) => {
  const { data } = webhook.safeParse(await call(context, 'webhook', harmless))
  return { url: data?.webhook ?? '', told: data?.subscribe ?? [] }
}

export const isOurHook = async (context: Context) => isSamePlace((await webhookNow(context)).url, context.webhookUrl)
const hears = (told: string[], wanted: string[]) => told.includes('All') || wanted.every((one) => told.includes(one))
export const isHeard = async (context: Context) => {
  const { url, told } = await webhookNow(context)
  return isSamePlace(url, context.webhookUrl) && hears(told, events)
}
export const awaitsScan = async (context: Context) => hears((await webhookNow(context)).told, ['QR'])

/** Signed, without the files themselves, everything we know what to do with. The key is set anew: nobody can read it. */
export const listen = async (context: Context, login: keyof typeof eventsFor): Promise<void> => {
  await call(context, 'session/hmac/config', { body: { hmac_key: keyOf(context) }, ...harmless }).catch((error) => {
    throw error instanceof RouteMissing ? unsigned() : error
  })
  await leaveFilesOut(context)
  const wanted = eventsFor[login]
  const { url, told } = await webhookNow(context)
  const isRight = url === context.webhookUrl && hears(told, wanted) && told.includes('QR') === (login === 'qr')
  if (isRight) return
  await call(context, 'webhook', { body: { webhookURL: context.webhookUrl, events: wanted }, ...harmless })
  if (await isHeard(context)) return
  throw new ChannelError('final', 'O WuzAPI não guardou o endereço dos avisos deste canal.', {
    forAdmin: {
      text: 'O WuzAPI não guardou o webhook deste canal. Atualize o servidor e teste de novo.',
    },
  })
}

const storage = z.object({ enabled: z.boolean(), media_delivery: z.string() })
/**
 * A film inside its call would be refused whole. Told to leave files to a storage that it has not, WuzAPI puts them
 * nowhere; where its owner has set one up, nothing is changed.
 */
const leaveFilesOut = async (context: Context) => {
  const { data } = storage.safeParse(await call(context, 'session/s3/config', harmless).catch(() => undefined))
  if (!data || data.enabled || data.media_delivery === 's3') return
  const body = { enabled: false, media_delivery: 's3' }
  await call(context, 'session/s3/config', { body, ...harmless }).catch(() => undefined)
}
