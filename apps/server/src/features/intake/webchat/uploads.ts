import type { Readable } from 'node:stream'
import { isSame, sign } from '../../../kit/crypto.ts'
import { AppError, fieldErrors } from '../../../kit/errors.ts'
import { findFile, presentMedia, storeFile } from '../../core/media/media.service.ts'
import type { Caller } from './sessions.ts'
import { uploadMaxBytes, type WebchatConfig } from './site.ts'
import type { Visitor } from './visitor-token.ts'

type Part = { file: Readable; filename: string; mimetype: string }

/** Stores a visitor's file. The id it answers is signed for this visitor: nobody else can send it. */
export const storeUpload = async (caller: Caller, part: Part) => {
  const { tenantId } = caller
  const { config } = caller.webchat
  if (!config.uploads || !config.uploadKinds.length)
    throw new AppError('ERR_MEDIA_TYPE', { message: 'Este chat não recebe arquivos.' })
  const file = await storeFile({
    tenantId,
    contactId: caller.contactId ?? undefined,
    stream: part.file,
    name: part.filename,
    declaredMime: part.mimetype,
    maxBytes: uploadLimit(config),
    refuses: (kind) => !config.uploadKinds.some((one) => one === kind || (kind === 'sticker' && one === 'image')),
  })
  const { id, url, name, mime, size } = presentMedia(file, { tenantId, access: 'anyone' })
  return { mediaId: `${id}.${signature(caller, id)}`, url, name, mime, size }
}

/** Bytes a file of a visitor may have here. */
export const uploadLimit = ({ uploadMaxMb }: WebchatConfig) => Math.min(uploadMaxBytes, uploadMaxMb * 1024 * 1024)

/** The file a visitor uploaded before. */
export const getUpload = async (visitor: Visitor, mediaId: string) => {
  const [id = '', given = ''] = mediaId.split('.')
  const file = isSame(given, signature(visitor, id)) ? await findFile(visitor.tenantId, id) : undefined
  if (!file) throw fieldErrors({ path: 'mediaId', message: 'Envie o arquivo de novo.' })
  return file
}

const signature = ({ tenantId, connectionId, visitorId }: Visitor, fileId: string) =>
  sign('webchat-upload', `${tenantId}:${connectionId}:${visitorId}:${fileId}`)
