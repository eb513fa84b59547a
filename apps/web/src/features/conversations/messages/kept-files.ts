import type { Media } from '@balcao/contract/core/media.ts'
import { createStore, del, delMany, entries, get, keys, set, type UseStore } from 'idb-keyval'
import { ownerOf } from './drawer.ts'

/** A file on this device until its message has left, with what the server made of it once it has it. */
export type KeptFile = { file: File | null; media: Media | null }

/** What one person's files may take here together; the browser may give less. */
const mostBytes = 500 * 1024 * 1024
/** The server's copy serves so long: it throws away what nobody sends. */
const freshMs = 86_400_000
/** Nobody came back for it. */
const longestMs = 7 * 86_400_000

let opened: UseStore | undefined
const store = () => {
  opened ??= createStore('balcao', 'arquivos')
  return opened
}
const keyOf = (id: string) => `${ownerOf()}:${id}`
type Entry = [key: string, kept: KeptFile]

/**
 * Keeps a file under its id, a UUIDv7, unless nobody needs it any more by then. False when there is no room: it lasts as long
 * as this page.
 */
export const keepFile = async (id: string, kept: KeptFile, signal?: AbortSignal): Promise<boolean> => {
  try {
    const key = keyOf(id)
    const others = (await ownEntries()).filter(([other]) => other !== key)
    const bytes = others.reduce((sum, [, { file }]) => sum + (file?.size ?? 0), kept.file?.size ?? 0)
    if (bytes > mostBytes || signal?.aborted) return false
    await set(key, kept, store())
    return true
  } catch {
    return false // the disk is full, or the browser keeps nothing here
  }
}

export const readFile = async (id: string): Promise<KeptFile | undefined> => {
  const kept = await get<KeptFile>(keyOf(id), store()).catch(() => undefined)
  return kept?.file && Date.now() - writtenAt(id) > freshMs ? { ...kept, media: null } : kept
}

export const dropFile = (id: string): Promise<void> => del(keyOf(id), store()).catch(() => undefined)

/** Everything of the person at this device. */
export const dropFiles = async (): Promise<void> => {
  const own = await ownEntries().catch(() => [])
  await delMany(
    own.map(([key]) => key),
    store(),
  ).catch(() => undefined)
}

/** What was left here too long ago, whoever's it was. */
export const dropOldFiles = async (now = Date.now()): Promise<void> => {
  const all = await keys<string>(store()).catch(() => [])
  const old = all.filter((key) => now - writtenAt(key) > longestMs)
  await delMany(old, store()).catch(() => undefined)
}

const ownEntries = async (): Promise<Entry[]> => {
  const prefix = keyOf('')
  return (await entries<string, KeptFile>(store())).filter(([key]) => key.startsWith(prefix))
}

/** A UUIDv7 begins with its moment. */
const writtenAt = (key: string) =>
  Number.parseInt(
    key
      .slice(key.lastIndexOf(':') + 1)
      .replaceAll('-', '')
      .slice(0, 12),
    16,
  )
