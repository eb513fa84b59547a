import type { MessageType } from './api.ts'
import { formatBytes } from './format.ts'

const DOCUMENT_ENDINGS = ['pdf', 'txt', 'csv', 'doc', 'docx', 'xls', 'xlsx', 'ppt', 'pptx', 'odt', 'ods']

export const ACCEPTED_FILES = ['image/*', 'audio/*', 'video/*', ...DOCUMENT_ENDINGS.map((end) => `.${end}`)].join(',')

/** What is wrong with this file in the visitor's words, or undefined. The server looks again, at the bytes. */
export const findFileProblem = (
  file: { name: string; type: string; size: number },
  maxBytes: number,
): string | undefined => {
  if (file.size === 0) return `"${file.name}" está vazio.`
  if (file.size > maxBytes) {
    return `"${file.name}" tem ${formatBytes(file.size)}. O limite é ${formatBytes(maxBytes)}.`
  }
  if (!isAccepted(file)) return `Não aceitamos "${file.name}". Envie imagem, áudio, vídeo, PDF ou documento.`
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

const isAccepted = ({ name, type }: { name: string; type: string }): boolean => {
  if (type === 'image/svg+xml') return false
  if (/^(image|audio|video)\//.test(type)) return true
  return DOCUMENT_ENDINGS.includes(name.split('.').at(-1)?.toLowerCase() ?? '')
}
