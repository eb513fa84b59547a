import type { Abilities } from './abilities.ts'

/** Hours in which this author's free text is taken after the customer's last message; null means always. */
export const windowHoursOf = (
  { windowHours, personWindowHours }: Pick<Abilities, 'windowHours' | 'personWindowHours'>,
  isByPerson = false,
): number | null => (isByPerson && personWindowHours) || windowHours

/** Free text is taken now: always, or for so many hours after the contact last wrote on this connection. */
export const isWindowOpen = (
  abilities: Pick<Abilities, 'windowHours' | 'personWindowHours'>,
  heardAt: Date | null | undefined,
  { isByPerson = false, now = Date.now() } = {},
): boolean => {
  const hours = windowHoursOf(abilities, isByPerson)
  return hours === null || (heardAt?.getTime() ?? 0) + hours * 3_600_000 > now
}
