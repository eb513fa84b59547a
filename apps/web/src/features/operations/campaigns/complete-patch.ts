import type { AudienceSource, CampaignAudience } from '@balcao/contract/operations/campaigns/audience.ts'
import type { CampaignPatch } from '@balcao/contract/operations/campaigns/campaigns.ts'
import type { CampaignContent } from '@balcao/contract/operations/campaigns/content.ts'
import { isComplete } from '../../contacts/segments/api.ts'

/** What of a change is saved: what is only begun on screen stays there. */
export const complete = ({ audience, steps, ...patch }: CampaignPatch): CampaignPatch => ({
  ...patch,
  ...(audience && { audience: withChosen(audience) }),
  ...(steps && {
    steps: steps.map((step) => ({
      ...step,
      variants: step.variants.map((one) => ({ ...one, content: withoutBlank(one.content) })),
    })),
  }),
})

const withChosen = (audience: CampaignAudience): CampaignAudience => ({
  ...audience,
  include: audience.include.filter(isChosen),
  exclude: audience.exclude.filter(isChosen),
})
const isChosen = (source: AudienceSource): boolean =>
  (source.kind !== 'rules' || source.rules.rules.length !== 1 || isComplete(source.rules)) &&
  Object.entries(source).every(
    ([field, value]) =>
      field === 'kind' || (typeof value === 'string' ? value !== '' : !Array.isArray(value) || value.length > 0),
  )

/** Beside a template, the empty text that every message begins with says nothing, and may not even be seen. */
const withoutBlank = (content: CampaignContent): CampaignContent =>
  content.template && !saysWords(content) ? { ...content, parts: [] } : content
/** Something was written or chosen beside a template. */
export const saysWords = ({ parts }: Pick<CampaignContent, 'parts'>): boolean =>
  parts.some(({ kind, body }) => kind !== 'text' || body.trim() !== '')
