import type { Message, MessageSend } from '@balcao/contract/conversations/messages.ts'
import type { Media } from '@balcao/contract/core/media.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Outgoing } from './outbox-state.ts'

/** What the browser is made of, as far as the outbox asks: what one page writes, every page hears of. */
const stored = new Map<string, string>()
let heard: { name: string; handle: (event: object) => void }[] = []
const hear = (name: string, event: object = {}) => {
  for (const one of heard.filter((listener) => listener.name === name)) one.handle(event)
}
const storage = {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => {
    stored.set(key, value)
    queueMicrotask(() => hear('storage', { key }))
  },
  removeItem: (key: string) => {
    stored.delete(key)
    queueMicrotask(() => hear('storage', { key }))
  },
}
vi.stubGlobal(
  'localStorage',
  new Proxy(storage, {
    ownKeys: () => [...stored.keys()],
    getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
  }),
)
vi.stubGlobal('window', {
  addEventListener: (name: string, handle: (event: object) => void) => heard.push({ name, handle }),
})

type Post = { ticketId: string; send: MessageSend; answer: (failure?: unknown) => void }
const posts: Post[] = []
vi.mock('./api.ts', () => ({
  postMessage: (ticketId: string, send: MessageSend) =>
    new Promise<Message>((resolve, reject) => {
      const message = { id: send.id } as Message // the outbox hands it on unread
      posts.push({ ticketId, send, answer: (failure) => (failure ? reject(failure) : resolve(message)) })
    }),
  receiveSent: () => undefined,
}))
vi.mock('../../../kit/query-client.ts', () => ({ queryClient: {} }))
let greeters: (() => void)[] = []
const connected = () => {
  for (const greet of greeters) greet()
}
vi.mock('../../../kit/socket.ts', () => ({ onConnected: (greet: () => void) => greeters.push(greet) }))
const turns = new Map<string, Promise<unknown>>()
vi.mock('../../../kit/exclusively.ts', () => ({
  exclusively: (name: string, work: () => Promise<unknown>) => {
    const turn = (turns.get(name) ?? Promise.resolve()).then(work)
    turns.set(name, turn)
    return turn
  },
}))
const people = { ana: { userId: 'u1', username: 'Ana' }, bia: { userId: 'u2', username: 'Bia' } }
let person: { userId: string; username: string } | null
let logged: (() => void)[] = []
vi.mock('../../../kit/session.ts', () => ({
  session: {
    get: () => person && { ...person, user: { tenantId: 1 } },
    subscribe: (handle: () => void) => logged.push(handle),
  },
}))
const logIn = (next: typeof person) => {
  person = next
  for (const handle of logged) handle()
}

/** Files on their way up. */
const uploads: { id: string; arrive: (media: Media) => void; fail: (error: unknown) => void }[] = []
const arrived = new Map<string, Media>()
let discarded: string[] = []
vi.mock('./uploads.ts', () => ({
  upload: (id: string) =>
    new Promise<Media>((resolve, reject) => {
      const known = arrived.get(id)
      if (known) return resolve(known)
      const arrive = (media: Media) => {
        arrived.set(id, media)
        resolve(media)
      }
      uploads.push({ id, arrive, fail: reject })
    }),
  uploadOf: (id: string) => ({ media: arrived.get(id) ?? null }),
  recallFile: () => Promise.resolve(),
  discardFile: (id: string) => discarded.push(id),
}))
const photo = { id: 'media-1', kind: 'image', name: 'foto.jpg' } as Media // what the outbox reads

