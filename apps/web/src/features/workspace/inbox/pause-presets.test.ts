import { expect, test } from 'vitest'
import { presetsAt } from './pause-presets.ts'

const zone = 'America/Sao_Paulo'
const walls = (moment: string) => presetsAt(new Date(moment).getTime(), zone).map(({ label, wall }) => [label, wall])

test('an hour from now, tomorrow and Monday, by the clock of the company', () => {
  expect(walls('2026-11-18T23:30:00-03:00')).toEqual([
    ['1 hora', '2026-11-19T00:30'],
    ['Amanhã às 8h', '2026-11-19T08:00'],
    ['Segunda às 8h', '2026-11-23T08:00'],
  ])
})

test('on a Sunday tomorrow is Monday; on a Monday it is the next one', () => {
  expect(walls('2026-11-22T10:00:00-03:00').map(([label]) => label)).toEqual(['1 hora', 'Amanhã às 8h'])
  expect(walls('2026-11-23T10:00:00-03:00').at(-1)).toEqual(['Segunda às 8h', '2026-11-30T08:00'])
})
