import { createDecipheriv, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { ChannelError } from '../adapter.ts'
import { noAnswer } from '../http-errors.ts'
import { key } from '../whatsapp/shapes.ts'
import type { BaileysPort } from './port.ts'
import type { Context } from './session.ts'

const source = z.object({
  kind: z.enum(['image', 'video', 'audio', 'document', 'sticker']),
  directPath: z.string().startsWith('/'),
  mediaKey: z.string(),
  key: key.optional(),
})
const names = { image: 'Image', sticker: 'Image', video: 'Video', audio: 'Audio', document: 'Document' } as const
const mediaHost = 'https://mmg.whatsapp.net'
const macBytes = 10
const mostBytes = 110 * 1024 * 1024

/** A file as WhatsApp keeps it is sealed with the key in its message: fetched and opened without the phone. */
export const fetchFile = async (given: Record<string, unknown>, { http, config }: Context) => {
  const { data } = source.safeParse(given)
  if (!data) throw gone()
  // Whoever sent it wrote the path: it lies at WhatsApp's own host, or at the stand-in of a rehearsal.
  const host = config.server ? `http://${config.server}` : mediaHost
  const { status, bytes } = await http(`${host}${data.directPath}`, {
    headers: { Origin: 'https://web.whatsapp.com' },
    maxBytes: mostBytes,
    timeoutMs: 120_000,
  }).catch((error) => {
    throw noAnswer(error, true)
  })
  if (status === 403 || status === 404 || status === 410) throw gone()
  if (status !== 200) throw new ChannelError('retry', 'O WhatsApp não entregou o arquivo agora.')
  return { bytes: openSealed(bytes, Buffer.from(data.mediaKey, 'base64'), names[data.kind]) }
}

/** The phone still has what WhatsApp has dropped: it uploads it once more, under the same key. */
export const renewFile = async (
  { calls }: BaileysPort,
  given: Record<string, unknown>,
): Promise<Record<string, unknown>> => {
  const { data } = source.safeParse(given)
  if (!data?.key) throw gone()
  const { kind, mediaKey, directPath } = data
  const file = { mediaKey: Buffer.from(mediaKey, 'base64'), directPath }
  const renewed = await within(
    phoneAnswersWithinMs,
    calls.updateMediaMessage({ key: data.key, message: { [`${kind}Message`]: file } }),
  )
  const [part]: unknown[] = Object.values(Object(renewed.message))
  return { ...given, directPath: z.object({ directPath: z.string() }).parse(part).directPath }
}
/** Less than whoever asks from another process waits. */
const phoneAnswersWithinMs = 12_000
const within = async <T>(ms: number, work: Promise<T>): Promise<T> => {
  const late = new AbortController()
  const silence = sleep(ms, undefined, { signal: late.signal }).then(() => {
    throw asleep()
  })
  silence.catch(() => {})
  try {
    return await Promise.race([work, silence])
  } catch (error) {
    if (error instanceof ChannelError) throw error
    throw Object(Object(error).output).statusCode === 404 ? goneFromPhone() : asleep()
  } finally {
    late.abort()
  }
}
const asleep = () =>
  new ChannelError('retry', 'O arquivo não está mais no WhatsApp, e o celular não respondeu. Ligue-o e tente de novo.')
const goneFromPhone = () =>
  new ChannelError('final', 'O arquivo não está mais no celular. Peça que seja enviado de novo.')

const gone = () =>
  new ChannelError('final', 'O arquivo não está mais no WhatsApp. Peça que seja enviado de novo.', { isGone: true })

/** AES-256-CBC under a key drawn from the message's, with the head of an HMAC-SHA-256 behind it. */
export const openSealed = (sealed: Buffer, mediaKey: Buffer, name: string): Buffer => {
  const drawn = Buffer.from(hkdfSync('sha256', mediaKey, Buffer.alloc(0), `WhatsApp ${name} Keys`, 112))
  const [iv, cipherKey, macKey] = [drawn.subarray(0, 16), drawn.subarray(16, 48), drawn.subarray(48, 80)]
  const [body, mac] = [sealed.subarray(0, -macBytes), sealed.subarray(-macBytes)]
  const expected = createHmac('sha256', macKey).update(iv).update(body).digest().subarray(0, macBytes)
  if (mac.length !== macBytes || !timingSafeEqual(mac, expected)) throw gone()
  try {
    const decipher = createDecipheriv('aes-256-cbc', cipherKey, iv)
    return Buffer.concat([decipher.update(body), decipher.final()])
  } catch {
    throw gone()
  }
}
