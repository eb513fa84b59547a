import type { Availability } from '@balcao/contract/people/users.ts'
import { useAvailability } from '../../features/people/presence/availability.ts'
import { stateTones } from '../../features/people/presence/state-dot.tsx'
import { savePreferences } from '../../kit/preferences.ts'
import { useCurrentSession } from '../../kit/session.ts'
import { useCan } from '../../kit/use-can.ts'
import type { StatusTone } from '../../ui/status-dot.tsx'

export type StateChoice = { label: string; tone: StatusTone; isNow: boolean; choose: () => void }

/** What I can say I am doing, for the menu and for the sheet of a phone. Without reasons of the company, `onWrite` asks for one. */
export const useStateChoices = (onWrite: () => void) => {
  const { state, awayReason, reasons, choose } = useAvailability()
  const choice = (label: string, to: Availability, isNow: boolean, reason?: string): StateChoice => ({
    label,
    tone: stateTones[to],
    isNow,
    choose: () => choose({ state: to, reason }),
  })
  const away: StateChoice[] = reasons.length
    ? reasons.map((reason) => choice(reason, 'away', state === 'away' && awayReason === reason, reason))
    : [{ ...choice('Em pausa…', 'away', state === 'away'), choose: onWrite }]
  const { user } = useCurrentSession()
  const { takesOffers } = user.configs
  const isLeading = useCan('users.supervise')
  return {
    state,
    /** Agents are handed what waits in their queues; who leads a team chooses. */
    offers: isLeading && {
      label: 'Receber atendimentos das filas',
      isOn: takesOffers,
      toggle: () => void savePreferences({ takesOffers: !takesOffers }),
    },
    here: [choice('Online', 'online', state === 'online'), choice('Offline', 'offline', state === 'offline')],
    away,
  }
}
