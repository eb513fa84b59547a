import { createReadStream } from 'node:fs'
import { chmod, copyFile, mkdir, rename, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { Disk } from 'flydrive'
import { FSDriver } from 'flydrive/drivers/fs'
import { env } from '../env.ts'

export type ByteRange = { start: number; end: number }

/** Where the bytes of files live: a folder, or a bucket, by `STORAGE_URL`. Keys are ours, never a person's words. */
export type Storage = {
  /** Moves a local file in. */
  put: (key: string, path: string, mime: string) => Promise<void>
  read: (key: string, range?: ByteRange) => Promise<Readable>
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
    remove: removeFrom(disk),
    // flydrive copies, and tells of a full disk as of a reader that went away.
    put: async (key, path) => {
      const target = join(location, key)
      await mkdir(dirname(target), { recursive: true })
      await rename(path, target).catch(() => copyFile(path, target)) // another file system
      await chmod(target, 0o600)
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
    put: (key, path, mime) => disk.moveFromFs(path, key, { contentType: mime }),
    remove: removeFrom(disk),
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

const removeFrom =
  (disk: Disk): Storage['remove'] =>
  async (keys) => {
    await Promise.allSettled(keys.map((key) => disk.delete(key)))
  }
