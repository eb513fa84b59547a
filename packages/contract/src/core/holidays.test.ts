import { expect, test } from 'vitest'
import { holiday, isOpenAt } from './business-hours.ts'
import { easterSunday, nationalHolidays, withHolidays } from './holidays.ts'

/** Dates of the ecclesiastical tables, among them the earliest and the latest possible and the two exceptions. */
test.each([
  ['1818-03-22'],
  ['1943-04-25'],
  ['1954-04-18'],
  ['1981-04-19'],
  ['2000-04-23'],
  ['2008-03-23'],
  ['2019-04-21'],
  ['2023-04-09'],
  ['2024-03-31'],
  ['2025-04-20'],
  ['2026-04-05'],
  ['2027-03-28'],
  ['2028-04-16'],
  ['2029-04-01'],
  ['2030-04-21'],
  ['2038-04-25'],
  ['2049-04-18'],
  ['2076-04-19'],
])('Easter is on %s', (date) => {
  expect(easterSunday(Number(date.slice(0, 4)))).toBe(date)
})

test.each([
  { year: 2024, monday: '2024-02-12', tuesday: '2024-02-13', friday: '2024-03-29', corpus: '2024-05-30' },
  { year: 2025, monday: '2025-03-03', tuesday: '2025-03-04', friday: '2025-04-18', corpus: '2025-06-19' },
  { year: 2026, monday: '2026-02-16', tuesday: '2026-02-17', friday: '2026-04-03', corpus: '2026-06-04' },
  { year: 2027, monday: '2027-02-08', tuesday: '2027-02-09', friday: '2027-03-26', corpus: '2027-05-27' },
])(
  'in $year Carnival, Good Friday and Corpus Christi move with Easter',
  ({ year, monday, tuesday, friday, corpus }) => {
    const days = nationalHolidays(year)
    const named = (text: string) => days.filter((one) => one.description.startsWith(text)).map((one) => one.date)
    expect(named('Carnaval')).toEqual([monday, tuesday])
    expect(named('Paixão')).toEqual([friday])
    expect(named('Corpus')).toEqual([corpus])
    expect(days.filter((one) => !one.active).map((one) => one.date)).toEqual([monday, tuesday, corpus])
  },
)

test('the year in order, as the settings accept it', () => {
  const days = nationalHolidays(2026)
  expect(days.filter((one) => one.active).map((one) => one.date)).toEqual([
    '2026-01-01',
    '2026-04-03',
    '2026-04-21',
    '2026-05-01',
    '2026-09-07',
    '2026-10-12',
    '2026-11-02',
    '2026-11-15',
    '2026-11-20',
    '2026-12-25',
  ])
  for (const day of days) expect(holiday.parse(day)).toEqual(day)
})

test('20 November is national since 2024', () => {
  const dates = (year: number) => nationalHolidays(year).map((one) => one.date)
  expect(dates(2023)).not.toContain('2023-11-20')
  expect(dates(2024)).toContain('2024-11-20')
})

test('adding a year keeps what the company wrote, and adding it twice changes nothing', () => {
  const own = [
    { date: '2026-12-24', description: 'Recesso', active: true },
    { date: '2026-12-25', description: 'Natal da loja', active: false },
  ]
  const once = withHolidays(own, nationalHolidays(2026))
  expect(once).toHaveLength(14)
  expect(once.at(-1)).toEqual(own[1])
  expect(withHolidays(once, nationalHolidays(2026))).toEqual(once)
})

test('Good Friday closes a company that is always open', () => {
  const days = nationalHolidays(2026)
  const isOpen = (date: string) => isOpenAt([], days, new Date(`${date}T12:00:00-03:00`), 'America/Sao_Paulo')
  expect(isOpen('2026-04-03')).toBe(false)
  expect(isOpen('2026-02-17')).toBe(true)
})
