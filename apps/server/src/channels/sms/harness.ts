import type { ChannelConfig } from '@balcao/contract/channels/index.ts'
import { type SmsSimulator, startSmsSimulator } from '@balcao/simulators/sms.ts'
import { z } from 'zod'
import type { Harness } from '../conformance.stage.ts'
import { sms } from './adapter.ts'
import { hookKeyOf, hookUrl } from './driver.ts'
import { signatureOf } from './twilio.ts'

type Config = ChannelConfig<'sms'>
const hookSecret = 'segredo-do-gancho'
/** As the recorded payloads carry it. */
const smsdevKey = 'CHAVE-DA-CONTA-0001'
const broken = { outcome: 'final', isConnectionBroken: true, isUnreachable: false } as const
const final = { outcome: 'final', isConnectionBroken: false, isUnreachable: false } as const
const gone = { ...final, isUnreachable: true } as const
const retry = { outcome: 'retry', isConnectionBroken: false } as const

type Account = Pick<Config, 'provider'> & Partial<Config>
type Way = Pick<Harness<'sms'>, 'refusals'> & {
  account: Account
  key: string
  /** The field that holds the key. */
  field: 'authToken' | 'zenviaToken' | 'smsdevKey' | 'comteleKey'
}

const start = async ({ account, key, field, refusals }: Way): Promise<Harness<'sms'>> => {
  const { provider, accountSid } = account
  const simulator = await startSmsSimulator({ provider, key, accountSid, delivery: { retryDelaysMs: [] } })
  const customer = simulator.customer({ phone: '5511988887777', name: 'Ana Souza' })
  const config: Config = { isPlain: false, mms: provider === 'twilio', ...account, baseUrl: simulator.url }
  return {
    kind: 'sms',
    adapter: provider === 'twilio' ? sms : { ...sms, fetchMedia: undefined },
    simulator,
    config,
    hookSecret,
    secrets: [smsdevKey],
    hasNoMarks: true,
    customer,
    to: [{ kind: 'phone', value: customer.phone }],
    lacks: {
      ownPhone: 'No phone of the business takes part.',
      echo: 'No provider tells us of our own messages.',
      ...(provider !== 'twilio' && { mediaByAddress: 'A short message carries no file.' }),
    },
    ...(provider === 'twilio' && { mediaByAddress: true as const, filesByAddress: true as const }),
    listen: (webhookUrl) => listenAt(simulator, config, webhookUrl),
    providerIdOf: ({ id }) => id,
    post: async (body, signature) =>
      (await simulator.postRaw(z.record(z.string(), z.unknown()).parse(JSON.parse(body)), signature)).status,
    isSend: ({ path }) => /\/(Messages\.json|messages|send)$/.test(path),
    revoke: () => {
      config[field] = 'outra-chave-que-nao-vale'
      return () => {
        config[field] = key
      }
    },
    refusals,
    fixtures,
  }
}

const listenAt = (simulator: SmsSimulator, { provider }: Config, webhookUrl: string) => {
  const key = hookKeyOf(hookSecret)
  if (provider === 'zenvia') simulator.setHook(webhookUrl, { 'x-balcao-key': key })
  else simulator.setHook(hookUrl({ webhookUrl, hookSecret }))
}

export const startTwilio = async (): Promise<Harness<'sms'>> => {
  const authToken = 'token-da-conta-na-twilio-0001'
  const accountSid = `AC${'0a'.repeat(16)}`
  const refused = (status: number, code: number, message: string) => ({ status, body: { code, message, status } })
  const harness = await start({
    account: { provider: 'twilio', accountSid, authToken, twilioFrom: '+5511940005000' },
    key: authToken,
    field: 'authToken',
    refusals: [
      ['401 of the token', refused(401, 20003, 'Authenticate'), broken],
      ['404 of the account', refused(404, 20404, 'The requested resource was not found'), broken],
      ['21211 no number', refused(400, 21211, "Invalid 'To' Phone Number"), gone],
      ['21614 no mobile', refused(400, 21614, 'not a valid mobile number'), gone],
      ['21610 opted out', refused(400, 21610, 'Attempt to send to unsubscribed recipient'), gone],
      ['21609 our address', refused(400, 21609, 'StatusCallback is not valid'), broken],
      ['21602 no text', refused(400, 21602, 'Message body is required'), final],
      ['429 of its own', refused(429, 20429, 'Too Many Requests'), retry],
    ],
  })
  const simulator = harness.simulator as SmsSimulator // the one it has just started
  let url = ''
  const sign = (body: string) => ({ 'x-twilio-signature': signatureOf(authToken, url, body) })
  return {
    ...harness,
    sign,
    listen: (webhookUrl) => {
      url = webhookUrl
      return simulator.setHook(webhookUrl)
    },
    // Its own fields travel as a form; what another provider would say stands there as it is.
    post: async (body, signature) => {
      const fields: unknown = JSON.parse(body)
      const own = z.record(z.string(), z.string()).safeParse(fields).data
      if (own?.MessageSid) return (await simulator.postRaw(own, signature)).status
      const headers = { right: sign(body), missing: {}, wrong: { 'x-twilio-signature': 'x' } }[signature]
      return (await fetch(url, { method: 'POST', body, headers })).status
    },
  }
}

