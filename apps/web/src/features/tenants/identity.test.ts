import { expect, test } from 'vitest'
import { showIdentity } from './identity.ts'

test('CPF and CNPJ are written as on paper, the new CNPJ with letters too', () => {
  expect(showIdentity('52998224725')).toBe('529.982.247-25')
  expect(showIdentity('11222333000181')).toBe('11.222.333/0001-81')
  expect(showIdentity('12abc34501de35')).toBe('12.ABC.345/01DE-35')
})

test('what is neither stays as it is', () => {
  expect(showIdentity('')).toBe('')
  expect(showIdentity('123')).toBe('123')
  expect(showIdentity('11.222.333/0001-81')).toBe('11.222.333/0001-81')
})
