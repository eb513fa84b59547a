import type { Identity } from '@balcao/contract/contacts/contacts.ts'
import { fixture } from '@balcao/simulators/fixtures.ts'
import { startTelegramSimulator } from '@balcao/simulators/telegram.ts'
import { v7 } from 'uuid'
import { afterAll, beforeEach, expect, test } from 'vitest'
import '../../../test/kit.ts' // an environment of its own, before anything reads it
import { direct, http } from '../../kit/egress.ts'
import type { ChannelContext, Outbound } from '../adapter.ts'
import { startReceiver } from '../conformance.receiver.ts'
import { telegram } from './adapter.ts'
import { formatted } from './formatted.ts'
import { parse, split } from './parse.ts'

const botToken = '7000000001:AAtoken-de-teste-0123456789'
const simulator = await startTelegramSimulator({ botToken, botUsername: 'loja_bot', delivery: { retryDelaysMs: [] } })
const receiver = await startReceiver(telegram)
const context: ChannelContext<'telegram'> = {
  tenantId: 1,
  connectionId: v7(),
  config: { botToken, receive: 'webhook', baseUrl: `${simulator.url}/` },
  hookSecret: 'segredo-do-gancho',
  webhookUrl: receiver.url,
  http,
  egress: direct,
}
receiver.use(context)
await telegram.connect(context)
const ana = simulator.customer({ firstName: 'Ana', lastName: 'Souza' })
await ana.sendText('/start')
afterAll(async () => {
  await simulator.close()
  await receiver.close()
})
beforeEach(async () => {
  simulator.faults.clear()
  await simulator.idle()
  receiver.clear()
})

const send = (more: Partial<Outbound>) =>
  telegram.send(
    {
      id: v7(),
      to: [{ kind: 'telegram', value: ana.id }],
      type: 'text',
      body: '',
      media: null,
      location: null,
      contacts: [],
      quotedProviderId: null,
      ...more,
    },
    context,
  )

test('connecting registers the address, the secret and the kinds of update that have to be named', async () => {
  expect(telegram.accountOf?.(context.config)).toEqual({ id: '7000000001', field: 'botToken' })
  expect(simulator.webhook).toMatchObject({ url: receiver.url, secretToken: 'segredo-do-gancho' })
  expect(simulator.webhook.allowedUpdates).toContain('message_reaction')
  const open = { ...context, webhookUrl: 'http://balcao.example.com/hooks' }
  await expect(telegram.connect(open)).rejects.toMatchObject({
    outcome: 'final',
    message: expect.stringContaining('endereço público com HTTPS'),
  })
})

test('disconnecting takes the address back', async () => {
  await telegram.disconnect?.(context)
  expect(simulator.webhook.url).toBe('')
  await telegram.connect(context)
})

test('the button that begins a conversation says by which link of ours somebody came', async () => {
  await ana.sendText('/start')
  await ana.sendText('/start promo-natal')
  await ana.sendText('/start agora mesmo')
  const group = simulator.group({ title: 'Família', members: [ana] })
  await ana.sendText('/start', { chat: group })
  expect(receiver.events().map((event) => Object(event).content)).toMatchObject([
    { body: 'Iniciou a conversa', choice: '/start' },
    { body: 'Iniciou a conversa pelo link “promo-natal”', choice: '/start promo-natal' },
    { body: '/start agora mesmo' },
    { body: '/start' },
  ])
})

test('a group is one contact; whoever speaks is named beside it', async () => {
  const group = simulator.group({ title: 'Família', members: [ana] })
  await ana.sendText('Bom dia', { chat: group })
  await ana.sendPhoto(undefined, undefined, { chat: group })
  expect(receiver.events()).toMatchObject([
    {
      from: { identities: [{ kind: 'telegram', value: String(group.id) }], name: 'Família', isGroup: true },
      author: { identities: [{ kind: 'telegram', value: ana.id }], name: 'Ana Souza' },
      content: { body: 'Bom dia' },
    },
    { author: { name: 'Ana Souza' }, content: { type: 'image', body: '' } },
  ])
  const chat = { id: group.id, type: 'group', title: 'Família' }
  const edited_message = { message_id: 1, date: 1, edit_date: 2, chat, from: ana.user(), text: 'Boa tarde' }
  expect(parse({ update_id: 1, edited_message })).toMatchObject([{ kind: 'edit', body: 'Boa tarde' }])
})

test('whom a message of a group calls stands beside it: by the text alone, or by who it is', () => {
  const group = { id: -100, type: 'supergroup', title: 'Vizinhos' }
  const text = '😀 @loja_bot e Rui, vejam https://loja.test'
  const entities = [
    { type: 'mention', offset: 3, length: 9 },
    { type: 'text_mention', offset: 15, length: 3, user: { id: 77, is_bot: false, first_name: 'Rui' } },
    { type: 'url', offset: 26, length: 17 },
  ]
  const said = (chat: object) =>
    parse({ update_id: 1, message: { message_id: 1, date: 1_790_000_000, chat, from: ana.user(), text, entities } })
  expect(said(group)).toMatchObject([
    {
      content: {
        mentions: [
          { text: '@loja_bot', identities: [] },
          { text: 'Rui', identities: [{ kind: 'telegram', value: '77' }] },
        ],
      },
    },
  ])
  expect(said({ id: 5, type: 'private', first_name: 'Ana' })[0]).not.toHaveProperty('content.mentions')
})

