import { expect, test } from 'vitest'
import { isIdentity, showIdentity } from './identity.ts'
import { tenantUpdate } from './platform/tenants.ts'

test('CPF and CNPJ are right by their check digits, the CNPJ with letters too', () => {
  for (const right of ['529.982.247-25', '52998224725', '11.222.333/0001-81', '12.ABC.345/01DE-35', '12abc34501de35'])
    expect([right, isIdentity(right)]).toEqual([right, true])
  for (const wrong of [
    '529.982.247-24',
    '111.111.111-11',
    '11.222.333/0001-18',
    '12.ABC.345/01DE-53',
    '00000000000000',
    '123',
  ])
    expect([wrong, isIdentity(wrong)]).toEqual([wrong, false])
})

test('they are written as on paper; what is neither stays as it is', () => {
  expect(showIdentity('52998224725')).toBe('529.982.247-25')
  expect(showIdentity('11222333000181')).toBe('11.222.333/0001-81')
  expect(showIdentity('12abc34501de35')).toBe('12.ABC.345/01DE-35')
  for (const other of ['', '123', '11.222.333/0001-81']) expect(showIdentity(other)).toBe(other)
})

test('a company is saved with a right one, or with none', () => {
  expect(tenantUpdate.parse({ identity: '' }).identity).toBe('')
  expect(tenantUpdate.parse({ identity: ' 12.abc.345/01de-35 ' }).identity).toBe('12ABC34501DE35')
  expect(tenantUpdate.safeParse({ identity: '11222333000182' }).error?.issues[0]?.message).toBe(
    'Este CNPJ ou CPF não confere. Confira os números.',
  )
})
