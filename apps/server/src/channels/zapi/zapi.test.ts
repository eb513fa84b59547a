import '../../../test/kit.ts' // an environment of its own, before anything reads it
import { fixture } from '@balcao/simulators/fixtures.ts'
import { sampleMedia } from '@balcao/simulators/samples.ts'
import { startZapiSimulator } from '@balcao/simulators/zapi.ts'
import { v7 } from 'uuid'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createEgress } from '../../kit/egress.ts'
import type { ChannelContext, Outbound } from '../adapter.ts'
import { startReceiver } from '../conformance.receiver.ts'
import { zapi } from './adapter.ts'
import { hookUrl } from './instance.ts'
import { parse } from './parse.ts'
import { split } from './split.ts'

const account = { instanceId: 'INSTANCIA1', instanceToken: 'TOKEN123', clientToken: 'seguranca-da-conta' }
const simulator = await startZapiSimulator({ ...account, delivery: { retryDelaysMs: [] } })
const receiver = await startReceiver(zapi)
const egress = createEgress({ allow: ['127.0.0.1'] })
const context: ChannelContext<'zapi'> = {
  tenantId: 7,
  connectionId: v7(),
  config: { ...account, baseUrl: `${simulator.url}/` },
  hookSecret: 'segredo-do-gancho',
  webhookUrl: receiver.url,
  egress,
  http: egress.http,
}
receiver.use(context)
afterAll(async () => {
  await simulator.close()
  await receiver.close()
})
/** Each begins with a phone linked. */
beforeEach(async () => {
  simulator.faults.clear()
  await zapi.connect(context)
  if (!simulator.instance.connected) await simulator.scan()
  await simulator.idle()
  receiver.clear()
})
const ana = simulator.customer({ phone: '5511988887777', lid: '77712345678901', name: 'Ana Souza' })
const eventsOf = (name: string) => split(fixture('zapi', name)).flatMap(({ payload }) => parse(payload))
const keyOf = (name: string) => split(fixture('zapi', name))[0]?.key
const outbound = (more: Partial<Outbound>): Outbound => ({
  id: v7(),
  to: [{ kind: 'phone', value: ana.phone }],
  type: 'text',
  body: '',
  media: null,
  location: null,
  contacts: [],
  quotedProviderId: null,
  ...more,
})

