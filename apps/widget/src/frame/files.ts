import type { MessageType } from './api.ts'
import { formatBytes } from './format.ts'
import { say } from './words.ts'

const DOCUMENT_ENDINGS = ['pdf', 'txt', 'csv', 'doc', 'docx', 'xls', 'xlsx', 'ppt', 'pptx', 'odt', 'ods']

export type UploadKind = 'image' | 'audio' | 'video' | 'document'
/** What this chat takes: no larger, and only of these kinds. */
export type Uploads = { maxBytes: number; kinds: UploadKind[] }

/** For the picker of the browser. */
export const acceptedFiles = (kinds: UploadKind[]): string =>
  kinds
    .map((kind) => (kind === 'document' ? DOCUMENT_ENDINGS.map((end) => `.${end}`).join(',') : `${kind}/*`))
    .join(',')

/** What is wrong with this file in the visitor's words, or undefined. The server looks again, at the bytes. */
export const findFileProblem = (
  file: { name: string; type: string; size: number },
  { maxBytes, kinds }: Uploads,
): string | undefined => {
  if (file.size === 0) return say('emptyFile', { name: file.name })
  if (file.size > maxBytes) {
    return say('largeFile', { name: file.name, size: formatBytes(file.size), limit: formatBytes(maxBytes) })
  }
  const kind = kindOf(file)
  if (!kind || !kinds.includes(kind)) return say('refusedFile', { name: file.name, kinds: listed(kinds) })
  return undefined
}

export const messageTypeOf = (mime: string): MessageType => {
  const family = mime.split('/')[0]
  if (family === 'image' && mime !== 'image/svg+xml') return 'image'
  if (family === 'audio' || family === 'video') return family
  return 'document'
}

/** Only addresses that cannot run anything may become a link or a source. */
export const safeUrl = (url: string): string | undefined => {
  try {
    const address = new URL(url, location.href)
    return ['http:', 'https:', 'blob:'].includes(address.protocol) ? address.href : undefined
  } catch {
    return undefined
  }
}

const kindOf = ({ name, type }: { name: string; type: string }): UploadKind | undefined => {
  if (type === 'image/svg+xml') return undefined
  const [family] = type.split('/')
  if (family === 'image' || family === 'audio' || family === 'video') return family
  return DOCUMENT_ENDINGS.includes(name.split('.').at(-1)?.toLowerCase() ?? '') ? 'document' : undefined
}

const WORDS = { image: 'image', audio: 'sound', video: 'movie', document: 'document' } as const
const listed = (kinds: UploadKind[]): string => {
  const words = kinds.map((kind) => say(WORDS[kind]))
  const last = words.pop() ?? ''
  return words.length ? `${words.join(', ')}${say('or')}${last}` : last
}
