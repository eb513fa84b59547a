import '../../../test/kit.ts' // an environment of its own, before anything reads it
import { sampleMedia } from '@balcao/simulators/samples.ts'
import {
  addTransactionCapability,
  BufferJSON,
  generateWAMessageContent,
  getContentType,
  makeCacheableSignalKeyStore,
  normalizeMessageContent,
  proto,
} from '@whiskeysockets/baileys'
import { expect, test, vi } from 'vitest'
import type { Outbound, SessionHost } from '../adapter.ts'
import { contentOf } from './content.ts'
import { startBaileys } from './harness.ts'
import { fromJson, toJson } from './json.ts'
import { openLogin } from './login.ts'
import { parse } from './parse.ts'
import { plain } from './pieces.ts'

/** The library's own code, wherever it can run without WhatsApp. */
const quiet = Object.assign(
  { level: 'silent', child: () => quiet },
  ...['trace', 'debug', 'info', 'warn', 'error'].map((name) => ({ [name]: () => {} })),
)

const hostOver = (kept: Map<string, string>): SessionHost => ({
  signal: new AbortController().signal,
  receive: async (_pieces, changes = {}) => {
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) kept.delete(name)
      else kept.set(name, value)
    }
  },
  recall: async () => undefined,
  state: async (names = '') => new Map([...kept].filter(([name]) => names.includes(name))),
  forget: async () => kept.clear(),
  tell: async () => {},
})

test('its keys come back as they were given, through its own cache and transactions', async () => {
  const kept = new Map<string, string>()
  const login = await openLogin(hostOver(kept))
  await hostOver(kept).receive([], login.changes())
  const keys = () =>
    addTransactionCapability(makeCacheableSignalKeyStore(login.auth.keys, quiet), quiet, {
      maxCommitRetries: 1,
      delayBetweenTriesMs: 1,
    })
  const pair = { public: Buffer.from([1, 2]), private: Buffer.from([3, 4]) }
  const appState = proto.Message.AppStateSyncKeyData.create({ keyData: Buffer.from([9, 8, 7]), timestamp: 5 })
  const first = keys()
  await first.transaction(async () => {
    await first.set({
      'pre-key': { 1: pair, 11: pair },
      session: { 'ana.0': Buffer.from('sessão') },
      'sender-key-memory': { g: { ana: true } },
      'app-state-sync-key': { k: appState },
      'lid-mapping': { '551199': '777' },
    })
  }, 'test')
  await first.set({ 'pre-key': { 11: null } })

  const again = keys()
  expect(await again.get('pre-key', ['1', '11', '111'])).toEqual({ 1: pair })
  expect(await again.get('session', ['ana.0'])).toEqual({ 'ana.0': Buffer.from('sessão') })
  expect(await again.get('sender-key-memory', ['g'])).toEqual({ g: { ana: true } })
  expect(await again.get('lid-mapping', ['551199'])).toEqual({ '551199': '777' })
  const { k } = await again.get('app-state-sync-key', ['k'])
  expect(k).toBeInstanceOf(proto.Message.AppStateSyncKeyData)
  expect(Buffer.from(k?.keyData ?? [])).toEqual(Buffer.from([9, 8, 7]))
})

test('what we write as JSON is what it writes, and reads', async () => {
  const { auth } = await openLogin(hostOver(new Map()))
  expect(toJson(auth.creds)).toBe(JSON.stringify(auth.creds, BufferJSON.replacer))
  expect(fromJson(toJson(auth.creds))).toEqual(JSON.parse(toJson(auth.creds), BufferJSON.reviver))
})

const base: Outbound = {
  id: '0199c0de-0000-7000-8000-000000000001',
  to: [],
  type: 'text',
  body: '',
  media: null,
  location: null,
  contacts: [],
  quotedProviderId: null,
}
const file = (kind: 'image' | 'video' | 'audio' | 'document' | 'sticker') => {
  const { bytes, mimeType, filename } = sampleMedia(kind)
  return {
    type: kind,
    media: { name: filename ?? 'arquivo', mime: mimeType, size: bytes.length, bytes: async () => bytes },
  }
}
const sendings: [name: string, message: Partial<Outbound>, type: string, read: object][] = [
  [
    'text',
    { body: 'oi @5511987654321', mentions: [{ id: '5511987654321', name: '5511987654321' }] },
    'extendedTextMessage',
    { type: 'text', body: 'oi @5511987654321' },
  ],
  [
    'location',
    { type: 'location', location: { latitude: -23.5, longitude: -46.6, name: 'Praça' } },
    'locationMessage',
    { type: 'location', location: { latitude: -23.5, longitude: -46.6, name: 'Praça' } },
  ],
  [
    'contact',
    { type: 'contact', contacts: [{ name: 'Bia', phones: ['+55 11 98888-7777'], emails: [] }] },
    'contactMessage',
    { type: 'contact', contacts: [{ name: 'Bia', phones: ['+55 11 98888-7777'] }] },
  ],
  [
    'image',
    { ...file('image'), body: 'foto' },
    'imageMessage',
    { type: 'image', body: 'foto', media: { mime: 'image/jpeg' } },
  ],
  ['video', { ...file('video'), body: 'vídeo' }, 'videoMessage', { type: 'video', body: 'vídeo' }],
  ['audio', file('audio'), 'audioMessage', { type: 'audio' }],
  ['document', file('document'), 'documentMessage', { type: 'document' }],
  ['sticker', file('sticker'), 'stickerMessage', { type: 'sticker' }],
]
test.each(sendings)('a %s it builds, encodes and decodes is what we read', async (_name, message, type, read) => {
  const built = await generateWAMessageContent(await contentOf({ ...base, ...message }), {
    logger: quiet,
    jid: '5511987654321@s.whatsapp.net',
    upload: async () => ({ mediaUrl: 'https://mmg.whatsapp.net/x', directPath: '/x' }),
  } as never)
  const decoded = proto.Message.decode(proto.Message.encode(built).finish())
  expect(getContentType(normalizeMessageContent(decoded))).toBe(type)
  const key = { remoteJid: '5511987654321@s.whatsapp.net', id: 'X', fromMe: true }
  const stored: unknown = JSON.parse(
    JSON.stringify({ is: 'message', message: plain({ key, message: decoded, messageTimestamp: 1_790_000_000 }) }),
  )
  expect(parse(stored)).toMatchObject([{ kind: 'message', fromMe: true, content: read }])
  // What is asked for again, because a phone could not read it, is the message as it went.
  const kept = Object(stored).message.message
  const [again, went] = [proto.Message.fromObject(kept), proto.Message.decode(proto.Message.encode(built).finish())]
  for (const one of [again, went])
    for (const part of Object.values(one))
      if (part && typeof part === 'object') Reflect.deleteProperty(part, 'jpegThumbnail')
  expect(plain(again)).toEqual(plain(went))
})

test('without a way to WhatsApp its socket gives up at once, says so, and goes nowhere else', async () => {
  const stage = await startBaileys()
  const asked: unknown[] = []
  Object.assign(stage.context.config, { server: '' })
  stage.context.egress.connect = async (target) => {
    asked.push(target)
    throw new Error('The proxy did not answer')
  }
  const { session } = await stage.open()
  await vi.waitFor(
    () => expect(stage.told.at(-1)).toMatchObject({ status: 'OPENING', text: expect.stringContaining('proxy') }),
    { timeout: 10_000 },
  )
  expect(asked[0]).toEqual({ host: 'web.whatsapp.com', port: 443 })
  await session.close()
  await stage.simulator.close()
})
