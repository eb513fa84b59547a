import '../../../test/kit.ts' // an environment of its own, before anything reads it
import { startEvolutionSimulator } from '@balcao/simulators/evolution.ts'
import { fixture } from '@balcao/simulators/fixtures.ts'
import { v7 } from 'uuid'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createEgress } from '../../kit/egress.ts'
import type { ChannelContext, Outbound } from '../adapter.ts'
import { startReceiver, wholeOf } from '../conformance.receiver.ts'
import { evolution } from './adapter.ts'
import { parse } from './parse.ts'
import { split } from './split.ts'

const apiKey = 'chave-global-de-teste-0123456789'
const simulator = await startEvolutionSimulator({ globalKey: apiKey, qrLimit: 3, delivery: { retryDelaysMs: [] } })
const receiver = await startReceiver(evolution)
const egress = createEgress({ allow: ['127.0.0.1'] })
const contextOf = (config: Partial<ChannelContext<'evolution'>['config']> = {}): ChannelContext<'evolution'> => ({
  tenantId: 7,
  connectionId: v7(),
  config: { baseUrl: `${simulator.url}/`, apiKey, integration: 'WHATSAPP-BAILEYS', ...config },
  hookSecret: 'segredo-do-gancho',
  webhookUrl: receiver.url,
  egress,
  http: egress.http,
})
afterAll(async () => {
  await simulator.close()
  await receiver.close()
})
beforeEach(async () => {
  simulator.faults.clear()
  await simulator.idle()
  receiver.clear()
})
/** A connection whose phone is linked: only one at a time has it. */
const linked = async () => {
  const context = contextOf()
  receiver.use(context)
  const { config } = await evolution.connect(context)
  const named = { ...context, config: { ...context.config, ...config } }
  receiver.use(named)
  const name = config?.instanceName ?? ''
  await simulator.scan(name)
  await simulator.idle()
  receiver.clear()
  return { context: named, name, end: () => simulator.drop(name, 401) }
}
const eventsOf = (name: string) => split(fixture('evolution', name)).flatMap(({ payload }) => parse(payload))
const outbound = (more: Partial<Outbound>): Outbound => ({
  id: v7(),
  to: [{ kind: 'phone', value: '5511988887777' }],
  type: 'text',
  body: '',
  media: null,
  location: null,
  contacts: [],
  quotedProviderId: null,
  ...more,
})

