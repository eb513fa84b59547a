import '../../../test/kit.ts' // an environment of its own, before anything reads it
import { createHash, randomBytes } from 'node:crypto'
import { sealVote } from '@balcao/simulators/baileys/votes.ts'
import { sampleMedia } from '@balcao/simulators/samples.ts'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Session } from '../adapter.ts'
import { wholeOf } from '../conformance.receiver.ts'
import { providerIdOf } from '../whatsapp/ids.ts'
import { baileys } from './adapter.ts'
import { startBaileys } from './harness.ts'

const stage = await startBaileys()
const { simulator, journal, events, messages, outbound } = stage
const ana = { phone: '5511987654321', lid: '111222333444555', name: 'Ana' }
const group = '120363000000000001'
let session: Session
let opened: Awaited<ReturnType<typeof stage.open>>
beforeAll(async () => {
  opened = await stage.open()
  session = opened.session
  await vi.waitFor(() => expect(stage.told.at(-1)?.login).toBeDefined(), { timeout: 20_000 })
  simulator.scan('5511912345678', 'Loja', '777000111222')
  await vi.waitFor(() => expect(stage.told.at(-1)?.status).toBe('CONNECTED'))
})
afterAll(async () => {
  await session.close()
  await simulator.close()
})
beforeEach(() => journal.clear())
const arrived = (n = 1) => vi.waitFor(() => expect(messages()).toHaveLength(n))

test('somebody WhatsApp names by an id is one person with their phone', async () => {
  simulator.say(ana, { conversation: 'oi' })
  await arrived()
  expect(messages()[0]).toMatchObject({
    from: {
      name: 'Ana',
      identities: [
        { kind: 'phone', value: '5511987654321' },
        { kind: 'lid', value: '111222333444555' },
      ],
    },
    fromMe: false,
    content: { type: 'text', body: 'oi' },
  })
  simulator.tell({ 'lid-mapping.update': { lid: '999888777666555@lid', pn: '5521988887777@s.whatsapp.net' } })
  await vi.waitFor(() =>
    expect(events().at(-1)).toEqual({
      kind: 'identity',
      from: { kind: 'phone', value: '5521988887777' },
      to: { kind: 'lid', value: '999888777666555' },
    }),
  )
})

test('the same message live, late and as a long time is one, at its own time', async () => {
  const seconds = Math.floor(Date.now() / 1_000) - 3_600
  const key = simulator.say(
    ana,
    { conversation: 'uma vez' },
    { messageTimestamp: { low: seconds, high: 0, unsigned: true } },
  )
  const again = { key, message: { conversation: 'uma vez' }, messageTimestamp: seconds, pushName: 'Ana' }
  simulator.tell({ 'messages.upsert': { messages: [again], type: 'append' } })
  simulator.say(ana, { conversation: 'depois' })
  await arrived(2)
  expect(messages().map(({ content }) => content.body)).toEqual(['uma vez', 'depois'])
  expect(messages()[0]?.timestamp.getTime()).toBe(seconds * 1_000)
})

test('what the phone itself writes comes as ours; stories and news as nothing', async () => {
  simulator.say(ana, { conversation: 'do telefone' }, { key: { fromMe: true } as never, pushName: 'Loja' })
  simulator.tell({
    'messages.upsert': {
      type: 'notify',
      messages: ['status@broadcast', '120363@newsletter'].map((remoteJid) => ({
        key: { remoteJid, id: remoteJid, fromMe: false },
        message: { conversation: 'história' },
        messageTimestamp: 1_790_000_000,
      })),
    },
  })
  simulator.say(ana, { conversation: 'fim' })
  await arrived(2)
  expect(messages().map(({ fromMe }) => fromMe)).toEqual([true, false])
  expect(messages()[0]?.from.name).toBeUndefined()
})

test('edits, deletes and reactions name their message', async () => {
  const key = simulator.say(ana, { conversation: 'errado' })
  const other = simulator.say(ana, { conversation: 'apagar' })
  simulator.say(ana, {
    protocolMessage: { key, type: 14, editedMessage: { conversation: 'certo' }, timestampMs: Date.now() },
  })
  simulator.say(ana, { protocolMessage: { key: other, type: 0 } })
  simulator.say(ana, { reactionMessage: { key, text: '👍' } })
  simulator.say(ana, { reactionMessage: { key, text: '' } })
  await vi.waitFor(() => expect(events()).toHaveLength(6))
  expect(events().slice(2)).toMatchObject([
    { kind: 'edit', providerId: key.id, body: 'certo' },
    { kind: 'delete', providerId: other.id },
    { kind: 'reaction', targetProviderId: key.id, emoji: '👍' },
    { kind: 'reaction', targetProviderId: key.id, emoji: null },
  ])
  simulator.tell({
    'messages.update': [
      {
        key,
        update: {
          message: { editedMessage: { message: { conversation: 'certo mesmo' } } },
          messageTimestamp: 1_790_000_000,
        },
      },
      { key: { ...other, participant: 'x' }, update: { message: null, messageStubType: 1 } },
    ],
  })
  await vi.waitFor(() => expect(events()).toHaveLength(8))
  expect(events().slice(6)).toMatchObject([
    { kind: 'edit', body: 'certo mesmo' },
    { kind: 'delete', providerId: other.id },
  ])
})

