import { createCipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import type { Media } from '../handset.ts'
import type { SimulatorCore } from '../simulator.ts'

const names: Record<string, string> = {
  image: 'Image',
  sticker: 'Image',
  video: 'Video',
  audio: 'Audio',
  document: 'Document',
}
type Kept = { media: Media; key: Buffer; name: string; isThere: boolean; path: string }

/** Files as WhatsApp keeps them: sealed, by a path, until they are dropped. */
export const createFiles = ({ app }: SimulatorCore) => {
  const kept = new Map<string, Kept>()
  let served = 0
  app.get<{ Params: { id: string; version: string } }>('/file/:id/:version', (request, reply) => {
    const file = kept.get(request.params.id)
    if (!file?.isThere || file.path !== request.url) return reply.code(410).send()
    return reply.type('application/octet-stream').send(sealed(file))
  })
  const lay = (id: string, file: Kept) => {
    served += 1
    Object.assign(file, { isThere: true, path: `/file/${id}/${served}` })
    return file.path
  }
  return {
    /** The message with where its file lies and what opens it. */
    withFile: (id: string, message: object, media: Media | undefined): object => {
      if (!media) return message
      return Object.fromEntries(
        Object.entries(message).map(([name, part]: [string, unknown]) => {
          const of = names[name.replace('Message', '')]
          if (!of) return [name, part]
          const file: Kept = { media, key: randomBytes(32), name: of, isThere: true, path: '' }
          kept.set(id, file)
          return [name, { ...Object(part), url: undefined, mediaKey: file.key, directPath: lay(id, file) }]
        }),
      )
    },
    /** WhatsApp keeps them for some weeks. */
    drop: () => {
      for (const file of kept.values()) file.isThere = false
    },
    /** Deleted on the phone as well. */
    forget: () => kept.clear(),
    /** The phone uploads it once more; undefined when it has it no longer either. */
    layAgain: (id: string): string | undefined => {
      const file = kept.get(id)
      return file && lay(id, file)
    },
  }
}

/** AES-256-CBC under a key drawn from the message's, with the head of an HMAC-SHA-256 behind it. */
const sealed = ({ media, key, name }: Kept): Buffer => {
  const drawn = Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), `WhatsApp ${name} Keys`, 112))
  const [iv, cipherKey, macKey] = [drawn.subarray(0, 16), drawn.subarray(16, 48), drawn.subarray(48, 80)]
  const cipher = createCipheriv('aes-256-cbc', cipherKey, iv)
  const body = Buffer.concat([cipher.update(media.bytes), cipher.final()])
  return Buffer.concat([body, createHmac('sha256', macKey).update(iv).update(body).digest().subarray(0, 10)])
}
