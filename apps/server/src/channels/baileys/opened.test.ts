import '../../../test/kit.ts' // an environment of its own, before anything reads it
import net from 'node:net'
import {
  addTransactionCapability,
  type BinaryNode,
  Curve,
  DEFAULT_CONNECTION_CONFIG,
  decodeBinaryNode,
  generateSignalPubKey,
  initAuthCreds,
  makeWASocket,
  proto,
  type SignalDataSet,
  signedKeyPair,
  writeRandomPadMax16,
} from '@whiskeysockets/baileys'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import type { SessionHost } from '../adapter.ts'
import { createIntake } from './intake.ts'
import { openLogin } from './login.ts'
import { parse } from './parse.ts'
import type { BaileysPort } from './port.ts'
import { openRealPort } from './port-real.ts'
import { heardAs } from './stanzas.ts'

/** The library's own socket, deciphering and acknowledging, on a line that leads to a listener of ours. */
const happened: string[] = []
/** Speaks the beginning of WebSocket, and reads the stanzas of who has not shaken hands yet: they are not sealed. */
const line = net.createServer((socket) => {
  let isOpen = false
  socket
    .on('error', () => {})
    .on('data', (bytes) => {
      if (isOpen && ((bytes[0] ?? 0) & 15) === 8) return void socket.end()
      if (isOpen) return void readFrames(bytes)
      isOpen = true
      const [, key = ''] = /Sec-WebSocket-Key: (\S+)/i.exec(bytes.toString()) ?? []
      void crypto.subtle.digest('SHA-1', Buffer.from(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)).then((digest) => {
        const accept = Buffer.from(digest).toString('base64')
        socket.write(
          `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
        )
      })
    })
})
const readFrames = async (bytes: Buffer) => {
  for (let at = 0; at + 2 <= bytes.length; ) {
    const short = (bytes[at + 1] ?? 0) & 127
    const head = short === 126 ? 4 : 2
    const length = short === 126 ? bytes.readUInt16BE(at + 2) : short
    const mask = bytes.subarray(at + head, at + head + 4)
    const sealed = bytes.subarray(at + head + 4, at + head + 4 + length)
    const plain = Buffer.from(sealed.map((byte, n) => byte ^ (mask[n % 4] ?? 0)))
    at += head + 4 + length
    const told = await decodeBinaryNode(plain.subarray(3)).catch(() => undefined) // the handshake is none
    if (told) happened.push(`left ${told.tag} ${told.attrs.id}`)
  }
}
await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve))
const address = line.address() as net.AddressInfo
afterAll(() => line.close())

const [us, ana] = ['5511912345678@s.whatsapp.net', '111222333@lid']
const quiet = Object.assign(
  { level: 'silent', child: () => quiet },
  ...['trace', 'debug', 'info', 'warn', 'error'].map((name) => ({ [name]: () => {} })),
)

/** What a database would hold, and what a process of ours writes into it until it is killed. */
const kept = new Map<string, string>()
const journal = new Map<string, unknown>()
const processOf = async (isJournalAway = false) => {
  const dying = new AbortController()
  const host: SessionHost = {
    signal: dying.signal,
    receive: async (pieces, changes = {}) => {
      dying.signal.throwIfAborted()
      if (isJournalAway && pieces.length) return new Promise(() => {})
      for (const { key, payload } of pieces) journal.set(key, payload)
      for (const [name, value] of Object.entries(changes)) {
        if (value === null) kept.delete(name)
        else kept.set(name, value)
      }
      const names = Object.entries(changes).map(([name, value]) => `${value === null ? '-' : '+'}${name.split(':')[1]}`)
      if (names.length) happened.push(`wrote ${names.toSorted().join(' ')}`)
    },
    recall: async () => undefined,
    state: async (names = '') =>
      new Map(
        [...kept].filter(([name]) => (typeof names === 'string' ? name.startsWith(names) : names.includes(name))),
      ),
    forget: async () => kept.clear(),
    tell: async () => {},
  }
  const login = await openLogin(host)
  login.auth.creds.me = { id: us.replace('@', ':3@'), name: 'Loja', lid: '777:3@lid' }
  if (!kept.has('creds')) {
    login.auth.creds.account = { details: Buffer.from('device') }
    await host.receive([], login.changes())
  }
  const intake = createIntake(host, { connectionId: 'c' } as never, login, dying.signal)
  const egress = { connect: async () => net.connect(address.port, '127.0.0.1') } as never
  const { promise: made, resolve } = Promise.withResolvers<ReturnType<typeof makeWASocket>>()
  const port = await openRealPort(
    egress,
    {
      auth: login.auth,
      opened: login.opened,
      deviceName: 'Balcão',
      wantsHistory: false,
      getMessage: async () => undefined,
      cachedGroupMetadata: async () => undefined,
    },
    (config) => {
      const one = makeWASocket(config)
      resolve(one)
      return one
    },
  )
  port.listen(intake.take)
  const socket = await made
  await vi.waitFor(() => expect(socket.ws.isOpen).toBe(true))
  socket.ev.flush() // it waits for what was told while it was away
  return {
    login,
    port,
    hear: (stanza: BinaryNode) => socket.ws.emit(heardAs(stanza), stanza),
    open: () => socket.ev.emit('connection.update', { connection: 'open' }),
    kill: async () => {
      dying.abort()
      await port.close().catch(() => {})
    },
  }
}
type Process = Awaited<ReturnType<typeof processOf>>
const alive = new Set<BaileysPort>()
afterEach(() => {
  for (const port of alive) void port.close().catch(() => {})
  alive.clear()
})

/** Ana's phone, which seals for us with the key she was given of ours. */
const phoneOfAna = async ({ login }: Process) => {
  const creds = initAuthCreds()
  const keys = new Map<string, unknown>()
  const store = addTransactionCapability(
    {
      get: async (type, ids) => Object.fromEntries(ids.map((id) => [id, keys.get(`${type}:${id}`)])) as never,
      set: async (given: SignalDataSet) => {
        for (const [type, ofType] of Object.entries(given))
          for (const [id, value] of Object.entries(ofType ?? {})) keys.set(`${type}:${id}`, value)
      },
    },
    quiet,
    { maxCommitRetries: 1, delayBetweenTriesMs: 1 },
  )
  const phone = DEFAULT_CONNECTION_CONFIG.makeSignalRepository({ creds, keys: store }, quiet)
  const ours = login.auth.creds
  const once = Curve.generateKeyPair()
  await login.auth.keys.set({ 'pre-key': { 7: once } })
  const signed = signedKeyPair(ours.signedIdentityKey, ours.signedPreKey.keyId)
  Object.assign(ours, { signedPreKey: signed })
  await phone.injectE2ESession({
    jid: us,
    session: {
      registrationId: ours.registrationId,
      identityKey: generateSignalPubKey(ours.signedIdentityKey.public),
      signedPreKey: {
        keyId: signed.keyId,
        publicKey: generateSignalPubKey(signed.keyPair.public),
        signature: signed.signature,
      },
      preKey: { keyId: 7, publicKey: generateSignalPubKey(once.public) },
    },
  })
  return async (id: string, said: string | proto.IMessage): Promise<BinaryNode> => {
    const message = typeof said === 'string' ? { conversation: said } : said
    const data = writeRandomPadMax16(proto.Message.encode(message).finish())
    const { type, ciphertext } = await phone.encryptMessage({ jid: us, data })
    return {
      tag: 'message',
      attrs: { from: ana, id, t: '1790000000', type: 'text', notify: 'Ana' },
      content: [{ tag: 'enc', attrs: { v: '2', type }, content: ciphertext }],
    }
  }
}
const texts = () => [...journal.values()].map((one) => Object(one).message.message.conversation)
const left = () => [...kept.keys()].filter((name) => name.startsWith('key:opened:'))

test('what is deciphered is kept with its key before it is acknowledged, and goes with the journal', async () => {
  const process = await processOf()
  alive.add(process.port)
  const write = await phoneOfAna(process)
  happened.length = 0
  process.hear(await write('M1', 'oi'))
  await vi.waitFor(() => expect(texts()).toEqual(['oi']))
  await vi.waitFor(() => expect(left()).toEqual([]))
  const written = happened.findIndex((one) => /wrote .*\+opened.*\+session/.test(one))
  expect(written).toBeGreaterThanOrEqual(0)
  await vi.waitFor(() => expect(happened.indexOf('left receipt M1')).toBeGreaterThan(written))
})

test('a process killed between the acknowledgement and the journal: the next one is told it again, in order', async () => {
  const killed = await processOf(true)
  const write = await phoneOfAna(killed)
  for (const [id, text] of [
    ['K1', 'antes'],
    ['K2', 'de cair'],
  ] as const)
    killed.hear(await write(id, text))
  await vi.waitFor(() => expect(happened).toContain('left receipt K2'))
  expect(left()).toHaveLength(2)
  await killed.kill()
  journal.clear()

  const next = await processOf()
  alive.add(next.port)
  next.open()
  await vi.waitFor(() => expect(texts()).toEqual(['antes', 'de cair']))
  await vi.waitFor(() => expect(left()).toEqual([]))
})

test('what WhatsApp brings once more, because the acknowledgement was lost, is read although its key is used up', async () => {
  const killed = await processOf(true)
  const write = await phoneOfAna(killed)
  const stanza = await write('R1', 'de novo')
  killed.hear(stanza)
  await vi.waitFor(() => expect(left()).toHaveLength(1))
  await killed.kill()
  journal.clear()

  const next = await processOf()
  alive.add(next.port)
  const again = structuredClone(stanza)
  next.hear({ ...again, attrs: { ...again.attrs, offline: '1' } })
  await vi.waitFor(() => expect(texts()).toEqual(['de novo']))
  await vi.waitFor(() => expect(left()).toEqual([]))
  // Without what was kept nobody can: its key is gone.
  journal.clear()
  happened.length = 0
  next.hear(structuredClone(stanza))
  await vi.waitFor(() => expect(happened).toContain('left ack R1'))
  expect(texts()).toEqual([])
})

test('edits, deletes and reactions are kept as the messages they come in, and told to the next process', async () => {
  const killed = await processOf(true)
  const write = await phoneOfAna(killed)
  const key = { remoteJid: ana, fromMe: false, id: 'M0' }
  for (const [id, message] of [
    ['C1', { protocolMessage: { key, type: 14, editedMessage: { conversation: 'certo' } } }],
    ['C2', { protocolMessage: { key, type: 0 } }],
    ['C3', { reactionMessage: { key, text: '👍' } }],
  ] as const)
    killed.hear(await write(id, message))
  await vi.waitFor(() => expect(happened).toContain('left receipt C3'))
  await killed.kill()
  journal.clear()

  const next = await processOf()
  alive.add(next.port)
  next.open()
  const kinds = () => new Set([...journal.values()].flatMap((one) => parse(one).map(({ kind }) => kind)))
  await vi.waitFor(() => expect(kinds()).toEqual(new Set(['edit', 'delete', 'reaction'])))
  await vi.waitFor(() => expect(left()).toEqual([]))
})

const group = '120363000000000001@g.us'
const inGroup = (id: string, child: BinaryNode): BinaryNode => ({
  tag: 'notification',
  attrs: { from: group, id, type: 'w:gp2', participant: ana, t: '1790000000' },
  content: [child],
})
const member = { tag: 'participant', attrs: { jid: '888111222@lid', phone_number: '5511977776666@s.whatsapp.net' } }
const calling = (id: string, tag: string, attrs: Record<string, string> = {}): BinaryNode => ({
  tag: 'call',
  attrs: { from: ana, id, t: '1790000000' },
  content: [{ tag, attrs: { 'call-id': 'CALL', 'call-creator': ana, ...attrs } }],
})
const received = (id: string, attrs: Record<string, string>): BinaryNode => ({
  tag: 'receipt',
  attrs: { from: ana, id, t: '1790000000', ...attrs },
})
const others: [what: string, stanza: BinaryNode, event: object][] = [
  ['a join', inGroup('N1', { tag: 'add', attrs: {}, content: [member] }), { kind: 'group', change: 'joined' }],
  ['a leave', inGroup('N2', { tag: 'remove', attrs: {}, content: [member] }), { kind: 'group', change: 'left' }],
  [
    'a new subject',
    inGroup('N3', { tag: 'subject', attrs: { subject: 'Rua' } }),
    { kind: 'group', change: 'subject', subject: 'Rua' },
  ],
  ['a call that rings', calling('N4', 'offer'), { kind: 'call', state: 'ringing' }],
  ['a call nobody took', calling('N5', 'terminate', { reason: 'timeout' }), { kind: 'call', state: 'missed' }],
  ['a delivery', received('N6', {}), { kind: 'status', providerId: 'N6', status: 'delivered' }],
  ['a reading', received('N7', { type: 'read' }), { kind: 'status', providerId: 'N7', status: 'read' }],
  [
    'a delivery in a group',
    received('N8', { from: group, participant: ana }),
    { kind: 'status', providerId: 'N8', status: 'delivered' },
  ],
]
const events = () => [...journal.values()].flatMap(parse)
test.each(others)(
  '%s is kept before it is acknowledged, and told again when its process dies',
  async (_what, stanza, event) => {
    const killed = await processOf(true)
    happened.length = 0
    killed.hear(stanza)
    await vi.waitFor(() => expect(happened).toContain(`left ack ${stanza.attrs.id}`))
    expect(happened.indexOf('wrote +opened')).toBeGreaterThanOrEqual(0)
    expect(happened.indexOf('wrote +opened')).toBeLessThan(happened.indexOf(`left ack ${stanza.attrs.id}`))
    expect(left()).toHaveLength(1)
    await killed.kill()
    journal.clear()

    const next = await processOf()
    alive.add(next.port)
    next.open()
    await vi.waitFor(() => expect(events()).toMatchObject([event]))
    await vi.waitFor(() => expect(left()).toEqual([]))
  },
)

test('a refusal of what we sent is told again to the next process', async () => {
  const killed = await processOf(true)
  killed.hear({ tag: 'ack', attrs: { class: 'message', from: ana, id: 'E1', error: '479' } })
  await vi.waitFor(() => expect(left()).toHaveLength(1))
  await killed.kill()
  journal.clear()
  const next = await processOf()
  alive.add(next.port)
  next.open()
  await vi.waitFor(() => expect(events()).toMatchObject([{ kind: 'status', providerId: 'E1', status: 'failed' }]))
  await vi.waitFor(() => expect(left()).toEqual([]))
})

test('of a message to a group the first delivery is written, and what follows a stanza that is being written waits for it', async () => {
  const process = await processOf()
  alive.add(process.port)
  happened.length = 0
  for (const n of [1, 2, 3]) process.hear(received('G1', { from: group, participant: `88811122${n}@lid` }))
  await vi.waitFor(() => expect(happened.filter((one) => one === 'left ack G1')).toHaveLength(3))
  process.hear(received('G1', { from: group, participant: '888111224@lid' }))
  await vi.waitFor(() => expect(happened.filter((one) => one === 'left ack G1')).toHaveLength(4))
  expect(happened.filter((one) => /\+opened/.test(one))).toHaveLength(1)
  await vi.waitFor(() => expect(left()).toEqual([]))
})
