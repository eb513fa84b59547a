import { expect, test } from 'vitest'
import { toCsv } from './csv.ts'

test('cells are quoted when they must be, and formulas are disarmed', () => {
  expect(
    toCsv(
      ['Nome', 'Ativa'],
      [
        ['A;"B"', true],
        ['=1+1', false],
        [null, -5],
      ],
    ),
  ).toBe('\uFEFFNome;Ativa\r\n"A;""B""";Sim\r\n\'=1+1;Não\r\n;-5\r\n')
})
