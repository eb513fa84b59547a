import { nowMs } from '../ui/server-time.ts'

/** How we write moments, numbers, money and telephones: Brazilian Portuguese, in the tenant's time zone. */

let timeZone = 'America/Sao_Paulo'
const formatters = new Map<string, Intl.DateTimeFormat>()

/** Sets the time zone of every date on the screen (the tenant's; default America/Sao_Paulo). */
export const setTimeZone = (zone: string) => {
  if (zone === timeZone || !Intl.supportedValuesOf('timeZone').includes(zone)) return
  timeZone = zone
  formatters.clear()
}

export const formatDate = (moment: string | Date) => dateWith({ dateStyle: 'short' }, moment)
export const formatTime = (moment: string | Date) => dateWith({ hour: '2-digit', minute: '2-digit' }, moment)
export const formatDateTime = (moment: string | Date) =>
  dateWith({ day: '2-digit', month: '2-digit', year: 'numeric', hour: '2-digit', minute: '2-digit' }, moment)
/** "terça-feira, 3 de março de 2026 às 14:05:09": what a hover shows. */
export const formatExact = (moment: string | Date) => dateWith({ dateStyle: 'full', timeStyle: 'medium' }, moment)
/** The calendar day in the tenant's zone, as `2026-03-03`: two moments of one day share it. */
export const dayOf = (moment: string | Date) => {
  const parts = dateWith({ year: 'numeric', month: '2-digit', day: '2-digit' }, moment).split('/')
  return parts.reverse().join('-')
}

/** "agora", "há 3 min", "há 2 h" while fresh; then "ontem 14:05", "ter. 14:05", and the date. */
export const relativeTime = (moment: string | Date, now = nowMs()): string => {
  const at = new Date(moment)
  const seconds = Math.round((now - at.getTime()) / 1000)
  if (seconds < -45) return formatDateTime(at)
  if (seconds < 45) return 'agora'
  if (seconds < 3570) return `há ${Math.max(1, Math.round(seconds / 60))} min`
  if (dayOf(at) === dayOf(new Date(now)) || seconds < 6 * 3600) return `há ${Math.round(seconds / 3600)} h`
  if (dayOf(at) === dayOf(new Date(now - 86_400_000))) return `ontem ${formatTime(at)}`
  if (seconds < 6 * 86_400) return `${dateWith({ weekday: 'short' }, at).replace('.', '')} ${formatTime(at)}`
  return formatDate(at)
}

/** "2 h 05 min", "3 min", "12 s": a length of time. */
export const formatDuration = (milliseconds: number): string => {
  const seconds = Math.max(0, Math.round(milliseconds / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return `${hours} h ${String(minutes % 60).padStart(2, '0')} min`
  return `${Math.floor(hours / 24)} dias`
}

/** "3:07": the clock of a recording. */
export const formatClock = (seconds: number): string => {
  const whole = Math.max(0, Math.floor(seconds))
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}

const numbers = new Intl.NumberFormat('pt-BR')
const money = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' })
export const formatNumber = (value: number) => numbers.format(value)
/** R$ from integer cents. */
export const formatCents = (cents: number) => money.format(cents / 100)

export const formatBytes = (bytes: number): string => {
  const units = ['B', 'kB', 'MB', 'GB']
  const power = Math.min(units.length - 1, bytes > 0 ? Math.floor(Math.log10(bytes) / 3) : 0)
  return `${new Intl.NumberFormat('pt-BR', { maximumFractionDigits: power > 1 ? 1 : 0 }).format(bytes / 1000 ** power)} ${units[power]}`
}

/** "3 etiquetas", "1 etiqueta". */
export const plural = (count: number, one: string, many: string) => `${formatNumber(count)} ${count === 1 ? one : many}`

/** International form when it is a telephone number, the text itself otherwise. The parser loads when first needed. */
export const formatPhone = async (phone: string): Promise<string> => {
  const digits = phone.replace(/\D/g, '')
  if (digits.length < 2 || phone.length > 250) return phone
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/min')
  return parsePhoneNumberFromString(`+${digits}`)?.formatInternational() ?? phone
}

const dateWith = (options: Intl.DateTimeFormatOptions, moment: string | Date) => {
  const key = JSON.stringify(options)
  const known = formatters.get(key)
  const formatter = known ?? new Intl.DateTimeFormat('pt-BR', { ...options, timeZone })
  if (!known) formatters.set(key, formatter)
  return formatter.format(new Date(moment))
}
