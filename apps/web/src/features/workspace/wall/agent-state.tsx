import type { WallAgent } from '@balcao/contract/conversations/wall.ts'
import { formatDuration } from '../../../kit/format.ts'
import { useNow } from '../../../ui/clock.ts'
import { StatusDot } from '../../../ui/status-dot.tsx'

/** Online, away with its reason and since when, or offline. */
export const AgentState = ({ agent }: { agent: WallAgent }) => {
  const now = useNow()
  if (!agent.isOnline) return <StatusDot tone="quiet" label="Offline" />
  if (!agent.awaySince) return <StatusDot tone="good" label="Online" />
  const since = formatDuration(now - Date.parse(agent.awaySince))
  return <StatusDot tone="waiting" label={`${agent.awayReason || 'Em pausa'} há ${since}`} />
}
