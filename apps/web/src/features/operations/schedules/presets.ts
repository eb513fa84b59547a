import { wallTimeOf } from '@balcao/contract/core/wall-time.ts'

const dayMs = 86_400_000

/** The times most often meant, on the company's clock. */
export const presetsAt = (now: number, timeZone: string): { label: string; wall: string }[] => {
  const at = (moment: number) => wallTimeOf(new Date(moment), timeZone)
  const dayAfter = (days: number) => {
    const date = new Date(`${at(now).slice(0, 10)}T00:00:00.000Z`)
    return new Date(date.getTime() + days * dayMs)
  }
  const morningAfter = (days: number) => `${dayAfter(days).toISOString().slice(0, 10)}T09:00`
  const toMonday = (8 - dayAfter(0).getUTCDay()) % 7 || 7
  return [
    { label: 'Em 30 min', wall: at(now + 30 * 60_000) },
    { label: 'Em 2 horas', wall: at(now + 120 * 60_000) },
    { label: 'Amanhã 9h', wall: morningAfter(1) },
    ...(toMonday > 1 ? [{ label: 'Segunda 9h', wall: morningAfter(toMonday) }] : []),
    { label: 'Em 7 dias 9h', wall: morningAfter(7) },
  ]
}
