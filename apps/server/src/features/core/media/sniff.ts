import { open } from 'node:fs/promises'
import type { MediaKind } from '@balcao/contract/core/media.ts'

export type Sniffed = { mime: string; kind: MediaKind }

/** What a browser may show by itself; everything else is downloaded. */
const shown: Record<string, MediaKind> = {
  'image/jpeg': 'image',
  'image/png': 'image',
  'image/gif': 'image',
  'image/webp': 'image',
  'image/avif': 'image',
  'audio/ogg': 'audio',
  'audio/mpeg': 'audio',
  'audio/mp4': 'audio',
  'audio/aac': 'audio',
  'audio/amr': 'audio',
  'audio/wav': 'audio',
  'audio/webm': 'audio',
  'audio/flac': 'audio',
  'video/mp4': 'video',
  'video/webm': 'video',
  'video/quicktime': 'video',
  'video/3gpp': 'video',
  'application/pdf': 'document',
}

/** Other names of the same thing, as file-type or a browser gives them. */
const sameAs: Record<string, string> = {
  'audio/x-m4a': 'audio/mp4',
  'audio/opus': 'audio/ogg',
  'audio/vnd.wave': 'audio/wav',
  'audio/x-flac': 'audio/flac',
  'video/x-m4v': 'video/mp4',
  'image/apng': 'image/png',
}

/** Containers of sound or picture: the bytes do not tell which, the sender does; both are harmless. */
const asSound: Record<string, string> = {
  'video/webm': 'audio/webm',
  'video/mp4': 'audio/mp4',
  'video/ogg': 'audio/ogg',
  'application/ogg': 'audio/ogg',
}

/** Known and kept under their own name, but only ever downloaded. */
const kept =
  /^(application\/(zip|gzip|x-7z-compressed|vnd\.rar|x-rar-compressed|rtf|epub\+zip|vnd\.openxmlformats-officedocument\.[\w.]+|vnd\.oasis\.opendocument\.[\w.]+)|image\/(heic|heif|tiff|bmp)|video\/(x-matroska|x-msvideo|mpeg|ogg))$/

/** Word, Excel and PowerPoint before 2007 share one container; only the name tells them apart. */
const oldOffice: Record<string, string> = {
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
}
const texts: Record<string, string> = {
  csv: 'text/csv',
  txt: 'text/plain',
  log: 'text/plain',
  md: 'text/plain',
  json: 'application/json',
  vcf: 'text/vcard',
  ics: 'text/calendar',
}

export const opaque: Sniffed = { mime: 'application/octet-stream', kind: 'document' }
export const isShown = (mime: string) => mime in shown

/**
 * What a file is by its content; the sender's word decides only between harmless siblings. HTML, SVG, XML, programs
 * and what nobody knows are opaque bytes: stored, downloaded, never shown.
 */
export const sniffFile = async (path: string, named: { name: string; declaredMime?: string }): Promise<Sniffed> => {
  const declared = (named.declaredMime ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  const { fileTypeFromFile } = await import('file-type')
  const found = (await fileTypeFromFile(path).catch(() => undefined))?.mime.split(';')[0]
  const ending = named.name.toLowerCase().split('.').at(-1) ?? ''
  if (!found) return (await readsAsText(path)) ? { mime: texts[ending] ?? textOf(declared), kind: 'document' } : opaque

  const isSound = declared.startsWith('audio/') || found === 'application/ogg'
  const mime = (isSound && asSound[found]) || sameAs[found] || found
  if (mime in shown) return { mime, kind: shown[mime] ?? 'document' }
  if (mime === 'application/x-cfb') return { mime: oldOffice[ending] ?? opaque.mime, kind: 'document' }
  return kept.test(mime) ? { mime, kind: 'document' } : opaque
}

const textOf = (declared: string) => (Object.values(texts).includes(declared) ? declared : opaque.mime)

/** Plain text: no zero bytes, valid UTF-8 or Latin-1 letters, and nothing that looks like markup or a script. */
const readsAsText = async (path: string) => {
  const file = await open(path)
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(64 * 1024), 0, 64 * 1024, 0)
    const bytes = buffer.subarray(0, bytesRead)
    if (bytes.some((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27))) return false
    const start = bytes
      .toString('latin1')
      .replace(/^\xEF\xBB\xBF/, '')
      .trimStart()
      .slice(0, 2_048)
    return !/^(<|#!|%!)/.test(start) && !/<(!doctype|html|svg|script|\?xml|iframe|body|head)\b/i.test(start)
  } finally {
    await file.close()
  }
}
