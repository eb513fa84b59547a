import type { Readable } from 'node:stream'
import { env } from '../../../env.ts'
import { isSame, sign } from '../../../kit/crypto.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { findFile, presentMedia, storeFile } from '../../core/media/media.service.ts'
import type { Caller } from './sessions.ts'
import type { Visitor } from './visitor-token.ts'

export const uploadMaxBytes = Math.min(env.MEDIA_MAX_MB, 10) * 1024 * 1024

type Part = { file: Readable; filename: string; mimetype: string }

/** Stores a visitor's file. The id it answers is signed for this visitor: nobody else can send it. */
export const storeUpload = async (caller: Caller, part: Part) => {
  const { tenantId } = caller
  if (!caller.webchat.config.uploads)
    throw new AppError('ERR_MEDIA_TYPE', { message: 'Este chat não recebe arquivos.' })
  const file = await storeFile({
    tenantId,
    contactId: caller.contactId ?? undefined,
    stream: part.file,
    name: part.filename,
    declaredMime: part.mimetype,
    maxBytes: uploadMaxBytes,
  })
  const { id, url, name, mime, size } = presentMedia(file, { tenantId, access: 'anyone' })
  return { mediaId: `${id}.${signature(caller, id)}`, url, name, mime, size }
}

/** The file a visitor uploaded before. */
export const getUpload = async (visitor: Visitor, mediaId: string) => {
  const [id = '', given = ''] = mediaId.split('.')
  const file = isSame(given, signature(visitor, id)) ? await findFile(visitor.tenantId, id) : undefined
  if (!file) throw fieldErrors({ path: 'mediaId', message: 'Envie o arquivo de novo.' })
  return file
}

const signature = ({ tenantId, connectionId, visitorId }: Visitor, fileId: string) =>
  sign('webchat-upload', `${tenantId}:${connectionId}:${visitorId}:${fileId}`)