describe('an instance', () => {
  test('tells us everything at an address only it knows, also what is written on the phone', async () => {
    const { hooks, notifySentByMe, autoRead } = simulator.instance
    expect(new Set(Object.values(hooks))).toEqual(new Set([hookUrl(context)]))
    expect(hookUrl(context)).toMatch(/\?key=[\w-]{43}$/)
    expect(hookUrl(context)).not.toContain(context.hookSecret)
    expect({ notifySentByMe, autoRead }).toEqual({ notifySentByMe: true, autoRead: false })
    expect(await zapi.connect(context)).toMatchObject({
      status: 'CONNECTED',
      text: 'Conectado a Loja de Teste.',
      account: { number: '5511940002000', name: 'Loja de Teste', pictureUrl: undefined },
    })
  })

  test('what another instance says is refused, even at our address', () => {
    const call = (body: unknown, key = new URL(hookUrl(context)).searchParams.get('key') ?? '') =>
      zapi.hook?.verify({ method: 'POST', headers: {}, query: { key }, rawBody: Buffer.alloc(0), body }, context)
    expect(call({ instanceId: account.instanceId })).toBe(true)
    expect(call({ type: 'PresenceChatCallback' })).toBe(true)
    expect(call({ instanceId: 'OUTRA' })).toBe(false)
    expect(call({ instanceId: account.instanceId }, '')).toBe(false)
  })

  test('a phone that left is told of; it comes back by the code that stands, not by one that is over', async () => {
    await simulator.drop()
    await simulator.idle()
    expect(receiver.events()).toContainEqual({ kind: 'standing' })
    expect((await zapi.check?.(context))?.standing).toMatchObject({
      status: 'DISCONNECTED',
      text: expect.stringContaining('O telefone desconectou este canal.'),
    })
    const first = await zapi.link?.({}, context)
    expect(first).toMatchObject({
      status: 'OPENING',
      text: 'Leia o código com o WhatsApp do telefone.',
      login: { qr: expect.stringMatching(/^data:image\/png;base64,/), lastsSeconds: 20 },
    })
    simulator.rotate()
    const next = await zapi.link?.({}, context)
    expect(next?.login?.qr).not.toBe(first?.login?.qr)
    await expect(simulator.scan(first?.login?.qr)).rejects.toThrow('over')
    // The code on the screen is left alone while somebody may be reading it.
    const asked = simulator.requests.length
    expect(await zapi.check?.(context, true)).toEqual({ problem: null })
    expect(simulator.requests.slice(asked).some(({ path }) => path.includes('qr-code'))).toBe(false)
    await simulator.scan(next?.login?.qr)
    await simulator.idle()
    expect(receiver.events()).toContainEqual(expect.objectContaining({ kind: 'connection', status: 'CONNECTED' }))
    expect((await zapi.check?.(context))?.standing).toMatchObject({ status: 'CONNECTED' })
  })

  test('a number gets a code to type', async () => {
    await simulator.drop()
    expect(await zapi.link?.({ phone: '5511940002000' }, context)).toMatchObject({
      status: 'OPENING',
      text: expect.stringContaining('digite o código'),
      login: { pairingCode: expect.stringMatching(/^[0-9A-F]{8}$/) },
    })
  })

  test('a session that only broke off is taken up again without a code', async () => {
    await simulator.drop('broken')
    expect(await zapi.link?.({}, context)).toMatchObject({ status: 'CONNECTED' })
  })

  test('what waits in its queue is said before a phone comes back, and then leaves once, in order', async () => {
    await simulator.drop()
    const before = ana.inbox.length
    for (const body of ['um', 'dois']) await zapi.send(outbound({ body }), context)
    await simulator.idle()
    expect([simulator.queued, ana.inbox.length]).toEqual([2, before])
    const { text } = (await zapi.link?.({}, context)) ?? {}
    expect(text).toContain('2 mensagens esperam na fila da Z-API e sairão ao conectar')
    await simulator.scan()
    await simulator.idle()
    expect(ana.inbox.slice(before).map((line) => line.text)).toEqual(['um', 'dois'])
    await simulator.drop()
    await zapi.send(outbound({ body: 'três' }), context)
    expect((await zapi.link?.({}, context))?.text).toContain('Uma mensagem espera na fila da Z-API e sai ao conectar')
  })

  test('webhooks that are others’ are told of and set right; ones that are not kept say why', async () => {
    simulator.setWebhooks('https://outro.example.com/aviso')
    expect((await zapi.check?.(context))?.problem).toContain('os webhooks da instância são outros')
    await zapi.disconnect?.(context)
    expect(simulator.instance.hooks.received).toBe('https://outro.example.com/aviso')
    await zapi.connect(context)
    expect(await zapi.check?.(context)).toMatchObject({ problem: null })
    simulator.faults.next({ status: 200, body: { connected: true }, match: /\/me$/ })
    await expect(zapi.connect(context)).rejects.toMatchObject({
      outcome: 'final',
      forAdmin: { text: expect.stringContaining('só aceita endereços HTTPS') },
    })
    await zapi.disconnect?.(context)
    expect(simulator.instance.hooks.received).toBeUndefined()
  })

  test('tokens that are wrong, and an address that is no Z-API, are said for who typed them', async () => {
    const config = { ...context.config, clientToken: 'outro-token' }
    await expect(zapi.connect({ ...context, config })).rejects.toMatchObject({
      isConnectionBroken: true,
      forAdmin: { mistyped: expect.stringContaining('Client-Token') },
    })
    simulator.faults.next({ status: 200, body: '<html>Olá</html>' })
    await expect(zapi.connect(context)).rejects.toMatchObject({
      outcome: 'retry',
      forAdmin: { text: expect.stringContaining('não responde como a Z-API') },
    })
  })
})

test('tells its phone’s own book, and the groups it is in', async () => {
  simulator.customer({ phone: '5531987651111', name: 'Da Agenda' })
  const group = simulator.group('Família', [simulator.customer({ phone: '5511988881234', name: 'Tia' })])
  const people = await zapi.phoneBook?.({ of: 'people' }, context)
  expect(people).toContainEqual({ identities: [{ kind: 'phone', value: '5531987651111' }], name: 'Da Agenda' })
  expect(people?.some(({ identities }) => identities.some(({ kind }) => kind === 'group'))).toBe(false)
  const value = String(Object(group).jid ?? Object(group).id).replace(/(@g.us|-group)$/, '')
  expect(await zapi.phoneBook?.({ of: 'groups' }, context)).toContainEqual({
    identities: [{ kind: 'group', value }],
    name: 'Família',
  })
})

