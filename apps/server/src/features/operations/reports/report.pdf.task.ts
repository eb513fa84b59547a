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
const inset = 4
const colors = { text: '#1c2b2a', dim: '#5b6b69', line: '#d5dcdb' }

/** A table on pages across, its head on each of them, the last row (what they are in all) in bold. */
export const run: HeavyTask<ReportPdf, never, void> = async ({ company, title, period, head, rows, path }) => {
  const out = createWriteStream(path, { mode: 0o600 })
  const info = { Title: title, Author: company }
  const doc = new PDFDocument({ size: 'A4', layout: 'landscape', margin, info, lang: 'pt-BR', font: textFont })
  doc.pipe(out)
  const width = doc.page.width - 2 * margin
  const { size, widths } = columnsOf(doc, width, head, rows)
  const lefts = widths.map((_, at) => widths.slice(0, at).reduce((sum, one) => sum + one, margin))
  const within = (at: number) => ({ width: (widths[at] ?? 0) - 2 * inset })
  const height = (cells: string[]) =>
    8 + Math.max(...cells.map((text, at) => doc.heightOfString(text || ' ', within(at))))
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
      doc
        .fillColor(colors.text)
        .text(text, (lefts[at] ?? 0) + inset, top + 4, { ...within(at), align: at ? 'right' : 'left' })
    }
    doc
      .moveTo(margin, top + tall)
      .lineTo(margin + width, top + tall)
      .lineWidth(0.5)
      .strokeColor(colors.line)
      .stroke()
    doc.y = top + tall
  }
  doc.font(textFont).fontSize(9).fillColor(colors.dim).text(company)
  doc.font(boldFont).fontSize(16).fillColor(colors.text).text(title)
  doc.font(textFont).fontSize(9).fillColor(colors.dim).text(period)
  doc.moveDown(0.8)
  write(head, true)
  for (const row of rows) write(row, row === rows.at(-1))
  doc.end()
  await once(out, 'close')
}

/** As wide as the longest word of each heading and the longest number below it, in the largest letters that leave room for names. */
const columnsOf = (doc: PDFKit.PDFDocument, width: number, head: string[], rows: string[][]) => {
  const [, ...others] = head
  if (!others.length) return { size: 8.5, widths: [width] }
  const texts = others.map((label, at) => [
    ...label.split(' '),
    ...rows.flatMap((row) => row[at + 1]?.split('\n') ?? []),
  ])
  // Of many rows the longest texts are the widest.
  const longest = texts.map((all) => all.toSorted((a, b) => b.length - a.length).slice(0, 20))
  const needed = (size: number) => {
    doc.font(boldFont).fontSize(size)
    return longest.map((some) => Math.ceil(Math.max(...some.map((text) => doc.widthOfString(text)))) + 2 * inset + 1)
  }
  const total = (of: number[]) => of.reduce((sum, one) => sum + one, 0)
  const sizes = [8.5, 8, 7.5, 7, 6.5, 6, 5.5]
  const size = sizes.find((one) => total(needed(one)) <= width - leastForNames) ?? 5.5
  const wide = needed(size)
  const spare = Math.max(0, width * 0.76 - total(wide)) / others.length
  const widths = wide.map((one) => one + spare)
  return { size, widths: [Math.max(60, width - total(widths)), ...widths] }
}
const leastForNames = 130
