import { expect, test } from 'vitest'
import { hasOpenChoice, spin, waysToSpin } from './content.ts'

const last = (of: number) => of - 1
const first = () => 0

test.each([
  ['{Oi|Olá}, {{nome}}!', 'Oi, {{nome}}!', 'Olá, {{nome}}!', 2],
  ['{Oi|Olá|{Bom dia|Boa tarde}}, {{nome}}', 'Oi, {{nome}}', 'Boa tarde, {{nome}}', 4],
  ['{{Oi|Olá} você|Bom dia}', 'Oi você', 'Bom dia', 3],
  ['{Oi {{nome}}|Olá}{!|.}', 'Oi {{nome}}!', 'Olá.', 4],
  ['{Vem, {a|b} {c|d}|Tchau}', 'Vem, a c', 'Tchau', 5],
  ['Preço {único} | {{a}}', 'Preço {único} | {{a}}', 'Preço {único} | {{a}}', 1],
])('choices of %s are made, also those inside each other', (text, one, other, ways) => {
  expect([spin(text, first), spin(text, last), waysToSpin(text)]).toEqual([one, other, ways])
})

test('a choice with a sign too few is seen, whatever else stands in braces', () => {
  const open = ['{Oi|Olá, {{nome}}!', 'Oi|Olá}, {{nome}}', '{Oi|{Bom dia|Boa tarde}, {{nome}}']
  expect(open.map(hasOpenChoice)).toEqual([true, true, true])
  const closed = ['{Oi|Olá}, {{nome}}!', 'Preço {único} | {{a}} | {isto}', '{Vem, {a|b} {c|d}|Tchau}', 'a {{b|c}} d']
  expect(closed.map(hasOpenChoice)).toEqual([false, false, false, false])
})
