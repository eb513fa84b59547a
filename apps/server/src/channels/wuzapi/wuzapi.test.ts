import '../../../test/kit.ts' // an environment of its own, before anything reads it
import { fixture } from '@balcao/simulators/fixtures.ts'
import { sampleMedia } from '@balcao/simulators/samples.ts'
import { startWuzapiSimulator } from '@balcao/simulators/wuzapi.ts'
import { v7 } from 'uuid'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createEgress } from '../../kit/egress.ts'
import type { ChannelContext, Outbound } from '../adapter.ts'
import { startReceiver, wholeOf } from '../conformance.receiver.ts'
import { wuzapi } from './adapter.ts'
import { parse } from './parse.ts'
import { split } from './split.ts'
import { keyOf } from './webhook.ts'

const adminToken = 'token-de-administrador'
const simulator = await startWuzapiSimulator({ adminToken, delivery: { retryDelaysMs: [] } })
const receiver = await startReceiver(wuzapi)
const egress = createEgress({ allow: ['127.0.0.1'] })
type Config = ChannelContext<'wuzapi'>['config']
const contextOf = (
  config: Partial<Config> = { adminToken },
  more: Partial<ChannelContext<'wuzapi'>> = {},
): ChannelContext<'wuzapi'> => {
  const connectionId = v7()
  return {
    tenantId: 7,
    connectionId,
    config: { baseUrl: `${simulator.url}/`, ...config },
    hookSecret: `segredo de ${connectionId}`,
    webhookUrl: receiver.url,
    egress,
    http: egress.http,
    ...more,
  }
}
afterAll(async () => {
  await simulator.close()
  await receiver.close()
})
beforeEach(async () => {
  simulator.faults.clear()
  simulator.speak('json')
  await simulator.idle()
  for (const { name, session } of [...simulator.users]) if (session !== 'none') await simulator.drop(name, 401)
  await simulator.idle()
  receiver.clear()
})
/** As after `connect`: with what was learned. */
const opened = async (more: Partial<ChannelContext<'wuzapi'>> = {}) => {
  const context = contextOf(undefined, more)
  const first = await wuzapi.connect(context)
  const named = { ...context, config: { ...context.config, ...first.config } }
  receiver.use(named)
  const made = simulator.users.find(({ token }) => token === first.config?.token)
  if (!made) throw new Error('no user was made')
  return { context: named, first, made }
}
/** A connection whose phone is linked: only one at a time has it. */
const linked = async (more: Partial<ChannelContext<'wuzapi'>> = {}) => {
  const { context, made } = await opened(more)
  await simulator.scan(made.name)
  await simulator.idle()
  receiver.clear()
  return { context, made }
}
const eventsOf = (name: string) => split(fixture('wuzapi', name)).flatMap(({ payload }) => parse(payload))
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
const standingOf = async (context: ChannelContext<'wuzapi'>, isOpening = false) =>
  (await wuzapi.check?.(context, isOpening))?.standing

