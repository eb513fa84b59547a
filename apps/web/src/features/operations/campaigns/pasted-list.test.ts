import { expect, test } from 'vitest'
import { pastedList } from './pasted-list.ts'

const read = async (text: string) => ({
  lines: pastedList(text).lines,
  csv: await pastedList(text).file('a.csv').text(),
})

test('numbers alone, with blanks and empty lines, become a column of phones', async () => {
  expect(await read(' 11 98765-4321\r\n\n+55 (21) 99876-5432 ')).toEqual({
    lines: 2,
    csv: 'telefone\n11 98765-4321\n+55 (21) 99876-5432',
  })
})

test('columns without names get them, those with names keep theirs', async () => {
  expect((await read('11987654321;Ana;123;R$ 50')).csv).toBe('telefone;nome;var1;var2\n11987654321;Ana;123;R$ 50')
  expect(await read('numero;nome;pedido\n11987654321;Ana;123')).toEqual({
    lines: 1,
    csv: 'numero;nome;pedido\n11987654321;Ana;123',
  })
})

test('nothing pasted is no list', () => {
  expect(pastedList(' \n ').lines).toBe(0)
})
