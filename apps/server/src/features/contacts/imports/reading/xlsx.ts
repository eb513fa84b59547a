import { mostColumns, mostRows } from '@balcao/contract/contacts/imports.ts'
import { cutText } from '@balcao/contract/core/cut-text.ts'
import { type NumberFormat, numberFormatOf, numberText, timeText } from './number-format.ts'
import { cleanCell, noResult, RefusedFile, type Row } from './refused.ts'
import { openWorkbook, readWhole, readXml } from './workbook.ts'

export type Sheet = {
  name: string
  /** Of all that show. */
  names: string[]
  rows: AsyncGenerator<Row>
  /** What was found on the way; complete once the rows are read. */
  found: { merged: string[]; emptyFormulas: number }
  close: () => void
}

/** One sheet of a workbook, row by row: of a formula its last result, of a number what one sees. */
export const openSheet = async (path: string, wanted?: string): Promise<Sheet> => {
  const { parts, zip } = await openWorkbook(path)
  try {
    if (!parts.has('xl/workbook.xml')) throw new RefusedFile(noWorkbook(parts))
    const { sheets, is1904 } = await readSheets({ parts, zip })
    const sheet = sheets.find(({ name }) => name === wanted) ?? sheets[0]
    const entry = sheet && parts.get(sheet.part)
    if (!sheet || !entry) throw new RefusedFile('A planilha não tem nenhuma aba com dados.')
    const strings = await readStrings({ parts, zip })
    const formats = await readFormats({ parts, zip })
    const found: Sheet['found'] = { merged: [], emptyFormulas: 0 }
    const rows = readRows({ parts, zip }, { entry, strings, formats, is1904, found })
    return { name: sheet.name, names: sheets.map(({ name }) => name), rows, found, close: () => zip.close() }
  } catch (error) {
    zip.close()
    throw error
  }
}

type Workbook = Awaited<ReturnType<typeof openWorkbook>>

const noWorkbook = (parts: Workbook['parts']) =>
  parts.has('content.xml')
    ? 'Este arquivo é do LibreOffice (ODS). Salve-o como XLSX ou CSV e envie de novo.'
    : 'Este arquivo não é uma planilha. Envie um CSV, um XLSX (Excel) ou um vCard (.vcf).'

