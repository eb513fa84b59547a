import { type CampaignPatch, campaignPatch } from '@balcao/contract/operations/campaigns/campaigns.ts'
import { createDrawer } from '../../conversations/messages/drawer.ts'

const drawer = createDrawer('campanha-por-salvar')

export const isEmpty = (patch: CampaignPatch) => Object.keys(patch).length === 0

/** What is not saved yet outlives a reload, and waits for whoever wrote it: nobody else at this device saves it as theirs. */
export const keepUnsaved = (id: string, patch: CampaignPatch) => {
  if (isEmpty(patch)) drawer.remove(id)
  else drawer.write(id, patch)
}
export const readUnsaved = (id: string): CampaignPatch | null => campaignPatch.safeParse(drawer.read(id)).data ?? null
