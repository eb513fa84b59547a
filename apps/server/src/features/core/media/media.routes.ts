import { id } from '@balcao/contract/common.ts'
import { media } from '@balcao/contract/core/media.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Actor } from '../../../kit/actor.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import type { Routes } from '../../../kit/http.ts'
import { type ByteRange, storage } from '../../../kit/storage.ts'
import { checkMediaLink, presentMedia } from './media.present.ts'
import { findFile, findPicture, maxFileBytes, storeFile } from './media.service.ts'
import { isShown } from './sniff.ts'

type ReadReader = (request: FastifyRequest) => Promise<Actor>
let readReader: ReadReader = () => Promise.reject(new AppError('ERR_SESSION_EXPIRED'))
/** Who asks for a file: the feature of sessions registers how that is known. It throws where nobody may ask. */
export const onFileAsked = (handler: ReadReader) => {
  readReader = handler
}
export const readFileReader: ReadReader = (request) => readReader(request)

const linkParams = z.object({ id, name: z.string().max(400) })
/** A link that lacks a part is a link we did not make. */
const linkQuery = z.object({
  t: z.coerce.number().int().nonnegative().catch(0),
  v: z.enum(['file', 'thumb']).catch('file'),
  a: z.enum(['session', 'anyone']).catch('session'),
  e: z.coerce.number().int().nonnegative().catch(0),
  s: z.string().catch(''),
})

export const mediaRoutes: Routes = (app) => {
  app.post(
    '/media',
    {
      config: {
        can: 'media.write',
        rateLimit: { max: 300, timeWindow: '1 minute', keyGenerator: (req: FastifyRequest) => req.actor.userId },
        summary: 'Enviar um arquivo para usar em uma mensagem',
        takesFile: true,
        errors: ['ERR_STORAGE_LIMIT'],
      },
      schema: { response: { 201: media } },
    },
    async (req, reply) => {
      if (!req.isMultipart()) throw noFile()
      if (Number(req.headers['content-length'] ?? 0) > maxFileBytes + 64 * 1024) throw new AppError('ERR_TOO_LARGE')
      const part = await req.file()
      if (!part) throw noFile()
      const { tenantId, userId } = req.actor
      const row = await storeFile({
        tenantId,
        userId,
        stream: part.file,
        name: part.filename,
        declaredMime: part.mimetype,
      })
      return reply.status(201).send(presentMedia(row, { tenantId }))
    },
  )

  app.get(
    '/media/:id/:name',
    {
      config: {
        public: true,
        summary: 'Baixar um arquivo pelo seu link assinado',
        errors: ['ERR_MEDIA_LINK'],
        gives: 'application/octet-stream',
      },
      schema: { params: linkParams, querystring: linkQuery },
    },
    async (req, reply) => {
      const { t: tenantId, v: variant, a: access, e: expiresAtS, s } = req.query
      checkMediaLink({ tenantId, id: req.params.id, variant, access, expiresAtS }, s)
      if (access === 'session' && (await readReader(req)).tenantId !== tenantId) throw new AppError('ERR_MEDIA_LINK')
      const row = await findFile(tenantId, req.params.id)
      const key = variant === 'thumb' ? row?.thumbKey : row?.key
      if (!row || !key) throw new AppError('ERR_NOT_FOUND')
      const maxAgeS = Math.min(copyLivesS, Math.max(0, expiresAtS - Math.floor(Date.now() / 1_000)))
      const etag = `"${row.sha256}${variant === 'thumb' ? '-thumb' : ''}"`
      if (variant === 'thumb')
        return sendWhole(req, reply, { key, mime: 'image/webp', name: 'miniatura.webp', maxAgeS, etag })
      return sendRange(req, reply, { key, mime: row.mime, name: row.name, maxAgeS, size: row.size, etag })
    },
  )

  app.get(
    '/pictures/:id',
    {
      config: { public: true, summary: 'Ver a foto de um contato ou canal', gives: 'image/webp' },
      schema: { params: z.object({ id }) },
    },
    async (req, reply) => {
      const { tenantId } = await readReader(req)
      const { thumbKey: key, sha256 } = (await findPicture(tenantId, req.params.id)) ?? {}
      if (!key) throw new AppError('ERR_NOT_FOUND')
      const maxAgeS = copyLivesS
      return sendWhole(req, reply, { key, mime: 'image/webp', name: 'foto.webp', maxAgeS, etag: `"${sha256}-thumb"` })
    },
  )
}

const noFile = () => fieldErrors({ path: 'file', message: 'Escolha um arquivo.' })

/** A copy in a browser is shown without asking us for this long: on a shared computer the next person finds none. */
const copyLivesS = 5 * 60

type Served = { key: string; mime: string; name: string; maxAgeS: number; etag: string }

/** Whatever it is, it runs nothing on our origin: the type we saw, no guessing, an empty sandbox. */
const dress = (reply: FastifyReply, { mime, name, maxAgeS, etag }: Served) =>
  reply.headers({
    etag,
    'content-type': mime,
    'content-disposition': `${isShown(mime) ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeRfc5987(name)}`,
    'x-content-type-options': 'nosniff',
    // Chrome's PDF reader does not start inside a sandbox; it runs a document's scripts outside our origin anyway.
    'content-security-policy': `default-src 'none'; ${mime === 'application/pdf' ? "object-src 'self'; frame-ancestors 'self'" : 'sandbox'}`,
    'cache-control': `private, max-age=${maxAgeS}`,
    'accept-ranges': 'bytes',
  })

const encodeRfc5987 = (text: string) =>
  encodeURIComponent(text).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)

const sendWhole = async (req: FastifyRequest, reply: FastifyReply, file: Served) => {
  dress(reply, file).header('accept-ranges', 'none')
  if (req.headers['if-none-match'] === file.etag) return reply.status(304).send()
  return reply.send(await read(file.key))
}

const sendRange = async (req: FastifyRequest, reply: FastifyReply, file: Served & { size: number }) => {
  dress(reply, file)
  if (req.headers['if-none-match'] === file.etag) return reply.status(304).send()
  const isSameFile = !req.headers['if-range'] || req.headers['if-range'] === file.etag
  const range = isSameFile ? parseRange(req.headers.range, file.size) : 'whole'
  if (range === 'outside') {
    return reply
      .status(416)
      .headers({ 'content-range': `bytes */${file.size}`, 'content-length': '0' })
      .send()
  }
  if (range === 'whole') return reply.header('content-length', String(file.size)).send(await read(file.key))
  return reply
    .status(206)
    .headers({
      'content-range': `bytes ${range.start}-${range.end}/${file.size}`,
      'content-length': String(range.end - range.start + 1),
    })
    .send(await read(file.key, range))
}

const read = async (key: string, range?: ByteRange) => (await storage()).read(key, range)

/** One range of bytes; what we do not understand (many ranges, other units) is answered whole, as the standard allows. */
export const parseRange = (header: string | undefined, size: number): ByteRange | 'whole' | 'outside' => {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || (!first && !last)) return 'whole'
  const start = first ? Number(first) : Math.max(0, size - Number(last))
  const end = first && last ? Math.min(Number(last), size - 1) : size - 1
  if (start >= size || (!first && Number(last) === 0)) return 'outside'
  return end < start ? 'whole' : { start, end }
}
