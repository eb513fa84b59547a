import { expect, test } from 'vitest'
import { maskPhone, showPhone } from './phone.ts'

test('a stored Brazilian number is written with area and dash', () => {
  expect(showPhone('5511987654321')).toBe('+55 11 98765-4321')
  expect(showPhone('551133334444')).toBe('+55 11 3333-4444')
})

test('a stored number of another country keeps its digits until the formatter is loaded', () => {
  expect(showPhone('351912345678')).toBe('+351912345678')
})

test('the mask grows with what is typed and moves the dash for the ninth digit', () => {
  expect(['1', '11', '119', '1133334444', '11987654321'].map(maskPhone)).toEqual([
    '1',
    '11',
    '(11) 9',
    '(11) 3333-4444',
    '(11) 98765-4321',
  ])
})

test('with the country in front it is written internationally', () => {
  expect(maskPhone('5511987654321')).toBe('+55 11 98765-4321')
  expect(maskPhone('+5511987654321')).toBe('+55 11 98765-4321')
  expect(maskPhone('+55')).toBe('+55')
})

test('a foreign number and a wrong letter stay as typed', () => {
  expect(maskPhone('+351 912 345 678')).toBe('+351 912 345 678')
  expect(maskPhone('abc 11')).toBe('abc 11')
})

test('masking twice changes nothing', () => {
  for (const typed of ['11987654321', '+5511987654321', '1133334444'])
    expect(maskPhone(maskPhone(typed))).toBe(maskPhone(typed))
})