describe('a user', () => {
  test('is made by the administrator’s token, told to tell everything signed, and is not made twice', async () => {
    const { context, first, made } = await opened()
    expect(first).toMatchObject({
      status: 'OPENING',
      text: 'Leia o código com o WhatsApp do telefone.',
      login: { qr: expect.stringMatching(/^data:image\/png/), lastsSeconds: 60 },
    })
    expect(made.name).toBe(`balcao-7-${context.connectionId.replaceAll('-', '').slice(-12)}`)
    expect(made).toMatchObject({ webhook: receiver.url, hmacKey: keyOf(context), files: { media_delivery: 's3' } })
    expect(made.events).toEqual(expect.arrayContaining(['Message', 'ReadReceipt', 'CallOffer', 'GroupInfo', 'QR']))
    const before = simulator.users.length
    // Also when what was learned was never kept.
    const forgotten = { ...context, config: { baseUrl: context.config.baseUrl, adminToken } }
    for (const again of [context, forgotten])
      expect(await wuzapi.connect(again)).toMatchObject({ login: { qr: first.login?.qr }, config: first.config })
    expect(simulator.users).toHaveLength(before)
  })

  test('is one account by its token, which its name does not tell', () => {
    const named = wuzapi.accountOf?.({ baseUrl: 'https://wuzapi.loja.com', token: 'token-do-usuario' })
    expect(named).toMatchObject({ id: expect.stringMatching(/^wuzapi\.loja\.com\/[\w-]{43}$/), field: 'token' })
    expect(wuzapi.accountOf?.({ baseUrl: 'https://wuzapi.loja.com' })).toBeUndefined()
  })

  test('its codes follow each other, and nobody who scans too late is told so', async () => {
    const { context, first, made } = await opened()
    await simulator.rotate(made.name)
    await simulator.idle()
    expect(receiver.events()).toContainEqual({ kind: 'standing' })
    const next = await standingOf(context, true)
    expect(next).toMatchObject({ status: 'OPENING', login: { lastsSeconds: 20 } })
    expect(next?.login?.qr).not.toBe(first.login?.qr)
    await simulator.expire(made.name)
    expect(await standingOf(context, true)).toEqual({
      status: 'DISCONNECTED',
      text: 'Ninguém leu o código a tempo. Gere um novo quando estiver com o telefone à mão.',
    })
    expect(await wuzapi.link?.({}, context)).toMatchObject({ status: 'OPENING', login: { qr: expect.any(String) } })
  })

  test('a code to type is not followed by codes to scan, until one is asked for', async () => {
    const { context, made } = await opened()
    expect(await wuzapi.link?.({ phone: '5511940001000' }, context)).toEqual({
      status: 'OPENING',
      login: { pairingCode: made.linkingCode?.replace('-', ''), lastsSeconds: 160 },
      text: expect.stringContaining('digite o código'),
    })
    receiver.clear()
    await simulator.rotate(made.name)
    await simulator.idle()
    expect(receiver.events()).toEqual([])
    expect(await wuzapi.check?.(context, true)).toEqual({ problem: null })
    expect(await wuzapi.link?.({}, context)).toMatchObject({ login: { qr: made.qrcode } })
    expect(await standingOf(context, true)).toMatchObject({ login: { qr: made.qrcode } })
  })

  test('a phone that left is told of, in its own sentence where it was banned, and that it is back', async () => {
    const { context, made } = await linked()
    await simulator.drop(made.name, 401)
    await simulator.idle()
    expect(receiver.events()).toEqual([{ kind: 'standing' }])
    // The server may have just started: it is believed the second time.
    expect(await standingOf(context)).toMatchObject({ status: 'OPENING' })
    expect(await standingOf(context, true)).toMatchObject({
      status: 'DISCONNECTED',
      text: expect.stringContaining('O telefone desconectou este canal.'),
    })
    receiver.clear()
    const { login } = (await wuzapi.link?.({}, context)) ?? {}
    await simulator.scan(made.name, login?.qr)
    await simulator.idle()
    expect(receiver.events()).toContainEqual(expect.objectContaining({ kind: 'connection', status: 'CONNECTED' }))
    expect(await standingOf(context)).toMatchObject({
      status: 'CONNECTED',
      account: { number: '5511940001000', lid: '66612345678901' },
    })
    await simulator.drop(made.name, 403)
    await simulator.idle()
    expect(receiver.events()).toContainEqual({
      kind: 'connection',
      status: 'DISCONNECTED',
      text: expect.stringContaining('O WhatsApp bloqueou este número.'),
    })
  })

  test('a connection that fell comes back by itself', async () => {
    const { context, made } = await linked()
    await simulator.fall(made.name)
    for (const isOpening of [false, true])
      expect(await standingOf(context, isOpening)).toMatchObject({
        status: 'OPENING',
        text: expect.stringContaining('Estamos tentando de novo'),
      })
    await expect(wuzapi.send(outbound({ body: 'oi' }), context)).rejects.toMatchObject({ outcome: 'retry' })
    await simulator.rise(made.name)
    expect(await standingOf(context, true)).toMatchObject({ status: 'CONNECTED' })
  })

  test('one that was deleted is made again; a webhook that was changed says so, and is set right', async () => {
    const { context, made } = await linked()
    const changes = [
      { webhook: 'https://outro.example.com/x' },
      { events: ['Message'] },
      { webhook: '', events: [] },
      { hmacKey: undefined },
    ]
    for (const change of changes) {
      Object.assign(made, change)
      expect((await wuzapi.check?.(context))?.problem).toContain('o webhook do usuário')
      expect(await wuzapi.connect(context)).toMatchObject({ status: 'CONNECTED' })
      expect(await wuzapi.check?.(context)).toMatchObject({ problem: null })
      expect(made).toMatchObject({ webhook: receiver.url, hmacKey: keyOf(context) })
    }
    made.token = 'foi-trocado-no-painel'
    await expect(wuzapi.check?.(context)).rejects.toMatchObject({ isConnectionBroken: true })
    expect(await wuzapi.link?.({}, context)).toMatchObject({
      status: 'OPENING',
      config: { token: context.config.token },
    })
  })

  test('goes with its channel when it is ours, also from an older server; else only stops calling us', async () => {
    const older = await startWuzapiSimulator({ adminToken, tokenIn: 'authorization', without: ['/full', '/s3'] })
    try {
      for (const { url, users } of [simulator, older]) {
        const context = contextOf({ adminToken, baseUrl: url })
        const { config } = await wuzapi.connect(context)
        expect(users.some(({ token }) => token === config?.token)).toBe(true)
        await wuzapi.disconnect?.({ ...context, config: { ...context.config, ...config } })
        expect(users.some(({ token }) => token === config?.token)).toBe(false)
      }
    } finally {
      await older.close()
    }
    const theirs = simulator.make('loja-antiga', 'token-da-loja-antiga')
    const other = contextOf({ token: theirs.token })
    expect(await wuzapi.connect(other)).toMatchObject({ status: 'OPENING', config: { token: theirs.token } })
    await wuzapi.disconnect?.(other)
    expect(theirs.webhook).toBe('')
    expect(simulator.users).toContain(theirs)
    theirs.webhook = 'https://outro.example.com/x'
    await wuzapi.disconnect?.(other)
    expect(theirs.webhook).toBe('https://outro.example.com/x')
  })

  test('no token, a wrong one, no signature and an address that is no WuzAPI are said for who typed them', async () => {
    await expect(wuzapi.connect(contextOf({}))).rejects.toMatchObject({
      forAdmin: { text: 'Informe o token de administrador ou o token do usuário.' },
    })
    for (const config of [{ token: 'outro-token' }, { adminToken: 'outro-token' }])
      await expect(wuzapi.connect(contextOf(config))).rejects.toMatchObject({
        isConnectionBroken: true,
        forAdmin: { mistyped: expect.stringContaining('não aceita este token') },
      })
    simulator.faults.next({ status: 200, body: '<html>Olá</html>' })
    await expect(wuzapi.connect(contextOf())).rejects.toMatchObject({
      forAdmin: { text: expect.stringContaining('não responde como um servidor WuzAPI') },
    })
    const words = { code: 500, error: 'failed to encrypt HMAC key', success: false }
    simulator.faults.next({ status: 500, body: words, match: '/session/hmac' })
    simulator.faults.next({ status: 404, body: '404 page not found', match: '/session/hmac' })
    for (const _ of [1, 2])
      await expect(wuzapi.connect(contextOf())).rejects.toMatchObject({
        isConnectionBroken: true,
        forAdmin: { text: expect.stringContaining('não assina seus avisos') },
      })
  })

  test('storage that its owner has set up stays as it is', async () => {
    const theirs = simulator.make('loja-com-s3', 'token-da-loja-com-s3')
    theirs.files = { enabled: true, media_delivery: 'both' }
    await wuzapi.connect(contextOf({ token: theirs.token }))
    expect(theirs.files).toEqual({ enabled: true, media_delivery: 'both' })
  })
})

