import type { PanelKey } from '@balcao/contract/operations/dashboard-panels.ts'
import type { ComponentType } from 'react'
import { GoalsPanel } from './goals-panel.tsx'
import { Hours, NowFigures, QueuesNow, UsersNow } from './now-panels.tsx'
import {
  Channels,
  EvolutionByPeriod,
  EvolutionByValue,
  EvolutionChannels,
  EvolutionChannelsName,
  PeriodFigures,
  PerUsersDetail,
  Queues,
  Reasons,
  Statuses,
  Users,
} from './period-panels.tsx'

/** What each panel of the contract's table shows, and of what: of today, of the days chosen, or of what it asks itself. */
type View =
  | { of: 'today'; View: typeof NowFigures | typeof Hours }
  | { of: 'period'; View: typeof PeriodFigures | typeof Channels }
  | { of: 'itself'; View: ComponentType }
export const panelViews: Record<PanelKey, View> = {
  now: { of: 'today', View: NowFigures },
  period: { of: 'period', View: PeriodFigures },
  goals: { of: 'itself', View: GoalsPanel },
  evolutionByPeriod: { of: 'period', View: EvolutionByPeriod },
  queue: { of: 'period', View: Queues },
  channels: { of: 'period', View: Channels },
  status: { of: 'period', View: Statuses },
  perUsersDetail: { of: 'period', View: PerUsersDetail },
  hours: { of: 'today', View: Hours },
  queuesNow: { of: 'today', View: QueuesNow },
  usersNow: { of: 'today', View: UsersNow },
  reasons: { of: 'period', View: Reasons },
  evolutionChannels: { of: 'period', View: EvolutionChannels },
  user: { of: 'period', View: Users },
  evolutionChannelsName: { of: 'period', View: EvolutionChannelsName },
  evolutionByValue: { of: 'period', View: EvolutionByValue },
}
