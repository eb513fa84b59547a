import { blankNode } from '@balcao/contract/automation/flows/graph.ts'
import { expect, test } from 'vitest'
import { pixCode } from './pix.ts'

/** EMV MPM as the manual of the BR Code has it, read by a hand of its own: tag, two digits of length, value. */
const read = (code: string): Map<string, string> => {
  const fields = new Map<string, string>()
  for (let at = 0; at < code.length; ) {
    const [tag, length] = [code.slice(at, at + 2), Number(code.slice(at + 2, at + 4))]
    const value = code.slice(at + 4, at + 4 + length)
    if (!/^\d\d$/.test(tag) || !(length > 0) || value.length !== length) throw new Error(`Broken at ${at}: ${code}`)
    fields.set(tag, value)
    at += 4 + length
  }
  return fields
}
/** CRC-16/CCITT-FALSE by its table, byte by byte; the check value of the algorithm is 29B1. */
const table = Array.from({ length: 256 }, (_, byte) => {
  let crc = byte * 256
  for (let bit = 0; bit < 8; bit += 1) crc = crc >= 0x8000 ? ((crc * 2) % 0x10000) ^ 0x1021 : crc * 2
  return crc
})
const crcOf = (text: string) =>
  [...text]
    .reduce((crc, letter) => ((crc * 256) % 0x10000) ^ (table[(crc >> 8) ^ letter.charCodeAt(0)] ?? 0), 0xffff)
    .toString(16)
    .toUpperCase()
    .padStart(4, '0')

const charge = (more: object = {}) => ({
  ...blankNode('pix', 'p', { x: 0, y: 0 }).data,
  ...{ key: 'loja@exemplo.com.br', name: 'Padaria São João', city: 'São Paulo' },
  ...more,
})
const readCode = (more?: object, amount: number | null = 12.5) => {
  const code = pixCode(charge(more), amount)
  const fields = read(code)
  expect(fields.get('63')).toBe(crcOf(code.slice(0, -4)))
  return { fields, account: read(fields.get('26') ?? '') }
}

test('the code reads back as what is charged, and its check is right', () => {
  expect(crcOf('123456789')).toBe('29B1')
  const { fields, account } = readCode({ description: 'Pão de ló' })
  expect(Object.fromEntries(fields)).toMatchObject({
    ...{
      '00': '01',
      '52': '0000',
      '53': '986',
      '54': '12.50',
      '58': 'BR',
      '59': 'Padaria Sao Joao',
      '60': 'Sao Paulo',
    },
    '62': '0503***',
  })
  expect(Object.fromEntries(account)).toEqual({
    '00': 'br.gov.bcb.pix',
    '01': 'loja@exemplo.com.br',
    '02': 'Pao de lo',
  })
})

test('without an amount the payer says it; a long key leaves no room for a description', () => {
  expect(readCode({}, null).fields.has('54')).toBe(false)
  const key = `${'a'.repeat(65)}@loja.com.br`
  const { account } = readCode({ key, description: 'Não cabe aqui' })
  expect(Object.fromEntries(account)).toEqual({ '00': 'br.gov.bcb.pix', '01': key })
})

test('a key counts as people write it', () => {
  const keyOf = (key: string) => readCode({ key }).account.get('01')
  expect(keyOf('529.982.247-25')).toBe('52998224725')
  expect(keyOf('(11) 98765-4321')).toBe('+5511987654321')
  expect(keyOf('+55 11 98765-4321')).toBe('+5511987654321')
  expect(keyOf('11.222.333/0001-81')).toBe('11222333000181')
  expect(keyOf(' Loja@Exemplo.com.br ')).toBe('loja@exemplo.com.br')
  expect(keyOf('123E4567-E12B-12D1-A456-426655440000')).toBe('123e4567-e12b-12d1-a456-426655440000')
})
