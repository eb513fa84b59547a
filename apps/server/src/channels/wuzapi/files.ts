import { z } from 'zod'
import { loose } from '../../kit/loose.ts'
import { ChannelError } from '../adapter.ts'
import { gone } from '../whatsapp/files.ts'
import { type Context, openFile, RouteMissing } from './api.ts'

const words = loose(z.string())
const source = z.object({
  kind: z.enum(['image', 'video', 'audio', 'document', 'sticker']),
  /** Where it lies at WhatsApp, whichever host has it. */
  directPath: z.string().startsWith('/'),
  mediaKey: z.string().min(1),
  mimetype: words,
  fileSha256: words,
  fileEncSha256: words,
  fileLength: loose(z.number()),
})
/** WuzAPI keeps no file: it fetches and opens it by what the message said of it. */
export const fetchMedia = async (given: Record<string, unknown>, context: Context) => {
  const { data: file } = source.safeParse(given)
  if (!file) throw gone()
  const body = {
    Url: '',
    DirectPath: file.directPath,
    MediaKey: file.mediaKey,
    Mimetype: file.mimetype ?? '',
    FileSHA256: file.fileSha256,
    FileEncSHA256: file.fileEncSha256,
    FileLength: file.fileLength ?? 0,
  }
  return { stream: await openFile(context, `chat/download${file.kind}`, body, 'Data').catch(goneWhenSo) }
}

const goneWhenSo = (error: unknown): never => {
  if (!(error instanceof ChannelError) || error.isConnectionBroken || error instanceof RouteMissing) throw error
  throw error.outcome === 'final' ? gone() : error
}
