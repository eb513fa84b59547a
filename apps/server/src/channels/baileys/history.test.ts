import '../../../test/kit.ts' // an environment of its own, before anything reads it
import { afterAll, expect, test, vi } from 'vitest'
import { startBaileys } from './harness.ts'
import { createHistory } from './history.ts'

const day = 86_400_000
const stage = await startBaileys()
afterAll(() => stage.simulator.close())

const said = (n: number, at: number, remoteJid = `1112223330${n % 7}@lid`) => ({
  key: { remoteJid, id: `H${n}`, fromMe: n % 3 === 0 },
  message: { conversation: `antiga ${n}` },
  messageTimestamp: { low: Math.floor(at / 1_000), high: 0, unsigned: true },
})
const old = () => stage.events().flatMap((event) => (event.kind === 'history' ? event.messages : []))

test('the history that is wanted comes in pieces at its own times; live words go first', async () => {
  const now = Date.now()
  const { session } = await stage.open({ since: new Date(now - 30 * day), until: new Date(now), hasGroups: false })
  await vi.waitFor(() => expect(stage.told.at(-1)?.login).toBeDefined(), { timeout: 20_000 })
  stage.simulator.scan('5511912345678')
  await vi.waitFor(() => expect(stage.told.at(-1)?.status).toBe('CONNECTED'))

  const chunk = [
    ...Array.from({ length: 1_000 }, (_, n) => said(n, now - n * 60_000)),
    said(2_000, now - 40 * day),
    said(2_001, now - day, '120363000000000001@g.us'),
    said(2_002, now - day, 'status@broadcast'),
  ]
  stage.simulator.tell({ 'messaging-history.set': { chats: [], contacts: [], messages: chunk, progress: 50 } })
  stage.simulator.tell({
    'messaging-history.set': { chats: [], contacts: [], messages: chunk.slice(0, 200), progress: 100 },
  })
  stage.simulator.say({ phone: '5511987654321', name: 'Ana' }, { conversation: 'agora' })
  await vi.waitFor(() => expect(stage.messages()).toHaveLength(1))
  expect(old().length).toBeLessThan(1_000)
  await vi.waitFor(() => expect(old()).toHaveLength(1_000), { timeout: 5_000 })
  expect(old()[10]).toMatchObject({ providerId: 'H10', content: { body: 'antiga 10' }, fromMe: false })
  expect(old()[10]?.timestamp.getTime()).toBe(Math.floor((now - 600_000) / 1_000) * 1_000)
  await session.close()
})

test('where nobody asked for it, history is left alone', async () => {
  stage.journal.clear()
  stage.told.length = 0
  const { session } = await stage.open()
  await vi.waitFor(() => expect(stage.told.at(-1)?.status).toBe('CONNECTED'))
  stage.simulator.tell({ 'messaging-history.set': { chats: [], contacts: [], messages: [said(1, Date.now())] } })
  stage.simulator.say({ phone: '5511987654321' }, { conversation: 'agora' })
  await vi.waitFor(() => expect(stage.messages()).toHaveLength(1))
  expect(old()).toEqual([])
  await session.close()
})

test('what asks for a stretch of history is forgotten with the last of it, so that a killed process is told it again', async () => {
  const [dying, stored] = [new AbortController(), [] as { many: number; forgets: string[] }[]]
  const wish = { since: new Date(0), until: new Date(), hasGroups: false }
  const history = createHistory(
    wish,
    async ([piece], forgets) => {
      stored.push({ many: Object(piece?.payload).messages.length, forgets: [...forgets] })
    },
    dying.signal,
  )
  const announced = (id: string, chunkOrder: number) => ({
    key: { id, fromMe: true, remoteJid: '5511912345678@s.whatsapp.net' },
    message: { protocolMessage: { historySyncNotification: { syncType: 3, chunkOrder } } },
  })
  history.take({ 'messages.upsert': { messages: [announced('N1', 1), announced('N2', 2)], type: 'append' } } as never)
  const messages = Array.from({ length: 250 }, (_, n) => said(n, Date.now() - day))
  history.take({ 'messaging-history.set': { chats: [], contacts: [], messages, syncType: 3, chunkOrder: 1 } } as never)
  expect(history.isAwaited('N1')).toBe(true)
  await vi.waitFor(() => expect(stored.map(({ many }) => many)).toEqual([50, 50, 50, 50, 50, 0]))
  expect(stored.map(({ forgets }) => forgets)).toEqual([[], [], [], [], [], ['N1']])
  expect(history.isAwaited('N1')).toBe(false)
  expect(history.isAwaited('N2')).toBe(true)
  dying.abort()
})
