import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ChannelConfig } from '@balcao/contract/channels/index.ts'
import { z } from 'zod'
import { loose } from '../../kit/loose.ts'
import { type Account, ChannelError, type Health, type Login, type Standing } from '../adapter.ts'
import { codesSpent, disconnectOf, scanNow, typeNow } from '../whatsapp/disconnects.ts'
import { identityOf } from '../whatsapp/jids.ts'
import { isSamePlace } from '../whatsapp/webhooks.ts'
import { type Context, call, callServer, InstanceMissing, instanceOf, isOurs } from './api.ts'

/** The header by which its webhooks prove where they come from. */
export const secretHeader = 'x-balcao-secret'
const harmless = { isHarmless: true } as const

/** Makes the instance where there is none, has it call us and tell everything, and says how it stands. */
export const connect = async (
  context: Context,
): Promise<Standing & { config: Partial<ChannelConfig<'evolution'>> }> => {
  const state = await stateOf(context).catch((error) => {
    if (error instanceof InstanceMissing) return create(context)
    throw error
  })
  await setWebhook(context)
  const settings = {
    rejectCall: false,
    msgCall: '',
    groupsIgnore: false,
    alwaysOnline: false,
    readMessages: false,
    readStatus: false,
    syncFullHistory: false,
  }
  await call(context, 'settings/set', { body: settings, ...harmless })
  const config = { instanceName: instanceOf(context) }
  if (state === 'open') return { ...(await connected(context)), config }
  return { ...(await showCode(context)), config }
}

const connected = async (context: Context): Promise<Standing> => {
  const account = (await rowOf(context))?.account
  const who = account?.name ?? (account?.number ? `+${account.number}` : 'WhatsApp')
  return { status: 'CONNECTED', text: `Conectado a ${who}.`, account }
}

const code = z.object({
  code: loose(z.string()),
  base64: loose(z.string()),
  pairingCode: loose(z.string()),
  count: loose(z.int()),
})
/** The first code stands a minute, the others twenty seconds. */
const lastsSeconds = (count: number | undefined) => ((count ?? 1) > 1 ? 20 : 60)
const codeAsked = { times: 4, everyMs: 700 }

/**
 * Asking for the code begins the login where none is under way. It is drawn a moment after it is asked for; where none is
 * drawn, a login hangs and is begun afresh.
 */
const showCode = async (context: Context, phone?: string): Promise<Standing> => {
  const query = phone ? { number: phone } : undefined
  for (let asked = 0; asked < codeAsked.times; asked += 1) {
    if (asked) await sleep(codeAsked.everyMs)
    const answer = await call(context, 'instance/connect', { query: asked ? undefined : query, ...harmless })
    if (stateIn(answer) === 'open') return connected(context)
    const told = code.safeParse(answer).data
    const login = told && loginOf(told, phone)
    if (login) return { status: 'OPENING', text: login.pairingCode ? typeNow : scanNow, login }
  }
  await call(context, 'instance/restart', { method: 'POST', ...harmless }).catch(() => undefined)
  return { status: 'OPENING', text: 'O Evolution está preparando o código. Ele aparece aqui em instantes.' }
}
const loginOf = (told: z.output<typeof code>, phone?: string): Login | undefined => {
  const qr = told.code ?? told.base64
  const pairingCode = told.pairingCode || undefined
  if (phone ? !pairingCode : !qr) return undefined
  return { qr, pairingCode, lastsSeconds: lastsSeconds(told.count) }
}

/** A number begins another login than the one under way. */
export const link = async ({ phone }: { phone?: string }, context: Context): Promise<Standing> => {
  const state = await stateOf(context).catch((error) => {
    if (error instanceof InstanceMissing) return undefined
    throw error
  })
  if (!state) return connect(context)
  if (state === 'open') return connected(context)
  if (phone && state === 'connecting') await unlink({}, context)
  return showCode(context, phone)
}

export const unlink = async (_: object, context: Context): Promise<void> => {
  if ((await stateOf(context)) === 'close') return
  await call(context, 'instance/logout', { method: 'DELETE', ...harmless })
}

/** An instance of ours goes with its channel; one of others only stops calling us. */
export const disconnect = async (context: Context): Promise<void> => {
  if (!isOurs(context)) {
    await call(context, 'webhook/set', { body: { webhook: { ...webhookOf(context), enabled: false } }, ...harmless })
    return
  }
  await unlink({}, context)
  await call(context, 'instance/delete', { method: 'DELETE', ...harmless })
}

