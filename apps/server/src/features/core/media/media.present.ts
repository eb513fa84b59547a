import type { Media } from '@balcao/contract/core/media.ts'
import { isPublicAddress } from '@balcao/contract/core/public-address.ts'
import { env } from '../../../env.ts'
import { isSame, sign } from '../../../kit/crypto.ts'
import { AppError } from '../../../kit/errors.ts'
import type { FileRow } from './media.service.ts'

/** As much of a file's row as its face needs. */
export type StoredFile = Omit<Media, 'url' | 'thumbUrl'> & Pick<FileRow, 'thumbKey'>
export type Variant = 'file' | 'thumb'
export type MediaLink = { tenantId: number; id: string; variant: Variant; access: Access; expiresAtS: number }
/** Who may follow a link: somebody of the company who is logged in, or whoever has it, for some minutes. */
export type Access = 'session' | 'anyone'

/**
 * The end of life is rounded, so that the same file keeps its address, and the browser its copy, for one of these steps
 * at least. A session's link dies with its session anyhow; one for pages without a log-in (the visitor's window, the page
 * of a protocol) lives five minutes at most.
 */
const stepS = { session: 30 * 60, anyone: 150 } as const

/** A stored file as REST and events show it, its links private. */
export const presentMedia = (
  row: StoredFile,
  { tenantId, access = 'session' }: { tenantId: number; access?: Access },
): Media => ({
  id: row.id,
  kind: row.kind,
  name: row.name,
  mime: row.mime,
  size: row.size,
  width: row.width,
  height: row.height,
  durationMs: row.durationMs,
  url: mediaUrl({ tenantId, access, id: row.id, name: row.name, variant: 'file' }),
  thumbUrl: row.thumbKey ? mediaUrl({ tenantId, access, id: row.id, name: 'miniatura.webp', variant: 'thumb' }) : null,
})

/** The link to a stored picture known only by its id, e.g. a company's logo: its thumbnail, which every picture has. */
export const pictureUrl = (tenantId: number, id: string, access: Access = 'session') =>
  mediaUrl({ tenantId, id, access, name: 'imagem.webp', variant: 'thumb' })

/**
 * For a provider that fetches a file by itself: the whole address, good for whoever has it, some minutes. Undefined where
 * nobody outside reaches this installation.
 */
export const providerAddress = (
  tenantId: number,
  { id, name }: Pick<StoredFile, 'id' | 'name'>,
  publicUrl = env.PUBLIC_URL,
): (() => string) | undefined =>
  isPublicAddress(publicUrl)
    ? () => `${publicUrl}${mediaUrl({ tenantId, id, name, access: 'anyone', variant: 'file' })}`
    : undefined

const mediaUrl = ({ name, ...file }: Omit<MediaLink, 'expiresAtS'> & { name: string }) => {
  const step = stepS[file.access]
  const expiresAtS = (Math.floor(Date.now() / 1_000 / step) + 2) * step
  const query = new URLSearchParams({
    t: String(file.tenantId),
    v: file.variant,
    ...(file.access === 'anyone' && { a: file.access }),
    e: String(expiresAtS),
    s: signature({ ...file, expiresAtS }),
  })
  return `/api/media/${file.id}/${encodeURIComponent(name)}?${query}`
}

/** Throws ERR_MEDIA_LINK unless we made this link and it still lives. */
export const checkMediaLink = (link: MediaLink, given: string) => {
  const isOurs = isSame(signature(link), given)
  if (!isOurs || link.expiresAtS * 1_000 < Date.now()) throw new AppError('ERR_MEDIA_LINK')
}

const signature = ({ tenantId, id, variant, access, expiresAtS }: MediaLink) =>
  sign('media-link', `${tenantId}:${id}:${variant}:${access}:${expiresAtS}`)
