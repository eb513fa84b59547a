import { expect, test } from 'vitest'
import { readNumber } from '../../core/number.ts'
import { readAnswer } from './answers.ts'
import type { AnswerKind } from './graph.ts'
import { compute, namesIn, showNumber } from './numbers.ts'
import { asksFor, understand } from './understand.ts'

const choices = [
  { id: 'v', title: 'Falar com vendas', words: ['comprar', 'preço'] },
  { id: 's', title: 'Suporte técnico', words: [] },
  { id: 'f', title: '2ª via do boleto', words: ['boleto'] },
]
test.each([
  ['1', 'v'],
  ['1️⃣', 'v'],
  [' 2. ', 's'],
  ['opção 2', 's'],
  ['quero a 3, por favor', 'f'],
  ['a segunda', 's'],
  ['dois', 's'],
  ['última', 'f'],
  ['FALAR COM VENDAS', 'v'],
  ['vendas', 'v'],
  ['suporte tecnico', 's'],
  ['suporti', 's'],
  ['qual é o preço disso?', 'v'],
  ['boletto', 'f'],
  ['preciso do boleto', 'f'],
  ['4', undefined],
  ['0', undefined],
  ['banana', undefined],
  ['', undefined],
  ['🙂', undefined],
  ['comprar boleto', undefined],
])('%s is %s', (text, id) => {
  expect(understand(text, choices)).toBe(id)
})

test('a word of the choices stands before the place it could also mean', () => {
  const services = ['Rastrear', 'Agendar', 'Segunda via'].map((title) => ({ id: title, title, words: [] }))
  expect(['segunda', 'a segunda'].map((text) => understand(text, services))).toEqual(['Segunda via', 'Agendar'])
})

test('what is called by a number is meant by it before the place', () => {
  const amounts = ['10', '2', '1'].map((title) => ({ id: `n${title}`, title, words: [] }))
  expect(understand('2', amounts)).toBe('n2')
  expect(understand('🔟', amounts)).toBe('n10')
})

test.each([
  ['Quero falar com um atendente', true],
  ['atendete por favor', true],
  ['me passa pra uma pessoa', true],
  ['ATENDENTE!!', true],
  ['falar com alguém', true],
  ['atendente humano', true],
  ['não quero atendente', false],
  ['o atendente foi grosso', false],
  ['alguém', true],
  ['falar', false],
  ['', false],
])('%j asks for a person: %s', (text, isAsked) => {
  expect(asksFor(text, ['atendente', 'falar com atendente', 'humano', 'pessoa', 'falar com alguém'])).toBe(isAsked)
})

test('a short word is meant only as it is', () => {
  expect(['meu', 'mesa', 'o menu', 'voltar ao menu', 'votar'].map((text) => asksFor(text, ['menu', 'voltar']))).toEqual(
    [false, false, true, true, true],
  )
})

const at = { now: new Date('2026-11-23T15:00:00Z'), timezone: 'America/Sao_Paulo' }
const read = (kind: AnswerKind, text: string) =>
  readAnswer(kind, [{ text, type: 'text', choiceId: null, fileId: null, location: null }], at)
test.each<[AnswerKind, string, string | undefined]>([
  ['name', 'Oi, meu nome é Ana Maria.', 'Ana Maria'],
  ['name', '123', undefined],
  ['email', 'é ana@exemplo.com.br.', 'ana@exemplo.com.br'],
  ['email', 'ana@', undefined],
  ['cpf', 'meu cpf: 529.982.247-25', '52998224725'],
  ['cpf', '529.982.247-26', undefined],
  ['cnpj', '11.222.333/0001-81', '11222333000181'],
  ['cnpj', '12.ABC.345/01DE-35', '12ABC34501DE35'],
  ['phone', '(11) 98765-4321', '11987654321'],
  ['phone', '98765', undefined],
  ['date', '25/12/2026', '2026-12-25'],
  ['date', '5-1-90', '1990-01-05'],
  ['date', '12 de maio de 1990', '1990-05-12'],
  ['date', 'amanhã', '2026-11-24'],
  ['date', '31/02/2026', undefined],
  ['number', 'R$ 1.234,56', '1234,56'],
  ['number', 'dez mil', undefined],
  ['number', '80 mil', undefined],
  ['number', 'dois', '2'],
  ['number', 'Duas pessoas!', '2'],
  ['number', 'somos 4', '4'],
  ['number', '3️⃣', '3'],
  ['number', '10kg.', '10'],
  ['number', '2 ou 3', undefined],
  ['number', 'vinte e dois', undefined],
  ['number', 'menos de 10', undefined],
  ['number', 'não sei', undefined],
  ['number', '10/12', undefined],
  ['text', '  ', undefined],
])('as %s, %s is %s', (kind, text, value) => {
  expect(read(kind, text)).toBe(value)
})

test.each<[AnswerKind, string]>([
  ['name', `a${'.'.repeat(300_000)}x`],
  ['email', 'a'.repeat(300_000)],
  ['date', `a${'!'.repeat(300_000)}x`],
  ['cpf', 'A-'.repeat(150_000)],
  ['phone', '-'.repeat(300_000)],
  ['number', ' 1'.repeat(150_000)],
])('however much is written, what is no %s is read at once', (kind, text) => {
  expect(read(kind, text)).toBeUndefined()
})

test('numbers are read as people here write them, and formulas computed', () => {
  expect(['1.234', '1.234,5', '1234.5', ',5', '1e9', ''].map(readNumber)).toEqual([
    1234,
    1234.5,
    1234.5,
    0.5,
    undefined,
    undefined,
  ])
  expect(showNumber(0.1 + 0.2)).toBe('0,3')
  const of = (formula: string) => compute(formula, (name) => ({ preco: '10,50', n: '3' })[name])
  expect(of('preco * n - (1 + 0,5)')).toBe(30)
  expect(of('arredondar({{var.preco}} / n; 2)')).toBe(3.5)
  expect(of('-min(n; 2) * -2')).toBe(4)
  for (const wrong of ['', '1 +', '(1', '1 / 0', 'nada + 1', '2 ^ 3', '1 2', 'toString'])
    expect(() => of(wrong)).toThrow()
  expect(namesIn('a + b * a')).toEqual(['a', 'b'])
  expect(namesIn('a +')).toBeUndefined()
})