export const check = async (context: Context): Promise<Health> => {
  const state = await stateOf(context)
  if (state === 'open') {
    const problem = (await isHeard(context)) ? null : webhookLost
    return problem ? { problem } : { problem, standing: await connected(context) }
  }
  if (state === 'connecting') {
    const answer = await call(context, 'instance/connect', harmless)
    const told = code.safeParse(answer).data
    const login = told && loginOf(told)
    if (login) return { problem: null, standing: { status: 'OPENING', text: scanNow, login } }
    return { problem: null, standing: { status: 'OPENING', text: disconnectOf(515).text } }
  }
  const row = await rowOf(context)
  const text = row?.reason ? disconnectOf(row.reason).text : row?.account?.number ? disconnectOf(401).text : codesSpent
  return { problem: null, standing: { status: 'DISCONNECTED', text } }
}
const webhookLost =
  'O Evolution deixou de avisar este canal: o webhook da instância é outro, ou está desligado. Toque em Testar para voltar.'

const state = z.object({ instance: z.object({ state: z.enum(['open', 'connecting', 'close']) }) })
const stateIn = (answer: unknown) => state.safeParse(answer).data?.instance.state
const stateOf = async (context: Context) => {
  const told = stateIn(await call(context, 'instance/connectionState', harmless))
  if (told) return told
  throw new ChannelError('retry', 'O Evolution não disse como está a conexão.', {
    forAdmin: { text: 'Este endereço não responde como um servidor Evolution API (versão 2). Confira o endereço.' },
  })
}

const row = z.object({
  name: z.string(),
  ownerJid: loose(z.string()),
  profileName: loose(z.string()),
  profilePicUrl: loose(z.string()),
  disconnectionReasonCode: loose(z.int()),
})
const rowOf = async (context: Context): Promise<{ account: Account; reason?: number } | undefined> => {
  const query = { instanceName: instanceOf(context) }
  const answer = await callServer(context, 'instance/fetchInstances', { query, ...harmless })
  const found = z
    .array(z.unknown())
    .catch([])
    .parse(answer)
    .flatMap((one) => row.safeParse(one).data ?? [])
    .find(({ name }) => name === query.instanceName)
  if (!found) return undefined
  const number = identityOf(found.ownerJid)?.value
  return {
    account: { number, name: found.profileName || undefined, pictureUrl: found.profilePicUrl || undefined },
    reason: found.disconnectionReasonCode,
  }
}

/** With a key of its own, which nobody has to keep: it follows from the connection. */
const create = async (context: Context) => {
  const { config, hookSecret } = context
  const isCloud = config.integration === 'WHATSAPP-BUSINESS'
  const token = createHmac('sha256', hookSecret).update('evolution instance').digest('hex')
  const of = isCloud
    ? { token: config.metaToken, number: config.phoneNumberId, businessId: config.businessId }
    : { token, qrcode: false }
  const body = { instanceName: instanceOf(context), integration: config.integration, ...of }
  await callServer(context, 'instance/create', { body, isHarmless: true, timeoutMs: 30_000 })
  return stateOf(context)
}

/** No list of events: the name by which its settings know changes of groups is not the one it tells them by. */
const webhookOf = ({ webhookUrl, hookSecret }: Context) => ({
  enabled: true,
  url: webhookUrl,
  byEvents: false,
  base64: false,
  headers: { [secretHeader]: hookSecret },
  events: [],
})
const setWebhook = async (context: Context) => {
  await call(context, 'webhook/set', { body: { webhook: webhookOf(context) }, ...harmless })
  if (await isHeard(context)) return
  throw new ChannelError('final', 'O Evolution não guardou o endereço dos avisos deste canal.', {
    forAdmin: {
      text: 'O Evolution não guardou o webhook deste canal. Confira a versão do servidor (2.x) e teste de novo.',
    },
  })
}
const webhook = z.object({ enabled: z.boolean(), url: z.string() })
const isHeard = async (context: Context) => {
  const found = webhook.safeParse(await call(context, 'webhook/find', harmless)).data
  return found?.enabled === true && isSamePlace(found.url, context.webhookUrl)
}