describe('an instance', () => {
  test('is made with its webhook and everything told, shows a code, and is not made twice', async () => {
    const context = contextOf()
    receiver.use(context)
    const first = await evolution.connect(context)
    expect(first).toMatchObject({
      status: 'OPENING',
      text: 'Leia o código com o WhatsApp do telefone.',
      login: { qr: expect.stringMatching(/^2@/), lastsSeconds: 60 },
      config: { instanceName: `balcao-7-${context.connectionId.replaceAll('-', '').slice(-12)}` },
    })
    const made = simulator.instances.get(first.config?.instanceName ?? '')
    expect(made).toMatchObject({
      webhook: { enabled: true, url: receiver.url, base64: false, events: [] },
      settings: { groupsIgnore: false, rejectCall: false, readMessages: false },
    })
    expect(made?.token).toMatch(/^[0-9a-f]{64}$/)
    expect(made?.token).not.toContain(context.hookSecret)
    const before = simulator.instances.size
    expect(await evolution.connect(context)).toMatchObject({ login: { qr: first.login?.qr } })
    expect(simulator.instances.size).toBe(before)
    expect(evolution.accountOf?.(context.config)).toBeUndefined()
    const named = { ...context.config, ...first.config }
    expect(evolution.accountOf?.(named)?.id).toBe(`${new URL(simulator.url).host}/${named.instanceName}`)
  })

  test('its codes follow each other, and nobody who scans too late is told so', async () => {
    const context = contextOf()
    receiver.use(context)
    const { config, login } = await evolution.connect(context)
    const name = config?.instanceName ?? ''
    await simulator.rotate(name)
    await simulator.idle()
    expect(receiver.events()).toContainEqual({ kind: 'standing' })
    const next = await evolution.check?.(context)
    expect(next?.standing).toMatchObject({ status: 'OPENING', login: { lastsSeconds: 20 } })
    expect(next?.standing?.login?.qr).not.toBe(login?.qr)
    await expect(simulator.scan(name, login?.qr)).rejects.toThrow('over')
    for (const _ of [3, 'refused']) await simulator.rotate(name)
    expect((await evolution.check?.(context))?.standing).toEqual({
      status: 'DISCONNECTED',
      text: 'Ninguém leu o código a tempo. Gere um novo quando estiver com o telefone à mão.',
    })
    expect(await evolution.link?.({}, context)).toMatchObject({ status: 'OPENING', login: { qr: expect.any(String) } })
  })

  test('a login that draws no code is begun afresh, and says that the code comes', async () => {
    const context = contextOf()
    receiver.use(context)
    simulator.faults.next({ status: 200, body: { count: 0 }, match: '/instance/connect/', times: 4 })
    expect(await evolution.connect(context)).toMatchObject({
      status: 'OPENING',
      text: expect.stringContaining('preparando o código'),
    })
    expect(simulator.requests.some(({ path }) => path.startsWith('/instance/restart/'))).toBe(true)
    expect(await evolution.link?.({}, context)).toMatchObject({ login: { qr: expect.any(String) } })
  })

  test('a number gets a code to type, whatever login was under way', async () => {
    const context = contextOf()
    receiver.use(context)
    await evolution.connect(context)
    expect(await evolution.link?.({ phone: '5511940001000' }, context)).toMatchObject({
      status: 'OPENING',
      login: { pairingCode: expect.stringMatching(/^[0-9A-F]{8}$/) },
      text: expect.stringContaining('digite o código'),
    })
  })

  test.each([
    [401, 'O telefone desconectou este canal.'],
    [403, 'O WhatsApp bloqueou este número.'],
    [402, 'O WhatsApp restringiu este número'],
  ])('what ends the link (%i) is said in its own sentence, and that it is back is told', async (reason, sentence) => {
    const { context, name, end } = await linked()
    await simulator.drop(name, reason)
    await simulator.idle()
    expect(receiver.events()).toContainEqual({ kind: 'standing' })
    const health = await evolution.check?.(context)
    expect(health?.standing).toMatchObject({ status: 'DISCONNECTED', text: expect.stringContaining(sentence) })
    receiver.clear()
    const { login } = (await evolution.link?.({}, context)) ?? {}
    await simulator.scan(name, login?.qr)
    await simulator.idle()
    expect(receiver.events()).toContainEqual(expect.objectContaining({ kind: 'connection', status: 'CONNECTED' }))
    expect((await evolution.check?.(context))?.standing).toMatchObject({
      status: 'CONNECTED',
      account: { number: '5511940001000', name: 'Loja de Teste' },
    })
    await end()
  })

  test('one that was lost is made again; one whose webhook is another says so, and is set right', async () => {
    const { context, name } = await linked()
    const made = simulator.instances.get(name)
    if (made) made.webhook = { enabled: true, url: 'https://outro.example.com/aviso' }
    expect((await evolution.check?.(context))?.problem).toContain('o webhook da instância é outro')
    await evolution.connect(context)
    expect(await evolution.check?.(context)).toMatchObject({ problem: null })
    simulator.forget(name)
    await expect(evolution.check?.(context)).rejects.toMatchObject({ isConnectionBroken: true })
    expect(await evolution.link?.({}, context)).toMatchObject({ status: 'OPENING' })
    expect(simulator.instances.has(name)).toBe(true)
  })

  test('goes with its channel when it is ours, else only stops calling us', async () => {
    const { context, name } = await linked()
    await evolution.disconnect?.(context)
    expect(simulator.instances.has(name)).toBe(false)
    await fetch(`${simulator.url}/instance/create`, {
      method: 'POST',
      headers: { apikey: apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ instanceName: 'loja-antiga', token: 'chave-da-loja-antiga' }),
    })
    const theirs = contextOf({ instanceName: 'loja-antiga', apiKey: 'chave-da-loja-antiga' })
    receiver.use(theirs)
    expect(await evolution.connect(theirs)).toMatchObject({
      status: 'OPENING',
      config: { instanceName: 'loja-antiga' },
    })
    await evolution.disconnect?.(theirs)
    expect(simulator.instances.get('loja-antiga')?.webhook).toMatchObject({ enabled: false })
  })

  test('a key that makes no instances, and an address that is no Evolution, are said for who typed them', async () => {
    await expect(evolution.connect(contextOf({ apiKey: 'outra-chave' }))).rejects.toMatchObject({
      isConnectionBroken: true,
      forAdmin: { mistyped: expect.stringContaining('Use a chave global') },
    })
    simulator.faults.next({ status: 200, body: '<html>Olá</html>' })
    await expect(evolution.connect(contextOf())).rejects.toMatchObject({
      forAdmin: { text: expect.stringContaining('não responde como um servidor Evolution') },
    })
  })
})

