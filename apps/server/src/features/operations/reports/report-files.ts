import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { dimensions } from '@balcao/contract/operations/reports/definitions.ts'
import { measureOf } from '@balcao/contract/operations/reports/measures.ts'
import type { ReportFile, ReportQuery, ReportResult, ReportRow } from '@balcao/contract/operations/reports/reports.ts'
import { measureText } from '@balcao/contract/operations/reports/words.ts'
import { type CsvColumn, csvBody, csvHead } from '../../../kit/csv.ts'
import { createHeavy } from '../../../kit/heavy/heavy.ts'
import { xlsx } from '../../../kit/xlsx.ts'
import { getDirectory } from '../../core/directory/directory.ts'
import type { ReportPdf } from './report.pdf.task.ts'
import { type Asking, requireReport, runReport } from './run-report.ts'

/** A report as a file: its rows and what they are in all. Answers the name without its ending, and the bytes. */
export const reportAsFile = async (
  actor: Asking,
  { key, format, query }: { key: string; format: ReportFile; query: ReportQuery },
): Promise<Readable> => {
  const result = await runReport(actor, key, query)
  const columns = columnsOf(result, format)
  const rows = [...result.rows, totalOf(result)]
  const { title } = requireReport(key)
  if (format === 'csv') return Readable.from([csvHead(columns), csvBody(columns, rows)])
  if (format === 'xlsx') return Readable.from(xlsx(title.slice(0, 31), columns, pagesOf(rows)))
  const { name: company } = await getDirectory(actor.tenantId)
  const input = {
    company,
    title,
    period: periodText(result),
    head: columns.map(({ label }) => label),
    rows: rows.map((row) => columns.map(({ value }) => String(value(row) ?? ''))),
  }
  return asPdf(actor.tenantId, input)
}

async function* pagesOf(rows: ReportRow[]) {
  yield rows
}

const totalOf = ({ total, totalBefore }: ReportResult): ReportRow => ({
  ...{ id: null, label: 'Total', color: null },
  values: total,
  before: totalBefore,
})

/** Numbers as numbers where a program reads them, as people write them where they are printed. */
const columnsOf = ({ dimension, measures, totalBefore }: ReportResult, format: ReportFile): CsvColumn<ReportRow>[] => {
  const cell = (key: ReportResult['measures'][number]['key'], value: number | null | undefined) =>
    ({ pdf: measureText, csv: numberWithComma, xlsx: plainNumber })[format](value ?? null, measureOf(key).unit)
  const name = { label: dimensions[dimension].label, value: (row: ReportRow) => row.label }
  // On paper there is no room for twice the columns.
  if (format === 'pdf')
    return [
      name,
      ...measures.map(({ key, label }, at) => ({
        label,
        value: (row: ReportRow) => cell(key, row.values[at]) + (row.before ? `\n(${cell(key, row.before[at])})` : ''),
      })),
    ]
  return [
    name,
    ...measures.flatMap(({ key, label }, at): CsvColumn<ReportRow>[] => [
      { label: withUnit(key, label), value: (row) => cell(key, row.values[at]) },
      ...(totalBefore ? [{ label: `${label} antes`, value: (row: ReportRow) => cell(key, row.before?.[at]) }] : []),
    ]),
  ]
}
const withUnit = (key: ReportResult['measures'][number]['key'], label: string) =>
  ({ seconds: `${label} (minutos)`, percent: `${label} (%)`, money: `${label} (R$)`, dollars: `${label} (US$)` })[
    measureOf(key).unit as string
  ] ?? label
/** Times in minutes, money in whole units; as fine as it is read. */
const plainNumber = (value: number | null, unit: string) => {
  if (value === null) return ''
  const shown = unit === 'seconds' ? value / 60 : unit === 'money' ? value / 100 : value
  const isFine = unit === 'money' && shown > 0 && shown < 0.01
  return Number(shown.toFixed(isFine ? 4 : 2))
}
/** The same with a comma for decimals, as the spreadsheets of the country read a CSV. */
const numberWithComma = (value: number | null, unit: string) => {
  const shown = plainNumber(value, unit)
  return Number.isInteger(shown) ? shown : String(shown).replace('.', ',')
}
const periodText = ({ period, periodBefore, timezone }: ReportResult) => {
  if (!period) return 'De qualquer data'
  const ofDays = ({ from, to }: typeof period) => `${dayText(from)} a ${dayText(to)}`
  const before = periodBefore ? `, comparado com ${ofDays(periodBefore)} (entre parênteses)` : ''
  return `${ofDays(period)}${before}, no horário de ${timezone}`
}
const dayText = (day: string) => day.split('-').reverse().join('/')

const setPdf = createHeavy<ReportPdf, never, void>(new URL('./report.pdf.task.ts', import.meta.url), {
  processes: 1,
  memoryMb: 256,
  timeMs: 60_000,
  mostWaiting: 10,
  niceness: 5,
})
const asPdf = async (tenantId: number, input: Omit<ReportPdf, 'path'>): Promise<Readable> => {
  const folder = await mkdtemp(join(tmpdir(), 'balcao-report-'))
  const clean = () => rm(folder, { recursive: true, force: true })
  try {
    const path = join(folder, 'relatorio.pdf')
    await setPdf(tenantId, { input: { ...input, path } })
    return createReadStream(path).on('close', () => void clean())
  } catch (error) {
    await clean()
    throw error
  }
}
