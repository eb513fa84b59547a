import { expect, test } from 'vitest'
import { contrast, readableShade, shadesOf, textOn } from './color.ts'
import { petroleum, surfaces } from './theme.ts'

test('text on an accent is white on dark colours and black on light ones', () => {
  expect(textOn('#0b7a75')).toBe('#ffffff')
  expect(textOn('#ffd400')).toBe('#000000')
  expect(textOn('#000000')).toBe('#ffffff')
})

test('contrast is the WCAG ratio', () => {
  expect(contrast('#ffffff', '#000000')).toBeCloseTo(21, 1)
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 1)
})

test('any tenant colour has a readable text step and a readable label, on light and on dark', () => {
  for (const accent of ['#0b7a75', '#ffd400', '#ff0000', '#00ff00', '#1a1a1a', '#f5f5f5', '#8a2be2', '#ff69b4']) {
    const shades = shadesOf(accent)
    expect(contrast(readableShade(shades, surfaces.light[0]), surfaces.light[0])).toBeGreaterThanOrEqual(4.5)
    expect(contrast(readableShade(shades, surfaces.dark[1]), surfaces.dark[1])).toBeGreaterThanOrEqual(4.5)
    expect(contrast(textOn(accent), accent)).toBeGreaterThanOrEqual(4.5)
  }
})

test('our own accent carries white text at the step buttons use', () => {
  expect(textOn(petroleum[6])).toBe('#ffffff')
})
