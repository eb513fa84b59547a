import { expect, test } from 'vitest'
import { contrast, DEFAULT_COLOR, readableOn, textOn, toHexColor } from './color.ts'

test('short and upper-case colours are understood, anything else is the house colour', () => {
  expect(toHexColor(' #ABC ')).toBe('#aabbcc')
  expect(toHexColor('#0B7A75')).toBe('#0b7a75')
  expect(toHexColor('red;background:url(x)')).toBe(DEFAULT_COLOR)
  expect(toHexColor(undefined)).toBe(DEFAULT_COLOR)
})

test('text on the accent is black or white, whichever reads better', () => {
  expect(textOn('#0b7a75')).toBe('#ffffff')
  expect(textOn('#ffd43b')).toBe('#000000')
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21)
})

test('whatever the tenant picks, text on it and in it passes AA', () => {
  for (let step = 0; step < 0x1000; step += 7) {
    const color = toHexColor(`#${step.toString(16).padStart(3, '0')}`)
    expect(contrast(color, textOn(color))).toBeGreaterThanOrEqual(4.5)
    expect(contrast('#f1f5f9', readableOn('#f1f5f9', color))).toBeGreaterThanOrEqual(4.5)
    expect(contrast('#1b2733', readableOn('#1b2733', color))).toBeGreaterThanOrEqual(4.5)
  }
})

test('a colour that already reads is kept', () => {
  expect(readableOn('#ffffff', '#0b7a75')).toBe('#0b7a75')
})
