import '../../../test/kit.ts' // an environment of its own, before anything reads it
import { fixture } from '@balcao/simulators/fixtures.ts'
import { startUazapiSimulator } from '@balcao/simulators/uazapi.ts'
import { v7 } from 'uuid'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createEgress } from '../../kit/egress.ts'
import type { ChannelContext, Outbound } from '../adapter.ts'
import { startReceiver } from '../conformance.receiver.ts'
import { uazapi } from './adapter.ts'
import { parse } from './parse.ts'
import { split } from './split.ts'

const adminToken = 'token-de-administrador'
const simulator = await startUazapiSimulator({ adminToken, most: 3, delivery: { retryDelaysMs: [] } })
const receiver = await startReceiver(uazapi)
const egress = createEgress({ allow: ['127.0.0.1'] })
type Config = ChannelContext<'uazapi'>['config']
const contextOf = (config: Partial<Config> = { adminToken }): ChannelContext<'uazapi'> => ({
  tenantId: 7,
  connectionId: v7(),
  config: { baseUrl: `${simulator.url}/`, ...config },
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
  for (const { name, status } of [...simulator.instances])
    if (status !== 'disconnected') await simulator.drop(name, 'manual disconnect')
})
/** As after `connect`: with what was learned. */
const opened = async () => {
  const context = contextOf()
  const first = await uazapi.connect(context)
  const named = { ...context, config: { ...context.config, ...first.config } }
  receiver.use(named)
  const made = simulator.instances.find(({ token }) => token === first.config?.token)
  if (!made) throw new Error('no instance was made')
  return { context: named, first, made }
}
/** A connection whose phone is linked: only one at a time has it. */
const linked = async () => {
  const { context, made } = await opened()
  await simulator.scan(made.name)
  await simulator.idle()
  receiver.clear()
  return { context, made }
}
const eventsOf = (name: string) => split(fixture('uazapi', name)).flatMap(({ payload }) => parse(payload))
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
  test('is made by the administrator’s token, told to tell everything, and is not made twice', async () => {
    const { context, first, made } = await opened()
    expect(first).toMatchObject({
      status: 'OPENING',
      text: 'Leia o código com o WhatsApp do telefone.',
      login: { qr: expect.stringMatching(/^data:image\/png/), lastsSeconds: 60 },
    })
    expect(made.name).toBe(`balcao-7-${context.connectionId.replaceAll('-', '').slice(-12)}`)
    expect(made.webhooks).toMatchObject([{ enabled: true, url: receiver.url, excludeMessages: [] }])
    const before = simulator.instances.length
    // Also when what was learned was never kept.
    const forgotten = { ...context, config: { baseUrl: context.config.baseUrl, adminToken } }
    for (const again of [context, forgotten])
      expect(await uazapi.connect(again)).toMatchObject({ login: { qr: first.login?.qr }, config: first.config })
    expect(simulator.instances).toHaveLength(before)
    expect(made.webhooks).toHaveLength(1)
  })

  test('is one account by its token, which its name does not tell', () => {
    const named = uazapi.accountOf?.({ baseUrl: 'https://loja.uazapi.com', token: 'token-da-instancia' })
    expect(named).toMatchObject({ id: expect.stringMatching(/^loja\.uazapi\.com\/[\w-]{43}$/), field: 'token' })
    expect(uazapi.accountOf?.({ baseUrl: 'https://loja.uazapi.com' })).toBeUndefined()
  })

  test('its codes follow each other, and nobody who scans too late is told so', async () => {
    const { context, first, made } = await opened()
    await simulator.rotate(made.name)
    await simulator.idle()
    expect(receiver.events()).toContainEqual({ kind: 'standing' })
    const next = await uazapi.check?.(context)
    expect(next?.standing).toMatchObject({ status: 'OPENING', login: { lastsSeconds: 20 } })
    expect(next?.standing?.login?.qr).not.toBe(first.login?.qr)
    await simulator.expire(made.name)
    expect((await uazapi.check?.(context))?.standing).toEqual({
      status: 'DISCONNECTED',
      text: 'Ninguém leu o código a tempo. Gere um novo quando estiver com o telefone à mão.',
    })
    expect(await uazapi.link?.({}, context)).toMatchObject({ status: 'OPENING', login: { qr: expect.any(String) } })
  })

  test('a number gets a code to type, whatever login was under way', async () => {
    const { context } = await opened()
    const typed = {
      status: 'OPENING',
      login: { pairingCode: expect.stringMatching(/^[0-9A-F]{8}$/), lastsSeconds: 300 },
      text: expect.stringContaining('digite o código'),
    }
    expect(await uazapi.link?.({ phone: '5511940001000' }, context)).toMatchObject(typed)
    expect((await uazapi.check?.(context))?.standing).toMatchObject(typed)
    expect(await uazapi.link?.({}, context)).toMatchObject({ status: 'OPENING', login: { qr: expect.any(String) } })
  })

  test.each([
    ['401: logged out from another device', 'O telefone desconectou este canal.'],
    ['403: primary device was banned', 'O WhatsApp bloqueou este número.'],
    ['manual disconnect', 'O telefone desconectou este canal.'],
  ])('what ends the link (%s) is said in its own sentence, and that it is back is told', async (reason, sentence) => {
    const { context, made } = await linked()
    await simulator.drop(made.name, reason)
    await simulator.idle()
    expect(receiver.events()).toEqual([{ kind: 'standing' }])
    const health = await uazapi.check?.(context)
    expect(health?.standing).toMatchObject({ status: 'DISCONNECTED', text: expect.stringContaining(sentence) })
    receiver.clear()
    const { login } = (await uazapi.link?.({}, context)) ?? {}
    await simulator.scan(made.name, login?.qr)
    await simulator.idle()
    expect(receiver.events()).toContainEqual(expect.objectContaining({ kind: 'connection', status: 'CONNECTED' }))
    expect((await uazapi.check?.(context))?.standing).toMatchObject({
      status: 'CONNECTED',
      account: { number: '5511940001000', name: 'Loja de Teste' },
    })
  })

  test('one that was deleted is made again; a webhook that was changed says so, and is set right beside others', async () => {
    const { context, made } = await linked()
    const theirs = {
      id: 'r0',
      enabled: true,
      url: 'https://outro.example.com/x',
      events: ['messages'],
      excludeMessages: [],
    }
    const [ours] = made.webhooks
    for (const kept of [[], [{ ...ours, enabled: false }], [{ ...ours, excludeMessages: ['fromMeNo'] }]]) {
      made.webhooks = [theirs, ...(kept as typeof made.webhooks)]
      expect((await uazapi.check?.(context))?.problem).toContain('o webhook da instância')
      await uazapi.connect(context)
      expect(await uazapi.check?.(context)).toMatchObject({ problem: null })
      expect(made.webhooks).toHaveLength(2)
      expect(made.webhooks).toContainEqual(theirs)
    }
    made.token = 'foi-trocado-no-painel'
    await expect(uazapi.check?.(context)).rejects.toMatchObject({ isConnectionBroken: true })
    for (const again of [uazapi.connect(context), uazapi.link?.({}, context)])
      expect(await again).toMatchObject({ status: 'CONNECTED', config: { token: made.token } })
  })

  test('goes with its channel when it is ours, else only stops calling us', async () => {
    const { context, made } = await linked()
    await uazapi.disconnect?.(context)
    expect(simulator.instances).not.toContain(made)
    const theirs = simulator.init('loja-antiga', 'token-da-loja-antiga')
    const other = contextOf({ token: theirs.token })
    expect(await uazapi.connect(other)).toMatchObject({ status: 'OPENING', config: { token: theirs.token } })
    expect(theirs.webhooks).toHaveLength(1)
    await uazapi.disconnect?.(other)
    expect(theirs.webhooks).toEqual([])
    expect(simulator.instances).toContain(theirs)
  })

  test('a full server, no token, a wrong one and an address that is no uazapi are said for who typed them', async () => {
    const full = [simulator.init('a'), simulator.init('b'), simulator.init('c')]
    for (const { name } of full) await simulator.open(name)
    await expect(uazapi.connect(contextOf())).rejects.toMatchObject({
      outcome: 'retry',
      forAdmin: { text: expect.stringContaining('limite de números') },
    })
    await expect(uazapi.connect(contextOf({}))).rejects.toMatchObject({
      forAdmin: { text: 'Informe o token da instância ou o token de administrador.' },
    })
    for (const config of [{ token: 'outro-token' }, { adminToken: 'outro-token' }])
      await expect(uazapi.connect(contextOf(config))).rejects.toMatchObject({
        isConnectionBroken: true,
        forAdmin: { mistyped: expect.stringContaining('não aceita este token') },
      })
    simulator.faults.next({ status: 200, body: '<html>Olá</html>' })
    await expect(uazapi.connect(contextOf({ token: full[0]?.token }))).rejects.toMatchObject({
      forAdmin: { text: expect.stringContaining('não responde como um servidor da uazapi') },
    })
  })
})