describe('the proxy of a connection', () => {
  const proxy = { protocol: 'socks5', host: 'proxy.loja.com', port: 1080, user: 'loja', password: 'p@ss' } as const
  const written = 'socks5://loja:p%40ss@proxy.loja.com:1080'

  test('is the one the gateway takes, also of a phone that is linked, whose login stays', async () => {
    const { context, made } = await linked()
    const withIt = { ...context, proxy }
    expect(await wuzapi.connect(withIt)).toMatchObject({ status: 'CONNECTED' })
    expect(made.proxyUrl).toBe(written)
    const asked = simulator.requests.length
    await wuzapi.connect(withIt)
    expect(simulator.requests.slice(asked).map(({ path }) => path)).not.toContain('/session/disconnect')
    expect(await wuzapi.connect(context)).toMatchObject({ status: 'CONNECTED' })
    expect(made.proxyUrl).toBe('')
  })

  test('of a kind the gateway does not know, nothing goes another way; what others set stays', async () => {
    const { context } = await opened()
    await expect(wuzapi.connect({ ...context, proxy: { ...proxy, protocol: 'https' } })).rejects.toMatchObject({
      forAdmin: { text: expect.stringContaining('apenas proxies HTTP e SOCKS5') },
    })
    const theirs = simulator.make('loja-com-proxy', 'token-da-loja-com-proxy')
    theirs.proxyUrl = 'http://deles:3128'
    await wuzapi.connect(contextOf({ token: theirs.token }))
    expect(theirs.proxyUrl).toBe('http://deles:3128')
  })
})

