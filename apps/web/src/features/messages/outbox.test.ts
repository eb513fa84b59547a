import type { Message, MessageSend } from '@balcao/contract/messages.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

/** What the page is made of, as far as the outbox asks. */
const stored = new Map<string, string>()
const heard = new Map<string, (event: object) => void>()
const storage = {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
  removeItem: (key: string) => void stored.delete(key),
}
vi.stubGlobal(
  'localStorage',
  new Proxy(storage, {
    ownKeys: () => [...stored.keys()],
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  }),
)
vi.stubGlobal('window', {
  addEventListener: (name: string, handle: (event: object) => void) => heard.set(name, handle),
})

type Post = { ticketId: string; send: MessageSend; answer: (failure?: unknown) => void }
const posts: Post[] = []
vi.mock('./api.ts', () => ({
  postMessage: (ticketId: string, send: MessageSend) =>
    new Promise<Message>((resolve, reject) => {
      const message = { id: send.id } as Message // the outbox hands it on unread
      posts.push({ ticketId, send, answer: (failure) => (failure ? reject(failure) : resolve(message)) })
    }),
  receiveMessage: () => undefined,
}))
vi.mock('../../kit/query-client.ts', () => ({ queryClient: {} }))
let connected: () => void
vi.mock('../../kit/socket.ts', () => ({
  onConnected: (handle: () => void) => {
    connected = handle
  },
}))
const person = { userId: 'u1', username: 'Ana' }
vi.mock('../../kit/session.ts', () => ({ session: { get: () => person, subscribe: () => () => undefined } }))

type Outbox = typeof import('./outbox.ts')
let outbox: Outbox
let ApiError: typeof import('../../kit/api-error.ts').ApiError
/** A page of the product opens. */
const load = async () => {
  vi.resetModules()
  ApiError = (await import('../../kit/api-error.ts')).ApiError
  outbox = await import('./outbox.ts')
}
/** The page is gone and opens again; with its timers the clock goes back to where the test began. */
const reload = async () => {
  vi.clearAllTimers()
  await load()
}
const offline = () => new ApiError({ status: 0, code: 'ERR_OFFLINE' })
const write = (body: string, more: { delayMs?: number; ticketId?: string; type?: 'note'; batch?: string } = {}) => {
  const { delayMs, ticketId = 't1', type = 'text', batch } = more
  const send = { type, body, sign: false, location: null, contact: null } as unknown as Omit<
    MessageSend,
    'id' | 'force'
  > // what the outbox reads
  outbox.sendMessage({ ticketId, contactId: 'c1', send, delayMs, batch })
}
const pass = (ms = 0) => vi.advanceTimersByTimeAsync(ms)
const said = () => posts.map((post) => post.send.body)
const kept = () => [...stored.values()].map((text) => JSON.parse(text).send.body)

beforeEach(async () => {
  vi.useFakeTimers()
  stored.clear()
  posts.length = 0
  await load()
})
afterEach(() => vi.useRealTimers())

test('a message waits five seconds and goes once', async () => {
  write('oi', { delayMs: 5_000 })
  await pass(4_900)
  expect(said()).toEqual([])
  await pass(200)
  expect(said()).toEqual(['oi'])
  posts[0]?.answer()
  await pass(60_000)
  expect(said()).toEqual(['oi'])
  expect(kept()).toEqual([])
})

test('taken back it is not sent, and hands back what one press of the button sent', async () => {
  write('foto', { delayMs: 5_000, batch: 'b' })
  write('texto', { delayMs: 5_000, batch: 'b' })
  const newest = outbox.undoableIn('t1')
  expect(newest?.send.body).toBe('texto')
  expect(outbox.withdraw(newest?.message.id ?? '').map((entry) => entry.send.body)).toEqual(['foto', 'texto'])
  await pass(10_000)
  expect(said()).toEqual([])
  expect(kept()).toEqual([])
  expect(outbox.undoableIn('t1')).toBeUndefined()
})

