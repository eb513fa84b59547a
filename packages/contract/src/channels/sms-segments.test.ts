import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countSms, plainSms, smsOf, smsSizes } from './sms-segments.ts'

const ways = { isPlain: false, price: 0.09, chargedBy: null }

test.each([
  ['', 'GSM-7', 0, 0],
  ['a'.repeat(160), 'GSM-7', 160, 1],
  ['a'.repeat(161), 'GSM-7', 161, 2],
  ['a'.repeat(306), 'GSM-7', 306, 2],
  ['a'.repeat(307), 'GSM-7', 307, 3],
  ['€'.repeat(80), 'GSM-7', 160, 1],
  [`${'a'.repeat(159)}€`, 'GSM-7', 161, 2],
  ['Ç'.repeat(160), 'GSM-7', 160, 1],
  ['ç', 'UCS-2', 1, 1],
  ['ã'.repeat(70), 'UCS-2', 70, 1],
  ['ã'.repeat(71), 'UCS-2', 71, 2],
  ['ã'.repeat(134), 'UCS-2', 134, 2],
  ['ã'.repeat(135), 'UCS-2', 135, 3],
  ['😀'.repeat(35), 'UCS-2', 70, 1],
  ['😀'.repeat(36), 'UCS-2', 72, 2],
])('%#: as it is counted by hand', (text, encoding, units, segments) => {
  expect(countSms(text)).toMatchObject({ encoding, units, segments })
})

test('an escape pair is never torn between two parts', () => {
  // 152 letters and a sign of two: it begins the second part, and so one place of the first stays empty.
  const text = `${'a'.repeat(152)}€${'a'.repeat(152)}`
  expect(countSms(text)).toEqual({ encoding: 'GSM-7', units: 306, segments: 3, left: 152 })
})

test('nor are the two halves of an emoji', () => {
  const text = `${'ã'.repeat(66)}😀${'ã'.repeat(66)}`
  expect(countSms(text)).toEqual({ encoding: 'UCS-2', units: 134, segments: 3, left: 66 })
})

test('every text fits into its parts, and one sign more never makes fewer of them', () => {
  const letters = fc.array(fc.constantFrom('a', 'ã', '€', '[', '😀', '\n', 'ç', 'É', ' '), { maxLength: 400 })
  fc.assert(
    fc.property(letters, (signs) => {
      const { encoding, units, segments, left } = countSms(signs.join(''))
      const { alone, part } = smsSizes[encoding]
      expect(units).toBeLessThanOrEqual(segments > 1 ? segments * part : alone)
      // At most one unit stays empty at the end of each part.
      if (segments > 1) expect(units).toBeGreaterThan((segments - 1) * (part - 1) - 1)
      expect(left).toBeGreaterThanOrEqual(0)
      expect(countSms(`${signs.join('')}a`).segments).toBeGreaterThanOrEqual(segments)
      expect(countSms('a'.repeat(left) + signs.join('')).segments).toBeGreaterThanOrEqual(segments)
    }),
  )
})

test('what fits still is said exactly: so many letters more are no further segment, one more is', () => {
  fc.assert(
    fc.property(fc.nat({ max: 700 }), fc.constantFrom('a', 'ã'), (length, sign) => {
      const text = sign.repeat(length + 1)
      const { segments, left } = countSms(text)
      const after = (more: number) => countSms(text + 'a'.repeat(more)).segments
      expect(after(left)).toBe(segments)
      // The first part of a longer text is shorter than a text alone.
      expect(after(left + 1)).toBe(segments + 1)
    }),
  )
})

test('written plainly, Portuguese is seven-bit and keeps its length; said twice it is the same', () => {
  expect(plainSms('Olá, João! Não há “pão” – nº 1ª… ☕')).toBe('Ola, Joao! Nao ha "pao" - no 1a... ☕')
  const words = fc.array(fc.constantFrom(...'áàâãéêíóôõúüçÁÀÂÃÉÊÍÓÔÕÚÜÇabc XYZ.,!?'), { maxLength: 300 })
  fc.assert(
    fc.property(words, (signs) => {
      const plain = plainSms(signs.join(''))
      expect(countSms(plain)).toMatchObject({ encoding: 'GSM-7', units: signs.length })
    }),
  )
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(plainSms(plainSms(text))).toBe(plainSms(text))
    }),
  )
})

test('what it costs: by segment, or by so many letters where the provider counts them', () => {
  expect(smsOf('ã'.repeat(71), ways)).toMatchObject({ charged: 2, cost: 0.18 })
  expect(smsOf('ã'.repeat(71), { ...ways, isPlain: true })).toMatchObject({ charged: 1, sent: 'a'.repeat(71) })
  expect(smsOf('ã'.repeat(160), { ...ways, chargedBy: 160 })).toMatchObject({ segments: 3, charged: 1 })
  expect(smsOf('oi', { ...ways, price: null }).cost).toBeNull()
  expect(smsOf('', ways)).toMatchObject({ charged: 0, cost: 0 })
})
