import { expect, test } from 'vitest'
import { fillGroupVariables, namesOf, unknownGroupVariables } from './group-variables.ts'
import { wordIn, wordKey, wordsOf } from './group-words.ts'

const words = ['golpe', 'pix grátis', 'órgão'].map((word) => ({ word, key: wordKey(word) }))
const found = (text: string) => wordIn(text, words)?.word

test.each([
  ['É GOLPE!', 'golpe'],
  ['gol\u200bpe', 'golpe'],
  ['g\u00ado\u2060lpe', 'golpe'],
  ['𝗴𝗼𝗹𝗽𝗲 e ｇｏｌｐｅ', 'golpe'],
  ['g o l p e', 'golpe'],
  ['é g.o.l.p.e gente', 'golpe'],
  ['Ganhe PIX-GRATIS hoje', 'pix grátis'],
  ['o orgao público', 'órgão'],
  ['o órga\u0303o', 'órgão'],
])('%s says %s', (text, word) => expect(found(text)).toBe(word))

test.each(['golpes de mestre', 'o golpeado', 'pix', 'grátis pix', '', 'a e o', '🙂'])('%s says none of them', (text) =>
  expect(found(text)).toBeUndefined(),
)

test('names and group stand for themselves, once', () => {
  expect(
    fillGroupVariables('Oi, {{name}}! Bem-vindo ao {{ grupo }}.{{x}}', { name: '{{group}}', group: 'Bairro' }),
  ).toBe('Oi, {{group}}! Bem-vindo ao Bairro.')
  expect(unknownGroupVariables('{{nome}} {{protocol}}')).toEqual(['protocol'])
  expect(namesOf(['Ana', 'Bia'])).toBe('Ana e Bia')
  expect(namesOf(['A', 'B', 'C', 'D', 'E', 'F', 'G'])).toBe('A, B, C, D, E e mais 2')
})

test('a rule has several words by comma, semicolon or line, each once', () => {
  expect(wordsOf(' Golpe, pix  na frente;\n\nGOLPE\npirâmide,')).toEqual(['golpe', 'pix na frente', 'pirâmide'])
})
