import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ChannelConfig } from '@balcao/contract/channels/index.ts'
import { z } from 'zod'
import { loose } from '../../kit/loose.ts'
import { type Account, ChannelError, type Health, type Standing } from '../adapter.ts'
import { codesSpent, disconnectOf, scanNow, typeNow } from '../whatsapp/disconnects.ts'
import { identityOf } from '../whatsapp/jids.ts'
import { oneSpelling } from '../whatsapp/proto.ts'
import {
  AlreadyThere,
  type Context,
  call,
  callServer,
  NoSession,
  notWuzapi,
  RouteMissing,
  TokenRefused,
} from './api.ts'
import { handOnProxy } from './proxy.ts'
import { awaitsScan, isHeard, isOurHook, listen } from './webhook.ts'

const harmless = { isHarmless: true } as const
type Learned = { config: Partial<ChannelConfig<'wuzapi'>> }

/** Makes the user where there is none and an administrator's token allows it, has it call us, says how it stands. */
export const connect = async (context: Context): Promise<Standing & Learned> => {
  const ours = await opened(context)
  const { token } = ours.config
  await listen(ours, 'qr')
  await handOnProxy(ours, await statusOf(ours), isMadeByUs)
  const now = await statusOf(ours)
  const standing = isLinked(now) ? await connected(ours, now) : await beginLogin(ours, now)
  return { ...standing, config: { token } }
}

/** With a token that works: the one that was given or learned, else that of a user of ours. */
const opened = async (context: Context): Promise<Context> => {
  const { token, adminToken } = context.config
  if (!token && !adminToken) throw noToken()
  const own = { ...context, config: { ...context.config, token: ownToken(context) } }
  const known = token ? context : own
  const refusal = await statusOf(known).then(
    () => undefined,
    (error) => error,
  )
  if (!refusal) return known
  if (!adminToken || !(refusal instanceof TokenRefused)) throw refusal
  await makeUser(own)
  return own
}
const noToken = () =>
  new ChannelError('final', 'Este canal está sem o token do WuzAPI. Avise o administrador.', {
    isConnectionBroken: true,
    forAdmin: { text: 'Informe o token de administrador ou o token do usuário.' },
  })

/** Its name says whose it is, and its token follows from the connection. */
const nameOf = ({ tenantId, connectionId }: Context) =>
  `balcao-${tenantId}-${connectionId.replaceAll('-', '').slice(-12)}`
const ownToken = ({ hookSecret }: Context) => createHmac('sha256', hookSecret).update('wuzapi user').digest('hex')
const isMadeByUs = (context: Context, { name }: Status) =>
  Boolean(context.config.adminToken) && name === nameOf(context) && context.config.token === ownToken(context)
/** One that has been made already, whoever asked at the same time, is found by the next question. */
const makeUser = async (own: Context) => {
  const body = { name: nameOf(own), token: own.config.token, webhook: '', events: '', expiration: 0 }
  const failed = await callServer(own, 'admin/users', { body, ...harmless }).catch((error: unknown) => error)
  if (failed instanceof TokenRefused) throw failed
  await statusOf(own).catch((error) => {
    throw failed instanceof ChannelError ? failed : error
  })
}

const status = z.object({
  connected: z.boolean(),
  loggedIn: z.boolean(),
  id: loose(z.union([z.string(), z.int().transform(String)])),
  name: loose(z.string()),
  jid: loose(z.string()),
  qrcode: loose(z.string()),
  proxy_url: loose(z.string()),
  hmac_configured: loose(z.boolean()),
})
export type Status = z.output<typeof status>
export const statusOf = async (context: Context): Promise<Status> => {
  const { data } = status.safeParse(oneSpelling(await call(context, 'session/status', harmless)))
  if (data) return data
  throw notWuzapi('O WuzAPI não disse como está a conexão.')
}
const isLinked = ({ connected, loggedIn }: Status) => connected && loggedIn

/** The address of the phone itself, whichever of its devices this is; undefined before one was ever linked. */
export const ownJid = ({ jid }: Status): string | undefined => jid?.replace(/[:.]\d+@/, '@') || undefined
const numberOf = (now: Status) => identityOf(ownJid(now))?.value
const connected = async (context: Context, now: Status): Promise<Standing> => {
  const number = numberOf(now)
  const account: Account = { number, lid: await lidOf(context, now) }
  return { status: 'CONNECTED', text: `Conectado a ${number ? `+${number}` : 'WhatsApp'}.`, account }
}
const hidden = z.object({ lid: z.string() })
/** What groups call this phone by. */
const lidOf = async (context: Context, now: Status): Promise<string | undefined> => {
  const jid = ownJid(now)
  if (!jid) return undefined
  const answer = await call(context, `user/lid/${encodeURIComponent(jid)}`, harmless).catch((error) => {
    if (error instanceof ChannelError && error.outcome === 'final' && !error.isConnectionBroken) return undefined
    throw error
  })
  return identityOf(hidden.safeParse(answer).data?.lid)?.value
}

