import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { ContactImportReading } from '@balcao/contract/contacts/imports.ts'
import { RefusedFile } from './refused.ts'

export type Encoding = NonNullable<ContactImportReading['encoding']>

export const firstBytes = async (path: string, length = 65_536): Promise<Buffer> => {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** The letters of a text file, piece by piece; its mark of encoding is no letter. */
export async function* lettersOf(path: string, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 })) {
    const text = decoder.decode(chunk, { stream: true })
    if (text) yield text
  }
  const rest = decoder.decode()
  if (rest) yield rest
}

/**
 * UTF-8 proves itself: hardly anything else is valid by chance. What is neither that nor UTF-16 was written by an older
 * Excel, in the letters of Western Europe.
 */
export const encodingOf = async (path: string): Promise<Encoding> => {
  const start = await firstBytes(path)
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le'
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be'
  const zeros = [0, 0]
  for (let at = 0; at < Math.min(start.length, 4_096); at += 1)
    if (start[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  if (even + odd > 0) {
    const half = Math.min(start.length, 4_096) / 2
    if (odd > half * 0.6 && even < half * 0.1) return 'utf-16le'
    if (even > half * 0.6 && odd < half * 0.1) return 'utf-16be'
    throw new RefusedFile('Este arquivo não é uma planilha. Envie um CSV, um XLSX (Excel) ou um vCard (.vcf).')
  }
  return (await isUtf8(path)) ? 'utf-8' : 'windows-1252'
}

const isUtf8 = async (path: string): Promise<boolean> => {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 256 * 1024 }))
      decoder.decode(chunk, { stream: true })
    decoder.decode()
    return true
  } catch {
    return false
  }
}

/** Letters that were read in the wrong encoding and saved so: "JoÃ£o". */
export const looksMangled = (text: string) => /Ã[\u0080-\u00bf£§©ª­¡³µ¢´¨]|â€™|ï¿½|\ufffd/.test(text)