export const startZenvia = () => {
  const zenviaToken = 'token-da-conta-na-zenvia-0001'
  const refused = (status: number, code: string, message: string) => ({ status, body: { code, message } })
  return start({
    account: { provider: 'zenvia', zenviaToken, zenviaFrom: 'loja-aurora' },
    key: zenviaToken,
    field: 'zenviaToken',
    refusals: [
      ['401 of the token', refused(401, 'AUTHENTICATION_ERROR', 'No authorization token was found'), broken],
      ['400 no credit', refused(400, 'INSUFFICIENT_BALANCE', 'Insufficient balance'), broken],
      ['400 no number', refused(400, 'VALIDATION_ERROR', 'Invalid recipient'), gone],
      ['400 of the text', refused(400, 'VALIDATION_ERROR', 'Validation error'), final],
    ],
  })
}

export const startSmsdev = () => {
  const refused = (codigo: string, descricao: string) => ({
    status: 200,
    body: { situacao: 'ERRO', codigo, descricao },
  })
  return start({
    account: { provider: 'smsdev', smsdevKey },
    key: smsdevKey,
    field: 'smsdevKey',
    refusals: [
      ['key', refused('401', 'KEY INVALIDA'), broken],
      ['no credit', refused('403', 'SALDO INSUFICIENTE'), broken],
      ['no number', refused('402', 'NUMERO INVALIDO'), gone],
      ['on the black list', refused('405', 'NUMERO EM BLACK LIST'), gone],
      ['anything else', refused('400', 'MENSAGEM NAO ACEITA'), final],
      [
        'in a list',
        { status: 200, body: [{ situacao: 'ERRO', codigo: '403', descricao: 'SALDO INSUFICIENTE' }] },
        broken,
      ],
    ],
  })
}

export const startComtele = () => {
  const comteleKey = '5e5b0d2c-93d6-4d9e-9a11-5c2f5a2f0001'
  const refused = (status: number, Message: string) => ({ status, body: { Success: false, Object: null, Message } })
  return start({
    account: { provider: 'comtele', comteleKey },
    key: comteleKey,
    field: 'comteleKey',
    refusals: [
      ['401 without a word', { status: 401, body: '' }, broken],
      [
        '400 no credit',
        refused(400, 'Não foi possível continuar, pois a quantidade de créditos é insuficiente.'),
        broken,
      ],
      ['400 nobody', refused(400, 'É necessário informar ao menos um destinatário que irá receber o SMS.'), gone],
      ['400 no text', refused(400, 'O parâmetro ‘Content’ deve ser informado com conteúdo.'), final],
      [
        '200 refused',
        refused(200, 'Não foi possível continuar, pois a quantidade de créditos é insuficiente.'),
        broken,
      ],
    ],
  })
}

const fixtures: Record<string, string> = {
  'comtele-accepted': 'status:sent',
  'comtele-delivered': 'status:delivered',
  'comtele-panel': 'nothing',
  'comtele-rejected': 'status:failed',
  'comtele-text': 'message:text',
  'comtele-undelivered': 'status:failed',
  'smsdev-black-list': 'status:failed',
  'smsdev-cancelled': 'status:failed',
  'smsdev-error': 'status:failed',
  'smsdev-queued': 'nothing',
  'smsdev-received': 'status:delivered',
  'smsdev-sent': 'status:sent',
  'smsdev-text': 'message:text',
  text: 'message:text',
  'twilio-delivered': 'status:delivered',
  'twilio-media': 'message:image',
  'twilio-queued': 'nothing',
  'twilio-sent': 'status:sent',
  'twilio-short-code': 'unknown',
  'twilio-undelivered': 'status:failed',
  'unknown-event': 'unknown',
  'zenvia-delivered': 'status:delivered',
  'zenvia-not-delivered': 'status:failed',
  'zenvia-out': 'nothing',
  'zenvia-rejected': 'status:failed',
  'zenvia-sent': 'status:sent',
  'zenvia-text': 'message:text',
}