const codeAsked = { times: 6, everyMs: 600 }
/** How long a code that was just drawn stands, one that followed it, and one to type: as long as all of them. */
const lasts = { firstSeconds: 60, nextSeconds: 20, pairingSeconds: 160 }

/** A code is drawn a moment after its session has begun. */
const beginLogin = async (context: Context, now: Status, phone?: string): Promise<Standing> => {
  if (!now.connected) await begin(context)
  for (let asked = 0; asked < codeAsked.times; asked += 1) {
    if (asked) await sleep(codeAsked.everyMs)
    const login = await (phone ? codeToType(context, phone) : codeToScan(context)).catch(notYet)
    if (login === 'linked') return connected(context, await statusOf(context))
    if (!login) continue
    if (phone)
      return {
        status: 'OPENING',
        text: typeNow,
        login: { pairingCode: login, lastsSeconds: lasts.pairingSeconds },
      }
    return waiting(login, now.connected ? lasts.nextSeconds : lasts.firstSeconds)
  }
  return { status: 'OPENING', text: 'O WuzAPI está preparando o código. Ele aparece aqui em instantes.' }
}
const waiting = (qr: string, lastsSeconds: number): Standing => ({
  status: 'OPENING',
  text: scanNow,
  login: { qr, lastsSeconds },
})
const begin = (context: Context) =>
  call(context, 'session/connect', { body: { Immediate: true }, ...harmless }).catch((error) => {
    if (!(error instanceof AlreadyThere)) throw error
  })
const notYet = (error: unknown) => {
  if (error instanceof AlreadyThere) return 'linked' as const
  if (error instanceof ChannelError && error.outcome === 'retry' && !error.retryAfterMs) return undefined
  throw error
}

const scanned = z.object({ QRCode: z.string() })
const codeToScan = async (context: Context): Promise<string | undefined> =>
  scanned.safeParse(await call(context, 'session/qr', harmless)).data?.QRCode || undefined
const typed = z.object({ LinkingCode: z.string() })
const codeToType = async (context: Context, phone: string): Promise<string | undefined> => {
  const { data } = typed.safeParse(await call(context, 'session/pairphone', { body: { Phone: phone }, ...harmless }))
  return data?.LinkingCode.replace(/\W/g, '') || undefined
}

/** A session that is there goes on; with a number, it is told no more of codes to scan. */
export const link = async ({ phone }: { phone?: string }, context: Context): Promise<Standing & Partial<Learned>> => {
  const now = await statusOf(context).catch((error) => {
    if (error instanceof TokenRefused && context.config.adminToken) return undefined
    throw error
  })
  if (!now) return connect(context)
  if (isLinked(now)) return connected(context, now)
  await listen(context, phone ? 'typed' : 'qr')
  return beginLogin(context, now, phone)
}

export const unlink = async (_: object, context: Context): Promise<void> => {
  const now = await statusOf(context)
  if (!now.connected) return
  await call(context, isLinked(now) ? 'session/logout' : 'session/disconnect', { method: 'POST', ...harmless })
}

/** A user of ours goes with its channel; one of others only stops calling us. */
export const disconnect = async (context: Context): Promise<void> => {
  const now = await statusOf(context)
  if (isMadeByUs(context, now) && now.id) {
    const address = `admin/users/${encodeURIComponent(now.id)}`
    await unlink({}, context)
    await callServer(context, `${address}/full`, { method: 'DELETE', ...harmless }).catch((error) => {
      if (error instanceof RouteMissing) return callServer(context, address, { method: 'DELETE', ...harmless })
      throw error
    })
    return
  }
  if (await isOurHook(context)) await call(context, 'webhook', { method: 'DELETE', ...harmless })
}

export const check = async (context: Context, isOpening = false): Promise<Health> => {
  const now = await statusOf(context)
  if (isLinked(now)) {
    const isSigned = now.hmac_configured !== false
    return {
      problem: isSigned && (await isHeard(context)) ? null : webhookLost,
      standing: await connected(context, now),
    }
  }
  const qr = now.connected ? now.qrcode || (await codeToScan(context).catch(notYet)) : undefined
  // A code to type stands on the screen, and is not told again.
  if (now.connected && !(await awaitsScan(context))) return { problem: null }
  if (qr && qr !== 'linked') return { problem: null, standing: waiting(qr, lasts.nextSeconds) }
  if (now.connected) return { problem: null, standing: { status: 'OPENING', text: disconnectOf(515).text } }
  return { problem: null, standing: await whyGone(context, now, isOpening) }
}
const webhookLost =
  'O WuzAPI deixou de avisar este canal: o webhook do usuário foi apagado ou mudado. Toque em Testar para voltar.'

/** A server that has just started opens its sessions one after the other: only who is still without one later has none. */
const whyGone = async (context: Context, now: Status, isOpening: boolean): Promise<Standing> => {
  const hasSession = await codeToScan(context).then(
    () => true,
    (error) => !(error instanceof NoSession),
  )
  if (hasSession || !isOpening) return { status: 'OPENING', text: disconnectOf(408).text }
  return { status: 'DISCONNECTED', text: ownJid(now) ? disconnectOf(401).text : codesSpent }
}
