import '../../../test/kit.ts' // an environment of its own, before anything reads it
import type { ChannelConfig } from '@balcao/contract/channels/index.ts'
import { countSms } from '@balcao/contract/channels/sms-segments.ts'
import { startSmsSimulator } from '@balcao/simulators/sms.ts'
import { v7 } from 'uuid'
import { afterAll, describe, expect, test } from 'vitest'
import { createEgress } from '../../kit/egress.ts'
import type { ChannelContext, RawRequest } from '../adapter.ts'
import { startReceiver } from '../conformance.receiver.ts'
import { sms } from './adapter.ts'
import { hookUrl, phoneIn } from './driver.ts'
import { signatureOf } from './twilio.ts'

const egress = createEgress({ allow: ['127.0.0.1'] })
const hookSecret = 'segredo-do-gancho'
const accountSid = `AC${'0a'.repeat(16)}`
const opened: { close: () => Promise<unknown> }[] = []
afterAll(() => Promise.all(opened.map((one) => one.close())))

type Config = Partial<ChannelConfig<'sms'>>
const accounts: Record<ChannelConfig<'sms'>['provider'], (key: string) => Config> = {
  twilio: (authToken) => ({ accountSid, authToken, twilioFrom: '+5511940005000' }),
  zenvia: (zenviaToken) => ({ zenviaToken, zenviaFrom: 'loja' }),
  smsdev: (smsdevKey) => ({ smsdevKey }),
  comtele: (comteleKey) => ({ comteleKey }),
}
/** A connected account with one customer. */
const openAccount = async (provider: ChannelConfig<'sms'>['provider'], more: Config = {}) => {
  const key = `chave-da-conta-${provider}`
  const simulator = await startSmsSimulator({ provider, key, accountSid, delivery: { retryDelaysMs: [] } })
  const receiver = await startReceiver(sms)
  opened.push(simulator, receiver)
  const context: ChannelContext<'sms'> = {
    tenantId: 7,
    connectionId: v7(),
    config: { provider, isPlain: false, mms: false, ...accounts[provider](key), baseUrl: simulator.url, ...more },
    hookSecret,
    webhookUrl: receiver.url,
    egress,
    http: egress.http,
  }
  receiver.use(context)
  const connected = await sms.connect(context)
  if (provider !== 'zenvia') simulator.setHook(hookUrl(context))
  const ana = simulator.customer({ phone: '5511988887777', name: 'Ana' })
  const send = (body: string, phone = ana.phone) => {
    const id = v7()
    const to = [{ kind: 'phone' as const, value: phone }]
    return sms.send(
      { id, to, type: 'text', body, media: null, location: null, contacts: [], quotedProviderId: null },
      context,
    )
  }
  const statuses = () => receiver.events().flatMap((event) => (event.kind === 'status' ? event : []))
  return { simulator, receiver, context, connected, ana, send, statuses }
}
const raw = (more: Partial<RawRequest>): RawRequest => ({
  method: 'POST',
  headers: {},
  query: {},
  rawBody: Buffer.from(''),
  body: undefined,
  ...more,
})

