import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { expect, test, vi } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'balcao-storage-'))
process.env.STORAGE_URL = pathToFileURL(join(folder, 'media')).href
process.env.DATA_DIR = folder
process.env.APP_SECRET = 'test-secret-test-secret-test-secret-test'

const failing = vi.hoisted(() => ({ rename: '', copyFile: '' }))
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>()
  const failWhen = (name: keyof typeof failing) =>
    failing[name] ? Promise.reject(Object.assign(new Error(failing[name]), { code: failing[name] })) : undefined
  return {
    ...real,
    rename: (from: string, to: string) => failWhen('rename') ?? real.rename(from, to),
    copyFile: (from: string, to: string) => failWhen('copyFile') ?? real.copyFile(from, to),
  }
})
const { isStorageFull, storage } = await import('./storage.ts')

const newFile = () => {
  const path = join(folder, 'upload')
  writeFileSync(path, 'bom dia')
  return path
}

const keysBelow = async (folder: string) => {
  const keys: string[] = []
  for await (const page of (await storage()).list(folder)) keys.push(...page)
  return keys
}

test('a file moves in, from another file system too', async () => {
  const disk = await storage()
  await disk.put('1/a', newFile(), 'text/plain')
  failing.rename = 'EXDEV'
  await disk.put('1/b', newFile(), 'text/plain')
  for (const name of ['a', 'b']) expect(readFileSync(join(folder, 'media/1', name), 'utf8')).toBe('bom dia')
})

test('what is made while it is stored is there whole or not at all, and is told by size and list', async () => {
  failing.rename = ''
  const disk = await storage()
  await disk.write('2/b/relatorio', Readable.from(['bom ', 'dia']), 'text/plain')
  const broken = Readable.from(
    (async function* () {
      yield 'bom '
      throw new Error('the line broke')
    })(),
  )
  await expect(disk.write('2/metade', broken, 'text/plain')).rejects.toThrow('the line broke')

  expect(await disk.stat('2/b/relatorio')).toMatchObject({ size: 7 })
  expect(await disk.stat('2/metade')).toBeUndefined()
  expect(await keysBelow('2')).toEqual(['2/b/relatorio'])
  expect(await keysBelow('9')).toEqual([])
  expect(await text(await disk.read('2/b/relatorio', { start: 4, end: 6 }))).toBe('dia')
})

test('a disk without room is told as what it is', async () => {
  Object.assign(failing, { rename: 'EXDEV', copyFile: 'ENOSPC' })
  const refused = await (await storage()).put('1/c', newFile(), 'text/plain').catch((error: unknown) => error)
  expect(isStorageFull(refused)).toBe(true)
})
