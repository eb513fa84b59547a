import sharp from 'sharp'
import type { HeavyTask } from '../../../kit/heavy/child.ts'

const maxPixels = 100_000_000
const thumbPx = 480

export type Picture = { width: number; height: number }
/** `px`: of the longer side; left out, as large as messages show it. */
export type ThumbnailInput = { path: string; thumbPath: string; px?: number }
export type ThumbnailOutput = Picture | 'too large' | 'unreadable'

sharp.cache(false)
sharp.concurrency(1)

/** Measures a picture and writes its thumbnail: webp, upright. */
export const run: HeavyTask<ThumbnailInput, never, ThumbnailOutput> = async ({ path, thumbPath, px = thumbPx }) => {
  const meta = await sharp(path, { limitInputPixels: false })
    .metadata()
    .catch(() => undefined)
  if (!meta?.width || !meta.height) return 'unreadable'
  if (meta.width * meta.height > maxPixels) return 'too large'
  try {
    await sharp(path, { limitInputPixels: maxPixels, failOn: 'error' })
      .autoOrient()
      .resize(px, px, { fit: 'inside', withoutEnlargement: true })
      .webp({ quality: 78 })
      .toFile(thumbPath)
    return { width: meta.autoOrient.width, height: meta.autoOrient.height }
  } catch {
    return 'unreadable'
  }
}