type Outbox = typeof import('./outbox.ts')
type Entries = typeof import('./outbox-entries.ts')
let outbox: Outbox
let entries: Entries
let ApiError: typeof import('../../../kit/api-error.ts').ApiError
/** One more page of the product opens. */
const open = async () => {
  vi.resetModules()
  ApiError = (await import('../../../kit/api-error.ts')).ApiError
  outbox = await import('./outbox.ts')
  entries = await import('./outbox-entries.ts')
}
const closePages = () => {
  vi.clearAllTimers()
  heard = []
  greeters = []
  logged = []
  turns.clear()
}
/** The page is gone and opens again; with its timers the clock goes back to where the test began. */
const reload = async () => {
  closePages()
  await open()
}
const offline = () => new ApiError({ status: 0, code: 'ERR_OFFLINE' })
type More = {
  delayMs?: number
  ticketId?: string
  type?: 'note' | 'image'
  batch?: string
  file?: Outgoing['file']
  newer?: Message[]
}
const write = (body: string, more: More = {}) => {
  const { delayMs, ticketId = 't1', type = 'text', batch, file, newer } = more
  const send = { type, body, sign: false, location: null, contact: null } as unknown as Omit<
    MessageSend,
    'id' | 'force'
  > // what the outbox reads
  outbox.sendMessage({ ticketId, contactId: 'c1', send, delayMs, batch, file, newer })
}
const file = (id: string): Outgoing['file'] => ({
  id,
  name: 'foto.jpg',
  size: 9,
  kind: 'image',
  takes: ['image', 'document'],
})
const pass = (ms = 0) => vi.advanceTimersByTimeAsync(ms)
const said = () => posts.map((post) => post.send.body)
const kept = () => [...stored.values()].map((text) => JSON.parse(text).send.body)
const states = () => entries.outgoing().map((entry) => entry.state)
/** The server takes what it was told last. */
const accept = async () => {
  posts.at(-1)?.answer()
  await pass()
}

