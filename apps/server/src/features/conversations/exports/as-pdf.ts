import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AppError } from '../../../kit/errors.ts'
import { createHeavy } from '../../../kit/heavy/heavy.ts'
import { storage } from '../../../kit/storage.ts'
import type { Conversation, ExportedMessage } from './conversation.ts'
import type { PdfInput, PdfItem } from './pdf.task.ts'

const setPdf = createHeavy<PdfInput, PdfItem, void>(new URL('./pdf.task.ts', import.meta.url), {
  processes: 2,
  memoryMb: 512,
  timeMs: 240_000,
  mostWaiting: 20,
  niceness: 5,
})
/** A larger picture, or one more of them, is only named. */
const maxPictureBytes = 20 * 1024 * 1024
const mostPictures = 1_000

/**
 * The conversation as a PDF, set whole on the disk first: a slow reader then holds up nobody, and what goes wrong is still
 * told as an error.
 */
export const asPdf = async (
  { company, title, facts, messages }: Conversation,
  { tenantId, signal }: { tenantId: number; signal: AbortSignal },
): Promise<Readable> => {
  const folder = await mkdtemp(join(tmpdir(), 'balcao-export-'))
  const clean = () => rm(folder, { recursive: true, force: true })
  try {
    const path = join(folder, 'conversa.pdf')
    const input = { company, title, facts, path }
    await setPdf(tenantId, { input, items: withPictures(messages, folder), signal }).catch(tellInstead)
    return createReadStream(path).on('close', () => void clean())
  } catch (error) {
    await clean()
    throw error
  }
}

const tellInstead = (error: unknown) => {
  if (!(error instanceof AppError) || error.code !== 'ERR_TOO_HEAVY') throw error
  const message = 'Esta conversa é grande demais para um PDF. Exporte em HTML ou em texto.'
  throw new AppError('ERR_TOO_HEAVY', { message })
}

/** The process that sets the pages sees no storage: each picture lies in a file while its message is set. */
async function* withPictures(messages: AsyncIterable<ExportedMessage>, folder: string): AsyncGenerator<PdfItem> {
  let pictures = 0
  for await (const message of messages) {
    const { file } = message
    const isPicture = file && ['image', 'sticker'].includes(file.kind) && file.size <= maxPictureBytes
    const picturePath = join(folder, 'picture')
    if (!isPicture || pictures >= mostPictures || !(await copyHere(file.key, picturePath))) yield message
    else {
      pictures += 1
      yield { ...message, picturePath }
    }
  }
}

/** False when it was deleted while we were at it: the others are still worth having. */
const copyHere = async (key: string, path: string): Promise<boolean> => {
  try {
    await pipeline(await (await storage()).read(key), createWriteStream(path, { mode: 0o600 }))
    return true
  } catch {
    return false
  }
}
