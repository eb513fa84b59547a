import { expect, test } from 'vitest'
import { dayOf, formatBytes, formatCents, formatDuration, formatPhone, plural, relativeTime } from './format.ts'

const now = Date.parse('2026-03-04T15:00:00.000Z') // 12:00 in São Paulo, a Wednesday
const ago = (seconds: number) => relativeTime(new Date(now - seconds * 1000), now)

test('a fresh moment is relative, an older one is a date', () => {
  expect(ago(0)).toBe('agora')
  expect(ago(-10)).toBe('agora')
  expect(ago(180)).toBe('há 3 min')
  expect(ago(3590)).toBe('há 1 h')
  expect(ago(2 * 3600)).toBe('há 2 h')
  expect(ago(22 * 3600)).toBe('ontem 14:00')
  expect(ago(3 * 86_400)).toBe('dom 12:00')
  expect(ago(40 * 86_400)).toBe('23/01/2026')
})

test('a day ends at midnight of São Paulo, not of Greenwich', () => {
  expect(dayOf('2026-03-04T02:59:00.000Z')).toBe('2026-03-03')
  expect(dayOf('2026-03-04T03:00:00.000Z')).toBe('2026-03-04')
})

test('money, sizes, lengths and counts read as people write them', () => {
  expect(formatCents(123456)).toBe('R$\u00a01.234,56')
  expect(formatBytes(1_540_000)).toBe('1,5 MB')
  expect(formatDuration(125 * 60_000)).toBe('2 h 05 min')
  expect(plural(1, 'etiqueta', 'etiquetas')).toBe('1 etiqueta')
})

test('a phone is international when it parses and untouched when it does not', async () => {
  expect(await formatPhone('5511987654321')).toBe('+55 11 98765 4321')
  expect(await formatPhone('x')).toBe('x')
})
