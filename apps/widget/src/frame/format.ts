import { language, say } from './words.ts'

const formatted = (options: Intl.DateTimeFormatOptions) => {
  const formats = new Map<string, Intl.DateTimeFormat>()
  return (at: Date): string => {
    const format = formats.get(language()) ?? new Intl.DateTimeFormat(language(), options)
    formats.set(language(), format)
    return format.format(at)
  }
}
const inTime = formatted({ hour: '2-digit', minute: '2-digit' })
const inDays = formatted({ weekday: 'long', day: 'numeric', month: 'long' })
const inOldDays = formatted({ day: 'numeric', month: 'long', year: 'numeric' })
const inFull = formatted({ dateStyle: 'long', timeStyle: 'short' })

export const formatTime = (iso: string): string => inTime(new Date(iso))

export const formatMoment = (iso: string): string => inFull(new Date(iso))

export const formatDay = (iso: string, now: Date = new Date()): string => {
  const day = new Date(iso)
  const daysAgo = Math.round((startOfDay(now) - startOfDay(day)) / 86_400_000)
  if (daysAgo <= 0) return say('today')
  if (daysAgo === 1) return say('yesterday')
  return day.getFullYear() === now.getFullYear() ? inDays(day) : inOldDays(day)
}

export const isSameDay = (one: string, other: string): boolean =>
  startOfDay(new Date(one)) === startOfDay(new Date(other))

export const formatBytes = (bytes: number): string => {
  if (bytes < 1000) return `${bytes} B`
  const [value, unit] = bytes < 1_000_000 ? [bytes / 1000, 'kB'] : [bytes / 1_000_000, 'MB']
  return `${value.toLocaleString(language(), { maximumFractionDigits: value < 10 ? 1 : 0 })} ${unit}`
}

export const formatSeconds = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`

const startOfDay = (day: Date): number => new Date(day.getFullYear(), day.getMonth(), day.getDate()).getTime()
