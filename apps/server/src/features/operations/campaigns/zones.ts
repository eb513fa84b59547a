import type { CampaignWindow } from '@balcao/contract/operations/campaigns/campaigns.ts'
import { firstOpen } from '@balcao/contract/operations/campaigns/forecast.ts'
import type { Directory } from '../../core/directory/directory.ts'

/** Area codes of the states that do not go by the clock of Brasília. */
const zonesByArea: Partial<Record<string, string>> = {
  65: 'America/Cuiaba',
  66: 'America/Cuiaba',
  67: 'America/Campo_Grande',
  68: 'America/Rio_Branco',
  69: 'America/Porto_Velho',
  92: 'America/Manaus',
  95: 'America/Boa_Vista',
  97: 'America/Manaus',
}
const capital = 'America/Sao_Paulo'
const zones = [...new Set([capital, ...Object.values(zonesByArea).flatMap((zone) => zone ?? [])])]

type Here = Pick<Directory, 'timezone' | 'settings'>

/** By which clock the window of somebody with this phone goes: that of their state, where it is Brazilian and asked for. */
export const zoneFor = (number: string | null, { byRecipientState }: CampaignWindow, { timezone }: Here): string => {
  const area = byRecipientState ? /^55(\d{2})\d{8,9}$/.exec(number ?? '')?.[1] : undefined
  return area ? (zonesByArea[area] ?? capital) : timezone
}

/** When a window is open next by a clock: `now`, later, or null for not at all. */
export const opensAt = (window: CampaignWindow, timeZone: string, { settings }: Here, now: Date): Date | null =>
  firstOpen({ window, holidays: settings.holidays, timeZone }, now)

/** The same by the first of all clocks its recipients may go by. */
export const opensForAny = (window: CampaignWindow, here: Here, now: Date): Date | null => {
  const clocks = new Set([here.timezone, ...(window.byRecipientState ? zones : [])])
  const moments = [...clocks].flatMap((zone) => opensAt(window, zone, here, now)?.getTime() ?? [])
  return moments.length ? new Date(Math.min(...moments)) : null
}
