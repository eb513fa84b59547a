import { expect, test } from 'vitest'
import { alwaysOpen, type BusinessDay, type Holiday, isOpenAt, wallClock } from './business-hours.ts'

const saoPaulo = 'America/Sao_Paulo'
const manaus = 'America/Manaus'
/** The same hours on every day of the week. */
const everyDay = (hr1: string, hr2: string, hr3: string, hr4: string, type: BusinessDay['type'] = 'H'): BusinessDay[] =>
  alwaysOpen.map((day) => ({ ...day, type, hr1, hr2, hr3, hr4 }))
const office = everyDay('08:00', '12:00', '13:00', '18:00')
/** Wednesday, 18 November 2026, by the clock of São Paulo (UTC-3). */
const at = (clock: string, date = '2026-11-18') => new Date(`${date}T${clock}:00-03:00`)
const isOpen = (hours: BusinessDay[], clock: string, date?: string, holidays: Holiday[] = []) =>
  isOpenAt(hours, holidays, at(clock, date), saoPaulo)

test('a period includes its first minute and not its last', () => {
  expect(
    ['07:59', '08:00', '11:59', '12:00', '12:59', '13:00', '17:59', '18:00'].map((clock) => isOpen(office, clock)),
  ).toEqual([false, true, true, false, false, true, true, false])
})

test('no hours, a day not listed and an open day are open; a closed day is closed', () => {
  expect(isOpen([], '03:00')).toBe(true)
  expect(
    isOpen(
      office.filter((day) => day.day !== 3),
      '03:00',
    ),
  ).toBe(true)
  expect(isOpen(alwaysOpen, '00:00')).toBe(true)
  expect(isOpen(alwaysOpen, '23:59')).toBe(true)
  expect(isOpen(everyDay('00:00', '23:59', '00:00', '23:59', 'C'), '10:00')).toBe(false)
})

test('midnight belongs to the day that begins', () => {
  const onlyWednesday = office.map((day) => ({ ...day, type: day.day === 3 ? ('O' as const) : ('C' as const) }))
  expect(isOpen(onlyWednesday, '23:59', '2026-11-17')).toBe(false)
  expect(isOpen(onlyWednesday, '00:00')).toBe(true)
  expect(isOpen(onlyWednesday, '23:59')).toBe(true)
  expect(isOpen(onlyWednesday, '00:00', '2026-11-19')).toBe(false)
})

test('a period may end at midnight, which is 24:00', () => {
  const evening = everyDay('18:00', '00:00', '00:00', '00:00')
  expect(['17:59', '18:00', '23:59'].map((clock) => isOpen(evening, clock))).toEqual([false, true, true])
  expect(isOpen(evening, '00:00', '2026-11-19')).toBe(false)
})

test('a night shift belongs to the evening it began on', () => {
  const nights = office.map((day) =>
    day.day === 3 ? { ...day, hr1: '22:00', hr2: '06:00', hr3: '00:00', hr4: '00:00' } : { ...day, type: 'C' as const },
  )
  expect(isOpen(nights, '05:59')).toBe(false)
  expect(isOpen(nights, '21:59')).toBe(false)
  expect(isOpen(nights, '22:00')).toBe(true)
  expect(isOpen(nights, '05:59', '2026-11-19')).toBe(true)
  expect(isOpen(nights, '06:00', '2026-11-19')).toBe(false)
  const sundayOnly = nights.map((day) => ({
    ...day,
    type: day.day === 6 ? ('H' as const) : ('C' as const),
    hr1: '22:00',
    hr2: '06:00',
  }))
  expect(isOpen(sundayOnly, '02:00', '2026-11-22')).toBe(true)
})

test('a holiday wins over the weekday, by the local date, while it is active', () => {
  const holidays: Holiday[] = [{ date: '2026-11-20', description: 'Consciência Negra', active: true }]
  expect(isOpen(alwaysOpen, '23:59', '2026-11-19', holidays)).toBe(true)
  expect(isOpen(alwaysOpen, '00:00', '2026-11-20', holidays)).toBe(false)
  expect(isOpen(alwaysOpen, '23:59', '2026-11-20', holidays)).toBe(false)
  expect(isOpen(alwaysOpen, '00:00', '2026-11-21', holidays)).toBe(true)
  expect(isOpen([], '10:00', '2026-11-20', holidays)).toBe(false)
  expect(isOpen(office, '10:00', '2026-11-20', [{ date: '2026-11-20', description: '', active: false }])).toBe(true)
})

test("the clock is the company's: Manaus is an hour behind São Paulo", () => {
  const moment = at('08:30')
  expect(isOpenAt(office, [], moment, saoPaulo)).toBe(true)
  expect(isOpenAt(office, [], moment, manaus)).toBe(false)
  expect(isOpenAt(office, [], at('18:30'), manaus)).toBe(true)
  expect(wallClock(at('00:30'), manaus)).toEqual({ date: '2026-11-17', weekday: 2, minutes: 23 * 60 + 30 })
  const holidays: Holiday[] = [{ date: '2026-11-18', description: 'Feriado', active: true }]
  expect(isOpenAt(alwaysOpen, holidays, at('00:30'), saoPaulo)).toBe(false)
  expect(isOpenAt(alwaysOpen, holidays, at('00:30'), manaus)).toBe(true)
})
