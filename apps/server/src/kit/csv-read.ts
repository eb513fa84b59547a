import { mostCsvLines } from '@balcao/contract/core/csv-imports.ts'
import { CsvError, parse } from 'csv-parse/sync'
import { fieldErrors } from './errors.ts'

/** A line of a file, by the heads of its columns as they were asked for. */
export type CsvLine<Head extends string> = { line: number; cells: Record<Head, string> }

/**
 * A file such as our exports, whoever saved it last: separated by semicolons, commas or tabs, its heads in any order,
 * case and accents aside. What the export put before a formula is taken off again. Throws where it is no such file.
 */
export const readCsv = <Head extends string>(
  csv: string,
  { heads, required }: { heads: readonly Head[]; required: readonly Head[] },
): CsvLine<Head>[] => {
  const [first = []] = parsed(csv, 1)
  const places = heads.map((head) => [head, first.findIndex(({ text }) => plain(text) === plain(head))] as const)
  const missing = required.filter((head) => places.some(([name, at]) => name === head && at < 0))
  if (missing.length)
    throw refusal(`A primeira linha do arquivo precisa ter ${missing.map((head) => `“${head}”`).join(' e ')}.`)
  const twice = places.find(([head]) => first.filter(({ text }) => plain(text) === plain(head)).length > 1)
  if (twice) throw refusal(`A coluna “${twice[0]}” aparece duas vezes. Deixe só uma.`)
  const rows = parsed(csv).slice(1)
  if (!rows.length) throw refusal('O arquivo só tem a linha de títulos.')
  if (rows.length > mostCsvLines)
    throw refusal(`O arquivo tem mais de ${mostCsvLines.toLocaleString('pt-BR')} linhas. Divida-o.`)
  return rows.map((row) => ({
    line: row[0]?.line ?? 0,
    cells: Object.fromEntries(places.map(([head, at]) => [head, unquoted(row[at]?.text ?? '')])) as Record<
      Head,
      string
    >, // one of each
  }))
}

/** What stands in one line of a list, in whatever columns; a line with an open quote is one cell. */
export const cellsOf = (line: string): string[] => {
  try {
    return (parse(line, { delimiter: separatorOf(line), relax_quotes: true, trim: true }) as string[][]).flat()
  } catch (error) {
    if (error instanceof CsvError) return [line.trim()]
    throw error
  }
}

type Cell = { text: string; line: number }
const parsed = (csv: string, most?: number): Cell[][] => {
  try {
    const records: unknown = parse(csv, {
      bom: true,
      delimiter: separatorOf(csv),
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      to: most,
      info: true,
      record_delimiter: ['\r\n', '\n', '\r'],
    })
    // With `info`, which the library's types do not follow.
    return (records as { record: string[]; info: { lines: number } }[]).map(({ record, info }) =>
      record.map((text) => ({ text, line: info.lines })),
    )
  } catch (error) {
    if (error instanceof CsvError) throw refusal('Não conseguimos ler o arquivo. Salve-o como CSV e tente de novo.')
    throw error
  }
}

const separatorOf = (csv: string): string => {
  const [head = ''] = csv.split(/[\r\n]/, 1)
  const counted = [';', ',', '\t'].map((sign) => [sign, head.split(sign).length] as const)
  return counted.reduce((best, one) => (one[1] > best[1] ? one : best))[0]
}
/** `csvCell` puts an apostrophe before what would run as a formula, and before one that stands there by itself. */
const unquoted = (text: string) => text.replace(/^'(?='*[=+\-@\t\r\n])/, '')
const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').trim().toLowerCase()
const refusal = (message: string) => fieldErrors({ path: 'csv', message })
