const formats = new Map<string, Intl.DateTimeFormat>()
/** One for each zone: to make one takes far longer than to use it. */
const formatOf = (timeZone: string): Intl.DateTimeFormat => {
  const known = formats.get(timeZone)
  if (known) return known
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  formats.set(timeZone, format)
  return format
}

/** `2026-11-18T14:30`: the clock on the wall of a time zone at a moment, as a date field writes it. */
export const wallTimeOf = (moment: string | Date, timeZone: string): string => {
  const shown = formatOf(timeZone).format(new Date(moment))
  return shown.replace(' ', 'T')
}

/**
 * The moment at which the wall shows `2026-11-18T14:30`. A time that a clock skips in spring becomes the one as long
 * after the leap; of a time that comes twice in autumn, the first.
 */
export const momentAt = (wall: string, timeZone: string): string => {
  const asUtc = Date.parse(`${wall.slice(0, 16)}:00.000Z`)
  const offsetAt = (at: number) =>
    Date.parse(`${wallTimeOf(new Date(at), timeZone)}:00.000Z`) - Math.floor(at / 60_000) * 60_000
  const [before, after] = [offsetAt(asUtc - dayMs), offsetAt(asUtc + dayMs)]
  const first = asUtc - before
  const at = offsetAt(first) === before ? first : offsetAt(asUtc - after) === after ? asUtc - after : first
  return new Date(at).toISOString()
}

/** The same time of the wall so many days later. */
export const wallAfter = (wall: string, days: number): string =>
  new Date(Date.parse(`${wall.slice(0, 16)}:00.000Z`) + days * dayMs).toISOString().slice(0, 16)

const dayMs = 86_400_000