test('a group has its name, and its members theirs', async () => {
  simulator.groups.set(`${group}@g.us`, {
    id: `${group}@g.us`,
    subject: 'Família',
    participants: [
      { id: `${ana.lid}@lid`, phoneNumber: `${ana.phone}@s.whatsapp.net`, admin: 'admin', notify: 'Ana' },
      { id: '222333444555666@lid', admin: null },
    ],
  })
  simulator.say({ ...ana, group }, { conversation: 'oi, gente' })
  await arrived()
  expect(messages()[0]).toMatchObject({
    from: { identities: [{ kind: 'group', value: group }], name: 'Família', isGroup: true },
    author: {
      name: 'Ana',
      identities: [
        { kind: 'phone', value: ana.phone },
        { kind: 'lid', value: ana.lid },
      ],
    },
  })
  expect(await session.calls.participants?.({ to: [{ kind: 'group', value: group }] })).toMatchObject([
    { id: ana.phone, name: 'Ana', isAdmin: true },
    { id: '222333444555666@lid', name: null, isAdmin: false },
  ])
  const member = JSON.stringify({ id: `${ana.lid}@lid`, phoneNumber: `${ana.phone}@s.whatsapp.net` })
  for (const messageStubType of [27, 29, 30, 32])
    simulator.say({ ...ana, group }, {}, { message: undefined, messageStubType, messageStubParameters: [member] })
  simulator.say(
    { ...ana, group },
    {},
    { message: undefined, messageStubType: 21, messageStubParameters: ['Família Silva'] },
  )
  simulator.say({ ...ana, group }, {}, { message: undefined, messageStubType: 22 })
  await vi.waitFor(() => expect(events().filter(({ kind }) => kind === 'group')).toHaveLength(6))
  expect(events().flatMap((event) => (event.kind === 'group' ? event.change : []))).toEqual([
    'joined',
    'promoted',
    'demoted',
    'left',
    'subject',
    'picture',
  ])
})

test('a call that rings is turned down where it rang; missed ones are told', async () => {
  const call = {
    id: 'C1',
    chatId: `${ana.lid}@lid`,
    from: `${ana.lid}@lid`,
    callerPn: `${ana.phone}@s.whatsapp.net`,
    date: new Date(),
    isVideo: true,
    offline: false,
  }
  simulator.tell({ call: [{ ...call, status: 'offer' }] })
  simulator.tell({ call: [{ ...call, status: 'timeout' }] })
  await vi.waitFor(() => expect(events()).toHaveLength(2))
  expect(events()).toMatchObject([
    { kind: 'call', state: 'ringing', isVideo: true, from: { identities: [{ value: ana.phone }, { value: ana.lid }] } },
    { kind: 'call', state: 'missed' },
  ])
  await session.calls.rejectCall?.({ providerId: 'C1', to: [{ kind: 'lid', value: ana.lid }] })
  expect(simulator.asked.at(-1)).toEqual({ name: 'rejectCall', args: ['C1', `${ana.lid}@lid`] })
})

test('our message goes under the id we chose, and its states come back; its echo is a repeat', async () => {
  const message = outbound({ body: 'olá', to: [{ kind: 'lid', value: ana.lid }] })
  const { providerId } = await stage.send(session, message)
  expect(providerId).toBe(baileys.chooseId?.(message.id, stage.context.config))
  expect(providerIdOf(message.id)).toBe(providerId)
  const { key } = simulator.sent.at(-1) ?? {}
  simulator.tell({
    'messages.update': [
      { key, update: { status: 3 } },
      { key, update: { status: 4 } },
    ],
  })
  await vi.waitFor(() => expect(events()).toHaveLength(4))
  expect(events()).toMatchObject([
    { kind: 'message', providerId, fromMe: true },
    { kind: 'status', providerId, status: 'sent' },
    { kind: 'status', status: 'delivered' },
    { kind: 'status', status: 'read' },
  ])
  simulator.tell({ 'messages.update': [{ key, update: { status: 0, messageStubParameters: ['463', 'restricted'] } }] })
  await vi.waitFor(() => expect(events()).toHaveLength(5))
  expect(events().at(-1)).toMatchObject({ status: 'failed', error: expect.stringContaining('começar conversas') })
})

