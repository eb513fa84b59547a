import { createHmac } from 'node:crypto'
import type { ChannelConfig } from '@balcao/contract/channels/index.ts'
import { z } from 'zod'
import { isSame } from '../../kit/crypto.ts'
import { loose } from '../../kit/loose.ts'
import { ChannelError, type Health, type RawRequest, type Standing } from '../adapter.ts'
import { disconnectOf, scanNow, typeNow } from '../whatsapp/disconnects.ts'
import { ask, type Context, InstanceMissing } from './api.ts'
import { giveUp, isOurs, keepPaid, type Me, readMe, withInstance } from './partner.ts'

/** Z-API signs nothing and sends no headers of ours: the address it calls is known to it alone. */
const keyOf = (hookSecret: string) => createHmac('sha256', hookSecret).update('zapi webhook').digest('base64url')
export const hookUrl = ({ webhookUrl, hookSecret }: Pick<Context, 'webhookUrl' | 'hookSecret'>) =>
  `${webhookUrl}?key=${keyOf(hookSecret)}`
const named = z.object({ instanceId: loose(z.string()) })
export const verify = ({ query, body }: RawRequest, { hookSecret, config }: Context): boolean => {
  const instanceId = named.safeParse(body).data?.instanceId ?? config.instanceId
  return isSame(query.key ?? '', keyOf(hookSecret)) && instanceId === config.instanceId
}

type Learned = { config: Partial<ChannelConfig<'zapi'>> }

/** Has the instance tell us everything, also what is written on the phone, and says how it stands. */
export const connect = async (context: Context): Promise<Standing & Learned> => {
  const ours = await withInstance(context)
  await setWebhooks(ours)
  await ask(ours, 'update-auto-read-message', { method: 'PUT', body: { value: false } })
  const { instanceId, instanceToken } = ours.config
  return { ...(await link({}, ours)), config: { instanceId, instanceToken } }
}

const status = z.object({ connected: z.boolean(), error: loose(z.string()) })
const statusOf = async (context: Context) => {
  const told = status.safeParse(await ask(context, 'status')).data
  if (told) return { isConnected: told.connected, isToRestore: /restore the session/i.test(told.error ?? '') }
  throw new ChannelError('retry', 'A Z-API não disse como está a conexão.', {
    forAdmin: { text: 'Este endereço não responde como a Z-API. Confira o endereço da API.' },
  })
}

/** A login that only broke off is taken up again; else a phone has to read a code, or type one. */
export const link = async ({ phone }: { phone?: string }, context: Context): Promise<Standing & Partial<Learned>> => {
  const now = await statusOf(context).catch((error) => {
    if (error instanceof InstanceMissing && context.config.partnerToken) return undefined
    throw error
  })
  if (!now) return connect(context)
  const { isConnected, isToRestore } = now
  if (isConnected) return connected(context)
  if (isToRestore) {
    await ask(context, 'restore-session')
    if ((await statusOf(context)).isConnected) return connected(context)
  }
  return showCode(context, phone)
}

const device = z.object({ phone: loose(z.string()), name: loose(z.string()), imgUrl: loose(z.string()) })
const connected = async (context: Context): Promise<Standing> => {
  const { phone, name, imgUrl } = device.safeParse(await ask(context, 'device')).data ?? {}
  const number = phone?.replace(/\D/g, '') || undefined
  const text = `Conectado a ${name || (number ? `+${number}` : 'WhatsApp')}.`
  return { status: 'CONNECTED', text, account: { number, name: name || undefined, pictureUrl: imgUrl || undefined } }
}

const words = loose(z.string().min(1))
const code = z.object({ value: words, base64: words, code: words, connected: loose(z.boolean()) })
const lastsSeconds = 20

const showCode = async (context: Context, phone?: string): Promise<Standing> => {
  const path = phone ? `phone-code/${encodeURIComponent(phone)}` : 'qr-code/image'
  const { value, base64, ...told } = code.safeParse(await ask(context, path)).data ?? {}
  if (told.connected) return connected(context)
  const picture = value ?? base64
  const backlog = await backlogOf(context)
  if (phone && (told.code ?? value))
    return {
      status: 'OPENING',
      text: `${typeNow}${backlog}`,
      login: { pairingCode: told.code ?? value, lastsSeconds: 60 },
    }
  if (phone || !picture)
    return { status: 'OPENING', text: 'A Z-API está preparando o código. Peça um novo em instantes.' }
  const qr = picture.startsWith('data:') ? picture : `data:image/png;base64,${picture}`
  return { status: 'OPENING', text: `${scanNow}${backlog}`, login: { qr, lastsSeconds } }
}

/** What was sent while no phone was there waits at Z-API, and leaves the moment one is. */
const backlogOf = async (context: Context): Promise<string> => {
  const told = await ask(context, 'queue/count').catch(() => undefined)
  const count = z.object({ count: z.number() }).safeParse(told).data?.count ?? 0
  if (!count) return ''
  const waiting = count === 1 ? 'Uma mensagem espera' : `${count} mensagens esperam`
  return ` ${waiting} na fila da Z-API e sai${count === 1 ? '' : 'rão'} ao conectar; se não quiser, limpe a fila no painel da Z-API antes.`
}

export const unlink = async (_: object, context: Context): Promise<void> => {
  if ((await statusOf(context)).isConnected) await ask(context, 'disconnect')
}

/** An instance of ours goes with its channel; one of the customer's only stops calling us. */
export const disconnect = async (context: Context): Promise<void> => {
  const now = await readMe(context)
  if (isOurs(context, now)) await unlink({}, context)
  if (isHeard(context, now))
    await ask(context, 'update-every-webhooks', { method: 'PUT', body: { value: '', notifySentByMe: false } })
  await giveUp(context, now)
}

/** While a phone is awaited the code that was asked for stays on the screen: each one asked for ends the one before. */
export const check = async (context: Context, isOpening = false): Promise<Health> => {
  const { isConnected } = await statusOf(context)
  if (isConnected) {
    const now = await readMe(context)
    if (!isHeard(context, now)) return { problem: webhookLost }
    return { problem: await keepPaid(context, now), standing: await connected(context) }
  }
  if (isOpening) return { problem: null }
  return { problem: null, standing: { status: 'DISCONNECTED', text: disconnectOf(401).text } }
}
const webhookLost =
  'A Z-API deixou de avisar este canal: os webhooks da instância são outros. Toque em Testar para voltar.'

const setWebhooks = async (context: Context) => {
  const body = { value: hookUrl(context), notifySentByMe: true }
  await ask(context, 'update-every-webhooks', { method: 'PUT', body })
  await ask(context, 'update-notify-sent-by-me', { method: 'PUT', body: { notifySentByMe: true } })
  if (isHeard(context, await readMe(context))) return
  throw new ChannelError('final', 'A Z-API não guardou o endereço dos avisos deste canal.', {
    forAdmin: {
      text: 'A Z-API não guardou os webhooks deste canal. Ela só aceita endereços HTTPS: confira o endereço público deste servidor e teste de novo.',
    },
  })
}

/** One installation may be known by several names. */
const isHeard = (context: Context, told: Partial<Me>) => {
  const ours = pathOf(hookUrl(context))
  return [told.receivedCallbackUrl, told.messageStatusCallbackUrl, told.disconnectedCallbackUrl].every(
    (url) => url !== undefined && pathOf(url) === ours,
  )
}
const pathOf = (url: string) => {
  if (!URL.canParse(url)) return url
  const { pathname, search } = new URL(url)
  return pathname + search
}
