import { expect, test } from 'vitest'
import { valueIn, withValue } from './values.ts'

test('a value changes where it stands, a new one comes last, an empty one goes', () => {
  const values = [
    { name: 'CPF', value: '1' },
    { name: 'Tamanho', value: 'M' },
  ]
  expect(withValue(values, 'CPF', '2')).toEqual([{ name: 'CPF', value: '2' }, values[1]])
  expect(withValue(values, 'Plano', 'Ouro').at(-1)).toEqual({ name: 'Plano', value: 'Ouro' })
  expect(withValue(values, 'CPF', '')).toEqual([values[1]])
  expect([valueIn(values, 'CPF'), valueIn(values, 'x')]).toEqual(['1', ''])
})