test('numbers are looked for under both of their names, and told by both identities', async () => {
  const bia = simulator.customer({ phone: '5531987654321', name: 'Bia' })
  simulator.customer({ phone: '5511900000000', isOnWhatsApp: false })
  expect(await zapi.numbers?.({ numbers: ['+55 31 98765-4321', '5511900000000'] }, context)).toEqual([
    {
      number: '+55 31 98765-4321',
      exists: true,
      identities: [
        { kind: 'phone', value: '5531987654321' },
        { kind: 'lid', value: bia.lid },
      ],
    },
    { number: '5511900000000', exists: false, identities: [] },
  ])
})

test('a number without WhatsApp is known once the queue has come to it', async () => {
  simulator.customer({ phone: '5511900000000', isOnWhatsApp: false })
  const to = [{ kind: 'phone' as const, value: '5511900000000' }]
  const { providerId } = await zapi.send(outbound({ to, body: 'oi' }), context)
  await simulator.idle()
  expect(receiver.events()).toMatchObject([{ kind: 'status', providerId, status: 'failed', isUnreachable: true }])
})

test('somebody shows a name and a picture, a group its subject, its members and who leads it', async () => {
  const davi = simulator.customer({ phone: '5511955554444', lid: '88812345678901', name: 'Davi', hidesPhone: true })
  const group = simulator.group('Vizinhos', [ana, davi])
  expect(await zapi.profile?.({ to: [{ kind: 'phone', value: ana.phone }] }, context)).toEqual({
    name: 'Ana Souza',
    pictureUrl: expect.stringMatching(/\/faces\/5511988887777$/),
  })
  const to = [{ kind: 'group' as const, value: group.id.replace('-group', '') }]
  expect(await zapi.profile?.({ to }, context)).toEqual({ name: 'Vizinhos', isAdminsOnly: false })
  expect(await zapi.participants?.({ to }, context)).toMatchObject([
    { id: '5511988887777', name: 'Ana Souza', isAdmin: true },
    { id: '88812345678901@lid', name: 'Davi', isAdmin: false },
  ])
  await expect(zapi.participants?.({ to: [{ kind: 'group', value: '1' }] }, context)).rejects.toMatchObject({
    outcome: 'final',
    isUnreachable: true,
  })
})

test('whoever hides the phone is one contact by the id that stands for it, and is written to by it', async () => {
  const davi = simulator.customer({ phone: '5511955554444', lid: '88812345678901', name: 'Davi', hidesPhone: true })
  await davi.sendText('Oi')
  expect(receiver.events()).toMatchObject([{ from: { identities: [{ kind: 'lid', value: davi.lid }] } }])
  await zapi.send(outbound({ to: [{ kind: 'lid', value: davi.lid }], body: 'Oi, Davi' }), context)
  await simulator.idle()
  expect(davi.inbox.at(-1)).toMatchObject({ text: 'Oi, Davi' })
})

test('a phone comes with the id that stands for it; our own message never with ours', () => {
  const both = [
    { kind: 'phone', value: '5511988887777' },
    { kind: 'lid', value: '77712345678901' },
  ]
  expect(eventsOf('text')).toMatchObject([{ from: { identities: both, name: 'Ana Souza' } }])
  expect(eventsOf('text-own-phone')).toMatchObject([{ from: { identities: both, name: undefined } }])
  expect(eventsOf('text-old-number')).toMatchObject([{ from: { identities: [{ value: '5531987654321' }, both[1]] } }])
  expect(eventsOf('text-group')).toMatchObject([
    {
      from: { identities: [{ kind: 'group', value: '120363019502650977' }], name: 'Vizinhos' },
      author: { identities: [{ value: '5511977776666' }, { value: '66612345678901' }], name: 'Bruno Lima' },
    },
  ])
  expect(eventsOf('text-group-old')).toMatchObject([
    { from: { identities: [{ kind: 'group', value: '5511999999999-1623281429' }] } },
  ])
})

test('a customer’s edit and the message she took back are told', async () => {
  const id = await ana.sendText('R$ 10')
  await ana.edit(id, 'R$ 12')
  await ana.takeBack(id)
  expect(receiver.events()).toMatchObject([
    { kind: 'message', providerId: id },
    { kind: 'edit', providerId: id, body: 'R$ 12' },
    { kind: 'delete', providerId: id },
  ])
  expect(eventsOf('edited-named')).toMatchObject([{ kind: 'edit', providerId: '3A000000000000ABC001' }])
})

