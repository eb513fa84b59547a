import type { Media } from '@balcao/contract/core/media.ts'
import { beforeEach, expect, test, vi } from 'vitest'
import type { KeptFile } from './kept-files.ts'

const heard = new Map<string, () => void>()
vi.stubGlobal('window', { addEventListener: (name: string, handle: () => void) => heard.set(name, handle) })
/** What the device keeps; every page of the browser finds it. */
const kept = new Map<string, KeptFile>()
let hasRoom = true
vi.mock('./kept-files.ts', () => ({
  keepFile: async (id: string, file: KeptFile, signal?: AbortSignal) => {
    if (signal?.aborted || !hasRoom) return false
    kept.set(id, file)
    return true
  },
  readFile: async (id: string) => kept.get(id),
  dropFile: async (id: string) => void kept.delete(id),
  dropOldFiles: () => undefined,
}))
const turns = new Map<string, Promise<unknown>>()
vi.mock('../../../kit/exclusively.ts', () => ({
  exclusively: (name: string, work: () => Promise<unknown>) => {
    const turn = (turns.get(name) ?? Promise.resolve()).catch(() => undefined).then(work)
    turns.set(name, turn)
    return turn
  },
}))
type Sent = { file: File; signal: AbortSignal; arrive: () => void; fail: (error: unknown) => void }
const sent: Sent[] = []
vi.mock('../../../kit/api.ts', () => ({
  upload: ({ file, signal }: { file: File; signal: AbortSignal }) =>
    new Promise<Media>((resolve, reject) => {
      const media = { id: `media of ${file.name}`, kind: 'image' } as Media // what uploads reads
      signal.addEventListener('abort', () => reject(new Error('aborted')))
      sent.push({ file, signal, arrive: () => resolve(media), fail: reject })
    }),
}))
let connected = () => undefined as unknown
vi.mock('../../../kit/socket.ts', () => ({
  onConnected: (greet: () => void) => {
    connected = greet
  },
}))
let logged: (() => void)[] = []
let person: object | null
vi.mock('../../../kit/session.ts', () => ({
  session: { get: () => person, subscribe: (handle: () => void) => logged.push(handle) },
}))

let uploads: typeof import('./uploads.ts')
let ApiError: typeof import('../../../kit/api-error.ts').ApiError
/** A page of the product opens. */
const open = async () => {
  vi.resetModules()
  ApiError = (await import('../../../kit/api-error.ts')).ApiError
  uploads = await import('./uploads.ts')
}
const reload = async () => {
  turns.clear()
  logged = []
  await open()
}
const settled = () => new Promise((resolve) => setTimeout(resolve))
const choose = (name = 'caneca.jpg') => uploads.chooseFile(new File(['x'], name, { type: 'image/jpeg' }))

beforeEach(async () => {
  kept.clear()
  sent.length = 0
  hasRoom = true
  person = { userId: 'u1', user: { tenantId: 1 } }
  await reload()
})

test('a chosen file is kept here before it goes up, and the server’s copy with it once it is there', async () => {
  const { id, name, kind } = choose()
  expect({ name, kind }).toEqual({ name: 'caneca.jpg', kind: 'image' })
  await settled()
  expect(kept.get(id)?.media).toBeNull()
  sent[0]?.arrive()
  expect(await uploads.upload(id)).toMatchObject({ id: 'media of caneca.jpg' })
  expect(kept.get(id)?.media?.id).toBe('media of caneca.jpg')
  expect(sent).toHaveLength(1)
})

test('without a network it waits without a fault, and goes when the network is back', async () => {
  const { id } = choose()
  await settled()
  sent[0]?.fail(new ApiError({ status: 0, code: 'ERR_OFFLINE' }))
  await settled()
  expect(uploads.uploadOf(id).isOffline).toBe(true)
  connected()
  await settled()
  sent[1]?.arrive()
  await settled()
  expect(uploads.uploadOf(id)).toMatchObject({ isOffline: false, error: null, progress: 1 })
  connected()
  await settled()
  expect(sent).toHaveLength(2)
})

test('an empty file is refused here, one too large by the server: neither is worth another try, a hiccup is', async () => {
  const empty = uploads.chooseFile(new File([], 'vazio.pdf'))
  await settled()
  expect(sent).toHaveLength(0)
  expect(uploads.uploadOf(empty.id)).toMatchObject({ error: 'O arquivo está vazio.', isRefused: true })
  const { id } = choose()
  await settled()
  sent[0]?.fail(new ApiError({ status: 413, code: 'ERR_TOO_LARGE' }))
  await settled()
  expect(uploads.uploadOf(id)).toMatchObject({ isRefused: true, isOffline: false })
  const other = choose()
  await settled()
  sent[1]?.fail(new ApiError({ status: 500, code: 'ERR_INTERNAL' }))
  await settled()
  expect(uploads.uploadOf(other.id)).toMatchObject({ isRefused: false, isOffline: false })
})

test('after a reload it goes up from where the device kept it', async () => {
  const { id } = choose()
  await settled()
  await reload()
  const going = uploads.upload(id)
  await settled()
  expect(uploads.uploadOf(id).localUrl).toMatch(/^blob:/)
  sent[1]?.arrive()
  expect((await going).id).toBe('media of caneca.jpg')
})

test('what another page of the browser is sending up is not sent twice', async () => {
  const { id } = choose()
  await settled()
  await open()
  const here = uploads.upload(id)
  await settled()
  expect(sent).toHaveLength(1)
  sent[0]?.arrive()
  expect((await here).id).toBe('media of caneca.jpg')
  expect(sent).toHaveLength(1)
})

test('taken out on its way it is not sent, and the device forgets it', async () => {
  const { id } = choose()
  await settled()
  await uploads.discardFile(id)
  expect(sent[0]?.signal.aborted).toBe(true)
  expect(kept.size).toBe(0)
  expect(uploads.uploadOf(id)).toMatchObject({ localUrl: null, error: null })
  connected()
  await settled()
  expect(sent).toHaveLength(1)
})

test('when all are given up, what is on its way is neither sent nor kept', async () => {
  choose()
  await settled()
  kept.clear()
  sent[0]?.arrive()
  uploads.stopUploads()
  await settled()
  expect(sent[0]?.signal.aborted).toBe(true)
  expect(kept.size).toBe(0)
})

test('where there is no room to keep it, it says so and goes up all the same', async () => {
  hasRoom = false
  const { id } = choose()
  await settled()
  expect(uploads.uploadOf(id).isLoose).toBe(true)
  sent[0]?.arrive()
  expect((await uploads.upload(id)).id).toBe('media of caneca.jpg')
})

test('a file this device no longer has is asked for again', async () => {
  const { id } = choose()
  await settled()
  await reload()
  kept.clear()
  await expect(uploads.upload(id)).rejects.toMatchObject({ code: 'ERR_FILE_GONE' })
  expect(uploads.uploadOf(id).error).toBe('Este arquivo não está mais neste navegador. Escolha-o de novo.')
})

test('who logs out stops sending; the file waits for them', async () => {
  const { id } = choose()
  await settled()
  person = null
  for (const handle of logged) handle()
  expect(sent[0]?.signal.aborted).toBe(true)
  await settled()
  expect(uploads.uploadOf(id).localUrl).toBeNull()
  expect(kept.get(id)?.media).toBeNull()
})
