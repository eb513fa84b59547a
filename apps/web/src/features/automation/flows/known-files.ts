import type { Part, ShownPart } from '@balcao/contract/conversations/parts.ts'
import type { Media } from '@balcao/contract/core/media.ts'

/** Steps name files by their id alone; what they are is known of those that were read or chosen in this page. */
const known = new Map<string, Media>()
export const rememberFiles = (files: readonly Media[]) => {
  for (const file of files) known.set(file.id, file)
}
export const knownFile = (id: string) => known.get(id)

export const withFile = (part: Part): ShownPart => ({
  ...part,
  media: part.mediaId ? (known.get(part.mediaId) ?? unknown(part.mediaId)) : null,
})
/** Chosen by a colleague since the flow was opened. */
const unknown = (id: string): Media => ({
  ...{ id, kind: 'document', name: 'Arquivo escolhido por outra pessoa', mime: '', size: 0 },
  ...{ width: null, height: null, durationMs: null, url: '', thumbUrl: null },
})