beforeEach(async () => {
  vi.useFakeTimers()
  closePages()
  person = people.ana
  stored.clear()
  arrived.clear()
  posts.length = 0
  uploads.length = 0
  discarded = []
  await open()
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

test('what the conversation outran asks before its seconds begin, once for all that was sent together', async () => {
  const newer = [{ id: 'm9' } as Message]
  write('foto', { delayMs: 5_000, batch: 'b', newer })
  write('texto', { delayMs: 5_000, batch: 'b', newer })
  expect(states()).toEqual(['held', 'held'])
  await pass(10_000)
  expect(said()).toEqual([])
  outbox.retrySend(entries.outgoing()[1]?.message.id ?? '', true)
  await pass()
  await accept()
  await accept()
  expect(posts.map(({ send }) => [send.body, send.force])).toEqual([
    ['foto', true],
    ['texto', true],
  ])
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
  for (const key of [...stored.keys()]) storage.removeItem(key)
  await pass(10_000)
  expect(said()).toEqual([])
})

test('before the conversation closes, what was written leaves', async () => {
  write('tchau', { delayMs: 5_000 })
  let isClosed = false
  void outbox.inTurn('t1', async () => {
    isClosed = true
  })
  await pass()
  expect(said()).toEqual(['tchau'])
  expect(isClosed).toBe(false)
  posts[0]?.answer()
  await pass()
  expect(isClosed).toBe(true)
})

test('without a network nobody waits to close', async () => {
  write('tchau')
  let isClosed = false
  void outbox.inTurn('t1', async () => {
    isClosed = true
  })
  await pass()
  posts[0]?.answer(new TypeError('Failed to fetch'))
  await pass()
  expect(isClosed).toBe(true)
})

test('what is written while the conversation is being accepted leaves once it is, accepted or not', async () => {
  for (const end of ['accepted', 'refused'] as const) {
    posts.length = 0
    let answer = (_end: typeof end) => {}
    const change = new Promise<void>((resolve, reject) => {
      answer = (how) => (how === 'accepted' ? resolve() : reject(new Error()))
    })
    const accepting = outbox.inTurn('t1', () => change).catch(() => undefined)
    write(end)
    write('elsewhere', { ticketId: 't2' })
    await pass()
    expect(said()).toEqual(['elsewhere'])
    answer(end)
    await accepting
    await pass()
    expect(said()).toEqual(['elsewhere', end])
    for (const post of posts) post.answer()
    await pass()
  }
})

test('accepted and written at once while another window sends: it is accepted first', async () => {
  let free = () => {}
  turns.set('envio-t1', new Promise<void>((resolve) => (free = resolve)))
  let isAccepted = false
  void outbox.inTurn('t1', async () => {
    expect(said()).toEqual([])
    isAccepted = true
  })
  write('oi')
  await pass()
  expect([isAccepted, said()]).toEqual([false, []])
  free()
  await pass()
  expect([isAccepted, said()]).toEqual([true, ['oi']])
})

test('who leaves the page has sent: it goes now, and again with the same id when they are back', async () => {
  write('até amanhã', { delayMs: 5_000 })
  await pass()
  hear('pagehide')
  expect(said()).toEqual(['até amanhã'])
  await reload()
  await pass()
  expect(posts.map((post) => post.send.id)).toEqual([posts[0]?.send.id, posts[0]?.send.id])
})

test('a message waits for its file, and what was written after it waits behind it', async () => {
  write('a foto', { type: 'image', file: file('f1') })
  write('o preço')
  await pass()
  write('o prazo')
  expect(states()).toEqual(['uploading', 'uploading', 'uploading'])
  expect(said()).toEqual([])
  uploads[0]?.arrive(photo)
  await pass()
  expect(posts[0]?.send).toMatchObject({ type: 'image', body: 'a foto', mediaId: 'media-1' })
  await accept()
  await accept()
  await accept()
  expect(said()).toEqual(['a foto', 'o preço', 'o prazo'])
  expect(discarded).toEqual(['f1'])
  expect(kept()).toEqual([])
})

test('a file that turns out to be another kind travels as what the channel takes', async () => {
  write('', { type: 'image', file: file('f1') })
  await pass()
  uploads[0]?.arrive({ ...photo, kind: 'video' })
  await pass()
  expect(posts[0]?.send).toMatchObject({ type: 'document', mediaId: 'media-1' })
})

test('without a network the file waits with its message, outlives a reload, and both go once and in order', async () => {
  write('a foto', { type: 'image', file: file('f1') })
  write('o preço')
  await pass()
  uploads[0]?.fail(offline())
  await pass()
  expect(states()).toEqual(['waiting', 'waiting'])
  await reload()
  await pass()
  expect(uploads.map(({ id }) => id)).toEqual(['f1', 'f1'])
  uploads[1]?.fail(offline())
  await pass()
  connected()
  await pass()
  uploads[2]?.arrive(photo)
  await pass()
  await accept()
  await accept()
  await pass(60_000)
  expect(said()).toEqual(['a foto', 'o preço'])
})

test('taken back while its file goes up, it lets the next one pass and gives the file back', async () => {
  write('a foto', { type: 'image', file: file('f1') })
  write('o preço')
  await pass()
  const id = entries.outgoing()[0]?.message.id ?? ''
  expect(outbox.withdraw(id).map((entry) => entry.file?.id)).toEqual(['f1'])
  await pass()
  expect(said()).toEqual(['o preço'])
  expect(discarded).toEqual([])
  uploads[0]?.arrive(photo)
  await accept()
  expect(said()).toEqual(['o preço'])
})

test('a file the server refuses waits for a person and lets the next message pass', async () => {
  write('o filme', { type: 'image', file: file('f1') })
  write('o preço')
  await pass()
  uploads[0]?.fail(
    new ApiError({ status: 413, code: 'ERR_TOO_LARGE', message: 'O arquivo é maior do que o permitido.' }),
  )
  await pass()
  expect(entries.outgoing()[0]).toMatchObject({ state: 'failed', error: 'O arquivo é maior do que o permitido.' })
  expect(said()).toEqual(['o preço'])
})

test('of two pages of one browser one sends, and both show it once', async () => {
  await open()
  const other = entries
  await open()
  write('oi')
  write('tudo bem?')
  await pass()
  expect(other.outgoing().map((entry) => entry.send.body)).toEqual(['oi', 'tudo bem?'])
  await accept()
  await accept()
  await pass(60_000)
  expect(said()).toEqual(['oi', 'tudo bem?'])
  expect(other.outgoing()).toEqual([])
})

test('the page that sends is closed: another page of the browser sends what is left', async () => {
  write('oi')
  write('tudo bem?')
  await pass()
  posts[0]?.answer(offline())
  await pass()
  await reload()
  await open()
  connected()
  await pass()
  await accept()
  await accept()
  expect(said()).toEqual(['oi', 'oi', 'tudo bem?'])
})

test('what one person left unsent is neither shown to nor sent by the next one, and goes when they are back', async () => {
  write('oi')
  await pass()
  posts[0]?.answer(offline())
  await pass()
  logIn(null)
  logIn(people.bia)
  connected()
  await pass(60_000)
  expect(entries.outgoing()).toEqual([])
  expect(said()).toEqual(['oi'])
  logIn(null)
  logIn(people.ana)
  await pass()
  expect(said()).toEqual(['oi', 'oi'])
})
