import { expect, test } from 'vitest'
import { likeNames, likeTexts } from './likeness.ts'

const pairs = (...names: string[]) =>
  likeNames(names.map((name) => ({ id: name, name }))).map(({ a, b, why }) => [a, b, why])
const texts = (...all: string[]) =>
  likeTexts(all.map((text) => ({ id: text, text }))).map(({ a, b, why }) => [a, b, why])

test('names that differ by signs, accents or case are one; by one letter of a longer word, perhaps', () => {
  expect(pairs('VIP', 'vip ', 'V.I.P.')).toEqual([
    ['VIP', 'vip ', 'same'],
    ['VIP', 'V.I.P.', 'same'],
  ])
  expect(pairs('Promoção', 'promocao')).toEqual([['Promoção', 'promocao', 'same']])
  expect(pairs('Cliente', 'Clientes', 'Clinte')).toEqual([
    ['Cliente', 'Clientes', 'near'],
    ['Cliente', 'Clinte', 'near'],
  ])
  expect(pairs('Novo', 'Nova')).toEqual([])
  expect(pairs('Unidade 1', 'Unidade 2', '🙂', '🙃')).toEqual([])
})

test('texts of nearly the same words are told, whatever else they have in common', () => {
  const hours = 'Nosso horário de atendimento é de segunda a sexta, das 8h às 18h.'
  expect(texts(hours, hours.toUpperCase(), 'Oi')).toEqual([[hours, hours.toUpperCase(), 'same']])
  expect(texts(hours, `Olá! ${hours}`)).toEqual([[hours, `Olá! ${hours}`, 'near']])
  expect(texts(hours, 'Nosso horário de atendimento mudou para o fim de semana e os feriados.')).toEqual([])
})

test('five thousand messages are compared while nobody waits', () => {
  const all = Array.from(
    { length: 5_000 },
    (_, at) => `Olá, seu pedido número ${at} saiu hoje para a entrega combinada ${at * 7}`,
  )
  const startedAt = performance.now()
  texts(...all)
  expect(performance.now() - startedAt).toBeLessThan(2_000)
})
