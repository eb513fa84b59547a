import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { MediaKind } from '@balcao/contract/core/media.ts'
import { and, eq, getTableColumns } from 'drizzle-orm'
import { v7 } from 'uuid'
import { withTenant } from '../../../db/database.ts'
import { files, fileUses } from '../../../db/schema/core/files.ts'
import { env } from '../../../env.ts'
import { AppError } from '../../../kit/errors.ts'
import { storage } from '../../../kit/storage.ts'
import { reserve } from '../limits/reserve.ts'
import { durationMs } from './measure.ts'
import { opaque, type Sniffed, sniffFile } from './sniff.ts'
import type { Picture } from './thumbnail.task.ts'
import { thumbnail } from './thumbnail.ts'

export type FileRow = typeof files.$inferSelect
export { presentMedia } from './media.present.ts'

export type NewFile = ({ stream: Readable; bytes?: never } | { bytes: Uint8Array; stream?: never }) & {
  tenantId: number
  name: string
  declaredMime?: string
  /** What the channel says a picture is (a sticker); the content decides the rest. */
  kind?: Extract<MediaKind, 'sticker'>
  userId?: string
  contactId?: string
  /** Less than the installation's limit. */
  maxBytes?: number
  /** What whoever takes it does not want, by what its bytes are. */
  refuses?: (kind: MediaKind) => boolean
  /** Made here: the limit is for what people send. */
  isOurs?: true
}

/** How long a new file waits for somebody to use it. */
const hourMs = 60 * 60_000
const unsentMs = { team: 48 * hourMs, others: 2 * hourMs }

export const maxFileBytes = env.MEDIA_MAX_MB * 1024 * 1024

/**
 * Stores a file whole or not at all: streamed to a temporary place with its hash, named by its content, thumbnailed,
 * moved into the storage, and only then written down. Throws ERR_TOO_LARGE or ERR_MEDIA_TYPE.
 */
export const storeFile = async (file: NewFile): Promise<FileRow> => {
  const folder = await mkdtemp(join(tmpdir(), 'balcao-upload-'))
  try {
    const path = join(folder, 'file')
    const { size, sha256 } = await receive(file, path)
    return await keep(file, { path, size, sha256, thumbPath: join(folder, 'thumb.webp') })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export const findFile = async (tenantId: number, fileId: string): Promise<FileRow | undefined> => {
  const [row] = await withTenant(tenantId, (tx) =>
    tx.db
      .select()
      .from(files)
      .where(and(eq(files.tenantId, tenantId), eq(files.id, fileId))),
  )
  return row
}

/** A file, where it is how somebody shows themselves: colleagues see these everywhere. */
export const findPicture = async (tenantId: number, fileId: string): Promise<FileRow | undefined> => {
  const [row] = await withTenant(tenantId, (tx) =>
    tx.db
      .select(getTableColumns(files))
      .from(files)
      .innerJoin(fileUses, and(eq(fileUses.tenantId, tenantId), eq(fileUses.fileId, files.id)))
      .where(and(eq(files.tenantId, tenantId), eq(files.id, fileId), eq(fileUses.entity, 'pictures.file_id'))),
  )
  return row
}

/** A stored file in memory, for a provider that wants the bytes. Throws ERR_NOT_FOUND. */
export const readFileBytes = async (tenantId: number, fileId: string): Promise<FileRow & { bytes: Buffer }> => {
  const row = await findFile(tenantId, fileId)
  if (!row) throw new AppError('ERR_NOT_FOUND')
  return { ...row, bytes: await buffer(await (await storage()).read(row.key)) }
}

/** The same piece by piece. */
export const readFileStream = async (tenantId: number, fileId: string): Promise<Readable> => {
  const row = await findFile(tenantId, fileId)
  if (!row) throw new AppError('ERR_NOT_FOUND')
  return (await storage()).read(row.key)
}

const receive = async ({ stream, bytes, maxBytes, isOurs }: NewFile, path: string) => {
  const limit = isOurs ? Number.POSITIVE_INFINITY : Math.min(maxBytes ?? maxFileBytes, maxFileBytes)
  const hash = createHash('sha256')
  let size = 0
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      hash.update(chunk)
      done(size > limit ? new AppError('ERR_TOO_LARGE') : null, chunk)
    },
  })
  // One chunk for bytes in memory: Readable.from(Uint8Array) would give one number at a time.
  await pipeline(stream ?? Readable.from([Buffer.from(bytes)]), meter, createWriteStream(path, { mode: 0o600 }))
  // A multipart reader ends the stream at its own limit without a word.
  if (stream && 'truncated' in stream && stream.truncated) throw new AppError('ERR_TOO_LARGE')
  return { size, sha256: hash.digest('hex') }
}