test('on its way it can no longer be taken back', async () => {
  write('oi', { delayMs: 5_000 })
  const id = outbox.undoableIn('t1')?.message.id ?? ''
  await pass(5_000)
  expect(outbox.withdraw(id)).toEqual([])
  expect(outbox.undoableIn('t1')).toBeUndefined()
})

test('what is sent at once takes with it, before it, what still waited; other conversations wait on', async () => {
  write('primeira', { delayMs: 5_000 })
  write('outra conversa', { delayMs: 5_000, ticketId: 't2' })
  write('já')
  await pass()
  expect(said()).toEqual(['primeira'])
  posts[0]?.answer()
  await pass()
  expect(said()).toEqual(['primeira', 'já'])
})

test('notes go at once and wait for nobody', async () => {
  write('espera', { delayMs: 5_000 })
  write('nota', { delayMs: 5_000, type: 'note' })
  await pass()
  expect(said()).toEqual(['nota'])
})

test('without a network they wait in order and go once when it is back', async () => {
  write('um')
  write('dois')
  await pass()
  posts[0]?.answer(offline())
  await pass(1_000)
  expect(said()).toEqual(['um'])
  connected()
  await pass()
  expect(said()).toEqual(['um', 'um'])
  expect(posts[0]?.send.id).toBe(posts[1]?.send.id)
  posts[1]?.answer()
  await pass()
  posts[2]?.answer()
  await pass(60_000)
  expect(said()).toEqual(['um', 'um', 'dois'])
  expect(kept()).toEqual([])
})

test('without a sign of the network it is tried again by itself, less and less often', async () => {
  write('um')
  await pass()
  posts[0]?.answer(offline())
  await pass(2_100)
  expect(posts).toHaveLength(2)
  posts[1]?.answer(offline())
  await pass(2_100)
  expect(posts).toHaveLength(2)
  await pass(2_000)
  expect(posts).toHaveLength(3)
})

test('a reload loses nothing: what waited goes when due, what was on its way goes again with its id', async () => {
  write('na rede', { ticketId: 't1' })
  await pass()
  write('na espera', { ticketId: 't2', delayMs: 5_000 })
  const id = posts[0]?.send.id
  await pass()
  posts.length = 0
  await reload()
  await pass()
  expect(posts.map((post) => post.send.id)).toEqual([id])
  expect(outbox.undoableIn('t2')?.send.body).toBe('na espera')
  await pass(4_900)
  expect(said()).toEqual(['na rede'])
  await pass(200)
  expect(said()).toEqual(['na rede', 'na espera'])
})

test('what was refused waits for a person and lets the next one pass', async () => {
  write('recusada')
  write('seguinte')
  await pass()
  posts[0]?.answer(new ApiError({ status: 409, code: 'ERR_WINDOW_CLOSED' }))
  await pass()
  expect(said()).toEqual(['recusada', 'seguinte'])
  expect(kept()).toEqual(['recusada', 'seguinte'])
})

test('taken back in another window of this browser, it is not sent here', async () => {
  write('oi', { delayMs: 5_000 })
  for (const key of [...stored.keys()]) {
    stored.delete(key)
    heard.get('storage')?.({ key, newValue: null })
  }
  await pass(10_000)
  expect(said()).toEqual([])
})

test('before the conversation closes, what was written leaves', async () => {
  write('tchau', { delayMs: 5_000 })
  let isSettled = false
  void outbox.settleOutgoing('t1').then(() => {
    isSettled = true
  })
  await pass()
  expect(said()).toEqual(['tchau'])
  expect(isSettled).toBe(false)
  posts[0]?.answer()
  await pass()
  expect(isSettled).toBe(true)
})

test('who leaves the page has sent: it goes now, and again with the same id when they are back', async () => {
  write('até amanhã', { delayMs: 5_000 })
  await pass()
  heard.get('pagehide')?.({})
  expect(said()).toEqual(['até amanhã'])
  await reload()
  await pass()
  expect(posts.map((post) => post.send.id)).toEqual([posts[0]?.send.id, posts[0]?.send.id])
})