test('signs of formatting are told apart from the words, beside whom they call', () => {
  const body = '*Ana*:\n😀 _oi_ @Rui, ~não~ *já _sim_* `a*b*` ```x\ny```'
  const { text, entities } = formatted(body, [{ id: '77', name: 'Rui' }])
  expect(text).toBe('Ana:\n😀 oi @Rui, não já sim a*b* x\ny')
  expect(entities.map(({ type, offset, length }) => [type, text.slice(offset, offset + length)])).toEqual([
    ['bold', 'Ana'],
    ['italic', 'oi'],
    ['strikethrough', 'não'],
    ['bold', 'já sim'],
    ['italic', 'sim'],
    ['code', 'a*b*'],
    ['pre', 'x\ny'],
    ['text_mention', '@Rui'],
  ])
  expect(formatted('sem nada')).toEqual({ text: 'sem nada', entities: [] })
})

test('who speaks as a chat is that chat; who speaks as the group is nobody we know', () => {
  const group = { id: -100, type: 'supergroup', title: 'Vizinhos' }
  const from = { id: 1_087_968_824, is_bot: true, first_name: 'Group' }
  const authorOf = (sender_chat: object) => {
    const message = { message_id: 1, date: 1_790_000_000, chat: group, from, sender_chat, text: 'aviso' }
    const [event] = parse({ update_id: 1, message })
    return event?.kind === 'message' ? event.author : expect.fail('it is a message')
  }
  expect(authorOf(group)).toBeUndefined()
  expect(authorOf({ id: -200, type: 'channel', title: 'Novidades' })).toEqual({
    identities: [{ kind: 'telegram', value: '-200' }],
    name: 'Novidades',
  })
})

test('a group that moved is found by its new id, and the message arrives once', async () => {
  const group = simulator.group({ title: 'Família', members: [ana] })
  const moved = await simulator.migrate(group)
  const value = String(moved.id)
  expect(receiver.events()).toEqual(
    [1, 2].map(() => ({
      kind: 'identity',
      from: { kind: 'telegram', value: String(group.id) },
      to: { kind: 'telegram', value },
    })),
  )
  const before = ana.inbox.length
  const sent = await send({ to: [{ kind: 'telegram', value: String(group.id) }], body: 'achei vocês' })
  expect(sent).toMatchObject({
    providerId: expect.stringMatching(`^${value}:`),
    identities: [{ kind: 'telegram', value }],
  })
  expect(ana.inbox.length).toBe(before + 1)
})

test('an album is one message per picture, each with its own key', async () => {
  const { sampleMedia } = await import('@balcao/simulators/samples.ts')
  await ana.sendAlbum([sampleMedia('image'), sampleMedia('image')], 'As duas')
  const ids = receiver.events().map((event) => (event.kind === 'message' ? event.providerId : ''))
  expect(new Set(ids).size).toBe(2)
  expect(receiver.events()).toMatchObject([
    { content: { type: 'image', body: 'As duas' } },
    { content: { type: 'image', body: '' } },
  ])
})

test('what somebody else said first is marked', () => {
  expect(parse(fixture('telegram', 'forwarded'))).toMatchObject([{ content: { isForwarded: true } }])
})

test('a pressed button says what it read, and its customer is answered', async () => {
  expect(parse(fixture('telegram', 'callback-query'))).toMatchObject([
    { providerId: 'callback:4382bfdwdsb323b2d9', content: { type: 'text', body: 'Sim' } },
  ])
  await ana.callback('sim', { message_id: 1, date: 1, chat: { id: ana.userId, type: 'private' } })
  const [piece] = receiver.journal.values()
  await telegram.acknowledge?.(piece?.payload, context)
  expect(simulator.callbackAnswers.size).toBe(1)
  await telegram.acknowledge?.({ message: {} }, context) // everything else needs no answer
})

test('the phone a person shares of their own is learned; the card of a friend is only a card', () => {
  expect(parse(fixture('telegram', 'contact-own'))[1]).toEqual({
    kind: 'identity',
    from: { kind: 'telegram', value: '5900000001' },
    to: { kind: 'phone', value: '5511988887777' },
  })
  expect(parse(fixture('telegram', 'contact'))).toHaveLength(1)
})

test('blocked and unblocked', async () => {
  await ana.block()
  await expect(send({ body: 'oi' })).rejects.toMatchObject({ isUnreachable: true })
  await ana.unblock()
  await send({ body: 'voltou' })
  const who = { kind: 'telegram', value: ana.id }
  expect(receiver.events()).toEqual([
    { kind: 'unreachable', who, reason: 'O contato bloqueou o bot no Telegram.', at: expect.any(Date) },
    { kind: 'unreachable', who, reason: null, at: expect.any(Date) },
  ])
})

