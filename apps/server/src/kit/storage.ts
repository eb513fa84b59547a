import { createReadStream, createWriteStream } from 'node:fs'
import { chmod, copyFile, mkdir, opendir, rename, rm, statfs } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { Disk } from 'flydrive'
import { FSDriver } from 'flydrive/drivers/fs'
import { env } from '../env.ts'

export type ByteRange = { start: number; end: number }

/** Where the bytes of files live: a folder, or a bucket, by `STORAGE_URL`. Keys are ours, never a person's words. */
export type Storage = {
  /** Moves a local file in. */
  put: (key: string, path: string, mime: string) => Promise<void>
  /** Takes in what is still being made, whole or not at all. */
  write: (key: string, stream: Readable, mime: string) => Promise<void>
  read: (key: string, range?: ByteRange) => Promise<Readable>
  /** Undefined where there is none. */
  stat: (key: string) => Promise<{ size: number; changedAt: Date } | undefined>
  /** Keys below a folder (`''`: all of them), some hundreds at a time. */
  list: (folder: string) => AsyncIterable<string[]>
  remove: (keys: string[]) => Promise<void>
}

let opened: Promise<Storage> | undefined
export const storage = (): Promise<Storage> => {
  opened ??= openStorage(env.STORAGE_URL)
  return opened
}

/** The disk is full, or our share of it: files wait, everything else goes on. */
export const isStorageFull = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  return ('code' in error && /^(ENOSPC|EDQUOT)$/.test(String(error.code))) || isStorageFull(error.cause)
}

export const isBucket = env.STORAGE_URL?.startsWith('s3:') ?? false

/** Room left where files are kept; null when that is not ours to know. */
export const freeBytes = async (): Promise<number | null> => {
  if (isBucket) return null
  return freeIn(env.STORAGE_URL ? fileURLToPath(env.STORAGE_URL) : env.DATA_DIR)
}
export const freeIn = async (folder: string): Promise<number | null> => {
  const disk = await statfs(folder).catch(() => null) // no file was ever stored: the folder is not there yet
  return disk && disk.bavail * disk.bsize
}

/** `file:///folder` (default: DATA_DIR/media) or `s3://[key:secret@]bucket?region=…&endpoint=…`. */
const openStorage = async (address: string | undefined): Promise<Storage> =>
  address?.startsWith('s3:')
    ? await bucketStorage(new URL(address))
    : folderStorage(address ? fileURLToPath(address) : join(env.DATA_DIR, 'media'))

const folderStorage = (location: string): Storage => {
  const disk = new Disk(new FSDriver({ location, visibility: 'private' }))
  return {
    ...common(disk),
    // flydrive writes under the final name from the first byte on.
    write: async (key, stream) => {
      const target = join(location, key)
      const part = `${target}${partEnding}`
      await mkdir(dirname(target), { recursive: true })
      try {
        await pipeline(stream, createWriteStream(part, { mode: 0o600 }))
        await rename(part, target)
      } catch (error) {
        await rm(part, { force: true })
        throw error
      }
    },
    // flydrive copies, and tells of a full disk as of a reader that went away.
    put: async (key, path) => {
      const target = join(location, key)
      await mkdir(dirname(target), { recursive: true })
      await rename(path, target).catch(() => copyFile(path, target)) // another file system
      await chmod(target, 0o600)
    },
    // flydrive would hold the names of a whole installation in memory.
    async *list(folder) {
      const from = join(location, folder)
      const entries = await opendir(from, { recursive: true }).catch(() => []) // nothing was ever stored
      const keys: string[] = []
      for await (const entry of entries) {
        if (!entry.isFile() || entry.name.endsWith(partEnding)) continue
        keys.push(relative(location, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
        if (keys.length === pageSize) yield keys.splice(0)
      }
      if (keys.length) yield keys
    },
    // flydrive reads only whole files; it has checked the key when the file was written.
    read: async (key, range) => {
      if (!(await disk.exists(key))) throw new Error(`No file ${key}`)
      return createReadStream(join(location, key), range)
    },
  }
}

const bucketStorage = async (address: URL): Promise<Storage> => {
  const { S3Driver } = await import('flydrive/drivers/s3').catch(() => {
    throw new Error('STORAGE_URL names S3: install @aws-sdk/client-s3 and @aws-sdk/s3-request-presigner.')
  })
  const { username, password, hostname, searchParams } = address
  const endpoint = searchParams.get('endpoint')
  const disk = new Disk(
    new S3Driver({
      bucket: hostname,
      visibility: 'private',
      supportsACL: false,
      region: searchParams.get('region') ?? 'us-east-1',
      ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
      ...(username
        ? { credentials: { accessKeyId: decodeURIComponent(username), secretAccessKey: decodeURIComponent(password) } }
        : {}),
    }),
  )
  return {
    ...common(disk),
    put: (key, path, mime) => disk.moveFromFs(path, key, { contentType: mime }),
    async *list(folder) {
      let token: string | undefined
      do {
        const page = await disk.listAll(folder, { recursive: true, ...(token && { paginationToken: token }) })
        yield [...page.objects].flatMap((one) => (one.isFile ? [one.key] : []))
        token = page.paginationToken
      } while (token)
    },
    write: (key, stream, mime) => disk.putStream(key, stream, { contentType: mime }),
    read: async (key, range) => {
      if (!range) return disk.getStream(key)
      const reply = await fetch(await disk.getSignedUrl(key, { expiresIn: '5 mins' }), {
        headers: { range: `bytes=${range.start}-${range.end}` },
      })
      if (reply.status !== 206 || !reply.body) throw new Error(`The bucket answered ${reply.status}`)
      return Readable.from(reply.body)
    },
  }
}

const partEnding = '.part'
const pageSize = 500

/** What folder and bucket do alike. */
const common = (disk: Disk): Pick<Storage, 'stat' | 'remove'> => ({
  stat: async (key) => {
    if (!(await disk.exists(key))) return undefined
    const { contentLength, lastModified } = await disk.getMetaData(key)
    return { size: contentLength, changedAt: lastModified }
  },
  remove: async (keys) => {
    await Promise.allSettled(keys.map((key) => disk.delete(key)))
  },
})
