import type { Opportunity, OpportunityBoard } from '@balcao/contract/sales/opportunities.ts'
import { stageResource } from '@balcao/contract/sales/pipelines.ts'
import type { QueryClient } from '@tanstack/react-query'
import type { Live } from '../../../kit/live.ts'
import { opportunitiesKey, opportunityQuery } from './api.ts'
import { placed } from './board-moves.ts'

/** Lists of opportunities are renewed with every resource; boards take the card as it is and are not read anew. */
export const opportunitiesLive: Live = {
  /** It comes with stages of its own. */
  'pipeline.created': (cache) => void cache.invalidateQueries({ queryKey: ['resource', stageResource.event] }),
  /** Whose opportunities one sees may be another's from now on: what is on screen is read anew. */
  'settings.updated': (cache, { keys }) => {
    if (keys.includes('privacidadeFunil')) void cache.resetQueries({ queryKey: opportunitiesKey })
  },
  'opportunity.updated': (cache, next) => {
    cache.setQueryData<Opportunity>(opportunityQuery(next.id).queryKey, (now) =>
      now && next.version <= now.version ? now : next,
    )
    for (const what of ['proposals', 'files', 'timeline'])
      void cache.invalidateQueries({ queryKey: [...opportunitiesKey, what, next.id] })
    for (const [key, board] of cache.getQueriesData<OpportunityBoard>({ queryKey: [...opportunitiesKey, 'board'] })) {
      if (board) cache.setQueryData(key, { columns: placed(board.columns, next) })
    }
  },
  'opportunity.deleted': (cache, { id }) => forget(cache, id),
}

const forget = (cache: QueryClient, id: string) => cache.removeQueries({ queryKey: opportunityQuery(id).queryKey })
