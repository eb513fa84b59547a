import { type CampaignContent, type CampaignStep, campaignStep } from '@balcao/contract/operations/campaigns/content.ts'
import type { Actor } from '../../../kit/actor.ts'
import { fileFromUrl } from '../../conversations/messages/file-from-url.ts'

type Given = { steps?: CampaignStep[] | undefined; medias?: string[] | undefined; mediaUrl?: string | null | undefined }

/**
 * What older programs send beside their texts, as part of the contents: the first file has each text as its caption, further
 * ones follow it. A change that brings files alone keeps the texts of `before`.
 */
export const withGivenFiles = async <G extends Given>(
  actor: Actor,
  { medias = [], mediaUrl, ...body }: G,
  before?: () => Promise<{ steps: CampaignStep[] }>,
): Promise<Omit<G, 'medias' | 'mediaUrl'>> => {
  const files = [...medias, ...(mediaUrl ? [await fileFromUrl(actor, mediaUrl)] : [])]
  if (!files.length) return body
  const [first = blankStep, ...later] = body.steps ?? (await before?.())?.steps ?? []
  const variants = first.variants.map((one) => ({ ...one, content: withFiles(one.content, files) }))
  return { ...body, steps: [{ ...first, variants }, ...later] }
}
const blankStep = campaignStep.parse({ variants: [{ content: {} }] })

const longestCaption = 1_024
const withFiles = (content: CampaignContent, files: string[]): CampaignContent => {
  // The words under a file that is replaced stay.
  const [words, ...rest] = content.parts.flatMap((one) => {
    if (one.kind !== 'file') return one
    return one.body ? { ...one, kind: 'text' as const, mediaId: null } : []
  })
  const isCaption = words?.kind === 'text' && words.body.length <= longestCaption
  const asFile = (mediaId: string, body: string): CampaignContent['parts'][number] => ({
    ...{ kind: 'file', body, mediaId, interactive: null },
  })
  return {
    ...content,
    parts: [
      ...(words && !isCaption ? [words] : []),
      ...files.map((mediaId, at) => asFile(mediaId, isCaption && at === 0 ? words.body : '')),
      ...rest,
    ],
  }
}
