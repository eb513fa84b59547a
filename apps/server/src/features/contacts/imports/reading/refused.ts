import { cutText } from '@balcao/contract/core/cut-text.ts'
/** The file cannot be taken; the message tells the person why and what to do. */
export class RefusedFile extends Error {}

/** A row of cells, by the number its program shows for it. */
export type Row = { line: number; cells: string[] }

/** So much of a cell is kept: nothing a contact has is longer. */
const mostLetters = 4_000

/** As text of one cell: without what the database cannot keep, nor the signs spreadsheets put before a text. */
export const cleanCell = (text: string): string => {
  const plain = cutText(text.replaceAll('\0', '').trim(), mostLetters)
  const quoted = /^="([^"]*)"$/.exec(plain)?.[1]
  return quoted ?? (/^'[=+\-@]/.test(plain) ? plain.slice(1) : plain)
}

/** What stands where a formula has no result. */
export const noResult = '#FÓRMULA'
export const isFormulaError = (text: string) =>
  /^#(FÓRMULA|N\/A|N\/D|REF!|VALUE!|VALOR!|DIV\/0!|NAME\?|NOME\?|NULL!|NULO!|NUM!|NÚM!|SPILL!|CALC!)$/.test(text)