test('a message that cannot be read yet does not stand in the way of itself', () => {
  expect(eventsOf('waiting')).toEqual([{ kind: 'nothing' }])
  expect(keyOf('waiting')).not.toBe(keyOf('text'))
})

test('handed to WhatsApp is told twice and is one event; each of several read messages is its own', () => {
  expect(keyOf('delivery')).toBe(keyOf('status-sent'))
  expect(split(fixture('zapi', 'status-read')).map(({ key }) => key)).toEqual([
    'status:3EB0AAAA000000000001:READ',
    'status:3EB0AAAA000000000002:READ',
  ])
})

test('a call rings and is missed under one id, whoever hears of it', async () => {
  await ana.call('CALL_VOICE', 'F44E')
  await ana.call('CALL_MISSED_VOICE', 'F44E')
  expect(receiver.events()).toMatchObject([
    { kind: 'call', providerId: 'F44E', state: 'ringing', isVideo: false },
    { kind: 'call', providerId: 'F44E', state: 'missed', isVideo: false },
  ])
})

test('who joined or left a group is named, also by the id alone; its subject too', () => {
  expect(eventsOf('group-add')).toMatchObject([{ members: [{ identities: [{ value: '5511966665555' }] }] }])
  expect(eventsOf('group-remove')).toMatchObject([{ members: [{ identities: [{ kind: 'lid' }] }] }])
  expect(eventsOf('group-leave')).toMatchObject([{ members: [{ identities: [{ value: '5511977776666' }, {}] }] }])
  expect(eventsOf('group-subject')).toMatchObject([{ subject: 'Vizinhos da rua', members: [] }])
})

test('that a customer is writing is told', async () => {
  await ana.types()
  await ana.types(false)
  expect(receiver.events()).toMatchObject([
    { kind: 'typing', isTyping: true },
    { kind: 'typing', isTyping: false },
  ])
})

test('a file is gone after thirty days, and one that never came has no address', async () => {
  await ana.sendMedia('image', sampleMedia('image'))
  const [event] = receiver.events()
  const source = event?.kind === 'message' ? (event.content.media?.source ?? {}) : {}
  simulator.expireFiles()
  for (const one of [source, {}])
    await expect(zapi.fetchMedia?.(one, context)).rejects.toMatchObject({
      outcome: 'final',
      message: expect.stringContaining('30 dias'),
    })
  expect(eventsOf('image-lost')).toMatchObject([{ content: { type: 'image', media: { source: {} } } }])
})

test('a large file goes by its address where Z-API can fetch it, in the call where it cannot', async () => {
  const bytes = Buffer.alloc(9_000_000, 7)
  const media = { name: 'filme.mp4', mime: 'video/mp4', size: bytes.length, bytes: async () => bytes }
  const url = () => receiver.offer(bytes, 'video/mp4')
  for (const file of [{ ...media, url }, media]) {
    await zapi.send(outbound({ type: 'video', media: file }), context)
    const { body } = simulator.requests.findLast(({ path }) => path.endsWith('/send-video')) ?? {}
    const { video }: { video?: string } = Object(body)
    expect(video?.startsWith('http')).toBe('url' in file)
    await simulator.idle()
    expect(ana.inbox.at(-1)?.media?.bytes.equals(bytes)).toBe(true)
  }
})

test('several contacts of a customer are all there, in either form', () => {
  const names = (payload: unknown) =>
    split(payload).flatMap((piece) =>
      parse(piece.payload).map((event) => event.kind === 'message' && event.content.contacts?.map(({ name }) => name)),
    )
  const told: { contacts: { contacts: unknown[] } } = Object(fixture('zapi', 'contacts'))
  expect(names(told)).toEqual([['Bruno Lima', 'Carla Dias']])
  expect(names({ ...told, contacts: told.contacts.contacts })).toEqual([['Bruno Lima', 'Carla Dias']])
})

test('a document keeps its name and its ending; several contacts go in one message', async () => {
  const bytes = Buffer.from('%PDF')
  const media = { name: 'Pedido 12.v2.PDF', mime: 'application/pdf', size: 4, bytes: async () => bytes }
  await zapi.send(outbound({ type: 'document', media }), context)
  await simulator.idle()
  expect(ana.inbox.at(-1)?.media?.filename).toBe('Pedido 12.v2.pdf')
  const contacts = ['Bruno', 'Carla'].map((name) => ({ name, phones: ['+55 11 97777-6666'], emails: [] }))
  await zapi.send(outbound({ type: 'contact', contacts }), context)
  await simulator.idle()
  expect(ana.inbox.at(-1)?.cards?.map(({ name }) => name)).toEqual(['Bruno', 'Carla'])
})