test('a phone is asked of WhatsApp once, by both its forms; who has none is told apart', async () => {
  simulator.strangers.add('5531987654321')
  await stage.send(session, { to: [{ kind: 'phone', value: '5531987654321' }], body: 'oi' })
  await stage.send(session, { to: [{ kind: 'phone', value: '5531987654321' }], body: 'de novo' })
  expect(simulator.sent.at(-1)?.jid).toBe('553187654321@s.whatsapp.net')
  expect(
    simulator.asked.filter(({ name, args }) => name === 'onWhatsApp' && String(args[0]).startsWith('5531')),
  ).toHaveLength(2)
  simulator.strangers.add('551133334444')
  await expect(
    stage.send(session, { to: [{ kind: 'phone', value: '551133334444' }], body: 'oi' }),
  ).rejects.toMatchObject({
    outcome: 'final',
    isUnreachable: true,
  })
  expect(await session.calls.numbers?.({ numbers: ['551133334444', '5531987654321'] })).toMatchObject([
    { exists: false, identities: [] },
    { exists: true, identities: [{ kind: 'phone', value: '5531987654321' }] },
  ])
})

test('an answer carries what it answers, as it was written', async () => {
  const key = simulator.say(ana, { conversation: 'pergunta' })
  await arrived()
  await stage.send(session, { body: 'resposta', quotedProviderId: key.id })
  const options = simulator.asked.findLast(({ name }) => name === 'sendMessage')?.args[2]
  expect(options).toMatchObject({
    quoted: { key: { id: key.id, fromMe: false }, message: { conversation: 'pergunta' } },
  })
  await session.calls.react?.({ providerId: key.id, to: [{ kind: 'lid', value: ana.lid }], emoji: '❤️', fromMe: false })
  expect(simulator.sent.at(-1)?.content).toMatchObject({ react: { text: '❤️', key: { id: key.id, fromMe: false } } })
  await session.calls.markRead?.({ providerId: key.id, to: [{ kind: 'lid', value: ana.lid }] })
  expect(simulator.asked.at(-1)).toMatchObject({ name: 'readMessages', args: [[{ id: key.id, fromMe: false }]] })
})

test('a line that breaks in the middle of a send leaves it uncertain; a refusal does not', async () => {
  simulator.hold('sendMessage')
  const sending = stage.send(session, { body: 'perdida?', to: [{ kind: 'lid', value: ana.lid }] })
  await vi.waitFor(() => expect(simulator.asked.at(-1)?.name).toBe('sendMessage'))
  simulator.cut()
  await expect(sending).rejects.toMatchObject({ outcome: 'uncertain' })
  await expect(stage.send(session, { body: 'agora não', to: [{ kind: 'lid', value: ana.lid }] })).rejects.toMatchObject(
    { outcome: 'retry' },
  )
  await vi.waitFor(() => expect(stage.told.at(-1)?.status).toBe('CONNECTED'), { timeout: 5_000 })
  simulator.refuse('sendMessage', 'rate-overlimit', 429)
  await expect(stage.send(session, { body: 'devagar', to: [{ kind: 'lid', value: ana.lid }] })).rejects.toMatchObject({
    outcome: 'retry',
    retryAfterMs: 60_000,
  })
})

test('a flood told on reconnecting loses nothing and keeps the order of each chat', async () => {
  simulator.end(428)
  await vi.waitFor(() => expect(simulator.isOnline()).toBe(false))
  for (let n = 0; n < 5_000; n += 1)
    simulator.say({ lid: `10000000000${String(n % 50).padStart(2, '0')}` }, { conversation: String(n) })
  await vi.waitFor(() => expect(journal.size).toBe(5_000), { timeout: 20_000 })
  const chats = Map.groupBy(messages(), ({ from }) => from.identities[0].value)
  expect(chats.size).toBe(50)
  for (const said of chats.values()) {
    const numbers = said.map(({ content }) => Number(content.body))
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b))
  }
}, 30_000)

