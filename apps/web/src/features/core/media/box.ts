import type { Media } from '@balcao/contract/core/media.ts'

const widest = 320
const highest = 340
const smallest = 120

/** The box a picture gets before it loads, so that nothing jumps; very long or flat ones are cropped. */
export const boxOf = ({ width, height }: Pick<Media, 'width' | 'height'>): { width: number; height: number } => {
  if (!width || !height) return { width: 260, height: 200 }
  const scale = Math.min(widest / width, highest / height, 1)
  const clamp = (value: number, most: number) => Math.round(Math.min(most, Math.max(smallest, value)))
  return { width: clamp(width * scale, widest), height: clamp(height * scale, highest) }
}
