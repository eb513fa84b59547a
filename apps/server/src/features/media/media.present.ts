import type { Media } from '@balcao/contract/media.ts'
import { isSame, sign } from '../../kit/crypto.ts'
import { AppError } from '../../kit/errors.ts'
import type { FileRow } from './media.service.ts'

/** As much of a file's row as its face needs. */
export type StoredFile = Omit<Media, 'url' | 'thumbUrl'> & Pick<FileRow, 'thumbKey'>
export type Variant = 'file' | 'thumb'
export type MediaLink = { tenantId: number; id: string; variant: Variant; expiresAtS: number }

const stepS = 30 * 60

/** A stored file as REST and events show it; the links are private and live for half an hour to an hour (ruling 17). */
export const presentMedia = (row: StoredFile, { tenantId }: { tenantId: number }): Media => ({
  id: row.id,
  kind: row.kind,
  name: row.name,
  mime: row.mime,
  size: row.size,
  width: row.width,
  height: row.height,
  durationMs: row.durationMs,
  url: mediaUrl({ tenantId, id: row.id, name: row.name, variant: 'file' }),
  thumbUrl: row.thumbKey ? mediaUrl({ tenantId, id: row.id, name: 'miniatura.webp', variant: 'thumb' }) : null,
})

/** The link to a stored picture known only by its id, e.g. a company's logo: its thumbnail, which every picture has. */
export const pictureUrl = (tenantId: number, id: string) =>
  mediaUrl({ tenantId, id, name: 'imagem.webp', variant: 'thumb' })

/** The end of life is rounded, so that the same file keeps its address, and the browser its copy, for half an hour. */
const mediaUrl = ({
  tenantId,
  id,
  name,
  variant,
}: {
  tenantId: number
  id: string
  name: string
  variant: Variant
}) => {
  const expiresAtS = (Math.floor(Date.now() / 1_000 / stepS) + 2) * stepS
  const query = new URLSearchParams({
    t: String(tenantId),
    v: variant,
    e: String(expiresAtS),
    s: signature({ tenantId, id, variant, expiresAtS }),
  })
  return `/api/media/${id}/${encodeURIComponent(name)}?${query}`
}

/** Throws ERR_MEDIA_LINK unless we made this link and it still lives. */
export const checkMediaLink = (link: MediaLink, given: string) => {
  const isOurs = isSame(signature(link), given)
  if (!isOurs || link.expiresAtS * 1_000 < Date.now()) throw new AppError('ERR_MEDIA_LINK')
}

const signature = ({ tenantId, id, variant, expiresAtS }: MediaLink) =>
  sign('media-link', `${tenantId}:${id}:${variant}:${expiresAtS}`)
