import { randomBytes } from 'node:crypto'
import type { Media, MediaKind } from '../handset.ts'
import { TelegramError } from './errors.ts'

export type FileKind = MediaKind | 'video_note'

type StoredFile = Media & { fileId: string; uniqueId: string; path: string }

const linkLifeMs = 60 * 60 * 1000
const maxDownload = 20 * 1024 * 1024
const folders: Record<FileKind, string> = {
  image: 'photos',
  video: 'videos',
  audio: 'music',
  voice: 'voice',
  document: 'documents',
  sticker: 'stickers',
  video_note: 'video_notes',
}

/** Files by id; a path to the bytes is given by `getFile` and lives an hour. */
export const createFileStore = (now: () => number) => {
  const byId = new Map<string, StoredFile>()
  const paths = new Map<string, { file: StoredFile; expiresAt: number }>()

  const add = (kind: FileKind, media: Media): StoredFile => {
    const extension = media.filename?.split('.').at(-1) ?? media.mimeType.split(/[/;]/)[1] ?? 'bin'
    const file = {
      ...media,
      fileId: `AgACAgEAAxkBAA${randomBytes(36).toString('base64url')}`,
      uniqueId: randomBytes(11).toString('base64url'),
      path: `${folders[kind]}/file_${byId.size}.${extension}`,
    }
    byId.set(file.fileId, file)
    return file
  }

  const find = (fileId: string) => byId.get(fileId)

  return {
    add,
    find,
    getFile: (fileId: string) => {
      const file = find(fileId)
      if (!file) throw new TelegramError(400, 'Bad Request: invalid file_id')
      if (file.bytes.length > maxDownload) throw new TelegramError(400, 'Bad Request: file is too big')
      paths.set(file.path, { file, expiresAt: now() + linkLifeMs })
      return { file_id: fileId, file_unique_id: file.uniqueId, file_size: file.bytes.length, file_path: file.path }
    },
    open: (path: string) => {
      const link = paths.get(path)
      return link && link.expiresAt > now() ? link.file : undefined
    },
    /** The fields of a message that describe a file of this kind. */
    describe: (kind: FileKind, file: StoredFile): Record<string, unknown> => {
      const base = { file_id: file.fileId, file_unique_id: file.uniqueId, file_size: file.bytes.length }
      const named = { ...base, file_name: file.filename, mime_type: file.mimeType.split(';')[0] }
      if (kind === 'image') {
        const thumb = add('image', file)
        const small = { file_id: thumb.fileId, file_unique_id: thumb.uniqueId, file_size: file.bytes.length }
        return {
          photo: [
            { ...small, width: 90, height: 68 },
            { ...base, width: 320, height: 240 },
          ],
        }
      }
      if (kind === 'voice') return { voice: { ...base, duration: 3, mime_type: 'audio/ogg' } }
      if (kind === 'audio') return { audio: { ...named, duration: 1 } }
      if (kind === 'video') return { video: { ...named, width: 320, height: 240, duration: 1 } }
      if (kind === 'video_note') return { video_note: { ...base, length: 240, duration: 1 } }
      if (kind === 'sticker') {
        return {
          sticker: {
            ...base,
            type: 'regular',
            width: 512,
            height: 512,
            is_animated: false,
            is_video: false,
            emoji: '🙂',
          },
        }
      }
      return { document: named }
    },
  }
}

export type FileStore = ReturnType<typeof createFileStore>