test('tells its phone’s own book, and the groups it is in', async () => {
  const { context, end } = await linked()
  simulator.customer({ phone: '5531987651111', name: 'Da Agenda' })
  const group = simulator.group('Família', [simulator.customer({ phone: '5511988881234', name: 'Tia' })])
  const people = await evolution.phoneBook?.({ of: 'people' }, context)
  expect(people).toContainEqual({ identities: [{ kind: 'phone', value: '5531987651111' }], name: 'Da Agenda' })
  expect(people?.some(({ identities }) => identities.some(({ kind }) => kind === 'group'))).toBe(false)
  const value = String(Object(group).jid ?? Object(group).id).replace(/(@g.us|-group)$/, '')
  expect(await evolution.phoneBook?.({ of: 'groups' }, context)).toContainEqual({
    identities: [{ kind: 'group', value }],
    name: 'Família',
  })
  await end()
})

test('numbers are looked for under both of their names, and told by both identities', async () => {
  const { context, end } = await linked()
  const ana = simulator.customer({ phone: '5531987654321', name: 'Ana' })
  simulator.customer({ phone: '5511900000000', isOnWhatsApp: false })
  const told = await evolution.numbers?.({ numbers: ['5531987654321', '5511900000000'] }, context)
  expect(told).toEqual([
    {
      number: '5531987654321',
      exists: true,
      identities: [
        { kind: 'phone', value: '5531987654321' },
        { kind: 'lid', value: ana.lid },
      ],
    },
    { number: '5511900000000', exists: false, identities: [] },
  ])
  await end()
})

test('somebody shows a name and a picture, a group its subject, its members and who leads it', async () => {
  const { context, end } = await linked()
  const ana = simulator.customer({ phone: '5511988887777', name: 'Ana Souza' })
  const group = simulator.group('Vizinhos', [ana, simulator.customer({ phone: '5511977776666', name: 'Bruno' })])
  expect(await evolution.profile?.({ to: [{ kind: 'phone', value: ana.phone }] }, context)).toEqual({
    name: 'Ana Souza',
    pictureUrl: expect.stringMatching(/\/faces\/5511988887777$/),
  })
  const to = [{ kind: 'group' as const, value: group.jid.replace('@g.us', '') }]
  expect(await evolution.profile?.({ to }, context)).toEqual({
    name: 'Vizinhos',
    isAdminsOnly: false,
    pictureUrl: undefined,
  })
  expect(await evolution.participants?.({ to }, context)).toMatchObject([
    { id: '5511988887777', name: 'Ana Souza', isAdmin: true },
    { id: '5511977776666', name: 'Bruno', isAdmin: false },
  ])
  await expect(evolution.participants?.({ to: [{ kind: 'group', value: '1' }] }, context)).rejects.toMatchObject({
    outcome: 'final',
    isUnreachable: true,
  })
  await end()
})

test('a customer’s edit and the message she took back are told', async () => {
  const { end } = await linked()
  const ana = simulator.customer({ phone: '5511988887777' })
  const id = await ana.sendText('R$ 10')
  await ana.edit(id, 'R$ 12')
  await ana.takeBack(id)
  await simulator.idle()
  expect(receiver.events()).toMatchObject([
    { kind: 'message', providerId: id },
    { kind: 'edit', providerId: id, body: 'R$ 12' },
    { kind: 'delete', providerId: id },
  ])
  await end()
})

