import { expect, test } from 'vitest'
import { numbersIn } from './numbers.ts'

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
  expect(numbersIn(' \n')).toEqual([])
})
