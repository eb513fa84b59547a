import type { Media } from '@balcao/contract/core/media.ts'
import { beforeEach, expect, test, vi } from 'vitest'

/** What of the composer outlives a page: drafts and trays. */
const stored = new Map<string, string>()
vi.stubGlobal(
  'localStorage',
  new Proxy(
    {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
      removeItem: (key: string) => void stored.delete(key),
    },
    {
      ownKeys: () => [...stored.keys()],
      getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
    },
  ),
)
let otherPageWrote: (event: { key: string }) => void = () => undefined
vi.stubGlobal('window', {
  addEventListener: (_: string, handle: typeof otherPageWrote) => {
    otherPageWrote = handle
  },
})
const put: string[] = []
vi.mock('./api.ts', () => ({
  putDraft: async ({ kind }: { kind: string }, body: string) => put.push(`${kind}: ${body}`),
}))
let person: object | null
let logged: (() => void)[] = []
vi.mock('../../../kit/session.ts', () => ({
  session: { get: () => person, subscribe: (handle: () => void) => logged.push(handle) },
}))
const logIn = (userId: string | null) => {
  person = userId ? { userId, user: { tenantId: 1 } } : null
  for (const handle of logged) handle()
}
const uploaded: string[] = []
const discarded: string[] = []
vi.mock('./uploads.ts', () => ({
  chooseFile: ({ name }: File) => ({ id: `id of ${name}`, name, size: 1, kind: 'image' }),
  chooseMedia: ({ name }: Media) => ({ id: `id of ${name}`, name, size: 1, kind: 'image' }),
  discardFile: (id: string) => discarded.push(id),
  upload: (id: string) => uploaded.push(id),
}))

let drafts: typeof import('./drafts.ts')
let tray: typeof import('./tray.ts')
/** A page of the product opens. */
const open = async () => {
  vi.resetModules()
  logged = []
  drafts = await import('./drafts.ts')
  tray = await import('./tray.ts')
}
const files = (...names: string[]) => names.map((name) => new File(['x'], name))
const names = () => tray.trayOf('t1').map(({ name, caption }) => name + caption)

beforeEach(async () => {
  stored.clear()
  uploaded.length = 0
  discarded.length = 0
  put.length = 0
  person = { userId: 'ana', user: { tenantId: 1 } }
  await open()
})

test('a message and a note of one conversation are written apart, and both outlive a reload', async () => {
  vi.useFakeTimers()
  const message = { ticketId: 't1', kind: 'message' } as const
  const note = { ticketId: 't1', kind: 'note' } as const
  drafts.writeDraft(message, 'Já vejo')
  drafts.writeDraft(note, 'Ele deve dois meses')
  expect(drafts.readDraft(message).body).toBe('Já vejo')
  await vi.advanceTimersByTimeAsync(2_000)
  vi.useRealTimers()
  expect(put).toEqual(['message: Já vejo', 'note: Ele deve dois meses'])
  await open()
  expect(drafts.readDraft(message).body).toBe('Já vejo')
  expect(drafts.readDraft(note).body).toBe('Ele deve dois meses')
})

test('files not sent yet are there after a reload, in their order and with their captions, and go on going up', async () => {
  tray.attachFiles('t1', files('a.jpg', 'b.jpg'))
  tray.writeCaption('t1', 'id of a.jpg', ': a caneca')
  tray.moveItem('t1', 'id of b.jpg', 0)
  await open()
  expect(names()).toEqual(['b.jpg', 'a.jpg: a caneca'])
  expect(uploaded).toEqual(['id of b.jpg', 'id of a.jpg'])
})

test('what leaves with its message is kept; what is taken out is forgotten; the tray keeps neither', async () => {
  tray.attachFiles('t1', files('a.jpg', 'b.jpg'))
  tray.handOver('t1', 'id of a.jpg')
  tray.detach('t1', 'id of b.jpg')
  expect(discarded).toEqual(['id of b.jpg'])
  await open()
  expect(names()).toEqual([])
  expect(tray.fullTrays()).toBe(0)
})

test('what another page of this browser sends leaves this page’s tray too', async () => {
  tray.attachFiles('t1', files('a.jpg'))
  const [key = ''] = stored.keys()
  stored.delete(key)
  otherPageWrote({ key })
  expect(names()).toEqual([])
})

test('another person at this browser finds neither the files nor the words', () => {
  const place = { ticketId: 't1', kind: 'message' } as const
  tray.attachFiles('t1', files('a.jpg'))
  drafts.writeDraft(place, 'Já vejo')
  logIn(null)
  logIn('bia')
  expect(names()).toEqual([])
  expect(drafts.readDraft(place).body).toBe('')
  expect(tray.fullTrays()).toBe(0)
  logIn('ana')
  expect(names()).toEqual(['a.jpg'])
  expect(drafts.readDraft(place).body).toBe('Já vejo')
})
