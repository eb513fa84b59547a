import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { xlsx } from './xlsx.ts'

test('numbers of a workbook can be summed; what only looks like one keeps its zeros', async () => {
  async function* pages() {
    yield [
      { name: '0011', value: 4.85 },
      { name: '=1+1', value: null },
    ]
  }
  const columns = [
    { label: 'Nome', value: ({ name }: { name: string }) => name },
    { label: 'Valor', value: ({ value }: { value: number | null }) => value },
  ]
  const file = unzipSync(await buffer(Readable.from(xlsx('Folha', columns, pages()))))
  const sheet = new TextDecoder().decode(file['xl/worksheets/sheet1.xml'])
  const text = (word: string) => `<c t="inlineStr"><is><t xml:space="preserve">${word}</t></is></c>`
  expect(sheet).toContain(`<row>${text('0011')}<c><v>4.85</v></c></row><row>${text('=1+1')}<c/></row>`)
})
