import { funnelRule } from '@balcao/contract/operations/funnel-actions.ts'
import type { Live } from '../../../kit/live.ts'
import { funnelActionsKey } from './api.ts'

export const funnelActionsLive: Live = {
  'funnelActions.ran': (cache) => void cache.invalidateQueries({ queryKey: funnelActionsKey }),
  'audience.changed': (cache, { rules }) => {
    if (rules.includes(funnelRule)) void cache.invalidateQueries({ queryKey: [...funnelActionsKey, 'runs'] })
  },
}
