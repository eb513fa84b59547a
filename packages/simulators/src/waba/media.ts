import { createHash, randomBytes } from 'node:crypto'
import type { Media } from '../handset.ts'
import { GraphError } from './errors.ts'

const day = 24 * 60 * 60 * 1000
export const uploadLifeMs = 30 * day
export const inboundLifeMs = 7 * day
const linkLifeMs = 5 * 60 * 1000

export type StoredMedia = Media & { id: string; sha256: string; expiresAt: number }

/** Media by id, and links to their bytes that die after five minutes. */
export const createMediaStore = (now: () => number) => {
  const byId = new Map<string, StoredMedia>()
  const links = new Map<string, { id: string; expiresAt: number }>()

  const find = (id: string): StoredMedia | undefined => {
    const media = byId.get(id)
    return media && media.expiresAt > now() ? media : undefined
  }

  return {
    find,
    add: (media: Media, lifeMs: number): StoredMedia => {
      const stored = {
        ...media,
        id: String(100_000_000_000_000 + Math.floor(Math.random() * 800_000_000_000_000)),
        sha256: createHash('sha256').update(media.bytes).digest('hex'),
        expiresAt: now() + lifeMs,
      }
      byId.set(stored.id, stored)
      return stored
    },
    remove: (id: string) => byId.delete(id),
    newLink: (id: string): string => {
      const token = randomBytes(16).toString('hex')
      links.set(token, { id, expiresAt: now() + linkLifeMs })
      return token
    },
    open: (token: string): StoredMedia | undefined => {
      const link = links.get(token)
      return link && link.expiresAt > now() ? find(link.id) : undefined
    },
  }
}

export type MediaStore = ReturnType<typeof createMediaStore>

const mb = 1024 * 1024
const rules: { pattern: RegExp; maxBytes: number }[] = [
  { pattern: /^image\/(jpeg|png)$/, maxBytes: 5 * mb },
  { pattern: /^image\/webp$/, maxBytes: 500 * 1024 },
  { pattern: /^audio\/(aac|amr|mpeg|mp4|ogg)$/, maxBytes: 16 * mb },
  { pattern: /^video\/(mp4|3gpp)$/, maxBytes: 16 * mb },
  {
    pattern: /^(text\/plain|application\/(pdf|msword|vnd\.(ms-excel|ms-powerpoint|openxmlformats-.+)))$/,
    maxBytes: 100 * mb,
  },
]

/** Which files are taken, and how large. */
export const checkUpload = (mimeType: string, size: number) => {
  const [plain = ''] = mimeType.split(';')
  const rule = rules.find(({ pattern }) => pattern.test(plain.trim()))
  if (!rule)
    throw new GraphError(
      100,
      `Param file must be a file with one of the supported types. Received file of type '${mimeType}'.`,
    )
  if (size > rule.maxBytes) throw new GraphError(131053, `File is larger than ${rule.maxBytes} bytes`)
  if (size === 0) throw new GraphError(131053, 'File is empty')
}
