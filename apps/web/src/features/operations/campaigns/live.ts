import type { Campaign, CampaignRow } from '@balcao/contract/operations/campaigns/campaigns.ts'
import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import type { Live } from '../../../kit/live.ts'
import { campaignQuery, campaignReport, campaignsKey } from './api.ts'

type Pages = InfiniteData<{ items: CampaignRow[] }>

/** A campaign that runs tells its numbers every second: they go into what is on screen, and no list is read anew. */
export const campaignsLive: Live = {
  'campaign.updated': (cache, next) => {
    const query = campaignQuery(next.id)
    const before = cache.getQueryData<Campaign>(query.queryKey)
    if (before && next.version > before.version) void cache.invalidateQueries({ queryKey: query.queryKey })
    else if (before) cache.setQueryData<Campaign>(query.queryKey, { ...before, ...next })
    void cache.invalidateQueries({ queryKey: campaignReport(next.id).queryKey })
    renewRecipients(cache, next.id)
    if (!putInLists(cache, next)) void cache.invalidateQueries({ queryKey: [...campaignsKey, 'list'] })
    void cache.invalidateQueries({ queryKey: [...campaignsKey, 'days'] })
  },
  'campaign.deleted': (cache, { id }) => {
    cache.removeQueries({ queryKey: campaignQuery(id).queryKey })
    void cache.invalidateQueries({ queryKey: [...campaignsKey, 'list'] })
    void cache.invalidateQueries({ queryKey: [...campaignsKey, 'days'] })
  },
}

const calmMs = 3_000
const waiting = new Set<string>()
/** Those on screen, at most every few seconds: a campaign tells of itself each second while it runs. */
const renewRecipients = (cache: QueryClient, id: string) => {
  if (waiting.has(id)) return
  waiting.add(id)
  setTimeout(() => {
    waiting.delete(id)
    void cache.invalidateQueries({ queryKey: ['campaignRecipients', id] })
  }, calmMs)
}

/** False where some list may hold it now that did not before, or no longer. */
const putInLists = (cache: QueryClient, next: CampaignRow): boolean => {
  let isEverywhere = true
  for (const [key, data] of cache.getQueriesData<Pages>({ queryKey: [...campaignsKey, 'list'] })) {
    const shown = data?.pages.flatMap(({ items }) => items).find(({ id }) => id === next.id)
    if (!data || !shown || shown.state !== next.state) {
      isEverywhere = false
      continue
    }
    cache.setQueryData<Pages>(key, {
      ...data,
      pages: data.pages.map((page) => ({ ...page, items: page.items.map((one) => (one.id === next.id ? next : one)) })),
    })
  }
  return isEverywhere
}
