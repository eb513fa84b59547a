import { expect, test } from 'vitest'
import { isPageAmong } from './page-address.ts'

test.each([
  ['/', 'https://loja.com.br/', true],
  ['/', 'https://loja.com.br/planos', false],
  ['/planos', 'https://loja.com.br/planos/', true],
  ['/planos', 'https://loja.com.br/planos?utm_source=mail#precos', true],
  ['/planos', 'https://loja.com.br/planos-antigos', false],
  ['/planos/*', 'https://loja.com.br/planos/anual', true],
  ['/busca?q=*', 'https://loja.com.br/busca?q=caneca', true],
  ['/busca?q=*', 'https://loja.com.br/busca', false],
  ['/#/carrinho', 'https://loja.com.br/#/carrinho', true],
  ['*carrinho*', 'https://loja.com.br/meu-carrinho/itens', true],
  ['loja.com.br/planos', 'https://loja.com.br/planos', true],
  ['https://loja.com.br', 'https://loja.com.br/', true],
  ['loja.com.br/planos', 'https://outra.com.br/planos', false],
  ['localhost:8080/*', 'http://localhost:8080/a', true],
  ['/promoção', 'https://loja.com.br/promo%C3%A7%C3%A3o', true],
  ['/100%', 'https://loja.com.br/100%', true],
])('%s describes %s: %s', (pattern, address, isDescribed) => {
  expect(isPageAmong([pattern], address)).toBe(isDescribed)
})

test('no description is every page, several are each of them', () => {
  expect(isPageAmong([], 'https://loja.com.br/a')).toBe(true)
  expect(isPageAmong(['/a', '/b'], 'https://loja.com.br/b')).toBe(true)
})