describe.each(['twilio', 'zenvia', 'smsdev', 'comtele'] as const)('%s', (provider) => {
  test('receipts name the message that was sent, late, twice and in any order', async () => {
    const { simulator, ana, send, statuses } = await openAccount(provider)
    Object.assign(simulator.delivery, { duplicate: 2, reorder: true })
    const { providerId } = await send('Seu pedido saiu.')
    await simulator.idle()
    expect(
      statuses()
        .map(({ status }) => status)
        .toSorted(),
    ).toEqual(['delivered', 'sent'])
    for (const told of statuses()) expect(told.providerId).toBe(providerId)
    expect(ana.inbox.at(-1)?.text).toBe('Seu pedido saiu.')
  })

  test('a receipt before the answer names it too', async () => {
    const { simulator, send, statuses } = await openAccount(provider)
    simulator.delivery.statusBeforeAnswer = true
    const { providerId } = await send('oi')
    expect(statuses().at(-1)).toMatchObject({ providerId, status: 'delivered' })
  })

  test('what the network could not bring is a failure in words', async () => {
    const { simulator, ana, send, statuses } = await openAccount(provider)
    ana.isReachable = false
    await send('oi')
    await simulator.idle()
    expect(statuses().at(-1)).toMatchObject({ status: 'failed', error: expect.stringMatching(/\.$/) })
  })

  test('an answer comes from the phone the contact is known by', async () => {
    const { simulator, receiver, ana } = await openAccount(provider)
    await ana.sendText('Obrigada! 😀\nAté amanhã')
    await simulator.idle()
    expect(receiver.events()).toMatchObject([
      {
        kind: 'message',
        from: { identities: [{ kind: 'phone', value: '5511988887777' }] },
        content: { type: 'text', body: 'Obrigada! 😀\nAté amanhã' },
      },
    ])
  })

  test('a call with another proof is refused', async () => {
    const { simulator, receiver, ana } = await openAccount(provider)
    simulator.delivery.badSignature = true
    await ana.sendText('oi')
    await simulator.idle()
    expect(receiver.calls).toMatchObject([{ status: 401 }])
  })

  test('without accents, where the channel says so', async () => {
    const { ana, send } = await openAccount(provider, { isPlain: true })
    await send('Olá, João – até amanhã…')
    expect(ana.inbox.at(-1)?.text).toBe('Ola, Joao - ate amanha...')
  })
})

test('the network cuts a text into as many parts as the composer says', async () => {
  const { simulator, send } = await openAccount('twilio')
  const texts = [
    'a'.repeat(160),
    'a'.repeat(161),
    `${'a'.repeat(152)}€${'b'.repeat(152)}`,
    'ã'.repeat(71),
    '😀'.repeat(34),
  ]
  for (const text of texts) await send(text)
  expect(simulator.segments).toEqual(texts.map((text) => countSms(text).segments))
})

test('Twilio signs the whole address and every parameter, known or not', async () => {
  const { context } = await openAccount('twilio')
  const token = context.config.authToken ?? ''
  const body = 'MessageSid=SM1&NewField=x&Body=a+b%26c&From=%2B5511988887777'
  const signed = (url: string, form = body) => ({ 'x-twilio-signature': signatureOf(token, url, form) })
  const verify = (request: RawRequest) => sms.hook?.verify(request, context)
  const query = { key: new URL(hookUrl(context)).searchParams.get('key') ?? '' }
  const rawBody = Buffer.from(body)
  expect(verify(raw({ rawBody, query, headers: signed(hookUrl(context)) }))).toBe(true)
  expect(verify(raw({ rawBody, headers: signed(context.webhookUrl) }))).toBe(true)
  expect(verify(raw({ rawBody, query, headers: signed(context.webhookUrl) }))).toBe(false)
  expect(verify(raw({ rawBody, headers: signed(context.webhookUrl, 'MessageSid=SM1') }))).toBe(false)
  expect(verify(raw({ rawBody }))).toBe(false)
  expect(sms.hook?.answer?.('')).toBeNull()
})

test('the signature is the one of Twilio’s own manual', () => {
  // https://www.twilio.com/docs/usage/webhooks/webhooks-security: its example with this token and these parameters
  const form = 'CallSid=CA1234567890ABCDE&Caller=%2B14158675310&Digits=1234&From=%2B14158675310&To=%2B18005551212'
  expect(signatureOf('12345', 'https://example.com/myapp.php?foo=1&bar=2', form)).toBe('L/OH5YylLD5NRKLltdqwSvS0BnU=')
})

