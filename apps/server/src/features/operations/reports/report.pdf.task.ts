import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import PDFDocument from 'pdfkit'
import type { HeavyTask } from '../../../kit/heavy/child.ts'
import { boldFont, textFont } from '../../conversations/exports/fonts.ts'

export type ReportPdf = {
  company: string
  title: string
  period: string
  head: string[]
  rows: string[][]
  path: string
}

const margin = 40
const colors = { text: '#1c2b2a', dim: '#5b6b69', line: '#d5dcdb' }

/** A table on pages across, its head on each of them, the last row (what they are in all) in bold. */
export const run: HeavyTask<ReportPdf, never, void> = async ({ company, title, period, head, rows, path }) => {
  const out = createWriteStream(path, { mode: 0o600 })
  const info = { Title: title, Author: company }
  const doc = new PDFDocument({ size: 'A4', layout: 'landscape', margin, info, lang: 'pt-BR', font: textFont })
  doc.pipe(out)
  const width = doc.page.width - 2 * margin
  const first = head.length > 1 ? Math.max(130, width * 0.24) : width
  const other = (width - first) / Math.max(1, head.length - 1)
  const size = head.length > 10 ? 7 : 8.5
  const height = (cells: string[]) =>
    8 + Math.max(...cells.map((text, at) => doc.heightOfString(text || ' ', { width: (at ? other : first) - 8 })))
  const write = (cells: string[], isBold = false) => {
    doc
      .font(isBold ? boldFont : textFont)
      .fontSize(size)
      .fillColor(isBold ? colors.text : colors.dim)
    const tall = height(cells)
    if (doc.y + tall > doc.page.height - margin) {
      doc.addPage()
      doc.y = margin
      if (cells !== head) write(head, true)
      doc.font(isBold ? boldFont : textFont).fontSize(size)
    }
    const top = doc.y
    for (const [at, text] of cells.entries()) {
      const left = margin + (at ? first + (at - 1) * other : 0)
      doc
        .fillColor(colors.text)
        .text(text, left + 4, top + 4, { width: (at ? other : first) - 8, align: at ? 'right' : 'left' })
    }
    doc
      .moveTo(margin, top + tall)
      .lineTo(margin + width, top + tall)
      .lineWidth(0.5)
      .strokeColor(colors.line)
      .stroke()
    doc.y = top + tall
  }
  doc.fontSize(9).fillColor(colors.dim).text(company)
  doc.font(boldFont).fontSize(16).fillColor(colors.text).text(title)
  doc.font(textFont).fontSize(9).fillColor(colors.dim).text(period)
  doc.moveDown(0.8)
  write(head, true)
  for (const row of rows) write(row, row === rows.at(-1))
  doc.end()
  await once(out, 'close')
}