type Received = { path: string; thumbPath: string; size: number; sha256: string }

const keep = async (file: NewFile, { path, thumbPath, size, sha256 }: Received): Promise<FileRow> => {
  const { mime, kind: found, picture } = await examine(file, path, thumbPath)
  if (file.refuses?.(found)) throw new AppError('ERR_MEDIA_TYPE')
  const kind = file.kind && found === 'image' ? file.kind : found
  const id = v7()
  const key = `${file.tenantId}/${id}`
  const thumbKey = picture ? `${key}-thumb` : null
  const row = {
    tenantId: file.tenantId,
    id,
    kind,
    name: file.name.trim() ? safeName(file.name) : unnamed({ mime, kind }),
    mime,
    size,
    sha256,
    key,
    thumbKey,
    width: picture?.width ?? null,
    height: picture?.height ?? null,
    durationMs: kind === 'audio' || kind === 'video' ? await durationMs(path, mime) : null,
    userId: file.userId ?? null,
    contactId: file.contactId ?? null,
  }
  const disk = await storage()
  try {
    await disk.put(key, path, mime)
    if (thumbKey) await disk.put(thumbKey, thumbPath, 'image/webp')
    return await withTenant(file.tenantId, async (tx) => {
      if (file.userId) await reserve(tx, 'storage', size)
      const [stored] = await tx.db.insert(files).values(row).returning()
      if (!stored) throw new Error('The file row was not written')
      const expiresAt = new Date(Date.now() + (file.userId ? unsentMs.team : unsentMs.others))
      await tx.db
        .insert(fileUses)
        .values({ tenantId: file.tenantId, fileId: id, entity: 'hold', entityId: '', expiresAt })
      return stored
    })
  } catch (error) {
    await disk.remove(thumbKey ? [key, thumbKey] : [key])
    throw error
  }
}

/** A picture nobody can open is no picture: it stays as bytes to download. */
const examine = async (file: NewFile, path: string, thumbPath: string): Promise<Sniffed & { picture?: Picture }> => {
  const sniffed = await sniffFile(path, file)
  if (sniffed.kind !== 'image') return sniffed
  const picture = await thumbnail(file.tenantId, { path, thumbPath })
  return picture ? { ...sniffed, picture } : opaque
}

/** Of what a channel delivered without a name. */
const unnamed = ({ mime, kind }: Sniffed) => {
  const ending = endings[mime]
  return ending ? `${nouns[kind]}.${ending}` : nouns[kind]
}
const nouns = { image: 'foto', audio: 'audio', video: 'video', document: 'documento', sticker: 'figurinha' }
const endings: Record<string, string> = {
  'application/pdf': 'pdf',
  'application/zip': 'zip',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'text/plain': 'txt',
  'text/csv': 'csv',
  'text/vcard': 'vcf',
  'text/calendar': 'ics',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'audio/ogg': 'ogg',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'video/mp4': 'mp4',
}

/** The name as people see and download it: no folders, no control or direction-changing characters. */
export const safeName = (name: string) =>
  name
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .split(/[\\/]/)
    .at(-1)
    ?.replace(/[<>:"|?*]/g, '_')
    .replace(/^\.+/, '')
    .trim()
    .slice(-120)
    .replace(/^[\uDC00-\uDFFF]/, '') || 'arquivo'
