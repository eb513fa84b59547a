import { expect, test } from 'vitest'
import { numbersIn, wrongNumbers } from './numbers.ts'

test('telephones are found line by line, several in one, and beside names; what is none stays to be told', () => {
  expect(numbersIn('11 98765-4321\n\n+351 912 345 678, (21) 99876-5432\r\n5511987650001@lid')).toEqual([
    '11 98765-4321',
    '+351 912 345 678',
    '(21) 99876-5432',
    '5511987650001@lid',
  ])
  expect(numbersIn('\uFEFFNome;Telefone\nAna Souza;"11 98765-4321"\nsem número')).toEqual([
    '11 98765-4321',
    'sem número',
  ])
  expect(numbersIn(' \n;;\n')).toEqual([])
})

test('all that was refused is told at once, by the line it stands in', () => {
  const text = 'telefone;nome\n"11 98765-4321";Ana\n\n(11) 9876\n;;\nabc'
  const refused = [1, 2].map((at) => ({ path: `act.numbers.${at}`, message: 'Não é um telefone.' }))
  expect(wrongNumbers(refused, text)).toBe('Confira com DDD: “(11) 9876” (linha 4), “abc” (linha 6).')
  expect(wrongNumbers([{ path: 'numbers', message: 'Informe ao menos um número.' }], '')).toBeUndefined()

  const many = Array.from({ length: 20 }, (_, at) => ({ path: `numbers.${at}`, message: '' }))
  expect(wrongNumbers(many, Array(20).fill('abc1').join('\n'))).toMatch(/“abc1” \(linha 8\) e mais 12\.$/)
})
