import { setTimeout as sleep } from 'node:timers/promises'
import type { ChannelConfig } from '@balcao/contract/channels/index.ts'
import { z } from 'zod'
import { loose } from '../../kit/loose.ts'
import { type Account, ChannelError, type Health, type Login, type Standing } from '../adapter.ts'
import { codesSpent, disconnectOf, scanNow, typeNow } from '../whatsapp/disconnects.ts'
import { identityOf } from '../whatsapp/jids.ts'
import { isSamePlace } from '../whatsapp/webhooks.ts'
import { type Context, call, callServer, TokenRefused } from './api.ts'

const harmless = { isHarmless: true } as const
type Learned = { config: Partial<ChannelConfig<'uazapi'>> }

/** Makes the instance where there is none and an administrator's token allows it, has it call us, says how it stands. */
export const connect = async (context: Context): Promise<Standing & Learned> => {
  const ours = await opened(context)
  const { token } = ours.config
  await setWebhook(ours)
  const now = await statusOf(ours)
  const standing = now.status === 'connected' ? connected(now) : await beginLogin(ours, now)
  return { ...standing, config: { token } }
}

/** With a token that works: the one that was given or learned, else that of an instance of ours. */
const opened = async (context: Context): Promise<Context> => {
  const { token, adminToken } = context.config
  if (token) {
    const refusal = await statusOf(context).then(
      () => undefined,
      (error) => error,
    )
    if (!refusal) return context
    if (!adminToken || !(refusal instanceof TokenRefused)) throw refusal
  }
  if (!adminToken) throw noToken()
  const made = await instanceOfOurs(context)
  return { ...context, config: { ...context.config, token: made } }
}
const noToken = () =>
  new ChannelError('final', 'Este canal está sem o token da uazapi. Avise o administrador.', {
    isConnectionBroken: true,
    forAdmin: { text: 'Informe o token da instância ou o token de administrador.' },
  })

/** Its name says whose it is; asked again, it is found by it. */
const nameOf = ({ tenantId, connectionId }: Context) =>
  `balcao-${tenantId}-${connectionId.replaceAll('-', '').slice(-12)}`
const made = z.object({ name: z.string(), token: z.string().min(1) })
const instanceOfOurs = async (context: Context): Promise<string> => {
  const name = nameOf(context)
  const all = z
    .array(z.unknown())
    .catch([])
    .parse(await callServer(context, 'instance/all', harmless))
  const found = all.flatMap((one) => made.safeParse(one).data ?? []).find((one) => one.name === name)
  if (found) return found.token
  const answer = await callServer(context, 'instance/init', { body: { name, systemName: 'Balcão' }, ...harmless })
  const { data } = made.safeParse(answer)
  if (data) return data.token
  throw new ChannelError('retry', 'A uazapi não criou a instância agora.')
}

const instance = z.object({
  id: loose(z.string()),
  name: loose(z.string()),
  status: z.enum(['disconnected', 'connecting', 'connected']),
  qrcode: loose(z.string()),
  paircode: loose(z.string()),
  owner: loose(z.string()),
  profileName: loose(z.string()),
  profilePicUrl: loose(z.string()),
  lastDisconnectReason: loose(z.string()),
})
type Instance = z.output<typeof instance>
const answered = z.object({ instance })

const statusOf = async (context: Context): Promise<Instance> =>
  stateIn(await call(context, 'instance/status', harmless))
const stateIn = (answer: unknown): Instance => {
  const { data } = answered.safeParse(answer)
  if (data) return data.instance
  throw new ChannelError('retry', 'A uazapi não disse como está a conexão.', {
    forAdmin: { text: 'Este endereço não responde como um servidor da uazapi. Confira o endereço.' },
  })
}

const accountOf = ({ owner, profileName, profilePicUrl }: Instance): Account => {
  const digits = owner?.split(/[@:]/, 1)[0]
  const number = identityOf(digits && `${digits}@s.whatsapp.net`)?.value
  return { number, name: profileName || undefined, pictureUrl: profilePicUrl || undefined }
}
const connected = (now: Instance): Standing => {
  const account = accountOf(now)
  const who = account.name ?? (account.number ? `+${account.number}` : 'WhatsApp')
  return { status: 'CONNECTED', text: `Conectado a ${who}.`, account }
}

const codeAsked = { times: 4, everyMs: 700 }
/** How long a code that was just drawn stands, one that followed it, and one to type. */
const lasts = { firstSeconds: 60, nextSeconds: 20, pairingSeconds: 300 }

/** The code that stands; where none does, a login begins. It is drawn a moment after it is asked for. */
const beginLogin = async (context: Context, now: Instance, phone?: string): Promise<Standing> => {
  const shown = phone ? undefined : loginOf(now, lasts.nextSeconds)
  if (shown) return opening(shown)
  let state = stateIn(
    await call(context, 'instance/connect', { body: phone ? { phone } : {}, ...harmless }).catch(full),
  )
  for (let asked = 0; asked < codeAsked.times; asked += 1) {
    if (state.status === 'connected') return connected(state)
    const login = loginOf(state, lasts.firstSeconds, phone)
    if (login) return opening(login)
    await sleep(codeAsked.everyMs)
    state = await statusOf(context)
  }
  return { status: 'OPENING', text: 'A uazapi está preparando o código. Ele aparece aqui em instantes.' }
}
const opening = (login: Login): Standing => ({
  status: 'OPENING',
  text: login.pairingCode && !login.qr ? typeNow : scanNow,
  login,
})
const loginOf = ({ status, qrcode, paircode }: Instance, seconds: number, phone?: string): Login | undefined => {
  if (status !== 'connecting') return undefined
  if (phone || !qrcode)
    return paircode ? { pairingCode: paircode.replace(/\W/g, ''), lastsSeconds: lasts.pairingSeconds } : undefined
  return { qr: qrcode, lastsSeconds: seconds }
}

