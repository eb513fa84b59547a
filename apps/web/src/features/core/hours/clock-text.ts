import { timeOfDay } from '@balcao/contract/common.ts'

export const isClock = (text: string) => timeOfDay.safeParse(text).success

/** "0830" grows into "08:30"; taking letters away leaves them away. */
export const maskClock = (typed: string, before: string): string => {
  const digits = typed.replace(/\D/g, '').slice(0, 4)
  if (typed.length < before.length) return typed.replace(/[^\d:]/g, '')
  return digits.length > 2 || (digits.length === 2 && typed.endsWith(':'))
    ? `${digits.slice(0, 2)}:${digits.slice(2)}`
    : digits
}

/** What somebody in a hurry meant: "8" is 08:00, "830" is 08:30; undefined when it is no time. */
export const wholeClock = (text: string): string | undefined => {
  const [hours = '', minutes = ''] = text.includes(':') ? text.split(':') : splitDigits(text)
  const whole = `${hours.padStart(2, '0')}:${minutes.padEnd(2, '0')}`
  return hours && isClock(whole) ? whole : undefined
}

const splitDigits = (text: string) =>
  text.length === 3 ? [text.slice(0, 1), text.slice(1)] : [text.slice(0, 2), text.slice(2)]
