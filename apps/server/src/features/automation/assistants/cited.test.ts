import { expect, test } from 'vitest'
import { citedIn } from './cited.ts'

const passage = (heading: string, body: string) => ({
  chunkId: heading,
  sourceId: heading,
  source: 'Loja',
  heading,
  body,
  score: 0.5,
})
const delivery = passage('Entrega', 'Entregas para a capital levam de 2 a 4 dias úteis depois do pagamento.')
const change = passage('Troca', 'A troca pode ser feita em até 30 dias, com a etiqueta na peça.')
const hours = passage('Horário', 'A loja abre de segunda a sexta, das 8h às 18h.')
const all = [hours, change, delivery] as Parameters<typeof citedIn>[1]

test('an answer cites the passage whose words and numbers it says', () => {
  expect(citedIn('Leva de 2 a 4 dias úteis após o pagamento, na capital.', all)).toEqual([delivery])
  expect(
    citedIn('Você troca em até 30 dias, com a etiqueta na peça. E abrimos de segunda a sexta, das 8h às 18h.', all),
  ).toEqual(expect.arrayContaining([change, hours]))
})

test('where its words are nobody’s, all that was put before the model stays', () => {
  expect(citedIn('Claro, posso ajudar!', all)).toEqual(all)
  expect(citedIn('', all)).toEqual(all)
})