describe('a user that is linked', () => {
  test('tells its phone’s own book, and the groups it is in', async () => {
    const { context } = await linked()
    simulator.customer({ phone: '5531987651111', name: 'Da Agenda' })
    const group = simulator.group('Família', [simulator.customer({ phone: '5511988881234', name: 'Tia' })])
    const people = await wuzapi.phoneBook?.({ of: 'people' }, context)
    expect(people).toContainEqual({ identities: [{ kind: 'phone', value: '5531987651111' }], name: 'Da Agenda' })
    expect(people?.some(({ identities }) => identities.some(({ kind }) => kind === 'group'))).toBe(false)
    const value = String(Object(group).jid ?? Object(group).id).replace(/(@g.us|-group)$/, '')
    expect(await wuzapi.phoneBook?.({ of: 'groups' }, context)).toContainEqual({
      identities: [{ kind: 'group', value }],
      name: 'Família',
    })
  })

  test('knows numbers under both of their names', async () => {
    const { context } = await linked()
    simulator.customer({ phone: '5531987654321', name: 'Ana' })
    simulator.customer({ phone: '5511900000000', isOnWhatsApp: false })
    expect(await wuzapi.numbers?.({ numbers: ['5531987654321', '5511900000000'] }, context)).toEqual([
      { number: '5531987654321', exists: true, identities: [{ kind: 'phone', value: '5531987654321' }] },
      { number: '5511900000000', exists: false, identities: [] },
    ])
    const to = [{ kind: 'phone' as const, value: '5511900000000' }]
    await expect(wuzapi.send(outbound({ to, body: 'oi' }), context)).rejects.toMatchObject({ isUnreachable: true })
    await expect(wuzapi.profile?.({ to }, context)).rejects.toMatchObject({ isUnreachable: true })
  })

  test('shows somebody’s picture, a group’s subject, its members and who leads it', async () => {
    const { context } = await linked()
    const ana = simulator.customer({ phone: '5511988887777', name: 'Ana Souza' })
    const group = simulator.group('Vizinhos', [ana, simulator.customer({ phone: '5511977776666', name: 'Bruno' })])
    expect(await wuzapi.profile?.({ to: [{ kind: 'phone', value: ana.phone }] }, context)).toEqual({
      name: undefined,
      pictureUrl: 'https://pps.whatsapp.net/5511988887777.jpg',
    })
    const to = [{ kind: 'group' as const, value: group.jid.replace('@g.us', '') }]
    expect(await wuzapi.profile?.({ to }, context)).toEqual({
      name: 'Vizinhos',
      description: '',
      isAdminsOnly: false,
      pictureUrl: undefined,
    })
    expect(await wuzapi.participants?.({ to }, context)).toMatchObject([
      { id: '5511988887777', name: null, isAdmin: true },
      { id: '5511977776666', name: null, isAdmin: false },
    ])
    await expect(wuzapi.participants?.({ to: [{ kind: 'group', value: '1' }] }, context)).rejects.toMatchObject({
      outcome: 'final',
      isUnreachable: true,
    })
  })

  test('says whose words it quotes: the customer’s, ours, or those of a member of the group', async () => {
    const { context } = await linked()
    const ana = simulator.customer({ phone: '5511988887777', lid: '77712345678901' })
    const bruno = simulator.customer({ phone: '5511977776666', name: 'Bruno' })
    const group = simulator.group('Vizinhos', [ana, bruno])
    const quotedProviderId = await ana.sendText('oi')
    const toGroup = [{ kind: 'group' as const, value: group.jid.replace('@g.us', '') }]
    const toAna = outbound({}).to
    const cases = [
      { to: toAna, quotedBy: undefined, writer: ana.jid },
      { to: toAna, quotedBy: { fromMe: false }, writer: ana.jid },
      { to: toAna, quotedBy: { fromMe: true }, writer: '5511940001000@s.whatsapp.net' },
      {
        to: toGroup,
        quotedBy: { fromMe: false, author: [{ kind: 'phone' as const, value: bruno.phone }] },
        writer: bruno.jid,
      },
      {
        to: toGroup,
        quotedBy: { fromMe: false, author: [{ kind: 'lid' as const, value: '123456789012' }] },
        writer: '123456789012@lid',
      },
    ]
    for (const { to, quotedBy, writer } of cases) {
      await wuzapi.send(outbound({ to, body: 'sim', quotedProviderId, quotedBy }), context)
      expect(simulator.quotedWriterIn(to === toAna ? ana.jid : group.jid)).toBe(writer)
    }
  })

  test('twice sent by the same id is one message, which its receipts name', async () => {
    const { context } = await linked()
    const ana = simulator.customer({ phone: '5511988887777' })
    const message = outbound({ body: 'uma vez' })
    simulator.faults.next({ afterAccepting: true, match: '/chat/send/text' })
    await expect(wuzapi.send(message, context)).rejects.toMatchObject({ outcome: 'uncertain' })
    const before = ana.inbox.length
    expect(await wuzapi.send(message, context)).toEqual({ providerId: wuzapi.chooseId?.(message.id, context.config) })
    expect(ana.inbox).toHaveLength(before)
    await simulator.idle()
    expect(receiver.events()).toContainEqual({
      kind: 'status',
      providerId: wuzapi.chooseId?.(message.id, context.config),
      status: 'delivered',
    })
  })

  test('sends a large file by its address where the server can fetch it, in the call where it cannot', async () => {
    const { context } = await linked()
    const bytes = Buffer.alloc(9_000_000, 7)
    const url = () => receiver.offer(bytes, 'video/mp4')
    const media = { name: 'filme.mp4', mime: 'video/mp4', size: bytes.length, bytes: async () => bytes }
    for (const [type, file, beginning] of [
      ['video', { ...media, url }, 'http'],
      ['video', media, 'data:video/mp4;base64,'],
      ['sticker', { ...media, mime: 'image/webp', url }, 'data:image/webp;base64,'],
    ] as const) {
      await wuzapi.send(outbound({ type, media: file }), context)
      const { body } = simulator.requests.findLast(({ path }) => path === `/chat/send/${type}`) ?? {}
      const { Video, Sticker }: { Video?: string; Sticker?: string } = Object(body)
      expect((Video ?? Sticker)?.startsWith(beginning)).toBe(true)
      expect(simulator.customer({ phone: '5511988887777' }).inbox.at(-1)?.media?.bytes.equals(bytes)).toBe(true)
    }
  })

  test('names the codec of a note, and what is no note is none', async () => {
    const { context } = await linked()
    const note = sampleMedia('voice')
    for (const [mime, ptt] of [
      ['audio/ogg', true],
      ['audio/mpeg', false],
    ] as const) {
      const media = { name: 'a', mime, size: note.bytes.length, bytes: async () => note.bytes }
      await wuzapi.send(outbound({ type: 'audio', media }), context)
      expect(simulator.requests.findLast(({ path }) => path === '/chat/send/audio')?.body).toMatchObject({
        ptt,
        mimetype: mime === 'audio/ogg' ? 'audio/ogg; codecs=opus' : 'audio/mpeg',
        Audio: expect.not.stringContaining(' '),
      })
    }
  })

  test('tells files without their bytes, and fetches them while WhatsApp has them', async () => {
    const { context } = await linked()
    const ana = simulator.customer({ phone: '5511988887777' })
    await ana.sendMedia('image', sampleMedia('image'))
    expect(simulator.webhooks.at(-1)?.body).not.toContain('"base64"')
    const [event] = receiver.events()
    const source = event?.kind === 'message' ? (event.content.media?.source ?? {}) : {}
    for (const code of [403, 404, 410]) {
      const error = `failed to download image download failed with status code ${code}`
      simulator.faults.next({ status: 500, body: { code: 500, error, success: false }, match: '/chat/download' })
      await expect(wuzapi.fetchMedia?.(source, context)).rejects.toMatchObject({
        outcome: 'final',
        isConnectionBroken: false,
        message: expect.stringContaining('não tem mais este arquivo'),
      })
    }
    const away = { code: 500, error: 'failed to download image context deadline exceeded', success: false }
    simulator.faults.next({ status: 500, body: away, match: '/chat/download' })
    await expect(wuzapi.fetchMedia?.(source, context)).rejects.toMatchObject({ outcome: 'retry' })
    const fetched = await wholeOf(await wuzapi.fetchMedia?.(source, context))
    expect(fetched?.equals(sampleMedia('image').bytes)).toBe(true)
  })

  test('is heard in a form as in JSON, and only with its signature', async () => {
    const { context } = await linked()
    const ana = simulator.customer({ phone: '5511988887777' })
    simulator.speak('form')
    await ana.sendText('Água & pão = café?')
    await simulator.idle()
    expect(receiver.events()).toMatchObject([{ kind: 'message', content: { body: 'Água & pão = café?' } }])
    const rawBody = Buffer.from('{"type":"Connected"}')
    const right = simulator.sign(rawBody.toString(), keyOf(context))['x-hmac-signature'] ?? ''
    const asked = (signature: unknown) =>
      wuzapi.hook?.verify(
        { method: 'POST', headers: { 'x-hmac-signature': signature as string }, query: {}, rawBody, body: {} },
        context,
      )
    for (const fine of [right, `sha256=${right}`]) expect(asked(fine)).toBe(true)
    for (const wrong of [`${right}0`, right.toUpperCase(), '', undefined, [right]]) expect(asked(wrong)).toBe(false)
  })

  test('tells a customer’s edit, what she took back, and who came into a group', async () => {
    await linked()
    const ana = simulator.customer({ phone: '5511988887777', lid: '77712345678901' })
    const id = await ana.sendText('R$ 10')
    await ana.edit(id, 'R$ 12')
    await ana.takeBack(id)
    const group = simulator.group('Vizinhos', [ana])
    await simulator.tellGroup(group, { Join: [`${ana.lid}@lid`] })
    await simulator.idle()
    expect(receiver.events()).toMatchObject([
      { kind: 'message', providerId: id, from: { identities: [{ kind: 'phone' }, { kind: 'lid' }] } },
      { kind: 'edit', providerId: id, body: 'R$ 12' },
      { kind: 'delete', providerId: id },
      { kind: 'group', change: 'joined', members: [{ identities: [{ kind: 'lid', value: ana.lid }] }] },
    ])
  })
})

