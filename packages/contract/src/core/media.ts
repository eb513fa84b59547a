import { z } from 'zod'
import { id } from '../common.ts'

export const mediaKinds = ['image', 'audio', 'video', 'document', 'sticker'] as const
export type MediaKind = (typeof mediaKinds)[number]

/** A stored file as it travels: `url` and `thumbUrl` are signed, private and short-lived. */
export const media = z.object({
  id,
  kind: z.enum(mediaKinds),
  name: z.string(),
  mime: z.string(),
  /** Bytes. */
  size: z.int().nonnegative(),
  width: z.int().nullable(),
  height: z.int().nullable(),
  durationMs: z.int().nullable(),
  url: z.string(),
  thumbUrl: z.string().nullable(),
})
export type Media = z.output<typeof media>
