import '../../../test/kit.ts' // an environment of its own, before anything reads it
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { Session } from '../adapter.ts'
import { startBaileys } from './harness.ts'
import { nextOf } from './session.ts'

type Stage = Awaited<ReturnType<typeof startBaileys>>
// The first session loads the library, which a busy machine takes seconds for.
beforeAll(async () => void (await import('@whiskeysockets/baileys')))
const open: { session: Session; stage: Stage }[] = []
afterEach(async () => {
  for (const { session, stage } of open.splice(0)) {
    await session.close()
    await stage.simulator.close()
  }
})
const begin = async (more: Parameters<typeof startBaileys>[0] = {}) => {
  const stage = await startBaileys(more)
  const { session, lose, host } = await stage.open()
  open.push({ session, stage })
  return { ...stage, session, lose, host, last: () => stage.told.at(-1) }
}
const linked = async (more: Parameters<typeof startBaileys>[0] = {}) => {
  const stage = await begin(more)
  await vi.waitFor(() => expect(stage.last()?.login?.qr).toBeDefined(), { timeout: 5_000 })
  stage.simulator.scan('5511912345678', 'Loja Azul', '777000111222')
  await vi.waitFor(() => expect(stage.last()?.status).toBe('CONNECTED'))
  return stage
}
const tells = (stage: { last: () => unknown }, standing: object, timeout = 5_000) =>
  vi.waitFor(() => expect(stage.last()).toMatchObject(standing), { timeout })

test('codes are shown as long as they last, and a scan restarts into a connected phone', async () => {
  const stage = await begin({ codeMs: { first: 100, next: 60_000 } })
  await vi.waitFor(() => expect(stage.told.filter(({ login }) => login)).toHaveLength(2))
  const [first, second] = stage.told.filter(({ login }) => login)
  expect(first).toMatchObject({ status: 'OPENING', login: { lastsSeconds: 60 } })
  expect(second).toMatchObject({ login: { lastsSeconds: 20 } })
  expect(second?.login?.qr).not.toBe(first?.login?.qr)
  stage.simulator.scan('5511912345678', 'Loja Azul')
  await tells(stage, {
    status: 'CONNECTED',
    account: { number: '5511912345678', name: 'Loja Azul', pictureUrl: expect.stringContaining('5511912345678') },
  })
  expect(stage.last()?.login).toBeUndefined()
})

test('codes nobody scanned run out, nobody connects again by itself, and a new one is given when asked for', async () => {
  const stage = await begin({ codeMs: { first: 30, next: 30 }, codes: 2 })
  await tells(stage, { status: 'DISCONNECTED', text: expect.stringContaining('Ninguém leu o código') })
  await vi.waitFor(() => expect(stage.simulator.devices()).toBe(0))
  const standing = await stage.session.calls.link?.({})
  expect(standing).toMatchObject({ status: 'OPENING', login: { qr: expect.any(String) } })
})

test('a session that waits for a phone goes on waiting when another process takes it', async () => {
  const stage = await begin({ codeMs: { first: 30, next: 30 }, codes: 1 })
  await tells(stage, { status: 'DISCONNECTED' })
  await stage.session.close()
  const again = await stage.open()
  open.push({ session: again.session, stage })
  await tells(stage, { status: 'DISCONNECTED', text: expect.stringContaining('Gere um novo código') })
  await vi.waitFor(() => expect(stage.simulator.devices()).toBe(0))
})

test('a phone is linked by a code typed on it', async () => {
  const stage = await begin()
  await tells(stage, { login: {} })
  const standing = await stage.session.calls.link?.({ phone: '5511912345678' })
  const code = (standing as { login?: { pairingCode?: string } }).login?.pairingCode ?? ''
  expect(code).toHaveLength(8)
  stage.simulator.enterCode(code)
  await tells(stage, { status: 'CONNECTED', account: { number: '5511912345678' } })
})

test('whoever began to type a code and never finished begins anew', async () => {
  const stage = await begin()
  await tells(stage, { login: {} })
  await stage.session.calls.link?.({ phone: '5511912345678' })
  await vi.waitFor(() => expect(stage.kept.has('creds')).toBe(true))
  await stage.session.close()
  const again = await stage.open()
  open.push({ session: again.session, stage })
  await tells(stage, { status: 'OPENING', login: { qr: expect.any(String) } })
})

const rules: [code: number | undefined, step: string, standing: object][] = [
  [401, 'forget', { status: 'DISCONNECTED', text: expect.stringContaining('desconectou') }],
  [402, 'stay', { status: 'ERROR', text: expect.stringContaining('restringiu') }],
  [403, 'stay', { status: 'ERROR', text: expect.stringContaining('bloqueou') }],
  [406, 'stay', { status: 'ERROR', text: expect.stringContaining('restringiu') }],
  [408, 'again', { status: 'OPENING', text: expect.stringContaining('caiu') }],
  [411, 'forget', { status: 'DISCONNECTED', text: expect.stringContaining('não aceita aparelhos') }],
  [428, 'again', { status: 'OPENING', text: expect.stringContaining('encerrou') }],
  [440, 'stay', { status: 'ERROR', text: expect.stringContaining('Outro programa') }],
  [503, 'again', { status: 'OPENING', text: expect.stringContaining('fora do ar') }],
  [515, 'now', { status: 'OPENING' }],
  [599, 'again', { status: 'OPENING', text: expect.stringContaining('599') }],
  [undefined, 'again', { status: 'OPENING', text: expect.stringContaining('proxy') }],
]
test.each(rules)('what ends with %s asks for %s', (code, step, standing) => {
  expect(nextOf({ code, wasOpen: true, wasShowingCode: false }, 0)).toMatchObject({ step, standing })
})

