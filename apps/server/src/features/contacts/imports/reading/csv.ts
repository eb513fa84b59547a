import { Readable } from 'node:stream'
import { type ContactImportReading, mostColumns } from '@balcao/contract/contacts/imports.ts'
import { CsvError, parse } from 'csv-parse'
import { cleanCell, RefusedFile, type Row } from './refused.ts'
import { type Encoding, lettersOf } from './text-file.ts'

export type Delimiter = NonNullable<ContactImportReading['delimiter']>
const delimiters: readonly Delimiter[] = [';', ',', '\t', '|']

/** One line of a person's data; a quote that is never closed would take in the whole file. */
const mostRecordLetters = 200_000

/** The rows of a text file, whatever it separates its cells with. */
export async function* csvRows(path: string, encoding: Encoding, delimiter: Delimiter): AsyncGenerator<Row> {
  const parser = Readable.from(withoutHint(lettersOf(path, encoding))).pipe(
    parse({
      delimiter,
      info: true,
      relaxQuotes: true,
      relaxColumnCount: true,
      skipEmptyLines: true,
      maxRecordSize: mostRecordLetters,
    }),
  )
  let line = 0
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      line = Math.max(line + 1, info.lines)
      yield { line, cells: record.map(cleanCell) }
    }
  } catch (error) {
    throw error instanceof CsvError ? refusalOf(error) : error
  }
}

const refusalOf = (error: CsvError) => {
  const line = Number(error.records ?? 0) + Number(error.empty_lines ?? 0) + 1
  const where = `perto da linha ${line.toLocaleString('pt-BR')}`
  if (error.code === 'CSV_MAX_RECORD_SIZE')
    return new RefusedFile(
      `Há aspas (") abertas que não fecham ${where}, ou mais de ${mostColumns} colunas. Corrija e envie de novo.`,
    )
  if (error.code === 'CSV_QUOTE_NOT_CLOSED')
    return new RefusedFile(`Há aspas (") abertas que não fecham ${where}. Corrija e envie de novo.`)
  return new RefusedFile(`Não conseguimos ler o arquivo ${where}. Abra-o no Excel, salve como CSV e envie de novo.`)
}

/** "sep=;": what Excel writes for itself. */
const hint = /^\ufeff?sep=(.)\r?\n/i
async function* withoutHint(letters: AsyncGenerator<string>) {
  let isFirst = true
  for await (const text of letters) {
    yield isFirst ? text.replace(/^\ufeff/, '').replace(hint, '\n') : text
    isFirst = false
  }
}

/** What separates the cells of these first lines: what stands in most of them, and equally often. */
export const delimiterOf = (start: string): Delimiter => {
  const said = hint.exec(start)?.[1]
  const known = delimiters.find((one) => one === said)
  if (known) return known
  const lines = start
    .replace(/"(?:[^"]|"")*"/g, '')
    .split(/\r\n|\n|\r/)
    .filter((line) => line.trim())
    .slice(0, 30)
  const scores = delimiters.map((delimiter) => {
    const counts = lines.map((line) => line.split(delimiter).length - 1)
    const often = new Map<number, number>()
    for (const count of counts) if (count) often.set(count, (often.get(count) ?? 0) + 1)
    const [count = 0, many = 0] = [...often].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0] ?? []
    return { delimiter, score: many * 1_000 + count }
  })
  const best = scores.sort((a, b) => b.score - a.score)[0]
  return best?.score ? best.delimiter : ';'
}
