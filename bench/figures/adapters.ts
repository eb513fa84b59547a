import type { ChannelConfig, ChannelKind } from '@balcao/contract/channels/index.ts'
import { fixturesOf } from '@balcao/simulators/fixtures.ts'
import type { ChannelContext, Outbound } from '../../apps/server/src/channels/adapter.ts'
import { atMost, rounded } from '../report.ts'

type Kind = Exclude<ChannelKind, 'webchat'>
const gateway = { baseUrl: 'https://gateway.test', token: 'token' }
const page = { pageId: '108424279189115', accessToken: 'token', apiVersion: 'v25.0', baseUrl: 'https://graph.test' }
const configs: { [K in Kind]: Partial<ChannelConfig<K>> } = {
  waba: { phoneNumberId: '106540352242922', accessToken: 'token', apiVersion: 'v25.0', baseUrl: 'https://graph.test' },
  messenger: page,
  instagram: { ...page, instagramId: '17841400008460056', login: 'page' },
  telegram: { botToken: '7000000001:token', baseUrl: 'https://telegram.test' },
  evolution: {
    baseUrl: 'https://gateway.test',
    apiKey: 'chave',
    instanceName: 'loja',
    integration: 'WHATSAPP-BAILEYS',
  },
  wuzapi: gateway,
  zapi: { baseUrl: 'https://gateway.test', instanceId: 'A', instanceToken: 'B', clientToken: 'C' },
  uazapi: gateway,
  baileys: { server: '' },
  sms: { provider: 'smsdev', smsdevKey: 'chave-da-conta', isPlain: true, baseUrl: 'https://sms.test' },
  email: { address: 'contato@loja.com.br', fromName: 'Loja Aurora' },
  hub: { channel: 'whatsapp', channelToken: 'canal-0001', token: 'token', baseUrl: 'https://hub.test' },
}
/** What each of them answers to a send, all in one. */
const answer = JSON.stringify({
  ...{ ok: true, code: 200, success: true, status: 'PENDING' },
  ...{ messages: [{ id: 'wamid.1' }], contacts: [{ input: '5511988887777', wa_id: '5511988887777' }] },
  ...{ result: { message_id: 1, date: 1, chat: { id: 77, type: 'private' } }, key: { id: 'X', remoteJid: '77@lid' } },
  ...{
    recipient_id: '77',
    message_id: 'm_1',
    messageid: 'X',
    messageId: 'X',
    zaapId: 'X',
    id: 'X',
    chatid: '5511988887777@s.whatsapp.net',
  },
  ...{ situacao: 'OK', codigo: '1', descricao: 'MENSAGEM NA FILA' },
  data: { Id: 'X', Details: 'Sent', Timestamp: 1 },
})
const many = 5_000
/** Made to be dear, and bounded elsewhere: told beside the figure. */
const isHostile = ({ name }: { name: string }) => ['ten-thousand-recipients', 'nested-bomb'].includes(name)

/** Of our own processor, what a message costs on its way in and out: nothing is asked of anybody. */
export const measureAdapters = async () => {
  for (const kind of Object.keys(configs) as Kind[]) await measureKind(kind)
}

const measureKind = async <K extends Kind>(kind: K) => {
  const { loadAdapter } = await import('../../apps/server/src/channels/index.ts')
  const adapter = await loadAdapter(kind)
  const split = await splitOf(kind, adapter.split)
  const fixtures = fixturesOf(kind).map(({ name, payload }) => ({ name, text: JSON.stringify(payload) }))
  const hear = async (text: string) => {
    for (const { payload } of await split(JSON.parse(text))) adapter.parse(JSON.parse(JSON.stringify(payload)))
  }
  const perFixture = many / 50
  for (const { text } of fixtures) await cpuOf(perFixture, () => hear(text))
  const inbound = []
  for (const { name, text } of fixtures) inbound.push({ name, ms: await cpuOf(perFixture, () => hear(text)) })
  const [hostileOnes, usual] = [inbound.filter(isHostile), inbound.filter((one) => !isHostile(one))]
  const dearest = usual.toSorted((a, b) => b.ms - a.ms)[0]

  const context = contextOf(kind)
  const build = (await builds[kind]?.()) ?? ((message: Outbound) => adapter.send(message, context))
  await cpuOf(many, (n) => build(messageOf(n)))
  const out = await cpuOf(many, (n) => build(messageOf(n)))
  atMost(1, {
    name: `adapter ${kind}, processor time of the dearest message in, or of one out`,
    value: Math.max(dearest?.ms ?? Number.NaN, out),
    unit: 'ms',
    compared: {
      inMs: rounded(usual.reduce((sum, { ms }) => sum + ms, 0) / usual.length),
      dearest: dearest?.name ?? '',
      dearestMs: rounded(dearest?.ms ?? 0),
      outMs: rounded(out),
      ...(hostileOnes.length && { hostileMs: rounded(Math.max(...hostileOnes.map(({ ms }) => ms))) }),
    },
  })
}

const cpuOf = async (times: number, work: (n: number) => unknown): Promise<number> => {
  const before = process.cpuUsage()
  for (let n = 0; n < times; n += 1) await work(n)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000 / times
}

type Split = (body: unknown) => { payload: unknown }[] | Promise<{ payload: unknown }[]>
/** What libraries of theirs bring is no JSON from outside: it is cut, or read, before it is journalled. */
const splitOf = async (kind: Kind, own: Split): Promise<Split> => {
  if (kind === 'baileys') {
    const { piecesOf } = await import('../../apps/server/src/channels/baileys/pieces.ts')
    return (events) => piecesOf(Object(events), () => undefined)
  }
  if (kind !== 'email') return own
  const { readMail } = await import('../../apps/server/src/channels/email/session.ts')
  const { letterOf } = await import('../../apps/server/src/channels/email/letter.ts')
  return async (body) => {
    const { raw }: { raw: string } = Object(body)
    const place = { validity: '1', uid: 1, at: new Date(), size: raw.length }
    return own(letterOf(await readMail(Buffer.from(raw, 'latin1')), place, 'contato@loja.com.br', true))
  }
}
/** Up to where their own libraries take it over sockets of their own. */
const builds: Partial<Record<Kind, () => Promise<(message: Outbound) => unknown>>> = {
  baileys: async () => (await import('../../apps/server/src/channels/baileys/content.ts')).contentOf,
  email: async () => {
    const { written } = await import('../../apps/server/src/channels/email/send.ts')
    const to = { to: 'ana@example.com', providerId: '<1@loja.com.br>' }
    return (message) => written([message], to, contextOf('email'))
  },
}

const contextOf = <K extends Kind>(kind: K): ChannelContext<K> => {
  const http = async () => ({
    status: 200,
    headers: {},
    bytes: Buffer.from(answer),
    json: (): unknown => JSON.parse(answer),
  })
  const place = { tenantId: 1, connectionId: 'bench', hookSecret: 'bench', webhookUrl: 'https://balcao.test' }
  return { ...place, http, egress: { http } as never, config: configs[kind] as ChannelConfig<K> } // all that a send asks of it
}

const messageOf = (n: number): Outbound => ({
  id: `0199c0de-0000-7000-8000-${String(n).padStart(12, '0')}`,
  to: [
    { kind: 'phone', value: '5511988887777' },
    { kind: 'telegram', value: '77' },
    { kind: 'messenger', value: '108424279189115:77' },
    { kind: 'instagram', value: '17841400008460056:77' },
  ],
  type: 'text',
  body: `Bom dia! O pedido ${n} saiu e chega *amanhã* às 10h.`,
  media: null,
  location: null,
  contacts: [],
  quotedProviderId: null,
})