test('Zenvia is told once where to call, and no more when the channel goes', async () => {
  const { simulator, context } = await openAccount('zenvia')
  await sms.connect(context)
  expect(simulator.hooks).toMatchObject([
    { eventType: 'MESSAGE', url: context.webhookUrl },
    { eventType: 'MESSAGE_STATUS', url: context.webhookUrl },
  ])
  await sms.disconnect?.(context)
  expect(simulator.hooks).toEqual([])
  simulator.faults.next({
    status: 409,
    body: { code: 'CONFLICT', message: 'exists' },
    match: ({ method }) => method === 'POST',
  })
  await expect(sms.connect(context)).rejects.toMatchObject({
    forAdmin: { text: expect.stringContaining('Já existe um webhook de SMS igual') },
  })
})

test('SMSDev repeats the key of the account: it has to be the right one, and is kept nowhere', async () => {
  const { simulator, receiver, send, context } = await openAccount('smsdev')
  await send('oi')
  await simulator.idle()
  const key = context.config.smsdevKey ?? ''
  expect(JSON.stringify([...receiver.journal.values()])).not.toContain(key)
  const query = { key: new URL(hookUrl(context)).searchParams.get('key') ?? '' }
  const call = (told: object) => sms.hook?.verify(raw({ query, rawBody: Buffer.from(JSON.stringify(told)) }), context)
  expect(call({ key, id: '1', situacao: 'ENVIADA' })).toBe(true)
  expect(call({ key: 'outra', id: '1', situacao: 'ENVIADA' })).toBe(false)
  expect(sms.hook?.verify(raw({ query, rawBody: Buffer.from(`key=${key}&id=1`) }), context)).toBe(true)
  for (const { path } of simulator.requests) expect(path).not.toContain(key)
})

test('SMSDev names our own message, so an uncertain send is settled; a form says the same as JSON', () => {
  const refer = v7()
  const form = `id=637849052&refer=${refer}&situacao=RECEBIDA&key=chave`
  const [piece] = sms.split(form)
  expect(piece?.key).toBe('smsdev:637849052:RECEBIDA')
  expect(sms.parse(piece?.payload)).toEqual([
    { kind: 'status', providerId: '637849052', messageId: refer, status: 'delivered' },
  ])
  const [foreign] = sms.split({ id: 1, situacao: 'ENVIADA', refer: 'pedido 12' })
  expect(sms.parse(foreign?.payload)).toEqual([
    { kind: 'status', providerId: '1', messageId: undefined, status: 'sent' },
  ])
})

test('what is left is told, and running out is for the administrator', async () => {
  const { simulator, connected, context, send } = await openAccount('smsdev')
  expect(connected.text).toBe('Conectado ao SMS da SMSDev.')
  expect(connected.config?.hookKey).toBe(new URL(hookUrl(context)).searchParams.get('key'))
  await send('a'.repeat(161))
  expect(await sms.check?.(context)).toEqual({ problem: null, credits: 998 })
  simulator.credits = 0
  await expect(send('oi')).rejects.toMatchObject({
    isConnectionBroken: true,
    forAdmin: { text: 'Acabaram os créditos na SMSDev. Recarregue a conta e toque em Testar.' },
  })
})

test('a number from abroad is not asked of Comtele', async () => {
  const { simulator, send } = await openAccount('comtele')
  const before = simulator.requests.length
  await expect(send('oi', '14155550100')).rejects.toMatchObject({ outcome: 'final', isUnreachable: false })
  expect(simulator.requests.length).toBe(before)
})

test('who opted out at Twilio is not written to', async () => {
  const { ana, send } = await openAccount('twilio')
  ana.hasOptedOut = true
  await expect(send('oi')).rejects.toMatchObject({ isUnreachable: true, message: expect.stringContaining('pediu') })
})

test.each([
  ['+5511988887777', '5511988887777'],
  ['5511988887777', '5511988887777'],
  ['11988887777', '5511988887777'],
  ['1188887777', '5511988887777'],
  ['(11) 98888-7777', '5511988887777'],
  ['+14155550100', '14155550100'],
  ['27127', undefined],
  ['LOJA', undefined],
  ['', undefined],
])('%s is the phone %s', (said, phone) => {
  expect(phoneIn(said)).toBe(phone)
})