test('a large file goes by its address where Evolution can fetch it, in the call where it cannot', async () => {
  const { context, end } = await linked()
  const bytes = Buffer.alloc(9_000_000, 7)
  const media = { name: 'filme.mp4', mime: 'video/mp4', size: bytes.length, bytes: async () => bytes }
  const url = () => receiver.offer(bytes, 'video/mp4')
  for (const file of [{ ...media, url }, media]) {
    await evolution.send(outbound({ type: 'video', media: file }), context)
    const { body } = simulator.requests.findLast(({ path }) => path.includes('/sendMedia')) ?? {}
    const { media: carried }: { media?: string } = Object(body)
    expect(carried?.startsWith('http')).toBe('url' in file)
    const { inbox } = simulator.customer({ phone: '5511988887777' })
    expect(inbox.at(-1)?.media?.bytes.equals(bytes)).toBe(true)
  }
  await end()
})

test('somebody with several phones goes with all of them', async () => {
  const { context, end } = await linked()
  const ana = simulator.customer({ phone: '5511988887777', name: 'Ana' })
  const phones = ['+55 11 97777-6666', '+55 11 3333-4444']
  await evolution.send(outbound({ type: 'contact', contacts: [{ name: 'Bruno', phones, emails: [] }] }), context)
  await simulator.idle()
  expect(ana.inbox.at(-1)?.cards).toEqual(phones.map((phone) => ({ name: 'Bruno', phone })))
  await end()
})

test('whoever is known by an id alone is written to by it', async () => {
  const { context, end } = await linked()
  const davi = simulator.customer({ phone: '5511955554444', lid: '88812345678901' })
  await evolution.send(outbound({ to: [{ kind: 'lid', value: davi.lid }], body: 'Oi, Davi' }), context)
  expect(davi.inbox.at(-1)).toMatchObject({ text: 'Oi, Davi' })
  await end()
})

test('what is called a phone number but is an id is no phone', () => {
  expect(eventsOf('group-promote')).toMatchObject([
    { change: 'promoted', members: [{ identities: [{ kind: 'lid', value: '77712345678901' }] }] },
  ])
  expect(eventsOf('group-add')).toMatchObject([
    { members: [{ name: 'Ana Souza', identities: [{ kind: 'phone', value: '5511988887777' }, { kind: 'lid' }] }] },
  ])
})

test('a repeated call is one event; the same change at another time is another', () => {
  const keyAt = (date_time: string) => {
    const whole: object = Object(fixture('evolution', 'group-add'))
    return split({ ...whole, date_time })[0]?.key
  }
  expect(keyAt('2026-11-20T17:00:00.000Z')).toBe(keyAt('2026-11-20T17:00:00.000Z'))
  expect(keyAt('2026-11-20T17:00:00.000Z')).not.toBe(keyAt('2026-11-20T17:05:00.000Z'))
  const keys = ['update-server-ack', 'update-delivered', 'send-message'].map(
    (name) => split(fixture('evolution', name))[0]?.key,
  )
  expect(new Set(keys).size).toBe(3)
})

test('the clock of a server in Brazil, called UTC, is read as what it is', () => {
  const now = Date.now()
  const told = new Date(now - 3 * 3_600_000).toISOString()
  const [piece] = split({ ...Object(fixture('evolution', 'group-add')), date_time: told })
  const [event] = parse(piece?.payload)
  expect(event).toMatchObject({ kind: 'group', at: new Date(now) })
})

test('years of talk come in pieces a journal can hold', () => {
  const one = {
    key: { id: 'x', remoteJid: '5511988887777@s.whatsapp.net', fromMe: false },
    message: { conversation: 'oi' },
  }
  const data = Array.from({ length: 450 }, (_, at) => ({
    ...one,
    key: { ...one.key, id: `H${at}` },
    messageTimestamp: at,
  }))
  const pieces = split({ event: 'messages.set', data })
  expect(pieces.map(({ payload }) => parse(payload)[0])).toMatchObject([
    { kind: 'history', messages: { length: 200 } },
    { kind: 'history', messages: { length: 200 } },
    { kind: 'history', messages: { length: 50 } },
  ])
})