describe('an instance that is linked', () => {
  test('tells its phone’s own book, and the groups it is in', async () => {
    const { context } = await linked()
    simulator.customer({ phone: '5531987651111', name: 'Da Agenda' })
    const group = simulator.group('Família', [simulator.customer({ phone: '5511988881234', name: 'Tia' })])
    const people = await uazapi.phoneBook?.({ of: 'people' }, context)
    expect(people).toContainEqual({ identities: [{ kind: 'phone', value: '5531987651111' }], name: 'Da Agenda' })
    expect(people?.some(({ identities }) => identities.some(({ kind }) => kind === 'group'))).toBe(false)
    const value = String(Object(group).jid ?? Object(group).id).replace(/(@g.us|-group)$/, '')
    expect(await uazapi.phoneBook?.({ of: 'groups' }, context)).toContainEqual({
      identities: [{ kind: 'group', value }],
      name: 'Família',
    })
  })

  test('knows numbers under both of their names, by both identities', async () => {
    const { context } = await linked()
    const ana = simulator.customer({ phone: '5531987654321', name: 'Ana' })
    simulator.customer({ phone: '5511900000000', isOnWhatsApp: false })
    expect(await uazapi.numbers?.({ numbers: ['5531987654321', '5511900000000'] }, context)).toEqual([
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
    const to = [{ kind: 'phone' as const, value: '5511900000000' }]
    await expect(uazapi.send(outbound({ to, body: 'oi' }), context)).rejects.toMatchObject({ isUnreachable: true })
  })

  test('shows somebody’s name and picture, a group’s subject, its members and who leads it', async () => {
    const { context } = await linked()
    const ana = simulator.customer({ phone: '5511988887777', name: 'Ana Souza' })
    const group = simulator.group('Vizinhos', [ana, simulator.customer({ phone: '5511977776666', name: 'Bruno' })])
    expect(await uazapi.profile?.({ to: [{ kind: 'phone', value: ana.phone }] }, context)).toEqual({
      name: 'Ana Souza',
      pictureUrl: expect.stringMatching(/\/faces\/5511988887777$/),
    })
    const to = [{ kind: 'group' as const, value: group.jid.replace('@g.us', '') }]
    expect(await uazapi.profile?.({ to }, context)).toEqual({
      name: 'Vizinhos',
      description: '',
      isAdminsOnly: false,
      pictureUrl: undefined,
    })
    expect(await uazapi.participants?.({ to }, context)).toMatchObject([
      { id: '5511988887777', name: null, isAdmin: true },
      { id: '5511977776666', name: null, isAdmin: false },
    ])
    await expect(uazapi.participants?.({ to: [{ kind: 'group', value: '1' }] }, context)).rejects.toMatchObject({
      outcome: 'final',
      isUnreachable: true,
    })
  })

  test('tells a customer’s edit, what she took back, and who came into a group', async () => {
    await linked()
    const ana = simulator.customer({ phone: '5511988887777', lid: '77712345678901' })
    const id = await ana.sendText('R$ 10')
    await ana.edit(id, 'R$ 12')
    await ana.takeBack(id)
    const group = simulator.group('Vizinhos', [ana])
    await simulator.tellGroup(group, { Join: [ana.jid], JoinLid: [`${ana.lid}@lid`] })
    await simulator.idle()
    expect(receiver.events()).toMatchObject([
      { kind: 'message', providerId: id, from: { identities: [{ kind: 'phone' }, { kind: 'lid' }] } },
      { kind: 'edit', providerId: id, body: 'R$ 12' },
      { kind: 'delete', providerId: id },
      {
        kind: 'group',
        change: 'joined',
        members: [{ identities: [{ kind: 'phone', value: ana.phone }, { kind: 'lid' }] }],
      },
    ])
  })

  test('finds a message that was accepted and never answered; of one it does not know it says nothing', async () => {
    const { context } = await linked()
    const ana = simulator.customer({ phone: '5511988887777' })
    const message = outbound({ body: 'chegou?' })
    simulator.faults.next({ afterAccepting: true, match: '/send/text' })
    await expect(uazapi.send(message, context)).rejects.toMatchObject({ outcome: 'uncertain' })
    expect(await uazapi.find?.(message.id, context)).toBe(ana.inbox.at(-1)?.id)
    expect(await uazapi.find?.(v7(), context)).toBeUndefined()
  })

  test('sends a large file by its address where uazapi can fetch it, in the call where it cannot', async () => {
    const { context } = await linked()
    const bytes = Buffer.alloc(9_000_000, 7)
    const media = { name: 'filme.mp4', mime: 'video/mp4', size: bytes.length, bytes: async () => bytes }
    const url = () => receiver.offer(bytes, 'video/mp4')
    for (const file of [{ ...media, url }, media]) {
      await uazapi.send(outbound({ type: 'video', media: file }), context)
      const { body } = simulator.requests.findLast(({ path }) => path === '/send/media') ?? {}
      const { file: carried }: { file?: string } = Object(body)
      expect(carried?.startsWith('http')).toBe('url' in file)
      expect(simulator.customer({ phone: '5511988887777' }).inbox.at(-1)?.media?.bytes.equals(bytes)).toBe(true)
    }
  })

  test('is not let to fill in words of ours, and writes by an id to whoever has no phone', async () => {
    const { context } = await linked()
    const davi = simulator.customer({ phone: '5511955554444', lid: '88812345678901' })
    await uazapi.send(outbound({ to: [{ kind: 'lid', value: davi.lid }], body: 'Use {{name}} no texto' }), context)
    const text = davi.inbox.at(-1)?.text
    expect(text).not.toContain('{{')
    expect(text?.replaceAll('\u2060', '')).toBe('Use {{name}} no texto')
  })
})

describe('what it tells', () => {
  test('a call is proved by the token it carries, which is kept nowhere', () => {
    const context = contextOf({ token: 'token-da-instancia' })
    const asked = (body: unknown) =>
      uazapi.hook?.verify({ method: 'POST', headers: {}, query: {}, rawBody: Buffer.alloc(0), body }, context)
    expect(asked({ token: 'token-da-instancia' })).toBe(true)
    for (const body of [
      { token: 'token-da-instanciA' },
      { token: '' },
      { token: ['token-da-instancia'] },
      'token',
      null,
    ])
      expect(asked(body)).toBe(false)
    expect(uazapi.hook?.verify({ ...rawOf({ token: 'x' }) }, contextOf({}))).toBe(false)
  })
  const rawOf = (body: unknown) => ({ method: 'POST', headers: {}, query: {}, rawBody: Buffer.alloc(0), body })

  test('of a conversation it keeps who it is with, nothing of the customer file uazapi keeps for itself', () => {
    const [piece] = split(fixture('uazapi', 'text'))
    expect(piece?.payload).toMatchObject({ chat: { wa_name: 'Ana Souza', wa_chatlid: '77712345678901@lid' } })
    expect(Object.keys(Object(piece?.payload).chat)).toHaveLength(2)
    expect(JSON.stringify(piece)).not.toContain('lead_')
  })

  test('somebody is known by the phone and by the id that hides it, whichever names the chat', () => {
    const both = [
      { kind: 'phone', value: '5511988887777' },
      { kind: 'lid', value: '77712345678901' },
    ]
    for (const name of ['text', 'text-lid-chat', 'text-old-number'])
      expect(eventsOf(name)).toMatchObject([{ from: { identities: both, name: 'Ana Souza' } }])
    expect(eventsOf('text-lid-only')).toMatchObject([{ from: { identities: [both[1]] } }])
    expect(eventsOf('text-own-phone')).toMatchObject([{ fromMe: true, from: { identities: both, name: undefined } }])
    expect(eventsOf('text-group')).toMatchObject([{ from: { name: 'Vizinhos' }, author: { identities: both } }])
    expect(eventsOf('text-group-hidden')).toMatchObject([{ author: { identities: [both[1]] } }])
  })

  test('choices, votes and what is quoted are read', () => {
    expect(eventsOf('list-reply')).toMatchObject([
      { quotedProviderId: '3EB0AAAA', content: { body: 'Pix', choice: 'pix' } },
    ])
    expect(eventsOf('button-reply')).toMatchObject([{ content: { body: 'Sim', choice: 'sim' } }])
    expect(eventsOf('poll-vote')).toMatchObject([{ kind: 'vote', poll: { providerId: '3EB0AAAA' }, chosen: ['Hoje'] }])
    expect(eventsOf('text-reply')).toMatchObject([{ quotedProviderId: '3EB0AAAA', content: { body: 'Esse mesmo' } }])
    expect(eventsOf('unknown-type-text')).toMatchObject([{ content: { type: 'text', body: 'Veja em 3D' } }])
    expect(eventsOf('audio-voice')).toMatchObject([{ content: { media: { isVoice: true, size: 98_278 } } }])
  })

  test('an edit names the first message by either of its names', () => {
    expect(eventsOf('edited')).toMatchObject([{ providerId: 'AC399F128CAF89629C0DFC9FFF373BB2', body: 'R$ 12' }])
    const whole: { message: object } = Object(fixture('uazapi', 'edited'))
    const [piece] = split({ ...whole, message: { ...whole.message, edited: '5511940001000:AC399F12' } })
    expect(parse(piece?.payload)).toMatchObject([{ kind: 'edit', providerId: 'AC399F12' }])
  })

  test('a repeated receipt is one event, the next state another', () => {
    const keyOf = (name: string) => split(fixture('uazapi', name))[0]?.key
    expect(keyOf('update-read')).toBe(keyOf('update-read'))
    expect(
      new Set(['update-sent', 'update-delivered', 'update-read', 'update-many', 'update-flat'].map(keyOf)).size,
    ).toBe(5)
  })

  test('years of talk come in pieces a journal can hold', () => {
    const one = { chatid: '5511988887777@s.whatsapp.net', messageType: 'conversation', text: 'oi', messageTimestamp: 1 }
    const messages = Array.from({ length: 450 }, (_, at) => ({ ...one, messageid: `H${at}` }))
    const pieces = split({ EventType: 'history', messages })
    expect(pieces.map(({ payload }) => parse(payload)[0])).toMatchObject([
      { kind: 'history', messages: { length: 200 } },
      { kind: 'history', messages: { length: 200 } },
      { kind: 'history', messages: { length: 50 } },
    ])
  })
})
