import { beforeEach, expect, test, vi } from 'vitest'

const stored = new Map<string, unknown>()
let isFull = false
vi.mock('idb-keyval', () => ({
  createStore: () => undefined,
  get: async (key: string) => stored.get(key),
  set: async (key: string, value: unknown) => {
    if (isFull) throw new DOMException('full', 'QuotaExceededError')
    stored.set(key, value)
  },
  del: async (key: string) => void stored.delete(key),
  delMany: async (keys: string[]) => {
    for (const key of keys) stored.delete(key)
  },
  keys: async () => [...stored.keys()],
  entries: async () => [...stored],
}))
let userId = 'ana'
vi.mock('../../../kit/session.ts', () => ({ session: { get: () => ({ userId, user: { tenantId: 1 } }) } }))
const { dropFiles, dropOldFiles, keepFile, readFile } = await import('./kept-files.ts')

const day = 86_400_000
/** An id of that moment. */
const idAt = (moment: number) => {
  const hex = moment.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}
const small = { file: new File(['x'], 'a.txt'), media: null }
const sized = (bytes: number) => ({ file: { size: bytes } as File, media: null }) // as far as it is weighed
const now = Date.now()

beforeEach(() => {
  stored.clear()
  isFull = false
  userId = 'ana'
})

test('a person finds what she kept here, another one does not', async () => {
  expect(await keepFile(idAt(now), small)).toBe(true)
  expect(await readFile(idAt(now))).toEqual(small)
  userId = 'bia'
  expect(await readFile(idAt(now))).toBeUndefined()
  await dropFiles()
  userId = 'ana'
  expect(await readFile(idAt(now))).toEqual(small)
  await dropFiles()
  expect(stored.size).toBe(0)
})

test('what nobody needs any more by the time it would be written is not kept: it would outlive who left', async () => {
  const leaving = new AbortController()
  const keeping = keepFile(idAt(now), small, leaving.signal)
  leaving.abort()
  await dropFiles()
  expect(await keeping).toBe(false)
  expect(stored.size).toBe(0)
})

test('past the bound, or on a full disk, it is not kept', async () => {
  expect(await keepFile(idAt(now), sized(300 * 1024 * 1024))).toBe(true)
  expect(await keepFile(idAt(now + 1), sized(300 * 1024 * 1024))).toBe(false)
  expect(await keepFile(idAt(now), sized(400 * 1024 * 1024))).toBe(true)
  isFull = true
  expect(await keepFile(idAt(now + 2), small)).toBe(false)
})

test('what nobody came back for goes after a week, whoever’s it was', async () => {
  await keepFile(idAt(now - 8 * day), small)
  await keepFile(idAt(now - 6 * day), small)
  userId = 'bia'
  await dropOldFiles()
  expect([...stored.keys()]).toEqual([`1:ana:${idAt(now - 6 * day)}`])
})

test('after a day the server’s copy is no longer trusted: the file goes up again', async () => {
  const media = { id: 'media-1' } as never // what is kept beside it
  await keepFile(idAt(now - 2 * day), { ...small, media })
  await keepFile(idAt(now), { ...small, media })
  expect((await readFile(idAt(now - 2 * day)))?.media).toBeNull()
  expect((await readFile(idAt(now)))?.media).toBe(media)
})
