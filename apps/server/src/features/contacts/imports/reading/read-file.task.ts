import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { type ContactImportReading, mostColumns, mostRows } from '@balcao/contract/contacts/imports.ts'
import type { HeavyTask } from '../../../../kit/heavy/child.ts'
import { csvRows, delimiterOf } from './csv.ts'
import { headingRowOf, plainHeading } from './headings.ts'
import { RefusedFile, type Row } from './refused.ts'
import { encodingOf, firstBytes, looksMangled } from './text-file.ts'
import { cardHeadings, vcardRows } from './vcard.ts'
import { openSheet, tooManyRows } from './xlsx.ts'

/** What the person says of the file where we read it otherwise. */
export type Wanted = Partial<Pick<ContactImportReading, 'encoding' | 'delimiter' | 'sheet'>> & { hasHeadings?: boolean }
export type ReadInput = { path: string; rowsPath: string; wanted: Wanted }
export type ReadOutput =
  | { refusal: string }
  | { reading: ContactImportReading; headings: string[]; hasHeadings: boolean; columns: number; total: number }

/**
 * Reads a file of contacts whole, or says why it cannot be: its rows go to `rowsPath`, one JSON array of line and cells
 * a line. Nothing of it is in memory but the row in hand, and what repeats in a workbook.
 */
export const run: HeavyTask<ReadInput, never, ReadOutput> = async ({ path, rowsPath, wanted }) => {
  try {
    return await read(path, rowsPath, wanted)
  } catch (error) {
    if (error instanceof RefusedFile) return { refusal: error.message }
    throw error
  }
}

const read = async (path: string, rowsPath: string, wanted: Wanted): Promise<ReadOutput> => {
  const start = await firstBytes(path)
  if (!start.length) throw new RefusedFile('O arquivo está vazio.')
  if (start.subarray(0, 4).equals(Buffer.from('PK\u0003\u0004'))) return readSheet(path, rowsPath, wanted)
  if (start.subarray(0, 4).equals(Buffer.from('d0cf11e0', 'hex')))
    throw new RefusedFile(
      'Este arquivo é de um Excel antigo (.xls) ou tem senha. Salve como XLSX, sem senha, e envie de novo.',
    )
  return readText(path, rowsPath, wanted)
}

const readSheet = async (path: string, rowsPath: string, wanted: Wanted): Promise<ReadOutput> => {
  const sheet = await openSheet(path, wanted.sheet)
  try {
    const taken = await writeRows(sheet.rows, rowsPath, wanted.hasHeadings)
    const { merged, emptyFormulas } = sheet.found
    const notes = [
      ...taken.notes,
      ...(merged.length
        ? [`Há células mescladas (${some(merged)}): vale só a primeira de cada; as outras contam como vazias.`]
        : []),
      ...(emptyFormulas
        ? [
            `${emptyFormulas === 1 ? 'Uma célula tem' : `${emptyFormulas.toLocaleString('pt-BR')} células têm`} fórmula sem resultado salvo. Abra no Excel, salve e envie de novo para aproveitar.`,
          ]
        : []),
    ]
    return { ...taken, reading: { format: 'xlsx', sheet: sheet.name, sheets: sheet.names, notes } }
  } finally {
    sheet.close()
  }
}
const some = (all: string[]) => all.slice(0, 3).join(', ') + (all.length > 3 ? ` e mais ${all.length - 3}` : '')

const readText = async (path: string, rowsPath: string, wanted: Wanted): Promise<ReadOutput> => {
  const encoding = wanted.encoding ?? (await encodingOf(path))
  const start = new TextDecoder(encoding).decode(await firstBytes(path), { stream: true })
  if (/^\s*BEGIN:VCARD/i.test(start)) {
    const rows = withHeadings(vcardRows(path, encoding))
    const taken = await writeRows(rows, rowsPath, true, noCards)
    return { ...taken, reading: { format: 'vcard', encoding, notes: taken.notes } }
  }
  if (/^\s*(<!doctype|<html|<table|<\?xml|\{\\rtf|%PDF)/i.test(start))
    throw new RefusedFile('Este arquivo não é uma planilha de verdade. Abra-o no Excel e salve como XLSX ou CSV.')
  const delimiter = wanted.delimiter ?? delimiterOf(start)
  const taken = await writeRows(csvRows(path, encoding, delimiter), rowsPath, wanted.hasHeadings)
  const notes = looksMangled(start)
    ? [...taken.notes, 'Os acentos parecem trocados. Confira a prévia e, se for o caso, escolha outra codificação.']
    : taken.notes
  return { ...taken, reading: { format: 'csv', encoding, delimiter, notes } }
}

/** Headings that read the same as one before. */
const repeatedIn = (headings: string[]) => {
  const plain = headings.map(plainHeading)
  return [...new Set(headings.filter((heading, at) => heading && plain.indexOf(plain[at] ?? '') < at))]
}

async function* withHeadings(rows: AsyncGenerator<Row>): AsyncGenerator<Row> {
  yield { line: 0, cells: cardHeadings }
  yield* rows
}

/** So many rows are looked at for the one that says what the columns are. */
const nearTop = 10

const onlyHeadings = 'O arquivo só tem o cabeçalho. Acrescente os contatos abaixo dele e envie de novo.'
const noCards = 'Não há nenhum contato inteiro neste vCard. Exporte-o de novo da agenda e envie.'

const writeRows = async (
  rows: AsyncGenerator<Row>,
  rowsPath: string,
  wantsHeadings: boolean | undefined,
  nobody = onlyHeadings,
) => {
  const file = createWriteStream(rowsPath, { mode: 0o600 })
  file.on('error', () => {}) // told by `finished`, and of no interest after a refusal
  const top: Row[] = []
  let headings: string[] | undefined
  let hasHeadings = false
  let columns = 0
  let total = 0
  const notes: string[] = []
  const write = async (row: Row) => {
    total += 1
    if (total > mostRows) throw tooManyRows()
    if (!file.write(`${JSON.stringify([row.line, row.cells])}\n`)) await once(file, 'drain')
  }
  const begin = async () => {
    const at = wantsHeadings === false ? -1 : headingRowOf(top, wantsHeadings === true)
    hasHeadings = at >= 0
    headings = hasHeadings ? (top[at]?.cells ?? []) : []
    if (at > 0)
      notes.push(
        at === 1
          ? 'A primeira linha, um título, ficou de fora.'
          : `As ${at} primeiras linhas, um título, ficaram de fora.`,
      )
    const twice = repeatedIn(headings)
    if (twice.length) notes.push(`Há colunas com o mesmo título (${some(twice)}): confira o que é cada uma.`)
    for (const row of top.slice(at + 1)) await write(row)
  }
  try {
    for await (const { line, cells } of rows) {
      const row = { line, cells: cells.slice(0, cells.findLastIndex(Boolean) + 1) }
      if (!row.cells.length) continue
      columns = Math.max(columns, row.cells.length)
      if (columns > mostColumns)
        throw new RefusedFile(
          `O arquivo tem ${columns.toLocaleString('pt-BR')} colunas. Deixe no máximo ${mostColumns} e envie de novo.`,
        )
      if (headings) await write(row)
      else if (top.push(row) === nearTop) await begin()
    }
    if (!headings) await begin()
    file.end()
    await finished(file)
  } catch (error) {
    file.destroy()
    throw error
  }
  if (!columns) throw new RefusedFile('O arquivo não tem nenhuma linha preenchida.')
  if (!total) throw new RefusedFile(nobody)
  return { headings: headings ?? [], hasHeadings, columns, total, notes }
}
