export type CsvColumn<Row> = { label: string; value: (row: Row) => unknown }

/** A spreadsheet file as Brazilian Excel opens it: semicolons, UTF-8 with its mark, nothing that runs as a formula. */
export const toCsv = <Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]) =>
  csvHead(columns) + csvBody(columns, rows)

/** The first line of a file that is sent in parts. */
export const csvHead = <Row>(columns: readonly CsvColumn<Row>[]) =>
  `\uFEFF${line(columns.map((column) => column.label))}`
export const csvBody = <Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]) =>
  rows.map((row) => line(columns.map((column) => column.value(row)))).join('')
const line = (cells: unknown[]) => `${cells.map(csvCell).join(';')}\r\n`

/** A moment as people write it; nothing where there is none. */
export const momentText = (timeZone: string, timeStyle: 'short' | 'medium' = 'short') => {
  const format = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'short', timeStyle, timeZone })
  return (at: string | null | undefined) => at && format.format(new Date(at)).replace(',', '')
}

/** How an export travels. */
export const csvHeaders = (name: string) => ({
  'content-type': 'text/csv; charset=utf-8',
  'content-disposition': `attachment; filename="${name}.csv"`,
  'cache-control': 'private, no-store',
})

/**
 * A text that begins like a formula gets an apostrophe, which a spreadsheet shows as text, and so does one that begins
 * like that already: read again, both are what they were. A true number stays one.
 */
export const csvCell = (value: unknown): string => {
  const text = toText(value)
  const safe = typeof value !== 'number' && /^'*[=+\-@\t\r\n]/.test(text) ? `'${text}` : text
  return /[";\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const toText = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'Sim' : 'Não'
  return Array.isArray(value) ? value.join(', ') : String(value)
}