test('a custom emoji is not taken for a removal', () => {
  const chat = { id: 1, type: 'private' }
  const reaction = (type: string) => ({
    update_id: 1,
    message_reaction: { chat, message_id: 1, new_reaction: [{ type }] },
  })
  expect(parse(reaction('custom_emoji'))).toEqual([])
})

test('several contacts in one message, or one without a phone, are refused before anything is sent', async () => {
  const card = { name: 'Bruno', phones: ['+5511977776666'], emails: [] }
  const before = simulator.requests.length
  await expect(send({ type: 'contact', contacts: [card, card] })).rejects.toMatchObject({ outcome: 'final' })
  await expect(send({ type: 'contact', contacts: [{ ...card, phones: [] }] })).rejects.toMatchObject({
    outcome: 'final',
  })
  expect(simulator.requests.length).toBe(before)
})

test('an answer to a pressed button is sent without a quote rather than not at all', async () => {
  await send({ body: 'certo', quotedProviderId: 'callback:4382bfdwdsb323b2d9' })
  expect(ana.inbox.at(-1)).toMatchObject({ text: 'certo', replyTo: undefined })
})

test('two unknown bodies that begin alike are two events', () => {
  const body = (end: string) => ({ text: 'a'.repeat(600) + end })
  expect(split(body('1'))[0]?.key).not.toBe(split(body('2'))[0]?.key)
})

test('choices are buttons under the text; an id too long for Telegram goes by its place', async () => {
  const option = (id: string, title: string, description = '') => ({ id, title, description })
  const options = [option('pix', 'Pix', 'Na hora'), option('b'.repeat(100), 'Boleto')]
  const interactive = { kind: 'list' as const, header: 'Pagamento', footer: '', button: 'Ver', options }
  await send({ type: 'interactive', body: 'Como prefere?', interactive })
  const line = ana.inbox.at(-1)
  expect(line).toMatchObject({
    text: 'Pagamento\n\nComo prefere?\n\nPix: Na hora',
    buttons: [
      { id: 'pix', title: 'Pix' },
      { id: '2', title: 'Boleto' },
    ],
  })
  await ana.press(line?.id ?? '', '2')
  await simulator.idle()
  expect(receiver.events()).toMatchObject([{ content: { body: 'Boleto', choice: '2' } }])
})

test('a topic of a forum is a conversation of its own, answered into it; a closed one is told in words', async () => {
  const group = simulator.group({ title: 'Condomínio', members: [ana] })
  const topic = await simulator.topic(group, 'Garagem')
  await ana.sendText('Quem estacionou na 12?', { chat: group, extra: topic })
  await ana.sendText('E aqui, no geral?', { chat: group })
  const place: Identity[] = [{ kind: 'telegram', value: `${group.id}/${topic.message_thread_id}` }]
  expect(receiver.events()).toMatchObject([
    { kind: 'group', change: 'subject', subject: 'Condomínio › Garagem', group: { identities: place } },
    {
      from: { identities: place, name: 'Condomínio › Garagem', isGroup: true },
      author: { name: 'Ana Souza' },
      quotedProviderId: undefined,
    },
    { from: { identities: [{ kind: 'telegram', value: String(group.id) }], name: 'Condomínio' } },
  ])
  const { providerId } = await send({ to: place, body: 'Já avisamos o dono.' })
  expect(providerId).toMatch(new RegExp(`^${group.id}:\\d+$`))
  expect(ana.inbox.at(-1)?.payload).toMatchObject({ message_thread_id: topic.message_thread_id })
  await telegram.typing?.({ to: place, lastInboundProviderId: null }, context)

  group.topics?.clear()
  await expect(send({ to: place, body: 'e agora?' })).rejects.toMatchObject({
    outcome: 'final',
    message: expect.stringContaining('tópico'),
    isUnreachable: false,
  })
  // A thread of answers in a group that is no forum is no topic.
  const chat = { id: -5, type: 'supergroup', title: 'Vizinhos' }
  const message = { message_id: 9, date: 1_790_000_000, chat, from: ana.user(), text: 'oi', message_thread_id: 7 }
  expect(parse({ update_id: 1, message })).toMatchObject([{ from: { identities: [{ value: '-5' }] } }])
})

test('the words under a file of ours are changed where a text would be', async () => {
  const { sampleMedia } = await import('@balcao/simulators/samples.ts')
  const { bytes, mimeType } = sampleMedia('image')
  const media = { name: 'a.png', mime: mimeType, size: bytes.length, bytes: async () => bytes }
  const { providerId } = await send({ type: 'image', body: 'R$ 10', media })
  const to: Identity[] = [{ kind: 'telegram', value: ana.id }]
  await telegram.edit?.({ providerId, to, body: 'R$ 12' }, context)
  expect(ana.inbox.at(-1)).toMatchObject({ text: 'R$ 12', isEdited: true })
})