describe('a partner of Z-API', async () => {
  const partnerToken = 'token-de-parceiro-0001'
  const account = await startZapiSimulator({
    clientToken: 'seguranca-da-conta',
    partnerToken,
    delivery: { retryDelaysMs: [] },
  })
  afterAll(account.close)
  const paths = () => account.requests.map(({ method, path }) => `${method} ${path.replace(/token\/\w+/, 'token/…')}`)
  const fresh = (config: object = {}): ChannelContext<'zapi'> => ({
    ...context,
    connectionId: v7(),
    config: { clientToken: 'seguranca-da-conta', partnerToken, baseUrl: account.url, ...config },
  })
  /** As it is stored after it was made. */
  const opened = async () => {
    const begun = fresh()
    const { config } = await zapi.connect(begun)
    return { ...begun, config: { ...begun.config, ...config } }
  }
  beforeEach(() => {
    account.faults.clear()
    account.expire()
    account.requests.length = 0
  })

  test('has an instance made for a channel, and heard by it; asked again it is the same', async () => {
    const begun = fresh()
    const { config, login } = await zapi.connect(begun)
    expect(config?.instanceId).toMatch(/^\w{32}$/)
    expect(login?.qr).toBeTruthy()
    expect(new Set(Object.values(account.instance.hooks))).toEqual(new Set([hookUrl(begun)]))
    const again = await zapi.connect(begun)
    expect(again.config).toEqual(config)
    expect(paths().filter((one) => one === 'POST /instances/integrator/on-demand')).toHaveLength(1)
  })

  test('pays for it once a phone is linked, and never twice', async () => {
    const ours = await opened()
    expect(await zapi.check?.(ours)).toMatchObject({ standing: { status: 'DISCONNECTED' } })
    expect(account.instance.paymentStatus).toBe('TRIAL')
    await account.scan()
    for (const _ of ['now', 'a minute later'])
      expect(await zapi.check?.(ours)).toMatchObject({ problem: null, standing: { status: 'CONNECTED' } })
    expect(account.instance.paymentStatus).toBe('PAID')
    expect(paths().filter((one) => one.endsWith('/subscription'))).toHaveLength(1)
  })

  test('is told while it is not paid for', async () => {
    const ours = await opened()
    await account.scan()
    account.faults.next({
      status: 400,
      body: { error: 'limit reached' },
      match: ({ path }) => /subscription/.test(path),
    })
    const { problem } = (await zapi.check?.(ours)) ?? {}
    expect(problem).toContain('não assinou')
    expect((await zapi.check?.(ours))?.problem).toBeNull()
  })

  test('gives it up with its channel, the phone first; a trial goes by itself', async () => {
    await zapi.disconnect?.(await opened())
    expect(paths().some((one) => one.endsWith('/cancel'))).toBe(false)
    account.expire()
    const ours = await opened()
    await account.scan()
    await zapi.check?.(ours)
    await zapi.disconnect?.(ours)
    expect(account.instance).toMatchObject({ connected: false, paymentStatus: 'CANCELED', hooks: {} })
  })

  test('has another made where nobody linked the first in time', async () => {
    const ours = await opened()
    account.expire()
    const { config } = (await zapi.link?.({}, ours)) ?? {}
    expect(config?.instanceId).toBeTruthy()
    expect(config?.instanceId).not.toBe(ours.config.instanceId)
  })

  test('leaves an instance of the customer alone, and without a token says what is missing', async () => {
    const ours = await opened()
    account.expire()
    const without = { ...ours, config: { ...ours.config, partnerToken: undefined } }
    await expect(zapi.connect(without)).rejects.toMatchObject({ isConnectionBroken: true })
    await expect(zapi.connect(fresh({ partnerToken: undefined }))).rejects.toMatchObject({
      forAdmin: { text: expect.stringContaining('token de parceiro') },
    })
    await expect(zapi.connect(fresh({ partnerToken: 'outro' }))).rejects.toMatchObject({ isConnectionBroken: true })
    expect(paths().filter((one) => one === 'POST /instances/integrator/on-demand')).toHaveLength(1)

    const theirs = await opened()
    await account.scan()
    const asOthers = { ...theirs, connectionId: v7() }
    await zapi.disconnect?.(asOthers)
    expect(account.instance).toMatchObject({ connected: true, paymentStatus: 'TRIAL' })
  })
})
