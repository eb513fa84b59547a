import { AppError } from '../../../kit/errors.ts'
import { createHeavy } from '../../../kit/heavy/heavy.ts'
import type { Picture, ThumbnailInput, ThumbnailOutput } from './thumbnail.task.ts'

/** Turned upright, a picture is open whole: 3 or 4 bytes a pixel. */
const draw = createHeavy<ThumbnailInput, never, ThumbnailOutput>(new URL('./thumbnail.task.ts', import.meta.url), {
  processes: 2,
  memoryMb: 640,
  timeMs: 60_000,
  mostWaiting: 300,
  niceness: 0, // somebody waits for the upload
})

/**
 * Measures a picture and writes its thumbnail to `thumbPath`. Undefined when nobody can open it, or not within what one
 * picture may take. One that would fill the memory when opened is refused.
 */
export const thumbnail = async (tenantId: number, input: ThumbnailInput): Promise<Picture | undefined> => {
  const outcome = await draw(tenantId, { input }).catch((error: unknown): ThumbnailOutput => {
    if (error instanceof AppError && error.code === 'ERR_TOO_HEAVY') return 'unreadable'
    throw error
  })
  if (outcome === 'too large')
    throw new AppError('ERR_MEDIA_TYPE', {
      message: 'A imagem é grande demais para ser aberta. Reduza-a e tente de novo.',
    })
  return outcome === 'unreadable' ? undefined : outcome
}