const readSheets = async ({ parts, zip }: Workbook) => {
  const targets = new Map<string, string>()
  await readWhole(zip, parts.get('xl/_rels/workbook.xml.rels'), {
    open: (name, { Id = '', Target = '' }) => {
      if (name === 'Relationship') targets.set(Id, Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`)
    },
  })
  const sheets: { name: string; part: string }[] = []
  let is1904 = false
  await readWhole(zip, parts.get('xl/workbook.xml'), {
    open: (tag, attributes) => {
      if (tag === 'workbookPr') is1904 = /^(1|true)$/.test(attributes.date1904 ?? '')
      if (tag !== 'sheet' || /hidden/i.test(attributes.state ?? '') || sheets.length === 200) return
      const [, reference = ''] = Object.entries(attributes).find(([name]) => /:id$/.test(name)) ?? []
      const part = targets.get(reference)
      if (part && /worksheets\//.test(part)) sheets.push({ name: cutText(attributes.name ?? '', 100), part })
    },
  })
  return { sheets, is1904 }
}

/** What repeats in a workbook is kept once; all of it stays in memory, so it has an end. */
const mostStringLetters = 120_000_000
const readStrings = async ({ parts, zip }: Workbook): Promise<string[]> => {
  const strings: string[] = []
  let text = ''
  let letters = 0
  let isText = false
  let isPhonetic = false
  await readWhole(zip, parts.get('xl/sharedStrings.xml'), {
    open: (name) => {
      if (name === 'si') text = ''
      if (name === 'rPh') isPhonetic = true
      isText = name === 't' && !isPhonetic
    },
    text: (more) => {
      if (isText && text.length < 8_000) text += more
    },
    close: (name) => {
      if (name === 'rPh') isPhonetic = false
      if (name === 't') isText = false
      if (name !== 'si') return
      letters += text.length
      if (letters > mostStringLetters)
        throw new RefusedFile('A planilha tem texto demais. Divida-a em arquivos menores.')
      strings.push(text)
    },
  })
  return strings
}

/** How numbers are shown, by the number of their style. */
const readFormats = async ({ parts, zip }: Workbook): Promise<ReadonlyMap<number, NumberFormat>> => {
  const own = new Map<string, string>()
  const formats = new Map<number, NumberFormat>()
  let isCells = false
  let count = 0
  await readWhole(zip, parts.get('xl/styles.xml'), {
    open: (name, { numFmtId = '', formatCode = '' }) => {
      if (name === 'numFmt') own.set(numFmtId, formatCode)
      if (name === 'cellXfs') isCells = true
      if (name !== 'xf' || !isCells) return
      const format = numberFormatOf(Number(numFmtId), own.get(numFmtId))
      if (format) formats.set(count, format)
      count += 1
    },
    close: (name) => {
      if (name === 'cellXfs') isCells = false
    },
  })
  return formats
}

type Reading = {
  entry: Parameters<typeof readXml>[1]
  strings: string[]
  formats: ReadonlyMap<number, NumberFormat>
  is1904: boolean
  found: Sheet['found']
}

async function* readRows({ zip }: Workbook, { entry, strings, formats, is1904, found }: Reading): AsyncGenerator<Row> {
  const rows: Row[] = []
  let row: Row = { line: 0, cells: [] }
  let cell = { column: -1, type: 'n', style: 0, hasFormula: false }
  let value = ''
  let isValue = false
  let count = 0
  const steps = readXml(zip, entry, {
    open: (name, { r = '', t = 'n', s = '', ref = '' }) => {
      if (name === 'row') row = { line: Number(r) || row.line + 1, cells: [] }
      else if (name === 'c') {
        cell = { column: columnOf(r) ?? cell.column + 1, type: t, style: Number(s), hasFormula: false }
        value = ''
      } else if (name === 'f') cell.hasFormula = true
      else if (name === 'v' || name === 't') isValue = true
      else if (name === 'mergeCell' && found.merged.length < 1_000) found.merged.push(ref)
    },
    text: (more) => {
      if (isValue && value.length < 8_000) value += more
    },
    close: (name) => {
      if (name === 'v' || name === 't') isValue = false
      else if (name === 'c') {
        const text = cleanCell(textOf())
        if (!text) return
        if (cell.column >= mostColumns)
          throw new RefusedFile(
            `A linha ${row.line} tem dados depois da coluna ${mostColumns}. Deixe no máximo ${mostColumns} colunas e envie de novo.`,
          )
        while (row.cells.length < cell.column) row.cells.push('')
        row.cells[cell.column] = text
      } else if (name === 'row') {
        cell = { ...cell, column: -1 }
        if (!row.cells.length) return
        count += 1
        if (count > mostRows + 20) throw tooManyRows()
        rows.push(row)
      }
    },
  })
  const textOf = (): string => {
    if (cell.hasFormula && value === '') {
      found.emptyFormulas += 1
      return noResult
    }
    if (cell.type === 's') return strings[Number(value)] ?? ''
    if (cell.type === 'b') return value === '1' ? 'Sim' : 'Não'
    if (cell.type === 'd') return dayText(new Date(value))
    if (cell.type !== 'n' || value === '') return value
    const number = Number(value)
    if (!Number.isFinite(number)) return value
    const format = formats.get(cell.style)
    if (format?.kind === 'time') return timeText(number)
    if (format?.kind === 'day') return dayOf(number, is1904)
    if (format?.kind === 'moment') {
      const time = timeText(number)
      return time === '00:00' ? dayOf(number, is1904) : `${dayOf(number, is1904)} ${time}`
    }
    return numberText(number, format)
  }
  for await (const _ of steps) yield* rows.splice(0)
}

export const tooManyRows = () =>
  new RefusedFile(
    `O arquivo tem mais de ${mostRows.toLocaleString('pt-BR')} linhas. Divida-o em arquivos menores e envie um de cada vez.`,
  )

/** "AB12" is column 27; undefined where a cell does not say where it stands. */
const columnOf = (reference: string): number | undefined => {
  const letters = /^[A-Z]{1,3}/i.exec(reference)?.[0]
  if (!letters) return undefined
  return [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

/** Excel counts days from the end of 1899, as if 1900 had been a leap year; on old Macs from 1904. */
const dayOf = (days: number, is1904: boolean): string => {
  const since = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 60 ? 31 : 30)
  const at = new Date(since + Math.floor(days) * 86_400_000)
  return Number.isNaN(at.getTime()) ? String(days) : dayText(at)
}
const dayText = (at: Date) =>
  Number.isNaN(at.getTime()) ? '' : at.toISOString().slice(0, 10).split('-').reverse().join('/')
