import { ChannelError, type Outbound } from '../adapter.ts'
import { filePlace, type LateFile } from '../base64-streams.ts'
import { fileOf } from '../http-errors.ts'

/** Larger files are fetched by the gateway from us, where it can reach us: a call carries less than 100 MB of them. */
const bytesInCall = 8_000_000

/** A file as a gateway takes it: the address where it is had, or its bytes as Base64, a large one's while the call leaves. */
export const carried = async (
  message: Outbound,
): Promise<{ media: string; mime: string; name: string; late?: LateFile }> => {
  const { media } = message
  if (media && media.size > bytesInCall) {
    const { name, mime, size } = media
    if (media.url) return { media: media.url(), mime, name }
    const stream = await media.stream?.().catch(() => undefined)
    if (stream) return { media: filePlace, late: { stream, size }, mime, name }
  }
  const { file, name, mime } = await fileOf(message)
  return { media: Buffer.from(await file.arrayBuffer()).toString('base64'), name, mime }
}

export const gone = () =>
  new ChannelError('final', 'O WhatsApp não tem mais este arquivo. Peça ao cliente para enviá-lo de novo.')
/** Of a file that is asked for: a refusal that is no fault of the connection means that it is gone. */
export const goneWhenRefused = (error: unknown): never => {
  throw error instanceof ChannelError && error.outcome === 'final' && !error.isConnectionBroken ? gone() : error
}