test('a file is fetched and opened with the key its message carries; one that is gone is told apart', async () => {
  const image = sampleMedia('image')
  const carla = simulator.customer({ name: 'Carla' })
  await carla.sendMedia('image', image)
  await arrived()
  expect(JSON.stringify([...journal.values()])).not.toContain(image.bytes.toString('base64'))
  const source = messages()[0]?.content.media?.source ?? {}
  expect((await wholeOf(await baileys.fetchMedia?.(source, stage.context)))?.equals(image.bytes)).toBe(true)
  const elsewhere = { ...source, directPath: '@127.0.0.1/x' }
  await expect(baileys.fetchMedia?.(elsewhere, stage.context)).rejects.toMatchObject({ outcome: 'final' })
  simulator.dropFiles()
  await expect(baileys.fetchMedia?.(source, stage.context)).rejects.toMatchObject({ outcome: 'final' })

  const renewed = (await session.calls.renewMedia?.({ source })) as Record<string, unknown>
  expect((await wholeOf(await baileys.fetchMedia?.(renewed, stage.context)))?.equals(image.bytes)).toBe(true)
  simulator.dropFilesOfPhone()
  await expect(session.calls.renewMedia?.({ source })).rejects.toMatchObject({
    outcome: 'final',
    message: 'O arquivo não está mais no celular. Peça que seja enviado de novo.',
  })
  simulator.refuse('updateMediaMessage', 'Media re-upload failed by device (GENERAL_ERROR)', 418)
  await expect(session.calls.renewMedia?.({ source })).rejects.toMatchObject({ outcome: 'retry' })
})

test('a video of 100 MB comes home whole; one that is larger than we take is said, not fetched again and again', async () => {
  const bia = simulator.customer({ name: 'Bia' })
  const fetched = async (bytes: Buffer) => {
    journal.clear()
    await bia.sendMedia('video', { bytes, mimeType: 'video/mp4' })
    await arrived()
    return baileys.fetchMedia?.(messages()[0]?.content.media?.source ?? {}, stage.context)
  }
  const video = Buffer.alloc(100 * 1024 * 1024, 'quadro')
  const home = await fetched(video)
  expect(home?.bytes?.equals(video)).toBe(true)
  await expect(fetched(Buffer.alloc(111 * 1024 * 1024))).rejects.toMatchObject({
    outcome: 'final',
    isGone: false,
    message: expect.stringContaining('grande demais'),
  })
})

test('a vote is opened long after its poll has left the journal', async () => {
  const secret = randomBytes(32)
  const poll = simulator.say(
    { ...ana, group },
    {
      pollCreationMessageV3: { name: 'Almoço?', options: [{ optionName: 'Sim' }, { optionName: 'Não' }] },
      messageContextInfo: { messageSecret: secret },
    },
  )
  await arrived()
  expect(messages()[0]?.content).toMatchObject({ type: 'poll', body: 'Almoço?' })
  journal.clear()
  const voter = `${ana.lid}@lid`
  const vote = sealVote({ pollId: poll.id, creator: voter, voter, secret }, ['Sim'])
  const at = 1_790_000_000_123
  simulator.say({ ...ana, group }, { pollUpdateMessage: { pollCreationMessageKey: poll, vote, senderTimestampMs: at } })
  await vi.waitFor(() => expect(events()).toHaveLength(1))
  expect(events()[0]).toMatchObject({
    kind: 'vote',
    poll: { providerId: poll.id },
    voter: { identities: expect.arrayContaining([{ kind: 'lid', value: ana.lid }]) },
    chosen: [{ sha256: createHash('sha256').update('Sim').digest('hex') }],
    at: new Date(at),
  })
})

test('whoever types is seen to, once we have written to them', async () => {
  await session.calls.typing?.({ to: [{ kind: 'lid', value: ana.lid }], lastInboundProviderId: null })
  expect(simulator.asked.slice(-2).map(({ name }) => name)).toEqual(['sendPresenceUpdate', 'presenceSubscribe'])
  simulator.tell({
    'presence.update': { id: `${ana.lid}@lid`, presences: { [`${ana.lid}@lid`]: { lastKnownPresence: 'composing' } } },
  })
  await vi.waitFor(() => expect(events()).toMatchObject([{ kind: 'typing', isTyping: true }]))
})

test('a reaction to what is no longer kept names its author all the same', async () => {
  const to = [{ kind: 'group' as const, value: group }]
  const author = [
    { kind: 'phone' as const, value: ana.phone },
    { kind: 'lid' as const, value: ana.lid },
  ]
  await session.calls.react?.({ providerId: 'ANTIGA', to, emoji: '👏', fromMe: false, author })
  expect(simulator.sent.at(-1)?.content).toMatchObject({
    react: { key: { remoteJid: `${group}@g.us`, id: 'ANTIGA', fromMe: false, participant: `${ana.lid}@lid` } },
  })
})
