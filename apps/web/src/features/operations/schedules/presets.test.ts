import { expect, test } from 'vitest'
import { presetsAt } from './presets.ts'

const walls = (now: string, timeZone: string) =>
  Object.fromEntries(presetsAt(Date.parse(now), timeZone).map(({ label, wall }) => [label, wall]))

test('the company’s day decides what tomorrow is', () => {
  // Saturday 03:30 in UTC is still Friday in São Paulo.
  expect(walls('2026-11-21T02:30:00Z', 'America/Sao_Paulo')).toEqual({
    'Em 30 min': '2026-11-21T00:00',
    'Em 2 horas': '2026-11-21T01:30',
    'Amanhã 9h': '2026-11-21T09:00',
    'Segunda 9h': '2026-11-23T09:00',
    'Em 7 dias 9h': '2026-11-27T09:00',
  })
})

test('on a Sunday tomorrow is Monday, said once; on a Monday the next one is meant', () => {
  expect(walls('2026-11-22T15:00:00Z', 'America/Sao_Paulo')).not.toHaveProperty('Segunda 9h')
  expect(walls('2026-11-23T15:00:00Z', 'America/Sao_Paulo')['Segunda 9h']).toBe('2026-11-30T09:00')
})
