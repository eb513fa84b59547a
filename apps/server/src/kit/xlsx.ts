import { Buffer } from 'node:buffer'
import { type Entry, zip } from './zip.ts'

type Column<Row> = { label: string; value: (row: Row) => unknown }

/** A workbook of one sheet, written as its rows come: numbers are numbers, whatever else is a text, so nothing in it runs or loses its zeros. */
export const xlsx = <Row>(sheet: string, columns: readonly Column<Row>[], pages: AsyncIterable<Row[]>) =>
  zip(entries(sheet, columns, pages))

async function* entries<Row>(
  sheet: string,
  columns: readonly Column<Row>[],
  pages: AsyncIterable<Row[]>,
): AsyncGenerator<Entry> {
  const fixed: Record<string, string> = {
    '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="${escaped(sheet)}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
  }
  for (const [name, xml] of Object.entries(fixed)) yield { name, isText: true, chunks: only(head + xml) }
  yield { name: 'xl/worksheets/sheet1.xml', isText: true, chunks: sheetXml(columns, pages) }
}

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

async function* only(text: string) {
  yield Buffer.from(text)
}

async function* sheetXml<Row>(columns: readonly Column<Row>[], pages: AsyncIterable<Row[]>) {
  yield Buffer.from(`${head}<worksheet xmlns="${main}"><sheetData>${rowXml(columns.map(({ label }) => label))}`)
  for await (const rows of pages)
    yield Buffer.from(rows.map((row) => rowXml(columns.map(({ value }) => value(row)))).join(''))
  yield Buffer.from('</sheetData></worksheet>')
}

const rowXml = (cells: unknown[]) => `<row>${cells.map(cellXml).join('')}</row>`
const cellXml = (value: unknown) => {
  if (typeof value === 'number' && Number.isFinite(value)) return `<c><v>${value}</v></c>`
  const text = Array.isArray(value) ? value.join(', ') : String(value ?? '')
  return text
    ? `<c t="inlineStr"><is><t xml:space="preserve">${escaped(text.slice(0, mostLetters))}</t></is></c>`
    : '<c/>'
}
/** What one cell of Excel holds. */
const mostLetters = 32_767

const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
/** XML knows no other control signs than line ends and tabs. */
const escaped = (text: string) =>
  text
    .replace(/[&<>"]/g, (sign) => signs[sign] ?? sign)
    .replace(/[\p{Cc}\ufffe\uffff]/gu, (sign) => (/[\t\r\n]/.test(sign) ? sign : ''))
