/**
 * A step, or the settings, with another row in the place of one that goes: queue, person, tag, reason, stage, segment,
 * wherever it is named whole. The same object where it is named nowhere.
 */
export const withRow = <T>(given: T, from: string, to: string): T =>
  names(given, from) ? (swapped(given, from, to) as T) : given

const names = (value: unknown, id: string): boolean =>
  value === id || (typeof value === 'object' && value !== null && Object.values(value).some((one) => names(one, id)))

const swapped = (value: unknown, from: string, to: string): unknown => {
  if (value === from) return to
  // Who had both has one now.
  if (Array.isArray(value)) return [...new Set(value.map((one) => swapped(one, from, to)))]
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, swapped(one, from, to)]))
}