test.each([
  [401, 'DISCONNECTED', false],
  [440, 'ERROR', true],
] as const)('thrown out with %i: said, and whoever asks to send is told', async (code, status, keepsLogin) => {
  const stage = await linked()
  stage.simulator.end(code)
  await tells(stage, { status })
  expect(stage.kept.has('creds')).toBe(keepsLogin)
  await vi.waitFor(() => expect(stage.simulator.devices()).toBe(0))
  await expect(stage.send(stage.session, { body: 'oi' })).rejects.toMatchObject({ isConnectionBroken: true })
})

test('a connection that drops comes back with the same login', async () => {
  const stage = await linked()
  const before = stage.told.length
  stage.simulator.end(428)
  await vi.waitFor(
    () => expect(stage.told.slice(before).map(({ status }) => status)).toEqual(['OPENING', 'CONNECTED']),
    {
      timeout: 5_000,
    },
  )
})

test('a line that breaks without a word comes back too', async () => {
  const stage = await linked()
  const before = stage.told.length
  stage.simulator.cut()
  await vi.waitFor(() => expect(stage.told.slice(before).at(-1)?.status).toBe('CONNECTED'), { timeout: 5_000 })
})

test('a session WhatsApp calls bad is tried three times before its login is given up', async () => {
  const stage = await linked()
  for (let n = 0; n < 2; n += 1) stage.simulator.refuseNext(500)
  stage.simulator.end(500)
  await tells(stage, { status: 'DISCONNECTED', text: expect.stringContaining('inválida') }, 15_000)
  expect(stage.kept.has('creds')).toBe(false)
}, 30_000)

test('unlinked by us, the phone and we forget each other', async () => {
  const stage = await linked()
  await stage.session.calls.unlink?.({})
  expect(stage.simulator.isOnline()).toBe(false)
  await tells(stage, { status: 'DISCONNECTED' })
  expect([...stage.kept.keys()]).toEqual(['waiting'])
  await expect(stage.send(stage.session, { body: 'oi' })).rejects.toMatchObject({
    outcome: 'final',
    isConnectionBroken: true,
  })
})

test('a login that cannot be read any more says so, and a new code is given when asked for', async () => {
  const stage = await linked()
  await stage.session.close()
  stage.kept.set('creds', '{"noiseKey":')
  const again = await stage.open()
  open.push({ session: again.session, stage })
  await tells(stage, { status: 'ERROR', text: expect.stringContaining('não pode mais ser lido') })
  expect(await again.session.calls.link?.({})).toMatchObject({ login: { qr: expect.any(String) } })
})

test('a process that lost the session changes nothing and ends', async () => {
  const stage = await linked()
  const kept = new Map(stage.kept)
  stage.lose()
  stage.simulator.tell({ 'creds.update': { platform: 'de outro' } })
  stage.simulator.say({ phone: '5511987654321' }, { conversation: 'para o outro' })
  await stage.session.ended
  expect(stage.kept).toEqual(kept)
  expect(stage.messages()).toEqual([])
})

test('a restriction says until when, and goes away', async () => {
  const stage = await linked()
  const until = new Date('2026-11-23T17:00:00Z')
  stage.simulator.tell({ 'connection.update': { reachoutTimeLock: { isActive: true, timeEnforcementEnds: until } } })
  await tells(stage, { status: 'CONNECTED', text: expect.stringContaining('até 23/11/2026, 14:00') })
  stage.simulator.tell({ 'connection.update': { reachoutTimeLock: { isActive: false } } })
  await tells(stage, { status: 'CONNECTED', text: expect.stringMatching(/^Conectado/) })
})

test('while nobody new may be written to, what goes to them waits; those who have written are answered', async () => {
  const stage = await linked()
  const until = new Date(Date.now() + 2 * 60 * 60_000)
  stage.simulator.tell({ 'connection.update': { reachoutTimeLock: { isActive: true, timeEnforcementEnds: until } } })
  await tells(stage, { text: expect.stringContaining('Restrito') })
  await expect(stage.send(stage.session, { body: 'olá', isFirst: true })).rejects.toMatchObject({
    outcome: 'retry',
    isHeld: true,
    retryAfterMs: 30 * 60_000,
    message: expect.stringMatching(/^O WhatsApp não deixa este número começar conversas até .+: a mensagem espera\.$/),
  })
  expect(stage.simulator.sent).toEqual([])
  await stage.send(stage.session, { body: 'já conversamos' })
  expect(stage.simulator.sent).toHaveLength(1)
  stage.simulator.tell({ 'connection.update': { reachoutTimeLock: { isActive: false } } })
  await tells(stage, { text: expect.stringMatching(/^Conectado/) })
  await stage.send(stage.session, { body: 'olá', isFirst: true })
})

test('one message refused for being the first stops the others, though nobody says until when', async () => {
  const stage = await linked()
  const key = { remoteJid: '5511987654321@s.whatsapp.net', id: 'X1', fromMe: true }
  stage.simulator.tell({ 'messages.update': [{ key, update: { status: 0, messageStubParameters: ['463'] } }] })
  await tells(stage, { status: 'CONNECTED', text: expect.stringContaining('por algum tempo') })
  await expect(stage.send(stage.session, { body: 'olá', isFirst: true })).rejects.toMatchObject({ isHeld: true })
})

test('a session that is closed while it still opens ends', async () => {
  const stage = await startBaileys()
  const { session } = await stage.open()
  await session.close()
  await session.ended
  await stage.simulator.close()
})
