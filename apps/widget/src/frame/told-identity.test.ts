import { expect, test } from 'vitest'
import { toldBy } from './told-identity.ts'

const tokenOf = (claims: unknown) => `x.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.y`

test('what the page or its token says of the visitor need not be asked', () => {
  expect(toldBy(null)).toEqual({})
  expect(toldBy({ id: '42', name: 'Ana' })).toMatchObject({ name: 'Ana' })
  const jwt = tokenOf({ sub: '42', name: 'João Ação', email: 'j@example.com', phone_number: '+5511999990000' })
  expect(toldBy({ jwt })).toEqual({ name: 'João Ação', email: 'j@example.com', phone: '+5511999990000' })
})

test.each(['x', 'a.b.c', tokenOf(null), tokenOf([1]), tokenOf({ name: 7 })])('a token that says nothing: %s', (jwt) => {
  expect(toldBy({ jwt })).toEqual({})
})