describe('an instance on Meta’s API', () => {
  test('what it tells is quoted, and its files are named by Meta’s id', () => {
    expect(eventsOf('cloud-text')).toMatchObject([
      { quotedProviderId: 'wamid.A', content: { body: 'Pela API da Meta' } },
    ])
    expect(eventsOf('cloud-image')).toMatchObject([
      { content: { type: 'image', body: 'Foto', media: { source: { graphId: '999888777' }, mime: 'image/jpeg' } } },
    ])
    expect(eventsOf('cloud-voice')).toMatchObject([{ content: { type: 'audio', media: { isVoice: true } } }])
  })

  test('is made with the number, the account and the token of Meta, and needs no code', async () => {
    const context = contextOf({
      integration: 'WHATSAPP-BUSINESS',
      phoneNumberId: '106540352242922',
      businessId: '102290129340398',
      metaToken: 'EAAB-token-de-teste-0123456789',
    })
    receiver.use(context)
    expect(await evolution.connect(context)).toMatchObject({ status: 'CONNECTED' })
    const asked = simulator.requests.findLast(({ path }) => path === '/instance/create')
    expect(asked?.body).toMatchObject({
      integration: 'WHATSAPP-BUSINESS',
      number: '106540352242922',
      businessId: '102290129340398',
      token: 'EAAB-token-de-teste-0123456789',
    })
    await evolution.disconnect?.(context)
  })

  test('a template with a file in its header takes it to Meta first, and one that has nothing to fill in goes as it is', async () => {
    const context = contextOf({
      integration: 'WHATSAPP-BUSINESS',
      phoneNumberId: '106540352242922',
      metaToken: 'EAAB-token-de-teste-0123456789',
      graphUrl: `${simulator.url}/v25.0`,
    })
    await evolution.connect(context)
    const said = { name: 'boleto', language: 'pt_BR', body: [], header: [], buttons: {} }
    const shape = { header: null, body: { text: 'Oi', places: [] }, footer: '', buttons: [] }
    const asked = () => simulator.requests.findLast(({ path }) => path.startsWith('/message/sendTemplate'))?.body
    simulator.faults.next({ status: 200, body: { id: '5544' }, match: '/v25.0/106540352242922/media' })
    const bytes = async () => Buffer.from('boleto')
    const media = { name: 'boleto.pdf', mime: 'application/pdf', size: 6, bytes }
    const header = { kind: 'document' as const, text: '', places: [] }
    const withFile = outbound({ type: 'template', template: { ...said, shape: { ...shape, header } }, media })
    await evolution.send(withFile, context).catch(() => undefined)
    expect(asked()).toMatchObject({
      components: [
        { type: 'header', parameters: [{ type: 'document', document: { id: '5544', filename: 'boleto.pdf' } }] },
      ],
    })
    await evolution.send(outbound({ type: 'template', template: { ...said, shape } }), context).catch(() => undefined)
    expect(asked()).toMatchObject({ name: 'boleto', language: 'pt_BR', components: [] })
    await evolution.disconnect?.(context)
  })

  test('a file is had from Meta, with the token for Meta alone', async () => {
    const bytes = Buffer.from('foto')
    const address = receiver.offer(bytes, 'image/jpeg')
    simulator.faults.next({ status: 200, body: { url: address, mime_type: 'image/jpeg' }, match: '/v25.0/999888777' })
    const context = contextOf({
      integration: 'WHATSAPP-BUSINESS',
      metaToken: 'EAAB-token-de-teste-0123456789',
      graphUrl: `${simulator.url}/v25.0`,
    })
    const got = await evolution.fetchMedia?.({ graphId: '999888777' }, context)
    expect((await wholeOf(got))?.equals(bytes)).toBe(true)
    await expect(evolution.fetchMedia?.({ graphId: '404' }, context)).rejects.toMatchObject({ outcome: 'final' })
  })
})
