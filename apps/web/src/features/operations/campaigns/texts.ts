import type { CampaignContent } from '@balcao/contract/operations/campaigns/content.ts'

/** All that a content says in words of its own. */
export const textOf = ({ parts }: CampaignContent): string =>
  parts
    .map(({ body }) => body)
    .filter(Boolean)
    .join('\n')
