import type { Campaign, CampaignPatch } from '@balcao/contract/operations/campaigns/campaigns.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { v7 } from 'uuid'
import { useCurrentSession } from '../../../kit/session.ts'
import { beginCampaign, campaignQuery } from './api.ts'

/**
 * Begins a draft, which shows at once: what is typed next is its name. Pressed twice, or again after an answer that never
 * came, it is the same draft; after that, another one.
 */
export const useBeginCampaign = () => {
  const cache = useQueryClient()
  const { userId } = useCurrentSession()
  const newId = useRef<string>(undefined)
  return async (draft: CampaignPatch & { name: string }): Promise<Campaign> => {
    newId.current ??= v7()
    const made = await beginCampaign(userId, { ...draft, id: newId.current })
    newId.current = undefined
    // The second answer comes when something may have been written already.
    cache.setQueryData(campaignQuery(made.id).queryKey, (now) => (now && now.version >= made.version ? now : made))
    return made
  }
}
