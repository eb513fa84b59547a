import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldPhone } from '../../../kit/phone-numbers.ts'
import { parsePhone } from './phone.ts'

test.each([
  // São Paulo, mobile: every way people write it
  ['11987654321', '5511987654321'],
  ['(11) 98765-4321', '5511987654321'],
  ['+55 11 98765-4321', '5511987654321'],
  ['0055 11 98765 4321', '5511987654321'],
  ['5511987654321', '5511987654321'],
  ['011 98765-4321', '5511987654321'],
  ['015 11 98765-4321', '5511987654321'],
  ['+55 (0)11 98765-4321', '5511987654321'],
  [' 11.98765.4321 ', '5511987654321'],
  // without the ninth digit
  ['11 8765-4321', '5511987654321'],
  ['551187654321', '5511987654321'],
  ['+55 31 8765-4321', '5531987654321'],
  ['(71) 7654-3210', '5571976543210'],
  ['81 6543-2109', '5581965432109'],
  ['21 9876-5432', '5521998765432'],
  // landlines have eight digits, and no nine is added
  ['(11) 3265-4321', '551132654321'],
  ['551132654321', '551132654321'],
  ['21 2555-1234', '552125551234'],
  ['+55 85 4002-8922', '558540028922'],
  ['61 5555-1234', '556155551234'],
  // area code 55 (Santa Maria) is not the country
  ['55 99965-4321', '5555999654321'],
  ['55 9965-4321', '5555999654321'],
  ['55 3265-4321', '555532654321'],
  ['5555999654321', '5555999654321'],
  // no area code, or none that exists
  ['98765-4321', undefined],
  ['20 98765-4321', undefined],
  ['(23) 3265-4321', undefined],
  ['11 1987-6543', undefined],
  ['11 987654321 0', undefined],
  // without an area code by nature
  ['0800 123 4567', '558001234567'],
  ['4004-1234', '5540041234'],
  // abroad
  ['+351 912 345 678', '351912345678'],
  ['351912345678', '351912345678'],
  ['14155552671', '14155552671'],
  ['+1 (415) 555-2671', '14155552671'],
  ['+45 32 65 43 21', '4532654321'],
  ['00 44 7911 123456', '447911123456'],
  ['+54 9 11 2345-6789', '5491123456789'],
  ['+595 981 123456', '595981123456'],
  // nothing that rings
  ['', undefined],
  ['0', undefined],
  ['12', undefined],
  ['abc', undefined],
  ['+', undefined],
  ['00000000000', undefined],
  ['99999999999999999999', undefined],
  ['3100500000000', undefined],
])('%s is %s', (typed, expected) => {
  expect(parsePhone(typed)).toBe(expected)
})

test.each([
  ['553187654321', '5531987654321'],
  ['5531987654321', '5531987654321'],
  ['551132654321', '551132654321'],
  ['4532654321', '4532654321'],
  ['14155552671', '14155552671'],
  ['558001234567', '558001234567'],
])('a provider’s %s folds to %s', (given, expected) => {
  expect(foldPhone(given)).toBe(expected)
})

test('a folded number folds to itself, and a parsed one parses to itself', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\d{8,15}$/), (digits) => foldPhone(foldPhone(digits)) === foldPhone(digits)),
  )
  fc.assert(
    fc.property(fc.stringMatching(/^\d{8,13}$/), (digits) => {
      const parsed = parsePhone(digits)
      return parsed === undefined || parsePhone(`+${parsed}`) === parsed
    }),
  )
})

test('a Brazilian mobile as most people type it is what the numbering plan says, in every area and with every beginning', () => {
  for (let area = 10; area < 100; area += 1)
    for (let begins = 0; begins < 100; begins += 1) {
      const digits = `${area}9${String(begins).padStart(2, '0')}123456`
      // With its country said, nothing is taken for granted.
      expect([digits, parsePhone(digits)]).toEqual([digits, parsePhone(`+55${digits}`) ?? parsePhone(`+${digits}`)])
    }
})
