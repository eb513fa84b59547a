const timeFormat = new Intl.DateTimeFormat('pt-BR', { hour: '2-digit', minute: '2-digit' })
const dayFormat = new Intl.DateTimeFormat('pt-BR', { weekday: 'long', day: 'numeric', month: 'long' })
const oldDayFormat = new Intl.DateTimeFormat('pt-BR', { day: 'numeric', month: 'long', year: 'numeric' })
const fullFormat = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'long', timeStyle: 'short' })

export const formatTime = (iso: string): string => timeFormat.format(new Date(iso))

export const formatMoment = (iso: string): string => fullFormat.format(new Date(iso))

export const formatDay = (iso: string, now: Date = new Date()): string => {
  const day = new Date(iso)
  const daysAgo = Math.round((startOfDay(now) - startOfDay(day)) / 86_400_000)
  if (daysAgo <= 0) return 'Hoje'
  if (daysAgo === 1) return 'Ontem'
  return day.getFullYear() === now.getFullYear() ? dayFormat.format(day) : oldDayFormat.format(day)
}

export const isSameDay = (one: string, other: string): boolean =>
  startOfDay(new Date(one)) === startOfDay(new Date(other))

export const formatBytes = (bytes: number): string => {
  if (bytes < 1000) return `${bytes} B`
  const [value, unit] = bytes < 1_000_000 ? [bytes / 1000, 'kB'] : [bytes / 1_000_000, 'MB']
  return `${value.toLocaleString('pt-BR', { maximumFractionDigits: value < 10 ? 1 : 0 })} ${unit}`
}

export const formatSeconds = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`

const startOfDay = (day: Date): number => new Date(day.getFullYear(), day.getMonth(), day.getDate()).getTime()
