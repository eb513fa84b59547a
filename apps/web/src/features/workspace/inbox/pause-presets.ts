import { wallTimeOf } from '@balcao/contract/core/wall-time.ts'

export type PausePreset = { key: 'hour' | 'tomorrow' | 'monday'; label: string; wall: string }
const dayMs = 86_400_000

/** The moments a conversation is most often put away until, on the company's clock. */
export const presetsAt = (now: number, timeZone: string): PausePreset[] => {
  const at = (moment: number) => wallTimeOf(new Date(moment), timeZone)
  const today = new Date(`${at(now).slice(0, 10)}T00:00:00.000Z`)
  const morning = (days: number) => `${new Date(today.getTime() + days * dayMs).toISOString().slice(0, 10)}T08:00`
  const toMonday = (8 - today.getUTCDay()) % 7 || 7
  return [
    { key: 'hour', label: '1 hora', wall: at(now + 3_600_000) },
    { key: 'tomorrow', label: 'Amanhã às 8h', wall: morning(1) },
    ...(toMonday > 1 ? [{ key: 'monday' as const, label: 'Segunda às 8h', wall: morning(toMonday) }] : []),
  ]
}
