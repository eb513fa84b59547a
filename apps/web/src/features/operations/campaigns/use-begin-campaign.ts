import type { Campaign, CampaignPatch } from '@balcao/contract/operations/campaigns/campaigns.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { v7 } from 'uuid'
import { useCurrentSession } from '../../../kit/session.ts'
import { beginCampaign, campaignQuery, duplicateCampaign } from './api.ts'

/** Begins a draft. */
export const useBeginCampaign = () => {
  const { userId } = useCurrentSession()
  return useMakeOnce((id, draft: CampaignPatch & { name: string }) => beginCampaign(userId, { ...draft, id }))
}

/** Begins a draft that says the same as another campaign. */
export const useDuplicateCampaign = () => useMakeOnce((newId, id: string) => duplicateCampaign(id, newId))

/**
 * What is made shows at once: what is typed next is its name. Pressed twice, or again after an answer that never came, it
 * is the same draft; after that, another one.
 */
const useMakeOnce = <Asked>(make: (newId: string, asked: Asked) => Promise<Campaign>) => {
  const cache = useQueryClient()
  const newId = useRef<string>(undefined)
  return async (asked: Asked): Promise<Campaign> => {
    newId.current ??= v7()
    const made = await make(newId.current, asked)
    newId.current = undefined
    // The second answer comes when something may have been written already.
    cache.setQueryData(campaignQuery(made.id).queryKey, (now) => (now && now.version >= made.version ? now : made))
    return made
  }
}
