import type { Availability } from '@balcao/contract/people/users.ts'
import { StatusDot, type StatusTone } from '../../../ui/status-dot.tsx'
import { type Present, stateOf } from './availability.ts'

export const stateTones: Record<Availability, StatusTone> = { online: 'good', away: 'waiting', offline: 'quiet' }
export const stateNames: Record<Availability, string> = { online: 'Online', away: 'Em pausa', offline: 'Offline' }

const labelOf = (person: Present): string => {
  const state = stateOf(person)
  return state === 'away' && person.awayReason ? `Em pausa: ${person.awayReason}` : stateNames[state]
}

/** Whether a colleague is there, beside their name. */
export const StateDot = ({ person, hideLabel = true }: { person: Present | undefined; hideLabel?: boolean }) => {
  const shown = person ?? { isOnline: false, isAway: false, awayReason: null }
  return <StatusDot tone={stateTones[stateOf(shown)]} label={labelOf(shown)} hideLabel={hideLabel} />
}
