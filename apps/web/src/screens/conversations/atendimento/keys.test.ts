import { expect, test } from 'vitest'
import { createTyping, meaningOf, type Press } from './keys.ts'

const press = (over: Partial<Press>) =>
  meaningOf({ key: 'e', zone: 'elsewhere', isShortcut: true, isRepeat: false, canType: true, ...over })

test('a letter is a shortcut in the list and on the frame, and text for the customer anywhere else', () => {
  expect(press({ zone: 'list' })).toBe('shortcut')
  expect(press({ zone: 'frame' })).toBe('shortcut')
  expect(press({ zone: 'elsewhere' })).toBe('text')
})

test('what is no shortcut goes where one writes, accents too', () => {
  expect(press({ key: 'm', isShortcut: false, zone: 'list' })).toBe('text')
  expect(press({ key: 'Dead', isShortcut: false, zone: 'frame' })).toBe('text')
  expect(press({ key: 'm', isShortcut: false, canType: false })).toBe('nothing')
})

test('where nothing can be written the letters are shortcuts; one held down acts once', () => {
  expect(press({ canType: false })).toBe('shortcut')
  expect(press({ canType: false, isRepeat: true })).toBe('nothing')
  expect(press({ zone: 'list', isRepeat: true })).toBe('nothing')
})

test('Esc and the arrows work from anywhere; other named keys mean nothing', () => {
  expect(press({ key: 'Escape' })).toBe('shortcut')
  expect(press({ key: 'ArrowDown' })).toBe('shortcut')
  expect(press({ key: 'Tab', isShortcut: false })).toBe('nothing')
})

test('typed on into a field that has gone, letters mean nothing until one pauses; after Enter they are shortcuts at once', () => {
  const typing = createTyping()
  expect(typing.goesOn('t', 0)).toBe(false)
  typing.wasInField('n', 1_000)
  expect(typing.goesOn('Escape', 1_100)).toBe(false)
  expect(typing.goesOn('t', 1_200)).toBe(true)
  expect(typing.goesOn('e', 2_600)).toBe(true)
  expect(typing.goesOn('e', 4_200)).toBe(false)
  typing.wasInField('n', 5_000)
  typing.wasInField('Enter', 5_100)
  expect(typing.goesOn('g', 5_200)).toBe(false)
  typing.wasInField('n', 6_000)
  typing.stops()
  expect(typing.goesOn('t', 6_100)).toBe(false)
})
