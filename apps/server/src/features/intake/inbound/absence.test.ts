import type { BusinessDay, Holiday } from '@balcao/contract/core/business-hours.ts'
import { expect, test } from 'vitest'
import { closedSince } from './absence.ts'

const weekday = (day: number): BusinessDay => ({
  day,
  label: '',
  type: day === 0 || day === 6 ? 'C' : 'H',
  hr1: '08:00',
  hr2: '12:00',
  hr3: '13:00',
  hr4: '18:00',
})
const hours = Array.from({ length: 7 }, (_, day) => weekday(day))
const timeZone = 'America/Sao_Paulo'
/** 2026-11-20 is a Friday; São Paulo is three hours behind. */
const at = (moment: string) => new Date(`${moment}-03:00`)

test('a closed period is named by the moment it began', () => {
  const since = (moment: string, holidays: Holiday[] = []) => closedSince({ hours, holidays, timeZone }, at(moment))
  expect(since('2026-11-20T12:30:00')).toBe('2026-11-20T15:00:00.000Z')
  expect(since('2026-11-20T19:00:00')).toBe('2026-11-20T21:00:00.000Z')
  expect(since('2026-11-21T10:00:00')).toBe('2026-11-20T21:00:00.000Z')
  expect(since('2026-11-23T07:59:00')).toBe('2026-11-20T21:00:00.000Z')
  expect(since('2026-11-23T12:00:00')).toBe('2026-11-23T15:00:00.000Z')
  expect(since('2026-11-23T10:00:00', [{ date: '2026-11-23', description: 'Feriado', active: true }])).toBe(
    '2026-11-20T21:00:00.000Z',
  )
})

test('a night shift ends in the morning', () => {
  const nights = hours.map((day) => ({
    ...day,
    type: 'H' as const,
    hr1: '22:00',
    hr2: '06:00',
    hr3: '00:00',
    hr4: '00:00',
  }))
  expect(closedSince({ hours: nights, holidays: [], timeZone }, at('2026-11-20T12:30:00'))).toBe(
    '2026-11-20T09:00:00.000Z',
  )
})

test('a company that never opens has one endless period', () => {
  const never = hours.map((day) => ({ ...day, type: 'C' as const }))
  expect(closedSince({ hours: never, holidays: [], timeZone }, at('2026-11-20T12:30:00'))).toBe('sempre')
})