/** No room for one more number. */
const full = (error: unknown): never => {
  if (!(error instanceof ChannelError) || error.outcome !== 'retry') throw error
  throw new ChannelError('retry', error.message, {
    retryAfterMs: error.retryAfterMs,
    forAdmin: {
      text: 'A uazapi não abriu mais uma conexão: o limite de números do servidor pode ter sido atingido. Libere um número ou aumente o plano.',
    },
  })
}

/** A number begins another login than the one under way, and so does who wants to read a code where one was to be typed. */
export const link = async ({ phone }: { phone?: string }, context: Context): Promise<Standing & Partial<Learned>> => {
  const now = await statusOf(context).catch((error) => {
    if (error instanceof TokenRefused && context.config.adminToken) return undefined
    throw error
  })
  if (!now) return connect(context)
  if (now.status === 'connected') return connected(now)
  const isOther = now.status === 'connecting' && (phone || !now.qrcode)
  if (isOther) await unlink({}, context)
  return beginLogin(context, isOther ? { ...now, status: 'disconnected' } : now, phone)
}

export const unlink = async (_: object, context: Context): Promise<void> => {
  if ((await statusOf(context)).status === 'disconnected') return
  await call(context, 'instance/disconnect', { method: 'POST', ...harmless })
}

/** An instance of ours goes with its channel; one of others only stops calling us. */
export const disconnect = async (context: Context): Promise<void> => {
  const { name } = await statusOf(context)
  if (context.config.adminToken && name === nameOf(context)) {
    await call(context, 'instance', { method: 'DELETE', ...harmless })
    return
  }
  for (const { id } of await ourWebhooks(context))
    await call(context, 'webhook', { body: { action: 'delete', id }, ...harmless })
}

export const check = async (context: Context): Promise<Health> => {
  const now = await statusOf(context)
  if (now.status === 'connected') {
    const isHeard = (await ourWebhooks(context)).some(isWhole)
    return { problem: isHeard ? null : webhookLost, standing: connected(now) }
  }
  const login = loginOf(now, lasts.nextSeconds)
  if (login) return { problem: null, standing: opening(login) }
  if (now.status === 'connecting')
    return { problem: null, standing: { status: 'OPENING', text: disconnectOf(515).text } }
  return { problem: null, standing: { status: 'DISCONNECTED', text: whyGone(now) } }
}
const webhookLost =
  'A uazapi deixou de avisar este canal: o webhook da instância foi apagado, mudado ou desligado. Toque em Testar para voltar.'

/** "401: logged out from another device"; a code nobody read leaves no owner behind. */
const whyGone = ({ lastDisconnectReason: reason = '', owner }: Instance): string => {
  const code = /^\s*(\d{3})\b/.exec(reason)?.[1]
  if (code) return disconnectOf(Number(code)).text
  if (/qr|pair|timeout/i.test(reason) || !(owner || reason)) return codesSpent
  return disconnectOf(401).text
}

const events = ['connection', 'history', 'messages', 'messages_update', 'call', 'groups']
const webhook = z.object({
  id: z.string(),
  enabled: loose(z.boolean()),
  url: z.string(),
  events: z.array(z.string()).catch([]),
  excludeMessages: z.array(z.string()).catch([]),
})
const ourWebhooks = async (context: Context) => {
  const answer = await call(context, 'webhook', harmless)
  return (Array.isArray(answer) ? answer : [answer])
    .flatMap((one) => webhook.safeParse(one).data ?? [])
    .filter(({ url }) => isSamePlace(url, context.webhookUrl))
}
/** Nothing is left out: what we send ourselves is known by its id when it comes back. */
const isWhole = ({ enabled, events: told, excludeMessages }: z.output<typeof webhook>) =>
  enabled === true && excludeMessages.length === 0 && events.every((event) => told.includes(event))

/** Beside those of others, which stay as they are. */
const setWebhook = async (context: Context) => {
  const [found, ...more] = await ourWebhooks(context)
  if (found && isWhole(found) && found.url === context.webhookUrl && !more.length) return
  const settings = {
    enabled: true,
    url: context.webhookUrl,
    events,
    excludeMessages: [],
    addUrlEvents: false,
    addUrlTypesMessages: false,
  }
  const action = found ? { action: 'update', id: found.id } : { action: 'add' }
  await call(context, 'webhook', { body: { ...action, ...settings }, ...harmless })
  if ((await ourWebhooks(context)).some(isWhole)) return
  throw new ChannelError('final', 'A uazapi não guardou o endereço dos avisos deste canal.', {
    forAdmin: {
      text: 'A uazapi não guardou o webhook deste canal. Veja no painel se ainda cabe um webhook e teste de novo.',
    },
  })
}