describe('what it tells', () => {
  test('somebody is known by the phone and by the id that hides it, whichever names the chat', () => {
    const both = [
      { kind: 'phone', value: '5511988887777' },
      { kind: 'lid', value: '77712345678901' },
    ]
    for (const name of ['text', 'text-lid-chat', 'text-old-number'])
      expect(eventsOf(name)).toMatchObject([{ from: { identities: both, name: 'Ana Souza' } }])
    expect(eventsOf('text-lid-only')).toMatchObject([{ from: { identities: [both[1]] } }])
    expect(eventsOf('text-own-phone')).toMatchObject([{ fromMe: true, from: { identities: both, name: undefined } }])
    expect(eventsOf('text-group')).toMatchObject([{ from: { isGroup: true }, author: { identities: both } }])
    expect(eventsOf('text-group-hidden')).toMatchObject([{ author: { identities: [both[1]] } }])
    expect(eventsOf('call-offer')).toMatchObject([{ from: { identities: both }, isVideo: false }])
    expect(eventsOf('call-video')).toMatchObject([{ isVideo: true }])
  })

  test('choices, votes and what is quoted are read', () => {
    expect(eventsOf('list-reply')).toMatchObject([
      { quotedProviderId: '3EB0AAAA', content: { body: 'Pix', choice: 'pix' } },
    ])
    for (const name of ['button-reply', 'template-reply'])
      expect(eventsOf(name)).toMatchObject([{ quotedProviderId: '3EB0AAAA', content: { body: 'Sim', choice: 'sim' } }])
    expect(eventsOf('native-reply')).toMatchObject([{ content: { body: 'Pix', choice: 'pix' } }])
    const poll = { providerId: '3EB0AAAA' }
    expect(eventsOf('poll-vote')).toMatchObject([{ kind: 'vote', poll, chosen: ['Hoje'] }])
    expect(eventsOf('poll-vote-taken-back')).toMatchObject([{ kind: 'vote', poll, chosen: [] }])
    // Of a poll sent before it was started it knows no words.
    expect(eventsOf('poll-vote-unnamed')).toMatchObject([{ kind: 'vote', poll, chosen: [{ sha256: '68617368' }] }])
    expect(eventsOf('audio-voice')).toMatchObject([{ content: { media: { isVoice: true, size: 98_278 } } }])
  })

  test('a file is named by where it lies, whoever else its address names', () => {
    for (const name of ['image', 'image-no-path'])
      expect(eventsOf(name)).toMatchObject([
        { content: { media: { source: { kind: 'image', directPath: '/o1/v/t24/f2/m231/AQO?ccb=9-4&oh=01' } } } },
      ])
  })

  test('what was said before keeps its times, its groups and who said it', () => {
    expect(eventsOf('history')).toMatchObject([
      {
        messages: [
          { providerId: '3EB0H1', fromMe: false, timestamp: new Date(1_795_100_000_000), from: { name: 'Ana Souza' } },
          { providerId: '3EB0H2', fromMe: true, content: { type: 'image', body: 'segue' } },
          { providerId: '3EB0H3', from: { isGroup: true }, author: { identities: [{ kind: 'lid' }] } },
        ],
      },
    ])
  })

  test('a repeated receipt is one event, the next state another', () => {
    const keyOfPiece = (name: string) => split(fixture('wuzapi', name))[0]?.key
    expect(keyOfPiece('receipt-read')).toBe(keyOfPiece('receipt-read'))
    expect(new Set(['receipt-delivered', 'receipt-read', 'receipt-many'].map(keyOfPiece)).size).toBe(3)
  })
})
